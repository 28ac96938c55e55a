/* SPDX-License-Identifier: MIT */
#include "emulator/prepared.h"

static int prepare_first(vcs_emu_prepared *prepared, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    size_t bytes;
    prepared->state = NULL;
    int code = vcs_state_size(snapshot, &bytes);
    if (code == VCS_OK) {
        code = vcs_emu_reserve(prepared->memory, &prepared->work, bytes, 1);
    }
    return code != VCS_OK ? code
                          : vcs_state_prepare(snapshot, policy, prepared->clock->now, prepared->work.base,
                                              prepared->work.size, &prepared->state, prepared->clock->setup->error);
}

/* Client and servers see nearly the same host: the last state is renewed, whichever of them it was for. */
static int prepare(vcs_emu_prepared *prepared, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    int code = VCS_ERR_WORKSPACE;
    if (prepared->state != NULL) {
        code = vcs_state_renew(prepared->state, prepared->work.size, snapshot, policy, prepared->clock->now, NULL);
    }
    prepared->simulated = false;
    return code == VCS_OK ? VCS_OK : prepare_first(prepared, snapshot, policy);
}

int vcs_emu_prepare_other(vcs_emu_prepared *prepared, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    prepared->records->changed = true; /* the state is not of the records any more */
    return prepare(prepared, snapshot, policy);
}

int vcs_emu_prepare(vcs_emu_prepared *prepared) {
    int code = VCS_OK;
    if (prepared->records->changed) {
        code = vcs_emu_estimate_tasks(prepared->tasks);
        vcs_emu_show_timers(prepared->timers);
        if (code == VCS_OK) {
            code = prepare(prepared, &prepared->records->snapshot, &prepared->clock->setup->parameters);
            prepared->records->changed = false;
        }
    }
    if (code == VCS_OK && !prepared->simulated) {
        code = vcs_wrr(prepared->state, NULL);
        prepared->simulated = true;
    }
    return code;
}

vcs_situation vcs_emu_situation(const vcs_emu_prepared *prepared, const vcs_snapshot *snapshot) {
    return (vcs_situation){
        .struct_size = sizeof(vcs_situation),
        .now = prepared->clock->now,
        .snapshot = snapshot,
        .parameters = &prepared->clock->setup->parameters,
        .state = prepared->state,
    };
}

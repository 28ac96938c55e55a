/*
 * The records as a state of libvcsched, on which client and servers decide.
 *
 * Rule 6.10; worked by hand in tests/vcemu/host/test_emulator_network.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/host_state.h"
#include "vcemu/host/client/timers.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/results.h"
#include "vcemu/host/tasks/tasks.h"

/* Client and servers see nearly the same host, so the last state is renewed, whoever it was for. */
static void prepare(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    vcs_emu_workspace *space = e->workspace;
    size_t bytes = 0;
    e->prepared->simulated = e->prepared->scheduled = false;
    if (space->state != NULL && vcs_state_renew(space->state, vcs_emu_capacity(space->memory), snapshot, policy,
                                                e->clock->now, NULL) == VCS_OK) {
        return;
    }
    space->state = NULL;
    if (vcs_state_size(snapshot, &bytes) != VCS_OK) {
        bytes = sizeof(uint64_t); /* vcs_state_prepare() refuses the same, and says what */
    }
    /* Twice as much, or hosts with many tasks and servers with long offers would take turns at growing it. */
    if (vcs_emu_reserve(e->ground, &space->memory, bytes, 2)) {
        vcs_emu_note(e, vcs_state_prepare(snapshot, policy, e->clock->now, space->memory,
                                          vcs_emu_capacity(space->memory), &space->state, e->error));
    } else {
        vcs_emu_note(e, VCS_ERR_MEMORY);
    }
}

bool vcs_emu_prepare_other(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy) {
    e->records->changed = true; /* the state no longer matches the records */
    prepare(e, snapshot, policy);
    return e->code == VCS_OK;
}

/* When the host can be connected next, where it counts (rule 15.7); before its first call what the scenario says. */
static void tell_next_connection(vcs_emu_emulator *e) {
    const double interval = e->setup->parameters.connect_every;
    if (interval > 0.0 && e->results->connected > -VCS_INFINITY) {
        e->records->host.next_connection = e->results->connected + interval;
    }
}

bool vcs_emu_prepare_records(vcs_emu_emulator *e) {
    if (e->records->changed) {
        for (uint32_t i = 0; i < e->records->project_count; i++) {
            e->records->projects[i].min_rpc_time = e->timers->projects[i].timer.min_rpc_time;
            e->records->projects[i].rpc_failures = e->timers->projects[i].timer.failures;
            e->records->projects[i].unreported = e->results->of_projects[i];
        }
        tell_next_connection(e);
        vcs_emu_estimate_tasks(e);
        prepare(e, &e->records->snapshot, &e->setup->parameters);
        e->records->changed = false;
    }
    return e->code == VCS_OK;
}

void vcs_emu_simulate(vcs_emu_emulator *e) {
    if (!e->prepared->simulated) {
        e->prepared->simulated = true;
        vcs_emu_note(e, vcs_wrr(e->workspace->state, NULL));
    }
}

bool vcs_emu_prepare(vcs_emu_emulator *e) {
    vcs_emu_prepare_records(e);
    vcs_emu_simulate(e);
    return e->code == VCS_OK;
}

void vcs_emu_schedule(vcs_emu_emulator *e) {
    if (!e->prepared->scheduled) {
        e->prepared->scheduled = true;
        e->prepared->summary.struct_size = sizeof e->prepared->summary;
        vcs_emu_note(e, vcs_wrr_for_schedule(e->workspace->state));
        vcs_emu_note(e, vcs_schedule(e->workspace->state, VCS_SCHEDULE_RUNNING, &e->prepared->summary));
    }
}

bool vcs_emu_prepare_to_fetch(vcs_emu_emulator *e) {
    /* The library cannot tell what a choice of the caller's leaves idle; a fetch of the caller's may. */
    const bool by_library = e->setup->hooks.schedule == NULL;
    if (vcs_emu_prepare(e) && by_library && e->setup->parameters.discipline == VCS_DISCIPLINE_SLICED) {
        vcs_emu_schedule(e);
    }
    return e->code == VCS_OK;
}

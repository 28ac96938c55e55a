/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_file.h"

#include <string.h>

vcs_array vcs_scn_records(const void *base, size_t size, uint32_t count) {
    return (vcs_array){.base = base, .element_size = (uint32_t)size, .count = count};
}

vcs_snapshot vcs_scn_state_file_snapshot(const struct state_file *state) {
    vcs_snapshot snapshot = {.struct_size = sizeof snapshot};
    snapshot.host = vcs_scn_records(&state->host, sizeof state->host, 1);
    snapshot.hours = vcs_scn_records(state->hours, sizeof *state->hours, state->hour_count);
    snapshot.resources =
        vcs_scn_records(state->resources, sizeof *state->resources, vcs_scn_state_file_resource_count(state));
    snapshot.projects = vcs_scn_records(state->projects, sizeof *state->projects, state->counts[STATE_PROJECT]);
    snapshot.project_resources = vcs_scn_records(state->project_resources, sizeof *state->project_resources,
                                                 state->counts[STATE_PROJECT_RESOURCE]);
    snapshot.apps = vcs_scn_records(state->apps, sizeof *state->apps, state->counts[STATE_APP]);
    snapshot.app_resources =
        vcs_scn_records(state->app_resources, sizeof *state->app_resources, state->app_resource_count);
    snapshot.tasks = vcs_scn_records(state->tasks, sizeof *state->tasks, state->counts[STATE_TASK]);
    snapshot.candidates = vcs_scn_records(state->candidates, sizeof *state->candidates, state->counts[STATE_CANDIDATE]);
    return snapshot;
}

uint32_t vcs_scn_state_file_resource_count(const struct state_file *state) {
    return state->counts[STATE_GPU] + 1;
}

const char *vcs_scn_state_file_resource_name(const struct state_file *state, uint32_t resource) {
    return resource == 0 ? CPU_NAME : vcs_scn_state_file_name(state, STATE_GPU, resource - 1);
}

const char *vcs_scn_state_file_name(const struct state_file *state, uint32_t kind, uint32_t index) {
    return vcs_scn_ini_section_name(state->sections[kind][index]);
}

/* The key behind a field of the library; NULL if there is none. */
static const char *key_of_field(const struct state_section *grammar, const char *field) {
    for (size_t i = 0; i < grammar->key_count; i++) {
        const struct state_key *key = &grammar->keys[i];
        if (strcmp(key->field == NULL ? key->name : key->field, field) == 0) {
            return key->name;
        }
    }
    return NULL;
}

bool vcs_scn_state_file_refuse(const struct state_file *state, uint32_t kind, const vcs_error *error,
                               struct fault *fault) {
    const struct ini_section *section = state->sections[kind][error->index];
    struct place place =
        vcs_scn_ini_place(&state->document, section, key_of_field(state->grammar->sections[kind], error->field));
    return vcs_scn_fault_at(fault, &place, "%s", vcs_scn_fault_reason(error));
}

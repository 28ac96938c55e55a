/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/prepare.h"

#include <stdlib.h>

/* The kind of section behind a record; STATE_KINDS if there is none. */
static uint32_t kind_of(uint32_t type) {
    static const uint32_t kinds[][2] = {
        {VCS_TYPE_HOST, STATE_HOST},       {VCS_TYPE_RESOURCE, STATE_HOST},
        {VCS_TYPE_PROJECT, STATE_PROJECT}, {VCS_TYPE_PROJECT_RESOURCE, STATE_PROJECT_RESOURCE},
        {VCS_TYPE_APP, STATE_APP},         {VCS_TYPE_APP_RESOURCE, STATE_APP_RESOURCE},
        {VCS_TYPE_TASK, STATE_TASK},       {VCS_TYPE_CANDIDATE, STATE_CANDIDATE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i][0] == type) {
            return kinds[i][1];
        }
    }
    return STATE_KINDS;
}

bool vcs_scn_prepare_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault) {
    vcs_error own = *error;
    uint32_t kind = kind_of(error->type);
    if (error->type == VCS_TYPE_RESOURCE && error->index > 0) {
        kind = STATE_GPU;
        own.index--;
    }
    if (error->type == VCS_TYPE_APP_RESOURCE && error->index >= file->counts[kind]) { /* said by an [app] */
        own.index = file->app_resources[error->index].id;
        kind = STATE_APP;
    }
    return kind < STATE_KINDS && own.index < file->counts[kind]
               ? vcs_scn_state_file_refuse(file, kind, &own, fault)
               : vcs_scn_fault_library(fault, file->document.file, error);
}

vcs_state *vcs_scn_prepare_state(const struct state_file *file, struct fault *fault) {
    vcs_snapshot snapshot = vcs_scn_state_file_snapshot(file);
    size_t size = 0;
    if (vcs_state_size(&snapshot, &size) != VCS_OK) {
        size = sizeof(uint64_t); /* vcs_state_prepare() refuses the same, and says what */
    }
    void *work = malloc(size);
    if (work == NULL) {
        vcs_scn_fault_memory(fault, file->document.file);
        return NULL;
    }
    vcs_state *state;
    vcs_error error = {.struct_size = sizeof error};
    error.code = vcs_state_prepare(&snapshot, &file->parameters, file->now, work, size, &state, &error);
    if (error.code != VCS_OK) {
        vcs_scn_prepare_refuse(file, &error, fault);
        free(work);
        return NULL;
    }
    return state;
}

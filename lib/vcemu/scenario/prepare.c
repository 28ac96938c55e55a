/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/prepare.h"

#include <stdlib.h>

static bool refuse_record(const struct state_file *file, uint32_t kind, const vcs_error *error, struct fault *fault) {
    if (error->index < file->counts[kind]) {
        return vcs_scn_state_file_refuse(file, kind, error, fault);
    }
    return vcs_scn_fault_set(fault, "%s: %s", file->document.file, error->message);
}

bool vcs_scn_prepare_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault) {
    vcs_error of_gpu = *error;
    switch (error->type) {
    case VCS_TYPE_HOST:
        return refuse_record(file, STATE_HOST, error, fault);
    case VCS_TYPE_RESOURCE:
        of_gpu.index--;
        return error->index == 0 ? refuse_record(file, STATE_HOST, error, fault)
                                 : refuse_record(file, STATE_GPU, &of_gpu, fault);
    case VCS_TYPE_PROJECT:
        return refuse_record(file, STATE_PROJECT, error, fault);
    case VCS_TYPE_PROJECT_RESOURCE:
        return refuse_record(file, STATE_PROJECT_RESOURCE, error, fault);
    case VCS_TYPE_APP:
        return refuse_record(file, STATE_APP, error, fault);
    case VCS_TYPE_TASK:
        return refuse_record(file, STATE_TASK, error, fault);
    case VCS_TYPE_CANDIDATE:
        return refuse_record(file, STATE_CANDIDATE, error, fault);
    default:
        return vcs_scn_fault_set(fault, "%s: %s", file->document.file,
                                 error->message[0] == '\0' ? vcs_strerror(error->code) : error->message);
    }
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

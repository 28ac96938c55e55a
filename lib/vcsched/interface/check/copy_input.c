/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/copy_input.h"

#include <string.h>

static uint32_t size_of(const void *callers) {
    uint32_t size;
    memcpy(&size, callers, sizeof size);
    return size;
}

int vcs_check_struct(const void *callers, const vcs_layout *layout, vcs_error *error) {
    if (callers == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, layout, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    int code = vcs_check_size(layout->first_size, size_of(callers));
    return code == VCS_OK ? VCS_OK : vcs_fail(error, code, layout, 0, 0, "matches no known version of this struct");
}

int vcs_copy_input(void *known, const void *callers, const vcs_layout *layout, vcs_error *error) {
    int code = vcs_check_struct(callers, layout, error);
    if (code != VCS_OK) {
        return code;
    }
    if (vcs_copy_struct(known, layout->size, callers, size_of(callers)) != VCS_OK) {
        return vcs_fail(error, VCS_ERR_ABI_NEWER, layout, 0, VCS_WHOLE_RECORD,
                        "has fields set that this version of the library does not know");
    }
    return vcs_check_fields(layout, known, 0, error);
}

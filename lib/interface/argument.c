/* SPDX-License-Identifier: MIT */
#include "interface/argument.h"
#include "interface/check.h"
#include "interface/field_pass.h"
#include "interface/field_table.h"

#include <string.h>

int vcs_take_input(void *known, const void *callers, uint32_t type, vcs_error *error) {
    if (callers == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, type, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    uint32_t callers_size;
    memcpy(&callers_size, callers, sizeof callers_size);
    uint32_t known_size = vcs_known_size(type);
    int code = vcs_check_size(callers_size, known_size);
    if (code != VCS_OK) {
        return vcs_fail(error, code, type, 0, 0, "matches no known version of this struct");
    }
    if (vcs_take_struct(known, known_size, callers, callers_size) != VCS_OK) {
        return vcs_fail(error, VCS_ERR_ABI_NEWER, type, 0, VCS_WHOLE_RECORD,
                        "has fields set that this version of the library does not know");
    }
    return vcs_check_fields(type, known, 0, error);
}

int vcs_check_records(const vcs_array *array, uint32_t type, vcs_error *error) {
    int code = vcs_check_array(array, vcs_known_size(type), type, error);
    if (code != VCS_OK) {
        return code;
    }
    const uint32_t passing = vcs_count_passing(type, array->base, array->element_size, array->count);
    return passing < array->count ? vcs_refuse_record(array, passing, type, error) : VCS_OK;
}

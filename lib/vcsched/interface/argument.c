/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/argument.h"

#include <string.h>

int vcs_check_now(double now, vcs_error *error) {
    int code = vcs_check_time(now);
    return code == VCS_OK ? VCS_OK : vcs_refuse(error, code, "now is out of range");
}

int vcs_check_record(const void *record, uint32_t type, vcs_error *error) {
    return record == NULL ? vcs_fail(error, VCS_ERR_NULL, type, 0, VCS_WHOLE_RECORD, "is NULL")
                          : vcs_check_fields(type, record, 0, error);
}

static uint32_t size_of(const void *callers) {
    uint32_t size;
    memcpy(&size, callers, sizeof size);
    return size;
}

int vcs_check_struct(const void *callers, uint32_t type, vcs_error *error) {
    if (callers == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, type, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    int code = vcs_check_size(type, size_of(callers));
    return code == VCS_OK ? VCS_OK : vcs_fail(error, code, type, 0, 0, "matches no known version of this struct");
}

int vcs_check_rows(const void *rows, uint32_t size, uint32_t count, uint32_t type, vcs_error *error) {
    int code = vcs_check_output(rows, size, type, count, count);
    return code == VCS_OK
               ? VCS_OK
               : vcs_fail(error, code, type, 0, VCS_WHOLE_RECORD,
                          code == VCS_ERR_NULL ? "array is NULL" : "matches no known version of this struct");
}

int vcs_take_input(void *known, const void *callers, uint32_t type, vcs_error *error) {
    int code = vcs_check_struct(callers, type, error);
    if (code != VCS_OK) {
        return code;
    }
    if (vcs_take_struct(known, vcs_known_size(type), callers, size_of(callers)) != VCS_OK) {
        return vcs_fail(error, VCS_ERR_ABI_NEWER, type, 0, VCS_WHOLE_RECORD,
                        "has fields set that this version of the library does not know");
    }
    return vcs_check_fields(type, known, 0, error);
}

int vcs_check_records(const vcs_array *array, uint32_t type, vcs_error *error) {
    int code = vcs_check_array(array, type, error);
    if (code != VCS_OK) {
        return code;
    }
    const uint32_t passing = vcs_count_passing(type, array);
    return passing < array->count ? vcs_refuse_record(array, passing, type, error) : VCS_OK;
}

/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/argument.h"

int vcs_check_now(double now, vcs_error *error) {
    int code = vcs_check_time(now);
    return code == VCS_OK ? VCS_OK : vcs_refuse(error, code, "now is out of range");
}

int vcs_check_record(const void *record, const vcs_layout *layout, vcs_error *error) {
    return record == NULL ? vcs_fail(error, VCS_ERR_NULL, layout, 0, VCS_WHOLE_RECORD, "is NULL")
                          : vcs_check_fields(layout, record, 0, error);
}

int vcs_check_count(const vcs_array *array, const vcs_layout *layout, uint32_t needed, const char *refusal,
                    vcs_error *error) {
    if (array == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, layout, 0, VCS_WHOLE_RECORD, "array is NULL");
    }
    return array->count == needed ? VCS_OK : vcs_fail(error, VCS_ERR_COUNT, layout, 0, VCS_WHOLE_RECORD, refusal);
}

int vcs_check_rows(const vcs_array *rows, const vcs_layout *layout, uint32_t needed, const char *refusal,
                   vcs_error *error) {
    int code = vcs_check_count(rows, layout, needed, refusal, error);
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_check_output(rows, layout->first_size, needed);
    return code == VCS_OK
               ? VCS_OK
               : vcs_fail(error, code, layout, 0, VCS_WHOLE_RECORD,
                          code == VCS_ERR_NULL ? "array is NULL" : "matches no known version of this struct");
}

int vcs_check_records(const vcs_array *array, const vcs_layout *layout, vcs_error *error) {
    int code = vcs_check_array(array, layout, error);
    if (code != VCS_OK) {
        return code;
    }
    const uint32_t passing = vcs_count_passing(layout, array);
    return passing < array->count ? vcs_refuse_record(array, passing, layout, error) : VCS_OK;
}

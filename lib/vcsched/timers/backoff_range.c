/*
 * The ranges of waits that the parameters of a policy set.
 *
 * Rule 3.1; worked by hand in tests/vcsched/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/timers_fields.h"
#include "vcsched/timers/drawn_wait.h"

int vcs_backoff_range_init(vcs_backoff_range *range, uint32_t size, const vcs_parameters *parameters, uint32_t purpose,
                           vcs_error *error) {
    vcs_parameters completed;
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    code = range == NULL ? VCS_ERR_NULL : vcs_check_size(VCS_FIRST_backoff_range, size);
    if (code != VCS_OK) {
        return vcs_fail(error, code, &vcs_backoff_range_layout, 0, VCS_WHOLE_RECORD,
                        code == VCS_ERR_NULL ? "is NULL" : "matches no known version of this struct");
    }
    code = vcs_parameters_read(&parameters, &completed, error);
    if (code == VCS_OK && purpose > VCS_BACKOFF_OF_TRANSFER) {
        return vcs_refuse(error, VCS_ERR_FLAGS, "purpose is a choice that this version of the library does not know");
    }
    if (code == VCS_OK) {
        vcs_backoff_range filled = vcs_range_of(parameters, purpose);
        filled.struct_size = size;
        vcs_hand_out(range, size, &filled, sizeof filled);
    }
    return code;
}

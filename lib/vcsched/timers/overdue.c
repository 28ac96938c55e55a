/*
 * When a finished result must be reported.
 *
 * Rule 7.3; worked by hand in tests/vcsched/timers/test_rpc.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/timers.h>

#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/timers/buffer.h"

int vcs_result_overdue(double deadline, double completed, const vcs_parameters *parameters, double now,
                       uint32_t *overdue) {
    if (overdue == NULL) {
        return VCS_ERR_NULL;
    }
    vcs_parameters completed_policy;
    int code = vcs_parameters_read(&parameters, &completed_policy, NULL);
    code = vcs_first_error(code, deadline == VCS_INFINITY ? VCS_OK : vcs_check_time(deadline));
    code = vcs_first_error(code, vcs_check_time(completed));
    code = vcs_first_error(code, vcs_check_time(now));
    if (code == VCS_OK) {
        *overdue = now >= deadline - vcs_report_margin(parameters) || now - completed >= parameters->report_delay ||
                   completed > now;
    }
    return code;
}

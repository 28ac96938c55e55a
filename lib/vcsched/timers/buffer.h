/*
 * The work to keep at hand, and how long before its deadline a result is reported.
 *
 * Rules 6.3, 7.1 and 7.3; worked by hand in tests/vcsched/fetch/test_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_BUFFER_H
#define VCS_TIMERS_BUFFER_H

#include <vcsched/parameters.h>

#include "vcsched/core/number.h"

/* The minimum buffer as work fetch counts it, s: with less work at hand, a project is called. */
static inline double vcs_least_work(const vcs_parameters *parameters) {
    return vcs_max(parameters->min_buffer, parameters->least_buffer);
}

/* The whole buffer, which a call fills, s. */
static inline double vcs_whole_buffer(const vcs_parameters *parameters) {
    return vcs_least_work(parameters) + parameters->additional_buffer;
}

/* How long before its deadline a result is reported at the latest (rule 7.3), s. */
static inline double vcs_report_margin(const vcs_parameters *parameters) {
    return parameters->report_margin > 0.0 ? parameters->report_margin : parameters->min_buffer;
}

/* With how much work at hand a project is called, s. */
static inline double vcs_work_to_keep(const vcs_parameters *parameters) {
    const int is_original = parameters->work_fetch == VCS_WORK_FETCH_ORIGINAL;
    return is_original ? vcs_whole_buffer(parameters) : vcs_least_work(parameters);
}

/*
 * A shortfall below this is no reason to call a project, instance-seconds: a part of what all instances do in the
 * buffer. But none of many instances is to run dry for that, so it is no more than half a buffer of one.
 */
static inline double vcs_least_shortfall(const vcs_parameters *parameters, uint32_t instances) {
    const double part = parameters->least_shortfall;
    return vcs_min(part * instances, vcs_max(part, 0.5)) * vcs_whole_buffer(parameters);
}

#endif

/*
 * The work to keep at hand.
 *
 * Rules 6.3 and 7.1; worked by hand in tests/vcsched/fetch/test_fetch.c.
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

#endif

/*
 * The last moment before a deadline at which a host that is connected now and then is connected.
 *
 * Rule 15.7; worked by hand in tests/vcsched/simulation/test_admit_likely.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_LAST_CONNECTION_H
#define VCS_CHANCE_LAST_CONNECTION_H

#include "vcsched/core/number.h"

/* So many connections until a deadline are as good as being connected always. */
#define VCS_MAX_CONNECTIONS 1e15

/*
 * When a task must be done so that its result is reported by its deadline, if the host is connected now and every
 * `interval` seconds (rule 15.7): the last such moment; with 0 the deadline itself.
 */
static inline double vcs_last_connection(double deadline, double now, double interval) {
    const double connections = interval > 0.0 ? (deadline - now) / interval : VCS_INFINITY;
    if (!(connections > -VCS_MAX_CONNECTIONS && connections < VCS_MAX_CONNECTIONS)) {
        return deadline; /* without a deadline, too */
    }
    const int64_t toward_now = (int64_t)connections;
    const int64_t whole = (double)toward_now > connections ? toward_now - 1 : toward_now;
    return vcs_min(now + (double)whole * interval, deadline);
}

#endif

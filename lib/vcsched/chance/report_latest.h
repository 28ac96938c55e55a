/*
 * When a result must be reported, whatever the chances are that the host is off.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_REPORT_LATEST_H
#define VCS_CHANCE_REPORT_LATEST_H

#include "vcsched/chance/finish.h"

/* A result that waits, on a host that is on now. */
typedef struct vcs_waiting_result {
    double deadline, risk, now;
    vcs_mean_spells spells;
} vcs_waiting_result;

/* Whether all that vcs_report_latest() is given is in its range. VCS_OK or the error. */
int vcs_check_waiting(const vcs_waiting_result *result, const double *latest);

/*
 * The last moment at which the chance to be off and stay so until the deadline is at most the risk: risk_at() says it
 * for `wait` seconds from now; it grows.
 */
double vcs_latest_report(const vcs_waiting_result *result, double (*risk_at)(const void *host, double wait),
                         const void *host);

#endif

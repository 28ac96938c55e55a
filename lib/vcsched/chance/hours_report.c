/*
 * When a result must be reported, where the host is on at some hours rather than at others.
 *
 * Rule 15.8; the plain reference is tests/oracle/oracle_hours.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/hours_seen.h"
#include "vcsched/chance/report_latest.h"
#include "vcsched/chance/stretch.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"

#include <vcsched/chance.h>

/* A host, the present and the deadline. */
typedef struct times {
    vcs_hourly host;
    double turnover, now, deadline;
} times;

/* The chance to be off after `wait` seconds, and until the deadline. */
static double risk_of(const void *host, double wait) {
    const times *t = host;
    const double then = t->now + wait;
    const vcs_stretch until = vcs_stretch_between(&t->host, t->turnover, t->now, then);
    const vcs_stretch beyond = vcs_stretch_between(&t->host, t->turnover, then, t->deadline);
    const double still_on = (1.0 - vcs_fraction_at(&t->host, t->now)) * until.kept;
    const double is_off = 1.0 - vcs_fraction_at(&t->host, then) - still_on;
    return vcs_max(is_off, 0.0) * beyond.rises * vcs_exp2(-beyond.on / t->turnover * VCS_LOG2_E);
}

int vcs_hours_report_latest(const vcs_array *hours, double deadline, double risk, double on, double off, double now,
                            double *latest) {
    const vcs_waiting_result result = {deadline, risk, now, {on, off}};
    double fractions[VCS_HOURS_OF_WEEK];
    const int code = vcs_first_error(vcs_check_hours(hours), vcs_check_waiting(&result, latest));
    if (code == VCS_OK) {
        const times t = {{result.spells, fractions, hours->count}, vcs_turnover(result.spells), now, deadline};
        vcs_fractions_of_hours(hours, result.spells, fractions);
        *latest = vcs_latest_report(&result, risk_of, &t);
    }
    return code;
}

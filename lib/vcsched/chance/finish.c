/*
 * The chance to be done in time.
 *
 * Rule 15.1; the plain reference is tests/oracle/oracle_chance.c. The sum of two Poisson counts is in race.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/finish.h"

#include "vcsched/chance/race.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"

#include <vcsched/chance.h>

#define GREATEST_SPREAD 1000.0
/* So many spells are as good as any greater number. */
#define MOST_SPELLS 1e30

int vcs_check_spells(vcs_mean_spells spells) {
    const int code = spells.on == VCS_INFINITY ? VCS_OK : vcs_check_number(spells.on, VCS_MIN_ON, VCS_MAX_SECONDS);
    return vcs_first_error(code, vcs_check_number(spells.off, 0.0, VCS_MAX_SECONDS));
}

static double chance_of(double remaining, double window, vcs_mean_spells spells) {
    if (spells.off == 0.0) {
        return remaining <= window;
    }
    if (!(remaining < window)) {
        return 0.0;
    }
    const double spare = vcs_min((window - remaining) / spells.off, MOST_SPELLS);
    return vcs_chance_of_at_least(spare, remaining / spells.on);
}

/* Sizes that stand for all, in standard deviations from the mean. */
static const double fifths[] = {-1.4, -0.53, 0.0, 0.53, 1.4};
#define GREATEST_FIFTH 1.4

double vcs_chance_of_workload(vcs_workload task, double window, vcs_mean_spells spells) {
    if (task.spread == 0.0) {
        return chance_of(task.wait + task.remaining, window, spells);
    }
    double sum = 0.0, weights = 0.0;
    for (int i = 0; i < 5; i++) {
        const double size = 1.0 + fifths[i] * task.spread;
        if (size > 0.0) {
            sum += size * chance_of(task.wait + task.remaining * size, window, spells);
            weights += size;
        }
    }
    return vcs_min(sum / weights, 1.0); /* it may be above 1 by a rounding error */
}

/*
 * By Cantelli's inequality. The chance is that the spare time has at least as many spells as the work has breaks; these
 * counts differ by `ahead` - 1 in the mean, and by the variance `counts`. So the chance is at least
 * ahead^2 / (ahead^2 + counts), and for smaller sizes it is greater.
 */
bool vcs_is_surely_as_likely(vcs_workload task, double window, vcs_mean_spells spells, double least) {
    const double remaining = task.wait + task.remaining * (1.0 + GREATEST_FIFTH * task.spread);
    const double part = least * (1.0 + 0x1p-10) + 0x1p-20; /* far more than the rounding of a chance */
    if (!(spells.off > 0.0) || !(remaining < window)) {
        return false;
    }
    const double spare = (window - remaining) / spells.off, breaks = remaining / spells.on;
    const double ahead = 1.0 + spare - breaks, counts = spare + breaks;
    return ahead > 0.0 && ahead * ahead * (1.0 - part) >= part * counts;
}

int vcs_chance_to_finish(double remaining, double window, double spread, double on, double off, double *chance) {
    const vcs_mean_spells spells = {on, off};
    int code = chance == NULL ? VCS_ERR_NULL : vcs_check_number(remaining, 0.0, VCS_MAX_SECONDS);
    code = vcs_first_error(code, window == window ? VCS_OK : VCS_ERR_NOT_FINITE);
    code = vcs_first_error(code, vcs_check_number(spread, 0.0, GREATEST_SPREAD));
    code = vcs_first_error(code, vcs_check_spells(spells));
    if (code == VCS_OK) {
        *chance = vcs_chance_of_workload((vcs_workload){0.0, remaining, spread}, window, spells);
    }
    return code;
}

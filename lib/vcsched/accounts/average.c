/*
 * Exponential averages of work, and credits, the unit of REC.
 *
 * Rule 1.1; worked by hand in tests/vcsched/accounts/test_average.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/accounts.h>

#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/accounts_fields.h"

VCS_CHECK_FIELDS(average)

/* The greatest average, and the most work in one call: the range of the records that averages go into. */
#define MOST_WORK 1e30

/* Below this part of a half-life, (1 - 2^-x) / x is ln 2 to the last bit. */
#define INSTANT 0x1p-60

/* 200 credits for a day of 1e9 FLOPS. */
#define CREDITS_PER_OPERATION (200.0 / (VCS_SECONDS_PER_DAY * 1e9))

static int check_average(const vcs_average *average, double now, double work) {
    if (average == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_average_fields(average, 0, NULL);
    code = vcs_first_error(code, vcs_check_time(now));
    return vcs_first_error(code, vcs_check_number(work, 0.0, MOST_WORK));
}

/* Seconds since the last update; 0 if the clock went back. */
static double time_passed(const vcs_average *average, double now) {
    return now > average->time ? now - average->time : 0.0;
}

/* Stores the value of now, unless it is too large for the record. */
static int settle(vcs_average *average, double value, double now) {
    if (!(value <= MOST_WORK)) {
        return VCS_ERR_RANGE;
    }
    average->value = value;
    average->time = now;
    return VCS_OK;
}

int vcs_average_add(vcs_average *average, double work, double rate, double now) {
    int code = vcs_first_error(check_average(average, now, work), vcs_check_number(rate, 1e-12, 1.0));
    if (code != VCS_OK) {
        return code;
    }
    double kept = vcs_exp2(-(time_passed(average, now) * rate) * VCS_LOG2_E);
    return settle(average, average->value * kept + work, now);
}

int vcs_average_blend(vcs_average *average, double work, double half_life, double now) {
    int code = vcs_first_error(check_average(average, now, work), vcs_check_number(half_life, 1.0, VCS_MAX_SECONDS));
    if (code != VCS_OK) {
        return code;
    }
    double half_lives = time_passed(average, now) / half_life;
    const vcs_power kept = vcs_exp2_both(-half_lives);
    /* (1 - w) / dt, in half-lives: the weight of the work divided by its time. */
    double gained = half_lives < INSTANT ? VCS_LN2 : -kept.less_one / half_lives;
    double work_per_half_life = work * gained;
    return settle(average, average->value * kept.value + work_per_half_life * (VCS_SECONDS_PER_DAY / half_life), now);
}

int vcs_credits(double operations, double *credits) {
    if (credits == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_number(operations, 0.0, MOST_WORK);
    if (code == VCS_OK) {
        *credits = operations * CREDITS_PER_OPERATION;
    }
    return code;
}

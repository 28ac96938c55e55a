/*
 * What a client has seen of the hours of its host.
 *
 * Rule 15.8; the plain reference is tests/oracle/oracle_hours.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/hours_seen.h"
#include "vcsched/chance/hour_of.h"
#include "vcsched/chance/stretch.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/chance_fields.h"

#include <string.h>
#include <vcsched/chance.h>

/* What is expected of an hour counts as so many seconds that were seen of it. */
#define PRIOR 1800.0

int vcs_check_hours(const vcs_array *hours) {
    const int code = vcs_check_records(hours, &vcs_hour_layout, NULL);
    return code != VCS_OK || vcs_is_count_of_hours(hours->count) ? code : VCS_ERR_COUNT;
}

/* What was seen of an hour and of those that are a number of hours later, together. */
static vcs_hour seen_every(const vcs_array *hours, uint32_t hour, uint32_t period) {
    vcs_hour all = {.on = 0.0};
    for (uint32_t i = hour; i < hours->count; i += period) {
        const vcs_hour *one = vcs_element(hours, i);
        all.on += one->on;
        all.off += one->off;
    }
    return all;
}

/* By what the variance of a mean over equal moments of successive periods is greater than if they were independent. */
static double excess_of(double period, double turnover) {
    const double less_one = vcs_exp2m1(-period / turnover * VCS_LOG2_E);
    return (2.0 + less_one) / -less_one;
}

/*
 * The fractions of `period` hours: what was seen, as far as it differs by more from what is expected of the same hour
 * of the day than chance makes it differ.
 */
static void learn(const vcs_array *hours, uint32_t period, const double *expected, double turnover, double *fractions) {
    double noise = 0.0, difference = 0.0;
    for (uint32_t i = 0; i < period; i++) {
        const vcs_hour hour = seen_every(hours, i, period);
        const double seen = hour.on + hour.off + PRIOR, before = expected[i % VCS_HOURS_OF_DAY];
        const double found = (hour.on + PRIOR * before) / seen;
        noise += found * (1.0 - found) * VCS_HOUR / seen;
        difference += (found - before) * (found - before);
        fractions[i] = found;
    }
    noise *= excess_of(VCS_HOUR * period, turnover);
    const double trusted = difference > noise ? 1.0 - noise / difference : 0.0;
    for (uint32_t i = 0; i < period; i++) {
        const double before = expected[i % VCS_HOURS_OF_DAY];
        fractions[i] = vcs_min(before + trusted * (fractions[i] - before), 1.0);
    }
}

void vcs_fractions_of_hours(const vcs_array *hours, vcs_mean_spells spells, double *fractions) {
    const double always = spells.on == VCS_INFINITY ? 1.0 : spells.on / (spells.on + spells.off);
    const double turnover = vcs_turnover(spells);
    double daily[VCS_HOURS_OF_DAY];
    for (uint32_t i = 0; i < VCS_HOURS_OF_DAY; i++) {
        daily[i] = always;
    }
    learn(hours, VCS_HOURS_OF_DAY, daily, turnover, fractions);
    if (hours->count > VCS_HOURS_OF_DAY) {
        memcpy(daily, fractions, sizeof daily);
        learn(hours, hours->count, daily, turnover, fractions);
    }
}

static void see(vcs_hour *hour, uint32_t was_on, double seconds) {
    *(was_on ? &hour->on : &hour->off) += seconds;
    const double seen = hour->on + hour->off;
    if (seen > VCS_HOUR_MEMORY) {
        hour->on *= VCS_HOUR_MEMORY / seen;
        hour->off *= VCS_HOUR_MEMORY / seen;
    }
}

static vcs_hour *hour_of(const vcs_array *hours, int64_t hour) {
    return (void *)((unsigned char *)hours->out + (size_t)vcs_hour_of(hour, hours->count) * hours->element_size);
}

/* Whole days or weeks add as much to all hours, and come first: of a long time the end is remembered. */
static void see_all(const vcs_array *hours, uint32_t was_on, double from, double until) {
    const uint64_t periods = vcs_periods_between(from, until, hours->count);
    for (uint32_t i = 0; periods > 0 && i < hours->count; i++) {
        see(hour_of(hours, i), was_on, VCS_HOUR * (double)periods);
    }
    double begin = from + VCS_HOUR * hours->count * (double)periods;
    for (int64_t hour = vcs_hour_at(begin); begin < until; hour++) {
        const double end = vcs_min(vcs_hour_begins(hour + 1), until);
        see(hour_of(hours, hour), was_on, vcs_max(end - begin, 0.0));
        begin = end;
    }
}

int vcs_hours_add(const vcs_array *hours, uint32_t was_on, double began, double ended) {
    int code = vcs_first_error(vcs_check_hours(hours), was_on > 1 ? VCS_ERR_FLAGS : VCS_OK);
    code = vcs_first_error(code, vcs_check_time(began));
    code = vcs_first_error(code, vcs_check_number(ended - began, 0.0, VCS_MAX_SECONDS));
    if (code == VCS_OK) {
        see_all(hours, was_on, began, ended);
    }
    return code;
}

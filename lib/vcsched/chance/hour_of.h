/*
 * Which hour of the day or of the week a moment is in.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_HOUR_OF_H
#define VCS_CHANCE_HOUR_OF_H

#include <stdint.h>

#define VCS_HOUR 3600.0

/* The hours are numbered without end, from time 0 on; those before it are negative. Times are within 2e15. */
static inline int64_t vcs_hour_at(double moment) {
    const double hours = moment / VCS_HOUR;
    const int64_t whole = (int64_t)hours;
    return (double)whole > hours ? whole - 1 : whole;
}

static inline double vcs_hour_begins(int64_t hour) {
    return (double)hour * VCS_HOUR;
}

/* Its place in an array of `count` hours. */
static inline uint32_t vcs_hour_of(int64_t hour, uint32_t count) {
    const int64_t rest = hour % (int64_t)count;
    return (uint32_t)(rest < 0 ? rest + count : rest);
}

/* How many whole days or weeks, from <= until. */
static inline uint64_t vcs_periods_between(double from, double until, uint32_t count) {
    return (uint64_t)((until - from) / (VCS_HOUR * count));
}

#endif

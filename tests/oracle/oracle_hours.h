/*
 * Rule 15.8, hour by hour, with a loop in a loop for the variance.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_HOURS_H
#define ORACLE_HOURS_H

#include <vcsched/chance.h>

/* For which fraction p of each hour the host is on, and that of the hour of a moment. */
void oracle_hour_fractions(const vcs_hour *hours, uint32_t count, double on, double off, double *p);
double oracle_fraction_at(const double *p, uint32_t count, double moment);

/* The mean spells within a window of at most so many hours, in place of those that are given. */
#define ORACLE_MOST_HOURS 2000
void oracle_hours_spells(const vcs_hour *hours, uint32_t count, double now, double window, double *on, double *off);

/* The chance that a host that is on now is off at h, and stays so until after the deadline. */
double oracle_hours_risk(const vcs_hour *hours, uint32_t count, double on, double off, double now, double h,
                         double deadline);

#endif

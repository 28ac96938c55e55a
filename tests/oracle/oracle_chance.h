/*
 * Rule 15, by adding up distributions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_CHANCE_H
#define ORACLE_CHANCE_H

#include <vcsched/chance.h>

/* P[N >= M] for Poisson counts with these means, up to about 1e10. */
double oracle_at_least(double mean_n, double mean_m);

/* The chance to be done in time. */
double oracle_chance(double remaining, double window, double on, double off);

/* The same for a task that waits first and whose size has a spread. */
double oracle_spread_chance(double wait, double remaining, double spread, double window, double on, double off);

/* The chance that a host that is on now is off at h, and stays so until after the deadline. */
double oracle_report_risk(double deadline, double on, double off, double now, double h);

/* The reason why a task is given up or kept. */
uint32_t oracle_give_up(const vcs_give_up_terms *terms, double now);

/* The same where a new job has other spells until its deadline. */
uint32_t oracle_give_up_within(const vcs_give_up_terms *terms, double now, double new_on, double new_off);

/* The reason why a job is admitted or not. */
uint32_t oracle_admit_by_chance(const vcs_admit_terms *terms);

/* The margin of a waiting task. */
double oracle_margin(double window, double finish, double on, double off);

#endif

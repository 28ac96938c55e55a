/*
 * Rules 8.3, 8.4, 8.5 (failures), 8.8 and 8.9, done to the records themselves, one rule after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_TRANSITION_H
#define ORACLE_TRANSITION_H

#include <vcsched/unit.h>

/* Brings a unit and its results up to date; returns how many results are to be made. */
uint32_t oracle_transition(vcs_unit *unit, vcs_result *results, uint32_t count, double now);

/* What each of at most 64 valid results is granted, given what their hosts claim. */
double oracle_credit(const double *claims, uint32_t count, double max_single_claim);

/* Judges the successes of a unit. */
void oracle_validate(vcs_unit *unit, vcs_result *results, uint32_t count, const uint32_t *classes, double now);

/* The project failed at a kind of work on the unit: 1 compare, 2 assimilate, 3 delete. */
void oracle_fail(vcs_unit *unit, uint32_t work, double delay, double now);

/* A copy in progress that its host never got is sent again, or given up. */
void oracle_resend(vcs_unit *unit, vcs_result *result, double estimate, double now);

/* The host of a result was caught. */
void oracle_withdraw(vcs_unit *unit, vcs_result *results, uint32_t count, uint32_t index, double now);

#endif

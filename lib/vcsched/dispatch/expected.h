/*
 * Rates, and how long a reply is expected to take (rule 10.1).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_EXPECTED_H
#define VCS_DISPATCH_EXPECTED_H

#include <vcsched/dispatch.h>

/* Copies a caller's rules, of any age, to `known` and checks them. VCS_OK or the error. */
int vcs_dispatch_rules_copy(vcs_dispatch_rules *known, const vcs_dispatch_rules *callers, vcs_error *error);

/* Seconds per byte, and per complexity of 1: from the client's pace, else from the pool's, else from the rules. */
double vcs_seconds_per_byte(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules);
double vcs_seconds_per_complexity(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules);

/* How long a client takes, at these rates, for so many bytes and so much complexity, s, at most VCS_MAX_SECONDS. */
double vcs_expected_seconds(const vcs_pace *client, const vcs_pace *pool, const vcs_dispatch_rules *rules, double bytes,
                            double complexity);

/* The complexity of a job by its record: unknown counts as 1. */
static inline double vcs_complexity(double recorded) {
    return recorded > 0.0 ? recorded : 1.0;
}

#endif

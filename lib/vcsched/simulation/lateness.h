/*
 * Judges a predicted finish against a deadline, for all rooms. Each prediction has its own formula: the fluid and the
 * sliced simulation, earliest deadline first, admission, and sending by latency bound. Actual lateness, of a report
 * that came or a result that is overdue, is judged where it is known.
 *
 * Rules 4.2, 4.3, 4.4, 4.5, 5.5, 9.1, 13.1 and 13.2; worked by hand in tests/vcsched/simulation/test_lateness.c.
 *
 * Each formula gives the latest finish in time, counted from now. A later finish is late, an equal one is in time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_LATENESS_H
#define VCS_SIMULATION_LATENESS_H

#include "vcsched/core/number.h"
#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* The fluid simulation (rule 13.2), s from now. */
static inline double vcs_latest_in_fluid(const vcs_parameters *parameters, double now, double deadline) {
    return parameters->miss_fraction * (deadline - parameters->min_buffer - parameters->period - now);
}

/* `cushion` seconds before a deadline, in whole microseconds from `origin`; VCS_NEVER without a deadline. */
static inline int64_t vcs_latest_on_grid(double deadline, double origin, double cushion) {
    return vcs_is_finite(deadline) ? vcs_micros(deadline - origin - cushion) : VCS_NEVER;
}

/* How long before a deadline a task should finish in the sliced simulation (rule 4.3), s. */
static inline double vcs_cushion_in_sliced(const vcs_parameters *parameters) {
    const double cushion = parameters->deadline_cushion;
    const double buffer = parameters->cushion_min_buffer ? parameters->min_buffer : cushion;
    return vcs_max(buffer, cushion);
}

/* The sliced simulation (rule 4.3), microseconds from now; VCS_NEVER without a deadline. */
static inline int64_t vcs_latest_in_sliced(const vcs_parameters *parameters, double now, double deadline) {
    return vcs_latest_on_grid(deadline, now, vcs_cushion_in_sliced(parameters));
}

/* Earliest deadline first (rule 4.4) and the choice of tasks, microseconds from now; VCS_NEVER without a deadline. */
static inline int64_t vcs_latest_in_edf(double now, double deadline) {
    return vcs_latest_on_grid(deadline, now, 0.0);
}

/* How long before a deadline admission lets a task finish (rule 4.5), s. */
static inline double vcs_admission_cushion(const vcs_parameters *parameters) {
    return parameters->admission_cushion > 0.0 ? parameters->admission_cushion : parameters->min_buffer;
}

/*
 * Admission against the computation deadline (rules 4.5 and 13.1), microseconds from now; VCS_NEVER without a deadline.
 * VCS_ORIGIN_START compares the deadline with the finish as though `now` were 0.
 */
static inline int64_t vcs_latest_in_admission(const vcs_parameters *parameters, double now, double deadline) {
    const double origin = parameters->deadline_origin == VCS_ORIGIN_START ? 0.0 : now;
    return vcs_latest_on_grid(deadline, origin, vcs_admission_cushion(parameters));
}

/* Sending within a latency bound that begins now (rule 9.1), microseconds from now; VCS_NEVER without a bound. */
static inline int64_t vcs_latest_in_sending(double latency_bound) {
    return vcs_latest_on_grid(latency_bound, 0.0, 0.0);
}

/* Whether the choice of tasks asks which tasks a simulation found late (rules 5.2 and 15.4). */
static inline bool vcs_choice_needs_forecasts(const vcs_parameters *parameters) {
    return parameters->scheduling == VCS_SCHEDULING_DEADLINE && !parameters->keep_running;
}

/* VCS_VERDICT_MISSES or VCS_VERDICT_MEETS. */
static inline uint32_t vcs_verdict_in_fluid(double finish, double latest) {
    return finish > latest ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
}

static inline uint32_t vcs_verdict_on_grid(int64_t finish, int64_t latest) {
    return finish > latest ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
}

#endif

/*
 * Late or in time: the one place where a predicted finish is judged against a deadline. Each way of predicting has a
 * formula of its own: the fluid and the sliced simulation, earliest deadline first, admission, and sending by latency
 * bound. What became of a task in the end is judged where it is known: a report that came, a result that is overdue.
 *
 * Rules 4.2, 4.3, 4.4, 4.5, 5.5, 9.1, 13.1 and 13.2; worked by hand in tests/vcsched/simulation/test_lateness.c.
 *
 * Each formula gives the latest finish that is in time, counted from now. A finish after that is late, and one that
 * equals it is not.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_LATENESS_H
#define VCS_SIMULATION_LATENESS_H

#include "vcsched/core/number.h"
#include "vcsched/host/prepared.h"

/* The fluid simulation (rule 13.2), s from now. */
static inline double vcs_latest_in_fluid(const vcs_parameters *parameters, double now, double deadline) {
    return parameters->miss_fraction * (deadline - parameters->min_buffer - parameters->period - now);
}

/* On the grid of microseconds: `cushion` seconds before a deadline, counted from `origin`. */
static inline int64_t vcs_latest_on_grid(double deadline, double origin, double cushion) {
    return vcs_is_finite(deadline) ? vcs_micros(deadline - origin - cushion) : VCS_NEVER;
}

/* The sliced simulation (rule 4.3), microseconds from now; VCS_NEVER without a deadline. */
static inline int64_t vcs_latest_in_sliced(const vcs_parameters *parameters, double now, double deadline) {
    const double cushion = parameters->deadline_cushion;
    const double buffer = parameters->cushion_min_buffer ? parameters->min_buffer : cushion;
    return vcs_latest_on_grid(deadline, now, vcs_max(buffer, cushion));
}

/* Earliest deadline first (rule 4.4) and the choice of tasks, microseconds from now; VCS_NEVER without a deadline. */
static inline int64_t vcs_latest_in_edf(double now, double deadline) {
    return vcs_latest_on_grid(deadline, now, 0.0);
}

/*
 * Admission (rules 4.5 and 13.1): against the computation deadline, which with VCS_ORIGIN_START is compared with a
 * finish counted from now as though `now` were 0. Microseconds; VCS_NEVER without a deadline.
 */
static inline int64_t vcs_latest_in_admission(const vcs_parameters *parameters, double now, double deadline) {
    const double origin = parameters->deadline_origin == VCS_ORIGIN_START ? 0.0 : now;
    return vcs_latest_on_grid(deadline, origin, parameters->min_buffer);
}

/* Sending (rule 9.1): within the latency bound of a job that is sent now. Microseconds; VCS_NEVER without a bound. */
static inline int64_t vcs_latest_in_sending(double latency_bound) {
    return vcs_latest_on_grid(latency_bound, 0.0, 0.0);
}

/* VCS_VERDICT_MISSES or VCS_VERDICT_MEETS. */
static inline uint32_t vcs_verdict_in_fluid(double finish, double latest) {
    return finish > latest ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
}

static inline uint32_t vcs_verdict_on_grid(int64_t finish, int64_t latest) {
    return finish > latest ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
}

#endif

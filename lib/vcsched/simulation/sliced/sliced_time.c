/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/sliced/sliced_time.h"

#include "vcsched/core/compiler.h"
#include "vcsched/core/invariant.h"

/* A step is at most an hour long while the next finish is up to ten hours away. */
#define HOUR_STEP (INT64_C(3600) * 1000000)
/* Beyond this, a step covers a tenth of the time to the next finish. */
#define LONG_STEP (INT64_C(36000) * 1000000)

/* Lets time pass for a step of `whole` at most, of which `left` is the time to the first finish. */
VCS_INLINE vcs_sliced_end_of_step pass(vcs_sliced *sim, int64_t left, int64_t whole) {
    if (sim->steps == sim->step_budget || (sim->effort > sim->most_effort && sim->steps > 0)) {
        return VCS_SLICED_STOPPED;
    }
    sim->steps++;
    sim->effort += sim->competitor_count;
    const int64_t length = vcs_min_i64(whole, sim->pause - sim->now);
    if (length > sim->horizon - sim->now) {
        sim->now = sim->horizon;
        return VCS_SLICED_STOPPED;
    }
    sim->now += length;
    VCS_INVARIANT(sim->now >= 0 && sim->now <= VCS_FOREVER); /* up to the horizon */
    return length == left ? VCS_SLICED_SOME_FINISH : VCS_SLICED_NONE_FINISHES;
}

vcs_sliced_end_of_step vcs_sliced_step(vcs_sliced *sim, int64_t first) {
    VCS_INVARIANT(sim->now >= 0 && sim->now <= VCS_FOREVER); /* up to the horizon */
    if (first == VCS_NEVER) {
        return VCS_SLICED_ALL_DONE;
    }
    VCS_INVARIANT(first >= sim->now && first <= 2 * VCS_FOREVER); /* a task has at most VCS_FOREVER left */
    const int64_t left = first - sim->now;
    return pass(sim, left, left > LONG_STEP ? (left + 5) / 10 : vcs_min_i64(left, HOUR_STEP));
}

vcs_sliced_end_of_step vcs_sliced_step_to_finish(vcs_sliced *sim, int64_t first) {
    VCS_INVARIANT(sim->now >= 0 && sim->now <= VCS_FOREVER); /* up to the horizon */
    if (first == VCS_NEVER) {
        return VCS_SLICED_ALL_DONE;
    }
    VCS_INVARIANT(first >= sim->now && first <= 2 * VCS_FOREVER); /* a task has at most VCS_FOREVER left */
    return pass(sim, first - sim->now, first - sim->now);
}

vcs_sliced_end_of_step vcs_sliced_steps(vcs_sliced *sim, int64_t first, int64_t until) {
    const int64_t left = first - sim->now;
    if (left > LONG_STEP) {
        return vcs_sliced_step(sim, first);
    }
    const int64_t hours = (vcs_min_i64(first, until) - sim->now - 1) / HOUR_STEP; /* below 0 if `until` is over */
    const int64_t passed = vcs_max_i64(hours, 0) * HOUR_STEP, length = passed + vcs_min_i64(left - passed, HOUR_STEP);
    const uint64_t steps = (uint64_t)vcs_max_i64(hours, 0) + 1, effort = sim->effort + steps * sim->competitor_count;
    if (length > sim->horizon - sim->now || steps > sim->step_budget - sim->steps || effort > sim->most_effort) {
        return vcs_sliced_step(sim, first); /* near a limit, step by step */
    }
    sim->now += length;
    sim->steps += steps;
    sim->effort = effort;
    return length == left ? VCS_SLICED_SOME_FINISH : VCS_SLICED_NONE_FINISHES;
}

/*
 * The scenario of a sweep with the values of one point after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_PLAN_SWEEP_SCENARIO_H
#define VCS_EMU_SWEEP_PLAN_SWEEP_SCENARIO_H

#include "vcemu/scenario/policy/policy_library.h"
#include "vcemu/scenario/state/state_file.h"
#include "vcemu/sweep/plan/sweep_plan.h"
#include "vcemu/sweep/workers.h"

#include <vcemu/bound.h>

struct sweep_scenario {
    const struct sweep_plan *plan;
    const struct state_file *bases; /* the scenarios as they were read */
    struct state_file file;         /* of the point; its document is a copy */
    size_t base;                    /* index of the copied scenario; SIZE_MAX = none yet */
    struct policy_wish wish;
    const char **settings; /* what wish.settings points to */
    char **values;         /* for each axis "KEY=VALUE" of the point */
    uint64_t point;        /* UINT64_MAX = none yet */
    struct policy_library library;
    char *library_path; /* NULL = none */
    struct sweep_outcomes outcomes;
    uint32_t project_room, resource_room; /* capacity of the outcomes */
    vcs_project_bound *bounds;            /* of each project, of the point below */
    uint64_t bounds_point;                /* UINT64_MAX = of none yet */
};

/*
 * Starts from state files that were read with `wish`; they must last as long. Returns false and describes the fault.
 * Either way, vcs_swp_scenario_free() is due.
 */
bool vcs_swp_scenario_make(struct sweep_scenario *scenario, const struct sweep_plan *plan,
                           const struct state_file *bases, const struct policy_wish *wish, struct fault *fault);

void vcs_swp_scenario_free(struct sweep_scenario *scenario);

/* Can the point be emulated? */
bool vcs_swp_scenario_check(struct sweep_scenario *scenario, uint64_t point, struct fault *fault);

/*
 * Emulates the point with this seed, and writes a value for each figure of the plan, NaN if it is undefined. Also
 * returns false if it ended early because nobody wants it any more.
 */
bool vcs_swp_scenario_emulate(struct sweep_scenario *scenario, uint64_t point, uint64_t seed,
                              const struct worker *worker, double *values, struct fault *fault);

#endif

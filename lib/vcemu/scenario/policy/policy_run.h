/*
 * One emulation with a policy of the user, and an observer of vcemu beside it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_POLICY_POLICY_RUN_H
#define VCS_EMU_SCENARIO_POLICY_POLICY_RUN_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"
#include <vcemu/policy.h>

typedef int (*policy_observe)(void *context, const vcs_event *event);

struct policy_run {
    const vcs_policy *policy;          /* NULL = none has begun */
    vcs_hooks own;                     /* as the policy set them */
    policy_observe observe;
    void *context;
};

/*
 * Begins an emulation and sets its hooks. `policy` NULL = the built-in policy. `observe` may be NULL; it is called
 * before the observer of the policy. Returns false and describes the fault. Either way, call vcs_scn_policy_run_end()
 * in the end; the hooks are valid until then and while `run` stays in place.
 */
bool vcs_scn_policy_run_begin(struct policy_run *run, const vcs_policy *policy, const char *argument,
                              const vcs_scenario *scenario, const vcs_parameters *parameters, policy_observe observe,
                              void *context, vcs_hooks *hooks, struct fault *fault);

void vcs_scn_policy_run_end(struct policy_run *run);

#endif

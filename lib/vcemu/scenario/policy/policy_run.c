/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/policy/policy_run.h"

/* ---- the policy's functions, with its own context ---- */

static void *allocate(void *context, size_t size) {
    const struct policy_run *run = context;
    return run->own.allocate(run->own.context, size);
}

static void release(void *context, void *memory, size_t size) {
    const struct policy_run *run = context;
    run->own.release(run->own.context, memory, size);
}

static int schedule(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                    vcs_schedule_summary *summary) {
    const struct policy_run *run = context;
    return run->own.schedule(run->own.context, situation, decisions, summary);
}

static int fetch(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                 vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const struct policy_run *run = context;
    return run->own.fetch(run->own.context, situation, question, decisions, summary);
}

static int send_job(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    const struct policy_run *run = context;
    return run->own.send(run->own.context, situation, candidate, admission);
}

static int estimate(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    const struct policy_run *run = context;
    return run->own.estimate(run->own.context, progress, rule, device_seconds);
}

static int observe(void *context, const vcs_event *event) {
    const struct policy_run *run = context;
    const int code = run->observe == NULL ? VCS_OK : run->observe(run->context, event);
    return code != VCS_OK || run->own.observe == NULL ? code : run->own.observe(run->own.context, event);
}

/* ---- the whole ---- */

static vcs_hooks forward(struct policy_run *run) {
    const vcs_hooks *own = &run->own;
    return (vcs_hooks){
        .struct_size = sizeof(vcs_hooks),
        .flags = own->flags,
        .context = run,
        .allocate = own->allocate == NULL ? NULL : allocate,
        .release = own->release == NULL ? NULL : release,
        .schedule = own->schedule == NULL ? NULL : schedule,
        .fetch = own->fetch == NULL ? NULL : fetch,
        .send = own->send == NULL ? NULL : send_job,
        .estimate = own->estimate == NULL ? NULL : estimate,
        .observe = own->observe == NULL && run->observe == NULL ? NULL : observe,
    };
}

bool vcs_scn_policy_run_begin(struct policy_run *run, const vcs_policy *policy, const char *argument,
                              const vcs_scenario *scenario, const vcs_parameters *parameters, policy_observe observer,
                              void *context, vcs_hooks *hooks, struct fault *fault) {
    const vcs_policy_run about = {
        .struct_size = sizeof about,
        .seed = ((const vcs_emulation *)scenario->emulation.base)->seed,
        .argument = argument == NULL ? "" : argument,
        .scenario = scenario,
        .parameters = parameters,
    };
    *run = (struct policy_run){.own = {.struct_size = sizeof run->own}, .observe = observer, .context = context};
    if (policy != NULL) {
        const int code = policy->begin(&about, &run->own);
        if (code != VCS_OK) {
            return vcs_scn_fault_set(fault, "the policy could not begin: it returned %d", code);
        }
        run->policy = policy;
    }
    *hooks = forward(run);
    return true;
}

void vcs_scn_policy_run_end(struct policy_run *run) {
    if (run->policy != NULL && run->policy->end != NULL) {
        run->policy->end(&run->own);
    }
    run->policy = NULL;
}

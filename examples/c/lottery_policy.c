/*
 * A policy for `vcemu run --policy`: tasks run by lottery, with the share of their project as tickets.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include <vcemu/policy.h>

/* Between 0 and 1. Each emulation has its own state, so that it comes out the same wherever it runs. */
static double draw(uint64_t *state) {
    uint64_t bits = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return (double)((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

/* Draws tasks that fit on the CPUs until none is left. Without GPUs, to stay short. */
static int choose(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                  vcs_schedule_summary *summary) {
    const vcs_task *tasks = situation->snapshot->tasks.base;
    const vcs_project *projects = situation->snapshot->projects.base;
    double free_cpus = ((const vcs_resource *)situation->snapshot->resources.base)->instances;
    for (uint32_t drawn = 0; drawn != VCS_NONE;) {
        double sum = 0;
        drawn = VCS_NONE;
        for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
            const double tickets = 1e-9 + projects[tasks[i].project].share;
            const int can_run =
                (tasks[i].flags & (VCS_TASK_SUSPENDED | VCS_TASK_DOWNLOADING)) == 0 && tasks[i].gpu == 0;
            if (can_run && !decisions[i].run && tasks[i].cpus <= free_cpus) {
                sum += tickets;
                drawn = draw(context) * sum < tickets ? i : drawn; /* its part is its chance */
            }
        }
        if (drawn != VCS_NONE) {
            decisions[drawn].run = 1;
            free_cpus -= tasks[drawn].cpus;
        }
    }
    summary->next_check = situation->parameters->period;
    return VCS_OK;
}

static int begin(const vcs_policy_run *run, vcs_hooks *hooks) {
    uint64_t *state = malloc(sizeof *state);
    if (state == NULL) {
        return VCS_ERR_MEMORY;
    }
    *state = run->seed;
    hooks->context = state;
    hooks->schedule = choose;
    return VCS_OK;
}

static void end(vcs_hooks *hooks) {
    free(hooks->context);
}

const vcs_policy vcemu_policy = {VCS_POLICY_SIZES, .begin = begin, .end = end};

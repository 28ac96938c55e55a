/*
 * Decisions of an emulation in C, the same that bindings/python/bench/hooks.py makes in Python and
 * bindings/lua/bench/hooks.lua in Lua: what they cost there beyond this is the price of the step there and back.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcemu/emulator.h>

#define EXPORTED __attribute__((visibility("default")))

/* How often a function was called: *context. */
static void count(void *context) {
    ++*(uint64_t *)context;
}

/* The first tasks run, as many as there are CPUs. */
EXPORTED int run_first(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                       vcs_schedule_summary *summary) {
    const vcs_resource *cpu = situation->snapshot->resources.base;
    const uint32_t tasks = situation->snapshot->tasks.count;
    count(context);
    for (uint32_t i = 0; i < tasks && i < cpu->instances; i++) {
        decisions[i].run = 1;
    }
    summary->next_check = 600;
    return VCS_OK;
}

/* Nothing runs. */
EXPORTED int run_none(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                      vcs_schedule_summary *summary) {
    (void)situation;
    (void)decisions;
    count(context);
    summary->next_check = 600;
    return VCS_OK;
}

/* Nobody is asked for work. */
EXPORTED int ask_nobody(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                        vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)situation;
    (void)question;
    (void)decisions;
    count(context);
    summary->next_check = 600;
    return VCS_OK;
}

/* Each job is sent. */
EXPORTED int send_all(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)situation;
    (void)candidate;
    count(context);
    admission->admitted = 1;
    return VCS_OK;
}

EXPORTED int estimate_by_size(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    (void)rule;
    count(context);
    *device_seconds = progress->est_flops * 1e-9 * (1.0 - progress->fraction_done);
    return VCS_OK;
}

EXPORTED int watch(void *context, const vcs_event *event) {
    (void)event;
    count(context);
    return VCS_OK;
}

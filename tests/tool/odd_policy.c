/*
 * Policies for test_vcemu_policy.py: the compiler's flags choose what is wrong with one, its argument what it does.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vcsched/accounts.h>

#include <vcemu/policy.h>

/* How often each function was called in this emulation. */
struct calls {
    uint64_t seed;
    char argument[32];
    unsigned memory, fetch, send, estimate, observe;
};

static void *allocate(void *context, size_t size) {
    struct calls *calls = context;
    calls->memory++;
    return malloc(size);
}

static void release(void *context, void *memory, size_t size) {
    struct calls *calls = context;
    (void)size;
    calls->memory--;
    free(memory);
}

static int stop(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                vcs_schedule_summary *summary) {
    (void)context;
    (void)situation;
    (void)decisions;
    (void)summary;
    return -4711;
}

static int ask_nobody(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                      vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    struct calls *calls = context;
    (void)question;
    (void)decisions;
    calls->fetch++;
    summary->project = VCS_NONE;
    summary->next_check = situation->parameters->period;
    return VCS_OK;
}

static int send_nothing(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    struct calls *calls = context;
    (void)situation;
    (void)candidate;
    calls->send++;
    admission->admitted = 0;
    return VCS_OK;
}

static int estimate(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    struct calls *calls = context;
    calls->estimate++;
    return vcs_estimate_remaining(progress, rule, device_seconds, NULL);
}

static int observe(void *context, const vcs_event *event) {
    struct calls *calls = context;
    (void)event;
    calls->observe++;
    return VCS_OK;
}

static int begin(const vcs_policy_run *run, vcs_hooks *hooks) {
    struct calls *calls = calloc(1, sizeof *calls);
    if (calls == NULL || strcmp(run->argument, "refuse") == 0) {
        free(calls);
        return calls == NULL ? VCS_ERR_MEMORY : -7;
    }
    calls->seed = run->seed;
    snprintf(calls->argument, sizeof calls->argument, "%s", run->argument);
    hooks->context = calls;
    hooks->allocate = strcmp(run->argument, "memory") == 0 ? allocate : NULL;
    hooks->release = strcmp(run->argument, "memory") == 0 ? release : NULL;
    hooks->schedule = strcmp(run->argument, "stop") == 0 ? stop : NULL;
    hooks->fetch = strcmp(run->argument, "fetch") == 0 ? ask_nobody : NULL;
    hooks->send = strcmp(run->argument, "send") == 0 ? send_nothing : NULL;
    hooks->estimate = strcmp(run->argument, "estimate") == 0 ? estimate : NULL;
    hooks->observe = strcmp(run->argument, "observe") == 0 ? observe : NULL;
    return VCS_OK;
}

static void end(vcs_hooks *hooks) {
    struct calls *calls = hooks->context;
    fprintf(stderr, "seed %llu, argument %s, memory %u, fetch %u, send %u, estimate %u, observe %u\n",
            (unsigned long long)calls->seed, calls->argument, calls->memory, calls->fetch, calls->send, calls->estimate,
            calls->observe);
    free(calls);
}

#if ODD == 1 /* a symbol of another name */
#define SYMBOL vcemu_other_policy
extern const vcs_policy SYMBOL;
#else
#define SYMBOL vcemu_policy
#endif

const vcs_policy SYMBOL = {
    .version = ODD == 2 ? VCS_POLICY_VERSION + 1 : VCS_POLICY_VERSION,
    .struct_size = sizeof(vcs_policy) + (ODD == 3 ? 8 : 0),
    .hooks_size = sizeof(vcs_hooks) + (ODD == 4 ? 8 : 0),
    .situation_size = ODD == 5 ? 8 : sizeof(vcs_situation),
    .begin = ODD == 6 ? NULL : begin,
    .end = end,
};

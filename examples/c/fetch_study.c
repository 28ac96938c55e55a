/*
 * Another program that reads scenarios and sweeps as vcemu does: who asks for work, and how often?
 *
 *     fetch_study SCENARIO
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include <vcemu/sweep.h>

/* Asks whoever the built-in policy asks, but never for more than an hour of each instance. */
static int ask_for_little(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                          vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const vcs_resource *resources = situation->snapshot->resources.base;
    const uint32_t resource_count = situation->snapshot->resources.count;
    (void)context;
    const uint32_t count = situation->snapshot->projects.count * resource_count;
    if (vcs_schedule(situation->state, VCS_SCHEDULE_RUNNING, NULL) != VCS_OK ||
        vcs_fetch(situation->state, question, summary) != VCS_OK ||
        vcs_fetch_decisions(situation->state, decisions, sizeof *decisions, count) != VCS_OK) {
        return VCS_ERR_RANGE;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double hour = 3600.0 * resources[i % resource_count].instances;
        decisions[i].seconds = decisions[i].seconds < hour ? decisions[i].seconds : hour;
    }
    return VCS_OK;
}

static int begin(const struct vcemu_run *run, vcs_hooks *hooks) {
    (void)run;
    hooks->fetch = ask_for_little;
    return VCS_OK;
}

static const struct vcemu_policy little = {VCEMU_POLICY_SIZES, .begin = begin};

/* What came of the runs of each buffer. */
static int take(void *context, const struct vcemu_sweep_run *run) {
    (void)context;
    printf("  buffer %6s s, seed %llu: %.3f calls per job, idle for %.3f\n", run->values[0],
           (unsigned long long)run->seed, run->figures[0], run->figures[1]);
    return 0;
}

int main(int argument_count, char *arguments[]) {
    const char *path = argument_count == 2 ? arguments[1] : "-";
    const char *const options[] = {path, "--vary",    "min_buffer=0,43200",   "--seeds", "2", "--days",
                                   "10", "--figures", "rpcs_per_job,idleness"};
    char message[VCEMU_MESSAGE_SIZE];
    struct vcemu_scenario *scenario = vcemu_scenario_read(path, NULL, message);
    if (scenario != NULL) {
        const vcs_scenario *records = vcemu_scenario_records(scenario);
        printf("%u projects, the first of them %s\n", (unsigned)records->snapshot.projects.count,
               vcemu_scenario_project(scenario, 0));
        vcemu_scenario_free(scenario);
    }
    enum vcemu_sweep_end end = scenario == NULL ? VCEMU_SWEEP_REFUSED : VCEMU_SWEEP_DONE;
    for (int own = 0; own <= 1 && end == VCEMU_SWEEP_DONE; own++) {
        const struct vcemu_sweep sweep = {.arguments = options,
                                          .argument_count = sizeof options / sizeof *options,
                                          .policy = own ? &little : NULL,
                                          .policy_name = "little",
                                          .take = take};
        puts(own ? "an hour at most" : "as ever");
        end = vcemu_sweep(&sweep, message);
    }
    if (end != VCEMU_SWEEP_DONE) {
        fprintf(stderr, "fetch_study: %s\n", message);
    }
    return (int)end;
}

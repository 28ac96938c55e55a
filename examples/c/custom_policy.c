/* Compares a custom choice of tasks, "shortest first", with the built-in one. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <vcemu/emulator.h>

/* Again and again the task with the least left that still fits; a decision of 0 means that a task does not run. */
static int shortest_first(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                          vcs_schedule_summary *summary) {
    const vcs_task *tasks = situation->snapshot->tasks.base;
    double free = ((const vcs_resource *)situation->snapshot->resources.base)->instances;
    (void)context;
    for (uint32_t best = 0; best != VCS_NONE;) {
        best = VCS_NONE;
        for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
            if (!decisions[i].run && tasks[i].cpus <= free &&
                (best == VCS_NONE || tasks[i].remaining < tasks[best].remaining)) {
                best = i;
            }
        }
        if (best != VCS_NONE) {
            decisions[best].run = 1;
            free -= tasks[best].cpus;
        }
    }
    summary->next_check = situation->parameters->period;
    return VCS_OK;
}

int main(void) {
    vcs_host host = {.id = 1};
    vcs_resource cpu = {.flops = 1e9, .usable = 0.8, .instances = 2};
    vcs_project projects[2] = {{.id = 1, .share = 100}, {.id = 2, .share = 100}};
    vcs_app apps[2] = {{.id = 1, .project = 0}, {.id = 2, .project = 1}};
    vcs_job_model models[2] = {
        {.latency_bound = 40000, .est_flops = 1e13, .mean_flops = 1e13, .sd_flops = 3e12, .cpus = 1, .weight = 1},
        {.latency_bound = 500000, .est_flops = 8e13, .mean_flops = 8e13, .sd_flops = 2e13, .cpus = 1, .weight = 1}};
    vcs_emulation emulation;
    vcs_emulation_init(&emulation, sizeof emulation, VCS_PROFILE_CURRENT);
    emulation.available = 0.8;
    emulation.available_mean = 3600;
    vcs_scenario scenario = {.struct_size = sizeof scenario,
        .snapshot = {.struct_size = sizeof scenario.snapshot, .host = {{&host}, sizeof host, 1},
            .resources = {{&cpu}, sizeof cpu, 1}, .projects = {{projects}, sizeof *projects, 2},
            .apps = {{apps}, sizeof *apps, 2}},
        .emulation = {{&emulation}, sizeof emulation, 1}, .models = {{models}, sizeof *models, 2}};
    vcs_parameters parameters;
    vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT);
    for (int own = 0; own <= 1; own++) {
        vcs_hooks hooks = {.struct_size = sizeof hooks, .schedule = own ? shortest_first : NULL};
        vcs_outcome outcome = {.struct_size = sizeof outcome};
        int code = vcs_emulate(&scenario, &parameters, &hooks, &outcome, NULL, NULL, NULL);
        printf("%-14s %s: waste %.4f, idleness %.4f, share violation %.4f, calls per job %.4f\n",
               own ? "shortest first" : "current", vcs_strerror(code), outcome.waste, outcome.idleness,
               outcome.share_violation, outcome.rpcs_per_job);
    }
}

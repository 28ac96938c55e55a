/*
 * Two projects with shares 2 : 1 on a computer with two CPUs: when will their tasks be done, and is it in time?
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <vcsched/vcsched.h>

int main(void) {
    const vcs_host host = {.id = 1};
    const vcs_resource cpu = {.flops = 1e9, .usable = 0.8, .instances = 2};
    const vcs_project projects[] = {{.id = 1, .share = 2}, {.id = 2, .share = 1}};
    const vcs_task tasks[] = {
        {.id = 1, .project = 0, .app = VCS_NONE, .cpus = 1, .remaining = 7200, .deadline = 86400},
        {.id = 2, .project = 0, .app = VCS_NONE, .cpus = 1, .remaining = 7200, .deadline = 86400},
        {.id = 3, .project = 1, .app = VCS_NONE, .cpus = 1, .remaining = 3600, .deadline = 10800},
    };
    const vcs_snapshot snapshot = {
        .struct_size = sizeof snapshot,
        .host = {.base = &host, .element_size = sizeof host, .count = 1},
        .resources = {.base = &cpu, .element_size = sizeof cpu, .count = 1},
        .projects = {.base = projects, .element_size = sizeof *projects, .count = 2},
        .tasks = {.base = tasks, .element_size = sizeof *tasks, .count = 3},
    };
    const double now = 0;

    vcs_parameters policy;
    vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT);

    size_t size = 8; /* stays so if the records are wrong, which vcs_state_prepare() explains */
    vcs_state *state;
    vcs_error error = {.struct_size = sizeof error};
    vcs_state_size(&snapshot, &size);
    void *memory = malloc(size);
    if (memory == NULL || vcs_state_prepare(&snapshot, &policy, now, memory, size, &state, &error) != VCS_OK) {
        fprintf(stderr, "%s\n", memory == NULL ? "out of memory" : error.message);
        free(memory);
        return 1;
    }

    vcs_task_forecast forecast[3];
    vcs_wrr(state, NULL);
    vcs_wrr_tasks(state, &(vcs_array){{forecast}, sizeof *forecast, 3});
    for (int i = 0; i < 3; i++) {
        printf("task %d ends after %.0f s, %s\n", i + 1, forecast[i].finish,
               forecast[i].verdict == VCS_VERDICT_MEETS ? "in time" : "too late");
    }
    free(memory);
    return 0;
}

/*
 * A host of 2 CPUs and 2 projects with 3 tasks of a CPU each, one of the first project and two of the second.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_CPU_SHAPE_H
#define VCS_PROOF_CPU_SHAPE_H

#include <vcsched/vcsched.h>

#include "right.h"
#include "vcsched/host/prepared.h"

int code;

#define PROJECTS 2
#define TASKS 3

vcs_host host;
vcs_resource cpus = {.flops = 1e9, .usable = 1.0, .instances = 2};
vcs_project projects[PROJECTS] = {{.id = 0, .share = 1.0}, {.id = 1, .share = 1.0}};
vcs_project_resource pairs[PROJECTS] = {{.project = 0}, {.project = 1}};
vcs_task tasks[TASKS] = {
    {.id = 0, .project = 0, .app = VCS_NONE, .cpus = 1.0, .remaining = 1.0},
    {.id = 1, .project = 1, .app = VCS_NONE, .cpus = 1.0, .remaining = 1.0},
    {.id = 2, .project = 1, .app = VCS_NONE, .cpus = 1.0, .remaining = 1.0},
};
vcs_parameters policy;
uint64_t work[4744 / 8]; /* what vcs_state_size() says */
vcs_state *state;

const vcs_snapshot snapshot = {
    .struct_size = sizeof snapshot,
    .host = {{&host}, sizeof host, 1},
    .resources = {{&cpus}, sizeof cpus, 1},
    .projects = {{projects}, sizeof *projects, PROJECTS},
    .project_resources = {{pairs}, sizeof *pairs, PROJECTS},
    .tasks = {{tasks}, sizeof *tasks, TASKS},
};

#endif

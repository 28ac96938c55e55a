/*
 * A state of one shape: two CPUs and a GPU, two projects, an application, three tasks (a harness may have more, in more
 * memory) and a candidate. Which project and resource each of them belongs to is fixed, and what a task uses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_SHAPE_H
#define VCS_PROOF_SHAPE_H

#include <vcsched/vcsched.h>

#include "right.h"

#define RESOURCES 2
#define PROJECTS 2
#define PAIRS (RESOURCES * PROJECTS)
#ifndef TASKS
#define TASKS 3
#endif
#ifndef WORK_SIZE
#define WORK_SIZE 10328 /* what vcs_state_size() says of these */
#endif

static vcs_host host;
static vcs_resource resources[RESOURCES];
static vcs_project projects[PROJECTS];
static vcs_project_resource pairs[PAIRS];
static vcs_app app;
static vcs_task tasks[TASKS], candidate;
static vcs_snapshot snapshot;
static uint64_t work[WORK_SIZE / 8];

/* Records that are any in their ranges, and refer to anything. */
static inline void any_records(void) {
    any_right_host(&host);
    for (uint32_t i = 0; i < RESOURCES; i++) {
        any_right_resource(&resources[i]);
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        any_right_project(&projects[i]);
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        any_right_project_resource(&pairs[i]);
    }
    any_right_app(&app);
    for (uint32_t i = 0; i < TASKS; i++) {
        any_right_task(&tasks[i]);
    }
    any_right_task(&candidate);
}

/* Gives the records the shape; their other numbers are there. */
static void shape_task(vcs_task *task, uint64_t id, uint32_t project, uint32_t gpu) {
    task->id = id;
    task->project = project;
    task->app = project == 0 && gpu == 0 ? 0 : VCS_NONE;
    task->gpu = gpu;
    task->cpus = gpu == 0 ? 1.0 : 0.25;
    task->gpus = gpu == 0 ? 0.0 : 1.0;
    task->devices = 0;
    task->flags = 0;
}

static void shape_records(void) {
    for (uint32_t i = 0; i < RESOURCES; i++) {
        resources[i].id = i;
        resources[i].instances = i == 0 ? 2 : 1;
        resources[i].flags = 0;
        resources[i].reserve = 0.0;
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        projects[i].id = i;
        projects[i].flags = 0;
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        pairs[i].project = i / RESOURCES;
        pairs[i].resource = i % RESOURCES;
        pairs[i].excluded = 0;
    }
    app.project = 0;
    shape_task(&tasks[0], 0, 0, 0);
    shape_task(&tasks[1], 1, 1, 0);
    shape_task(&tasks[2], 2, 1, 1);
    for (uint32_t i = 3; i < TASKS; i++) {
        shape_task(&tasks[i], i, 1, 0);
    }
    shape_task(&candidate, TASKS, 0, 0);
    snapshot = (vcs_snapshot){
        .struct_size = sizeof snapshot,
        .host = {{&host}, sizeof host, 1},
        .resources = {{resources}, sizeof *resources, RESOURCES},
        .projects = {{projects}, sizeof *projects, PROJECTS},
        .project_resources = {{pairs}, sizeof *pairs, PAIRS},
        .apps = {{&app}, sizeof app, 1},
        .tasks = {{tasks}, sizeof *tasks, TASKS},
        .candidates = {{&candidate}, sizeof candidate, 1},
    };
}

#endif

/*
 * Preparing a state, choosing the jobs to send to its host by how busy that is (rule 9.1), and the functions around it.
 * The state is of one shape: two CPUs and a GPU, two projects, an application, three tasks and a candidate. Which
 * project and resource each of them belongs to is fixed; the other numbers are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/vcsched.h>

#include "right.h"

int code;

#define RESOURCES 2
#define PROJECTS 2
#define PAIRS (RESOURCES * PROJECTS)
#define TASKS 3

vcs_host host;
vcs_resource resources[RESOURCES];
vcs_project projects[PROJECTS];
vcs_project_resource pairs[PAIRS];
vcs_app app;
vcs_task tasks[TASKS], candidate;
vcs_snapshot snapshot;
vcs_parameters policy;
uint64_t work[10328 / 8]; /* what vcs_state_size() says */
vcs_state *state;

static void any_task(vcs_task *task, uint64_t id, uint32_t project, uint32_t gpu) {
    any_right_task(task);
    task->id = id;
    task->project = project;
    task->app = project == 0 && gpu == 0 ? 0 : VCS_NONE;
    task->gpu = gpu;
    task->cpus = gpu == 0 ? 1.0 : 0.25;
    task->gpus = gpu == 0 ? 0.0 : 1.0;
    task->devices = 0;
    task->flags = 0;
}

static void make_records(void) {
    any_right_host(&host);
    for (uint32_t i = 0; i < RESOURCES; i++) {
        any_right_resource(&resources[i]);
        resources[i].id = i;
        resources[i].instances = i == 0 ? 2 : 1;
        resources[i].flags = 0;
        resources[i].reserve = 0.0;
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        any_right_project(&projects[i]);
        projects[i].id = i;
        projects[i].flags = 0;
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        any_right_project_resource(&pairs[i]);
        pairs[i].project = i / RESOURCES;
        pairs[i].resource = i % RESOURCES;
        pairs[i].excluded = 0;
    }
    any_right_app(&app);
    app.project = 0;
    app.gpu = 0;
    app.excluded = 0;
    any_task(&tasks[0], 0, 0, 0);
    any_task(&tasks[1], 1, 1, 0);
    any_task(&tasks[2], 2, 1, 1);
    any_task(&candidate, 3, 0, 0);
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

static void send(void) {
    RIGHT_ARRAY(send_request, requests, RESOURCES);
    RIGHT(send_job, job);
    RIGHT_SIZED(send_limits, limits);
    vcs_send_decision decision;
    vcs_send_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_send(state, requests, sizeof *requests, RESOURCES, &job, sizeof job, 1, &limits, &decision,
                      sizeof decision, 1, &summary, NOBODY));
}

static void limit(void) {
    vcs_send_limits limits;
    MAY_PASS(vcs_send_limits_init(&limits, sizeof limits));
    uint32_t refusals, unsendable;
    MAY_PASS(vcs_send_refusals(ANY_U32(), ANY_U32(), ANY_U32(), &refusals, &unsendable));
}

int main(void) {
    size_t size;
    limit();
    make_records();
    MAY_PASS(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT));
    policy.work_send = VCS_WORK_SEND_WS1;
    MAY_PASS(vcs_state_size(&snapshot, &size));
    if (code != VCS_OK) {
        return 0;
    }
    MAY_PASS(vcs_state_prepare(&snapshot, &policy, ANY_TIME(), work, size, &state, NOBODY));
    if (code == VCS_OK) {
        send();
    }
    return 0;
}

/*
 * A prepared state of the shape whose other numbers are any in their ranges, whatever simulations and decisions may
 * have found.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_ANY_STATE_H
#define VCS_PROOF_ANY_STATE_H

#include "shape.h"
#include "vcsched/host/prepared.h"

static vcs_parameters policy;
static vcs_state *state;

/* With plain numbers, which the analyser follows quickly. */
static int prepare(void) {
    size_t size;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        resources[i].flops = 1e9;
        resources[i].usable = 1.0;
    }
    shape_records();
    MAY_PASS(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT));
    MAY_PASS(vcs_state_size(&snapshot, &size));
    if (code == VCS_OK) {
        MAY_PASS(vcs_state_prepare(&snapshot, &policy, 0.0, work, size, &state, NOBODY));
    }
    return code;
}

/* The numbers that preparing copies or works out; who belongs to whom, and what a task uses, stay. */
static void any_host(void) {
    for (uint32_t i = 0; i < RESOURCES; i++) {
        vcs_prepared_resource *resource = &vcs_resources(state)[i];
        resource->flops = any_between(DBL_MIN, 1e30);
        resource->usable = any_between(DBL_MIN, 1.0);
        resource->speed = any_between(0.0, 1e30);
        resource->suspended = Frama_C_unsigned_int_interval(0, 1);
        resource->capacity = Frama_C_long_interval(0, resource->instances * VCS_ONE);
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        any_right_project(&vcs_projects(state)[i]);
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        vcs_project_resource *pair = &vcs_project_resources(state)[i];
        const uint32_t project = pair->project, resource = pair->resource;
        any_right_project_resource(pair);
        pair->project = project;
        pair->resource = resource;
        pair->excluded = Frama_C_unsigned_long_interval(0, resource == 0 ? 3 : 1); /* of the instances there are */
    }
    vcs_apps(state)[0].max_concurrent = ANY_U32();
    any_right_parameters(&state->parameters);
    state->now = ANY_TIME();
}

/* Of a task or a candidate. */
static void any_prepared_task(vcs_prepared_task *task) {
    RIGHT(task, right);
    task->flags = right.flags;
    task->remaining = right.remaining;
    task->deadline = right.deadline;
    task->received = right.received;
    task->ram = right.ram;
    task->running_since = right.running_since;
    task->since_checkpoint = right.since_checkpoint;
    task->run_time = Frama_C_long_interval(0, VCS_FOREVER);
    task->takes_part = Frama_C_unsigned_int_interval(0, 1);
    task->can_start = Frama_C_unsigned_int_interval(0, 1);
}

static void any_tasks(void) {
    for (uint32_t i = 0; i < TASKS; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[i];
        RIGHT(task, right);
        any_prepared_task(&vcs_prepared_tasks(state)[i]);
        vcs_task_records(state)[i].wait = right.wait;
        vcs_task_records(state)[i].devices = Frama_C_unsigned_long_interval(0, task->resource); /* none, or the GPU */
        vcs_deadline_order(state)[i] = Frama_C_unsigned_int_interval(0, TASKS - 1);
        vcs_arrival_order(state)[i] = Frama_C_unsigned_int_interval(0, TASKS - 1);
        any_right_task_forecast(&vcs_forecasts(state)[i]);
    }
}

static void any_results(void) {
    for (uint32_t i = 0; i < RESOURCES; i++) {
        any_right_resource_forecast(&vcs_resource_forecasts(state)[i]);
        vcs_resource_decisions(state)[i].used = any_between(0.0, 2.0);
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        vcs_project_resource_forecast *forecast = &vcs_project_resource_forecasts(state)[i];
        any_right_project_resource_forecast(forecast);
        forecast->tasks = Frama_C_unsigned_int_interval(0, TASKS);
        forecast->misses = Frama_C_unsigned_int_interval(0, TASKS);
    }
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_running(state)[i] = Frama_C_unsigned_int_interval(0, TASKS - 1);
    }
    state->running_count = Frama_C_unsigned_int_interval(0, TASKS);
    state->has = ANY_U32();
}

static void any_state(void) {
    any_host();
    any_tasks();
    any_results();
}

/* No project and no application has a limit on concurrent tasks. */
static void no_limits(void) {
    for (uint32_t i = 0; i < PROJECTS; i++) {
        vcs_projects(state)[i].max_concurrent = 0;
    }
    vcs_apps(state)[0].max_concurrent = 0;
}

#endif

/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_slices.h"

#include <math.h>

#include "oracle/oracle_fit.h"
#include "oracle/oracle_records.h"

static bool is_paused(const vcs_snapshot *snapshot, uint32_t resource) {
    return (oracle_resource(snapshot, resource)->flags & VCS_RESOURCE_PAUSED) != 0;
}

bool oracle_may_run(const vcs_snapshot *snapshot, const vcs_task *task) {
    return oracle_takes_part(snapshot, task) && (task->flags & VCS_TASK_DOWNLOADING) == 0 &&
           !is_paused(snapshot, task->gpu);
}

bool oracle_holds_cpus(const vcs_snapshot *snapshot, const vcs_parameters *parameters) {
    bool holds = false;
    if (parameters->hold == 0 || parameters->cpu_fit == VCS_CPU_FIT_ANY) {
        return false;
    }
    oracle_fit empty = oracle_fit_new(snapshot, parameters);
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(snapshot, i);
        holds |= task->gpu == 0 && oracle_use(task, 0) > ORACLE_ONE && oracle_may_run(snapshot, task) &&
                 oracle_fit_has_cpus(&empty, task);
    }
    oracle_fit_free(&empty);
    return holds;
}

double oracle_period(const vcs_snapshot *snapshot, const vcs_parameters *parameters, const vcs_task *task) {
    double hold = fmin(parameters->hold, parameters->min_buffer + parameters->additional_buffer);
    bool is_longer = task->gpu == 0 && hold > parameters->period && oracle_holds_cpus(snapshot, parameters);
    return is_longer ? hold : parameters->period;
}

double oracle_loss(const vcs_task *task) {
    return (task->flags & VCS_TASK_IN_MEMORY) != 0 ? 0 : task->since_checkpoint;
}

static bool has_slice(const vcs_task *task) {
    return (task->flags & VCS_TASK_RUNNING) != 0 && (task->flags & VCS_TASK_FILLS_IN) == 0;
}

bool oracle_slice_lasts(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                        const vcs_task *task) {
    double elapsed = now - task->running_since;
    if (!has_slice(task) || elapsed < 0) {
        return false;
    }
    double over = elapsed - oracle_period(snapshot, parameters, task);
    return over < 0 || oracle_loss(task) > over;
}

bool oracle_ends_soon(const vcs_snapshot *snapshot, const vcs_parameters *parameters, const vcs_task *task) {
    return parameters->let_finish && has_slice(task) && oracle_units(task->gpus) % ORACLE_ONE == 0 &&
           oracle_run_time(snapshot, task) <= oracle_micros(parameters->period);
}

int64_t oracle_keeps_place_for(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                               const vcs_task *task) {
    int64_t run_time = oracle_run_time(snapshot, task);
    if (oracle_ends_soon(snapshot, parameters, task)) {
        return run_time;
    }
    if (!oracle_slice_lasts(snapshot, parameters, now, task)) {
        return 0;
    }
    double left = oracle_period(snapshot, parameters, task) - (now - task->running_since);
    double look = parameters->look_interval > 0 ? parameters->look_interval : 60;
    int64_t until = oracle_micros(left > 0 ? left : look);
    return until < run_time ? until : run_time;
}

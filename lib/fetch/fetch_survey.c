/* SPDX-License-Identifier: MIT */
#include "timers/backoff.h"
#include "fetch/fetch.h"
#include "simulation/limits.h"

#include <float.h>

/* ---- What is queued ---- */

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Operations that a task still needs of one resource. */
static double work_on(const vcs_state *state, const vcs_prepared_task *task, uint32_t resource, int64_t units) {
    return task->remaining * (vcs_instances(units) * vcs_resources(state)[resource].flops);
}

static void count_work(const vcs_fetch_work *work, const vcs_prepared_task *task) {
    vcs_fetch_project *project = &work->projects[task->project];
    const double on_cpu = work_on(work->state, task, 0, task->cpu_units);
    const double on_gpu = task->resource == 0 ? 0.0 : work_on(work->state, task, task->resource, task->gpu_units);
    project->queued_flops += on_cpu + on_gpu;
    project->project_resources[0].queued_flops += on_cpu;
    if (task->resource != 0) {
        project->project_resources[task->resource].queued_flops += on_gpu;
    }
}

static void count_towards_limits(vcs_fetch_pair *pair, const vcs_prepared_task *task, int64_t use) {
    vcs_wide_add(&pair->queued, (uint64_t)use, (uint64_t)task->run_time);
    pair->widest = use > pair->widest ? use : pair->widest;
}

static void book(const vcs_fetch_work *work, const vcs_prepared_task *task, int64_t use, double finish) {
    vcs_fetch_resource *resource = &work->resources[task->resource];
    if (finish > work->parameters->backup_lead) {
        resource->booked = lesser(resource->booked + use, resource->prepared->capacity);
    }
}

/* Each is counted towards what will be looked at. */
static void count_task(const vcs_fetch_work *work, const vcs_prepared_task *task, const vcs_task_forecast *forecast) {
    const int64_t use = task->resource == 0 ? task->cpu_units : task->gpu_units;
    vcs_fetch_pair *pair = &work->projects[task->project].project_resources[task->resource];
    if (pair->limited) {
        count_towards_limits(pair, task, use);
    }
    if (work->is_wf1) {
        pair->device_seconds += task->remaining * vcs_instances(use);
    }
    if (!work->is_study) {
        book(work, task, use, forecast->finish);
    }
    if (vcs_fetch_ranks_by_priority(work)) {
        count_work(work, task);
    }
}

/* What the simulation does not tell: of every task, or of none. */
static int looks_at_tasks(const vcs_fetch_work *work) {
    return !work->is_study || work->is_wf1 || work->has_limits;
}

/* In order of arrival, so that sums of doubles do not depend on the order of the records. */
static void count_tasks(const vcs_fetch_work *work) {
    const vcs_state *state = work->state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    const uint32_t *by_arrival = vcs_arrival_order(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const uint32_t index = by_arrival[i];
        if (tasks[index].takes_part) {
            count_task(work, &tasks[index], &forecasts[index]);
        }
    }
}

/* ---- What limits a project ---- */

static void add_up_limits_of_apps(const vcs_fetch_work *work) {
    const vcs_state *state = work->state;
    const vcs_app *apps = vcs_apps(state);
    for (uint32_t i = 0; i < state->app_count; i++) {
        const vcs_app *app = &apps[i];
        vcs_fetch_project *project = &work->projects[app->project];
        project->app_limits += app->max_concurrent;
        project->open_app |= app->max_concurrent == 0;
    }
}

/* The limits of applications hold a project back if each of those that are known has one. */
static uint64_t limit_of(const vcs_fetch_project *project) {
    const uint64_t own = project->record->max_concurrent;
    const int apps_limit = !project->open_app && project->app_limits > 0;
    return apps_limit && (own == 0 || project->app_limits < own) ? project->app_limits : own;
}

/* ---- What forbids to ask it ---- */

/* For a moment that never comes, too, the wait is a number of seconds. */
static double wait_until(double moment, double now) {
    const double wait = vcs_wait_until(moment, now);
    return wait < DBL_MAX ? wait : DBL_MAX;
}

/* Of several obstacles the one that will last counts. `wait`: until its scheduler may be called. */
static uint32_t project_obstacle(const vcs_fetch_work *work, const vcs_fetch_project *project, double wait) {
    const vcs_parameters *parameters = work->parameters;
    const vcs_project *record = project->record;
    if ((record->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    if ((record->flags & VCS_PROJECT_NO_NEW_WORK) != 0) {
        return VCS_REASON_NO_NEW_WORK;
    }
    if (parameters->max_runnable > 0 && project->tasks >= parameters->max_runnable) {
        return VCS_REASON_TOO_MANY_TASKS;
    }
    if (parameters->max_uploads > 0 && record->uploading > (uint64_t)parameters->max_uploads * work->cpus) {
        return VCS_REASON_UPLOADS;
    }
    return wait > 0.0 && project != work->called ? VCS_REASON_DEFERRED : VCS_REASON_NONE;
}

static uint32_t pair_obstacle(const vcs_fetch_pair *pair, double wait) {
    if (pair->resource->prepared->suspended) {
        return VCS_REASON_RESOURCE_SUSPENDED;
    }
    if ((pair->record->flags & VCS_PROJECT_RESOURCE_NOT_WANTED) != 0) {
        return VCS_REASON_NOT_WANTED;
    }
    if ((pair->record->flags & VCS_PROJECT_RESOURCE_NO_APPS) != 0) {
        return VCS_REASON_NO_APPS;
    }
    if (pair->allowed == 0) {
        return VCS_REASON_EXCLUDED;
    }
    return wait > 0.0 ? VCS_REASON_BACKED_OFF : VCS_REASON_NONE;
}

static void forbid(vcs_fetch_pair *pair, uint32_t obstacle, double wait) {
    pair->obstacle = obstacle;
    pair->wait = obstacle == VCS_REASON_DEFERRED || obstacle == VCS_REASON_BACKED_OFF ? wait : 0.0;
}

/* ---- All of it ---- */

/* What the state has at its place among the project_resources. */
static void begin_pair(vcs_fetch_pair *pair, const vcs_state *state, size_t place) {
    pair->record = &vcs_project_resources(state)[place];
    pair->forecast = &vcs_project_resource_forecasts(state)[place];
    pair->decision = &vcs_fetch_choices(state)[place];
}

static void survey_pair(vcs_fetch_work *work, vcs_fetch_pair *pair) {
    const uint32_t instances = pair->resource->prepared->instances;
    const double wait = wait_until(pair->record->backoff_until, work->state->now);
    pair->allowed = vcs_allowed_instances(instances, pair->record->excluded);
    pair->limited = pair->project->limit > 0 || pair->allowed < instances;
    work->has_limits |= pair->limited;
    forbid(pair, pair_obstacle(pair, wait), wait);
}

static void survey_project(vcs_fetch_work *work, uint32_t index) {
    const size_t first = (size_t)index * work->resource_count;
    vcs_fetch_project *project = &work->projects[index];
    project->record = &vcs_projects(work->state)[index];
    project->project_resources = &work->project_resources[first];
    project->index = index;
    project->limit = limit_of(project);
    for (uint32_t r = 0; r < work->resource_count; r++) {
        vcs_fetch_pair *pair = &project->project_resources[r];
        pair->project = project;
        pair->resource = &work->resources[r];
        begin_pair(pair, work->state, first + r);
        survey_pair(work, pair);
        project->tasks += pair->forecast->tasks;
    }
    const double wait = wait_until(project->record->min_rpc_time, work->state->now);
    const uint32_t obstacle = project_obstacle(work, project, wait);
    for (uint32_t r = 0; obstacle != VCS_REASON_NONE && r < work->resource_count; r++) {
        forbid(&project->project_resources[r], obstacle, wait);
    }
}

void vcs_fetch_survey(vcs_fetch_work *work) {
    add_up_limits_of_apps(work);
    for (uint32_t p = 0; p < work->project_count; p++) {
        survey_project(work, p);
    }
    if (looks_at_tasks(work)) {
        count_tasks(work);
    }
}

/* SPDX-License-Identifier: MIT */
#include "fetch/survey.h"
#include "state/snapshot.h"

#include "simulation/limits.h"
#include "timers/timer_clock.h"

#include <float.h>

/* ---- What is queued ---- */

/* Operations that a task still needs of one resource. */
static double work_on(const vcs_state *state, const vcs_prepared_task *task, uint32_t resource, int64_t units) {
    return task->remaining * (vcs_instances(units) * vcs_resources(state)[resource].flops);
}

static void count_work(const vcs_survey *survey, const vcs_prepared_task *task) {
    vcs_survey_project *project = &survey->projects[task->project];
    const double on_cpu = work_on(survey->state, task, 0, task->cpu_units);
    const double on_gpu = task->resource == 0 ? 0.0 : work_on(survey->state, task, task->resource, task->gpu_units);
    project->queued_flops += on_cpu + on_gpu;
    project->project_resources[0].queued_flops += on_cpu;
    if (task->resource != 0) {
        project->project_resources[task->resource].queued_flops += on_gpu;
    }
}

static void count_towards_limits(vcs_survey_project_resource *of, const vcs_prepared_task *task, int64_t use) {
    vcs_wide_add(&of->queued, (uint64_t)use, (uint64_t)task->run_time);
    of->widest = vcs_max_i64(use, of->widest);
}

static void book(const vcs_survey *survey, const vcs_prepared_task *task, int64_t use, double finish) {
    vcs_survey_resource *resource = &survey->resources[task->resource];
    if (finish > survey->parameters->backup_lead) {
        resource->booked = vcs_min_i64(resource->booked + use, resource->prepared->capacity);
    }
}

/* Whether projects are ranked by their scheduling priority, and so by what they have queued. */
static int ranks_by_priority(const vcs_survey *survey) {
    return !survey->is_study && survey->parameters->ranking == VCS_RANK_PRIORITY;
}

/* Each task counts towards what will be needed. */
static void count_task(const vcs_survey *survey, const vcs_prepared_task *task, const vcs_task_forecast *forecast) {
    const int64_t use = task->resource == 0 ? task->cpu_units : task->gpu_units;
    vcs_survey_project_resource *of = &survey->projects[task->project].project_resources[task->resource];
    if (of->limited) {
        count_towards_limits(of, task, use);
    }
    if (survey->is_wf1) {
        of->device_seconds += task->remaining * vcs_instances(use);
    }
    if (!survey->is_study) {
        book(survey, task, use, forecast->finish);
    }
    if (ranks_by_priority(survey)) {
        count_work(survey, task);
    }
}

/* Whether something is needed that the simulation does not report. */
static int looks_at_tasks(const vcs_survey *survey) {
    return !survey->is_study || survey->is_wf1 || survey->has_limits;
}

/* In order of arrival, so that sums of doubles do not depend on the order of the records. */
static void count_tasks(const vcs_survey *survey) {
    const vcs_state *state = survey->state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    const uint32_t *by_arrival = vcs_arrival_order(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const uint32_t index = by_arrival[i];
        if (tasks[index].takes_part) {
            count_task(survey, &tasks[index], &forecasts[index]);
        }
    }
}

/* ---- What limits a project ---- */

static void add_up_limits_of_apps(const vcs_survey *survey) {
    const vcs_state *state = survey->state;
    const vcs_app *apps = vcs_apps(state);
    for (uint32_t i = 0; i < state->app_count; i++) {
        const vcs_app *app = &apps[i];
        vcs_survey_project *project = &survey->projects[app->project];
        project->app_limits += app->max_concurrent;
        project->open_app |= app->max_concurrent == 0;
    }
}

/* The limits of applications hold a project back if each of those that are known has one. */
static uint64_t limit_of(const vcs_survey_project *project) {
    const uint64_t own = project->record->max_concurrent;
    const int apps_limit = !project->open_app && project->app_limits > 0;
    return apps_limit && (own == 0 || project->app_limits < own) ? project->app_limits : own;
}

/* ---- What prevents asking it ---- */

/* The wait is finite, even for a moment that never comes. */
static double wait_until(double moment, double now) {
    const double wait = vcs_wait_until(moment, now);
    return vcs_min(wait, DBL_MAX);
}

/* The first that holds; those that last longest come first. `wait`: until its scheduler may be called. */
static uint32_t project_obstacle(const vcs_survey *survey, const vcs_survey_project *project, double wait) {
    const vcs_parameters *parameters = survey->parameters;
    const vcs_project *record = project->record;
    if ((record->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    if ((record->flags & VCS_PROJECT_NO_NEW_WORK) != 0) {
        return VCS_REASON_NO_NEW_WORK;
    }
    if (record->wait != VCS_WAIT_NONE) {
        return vcs_wait_reason(record->wait);
    }
    if (parameters->max_runnable > 0 && project->tasks >= parameters->max_runnable) {
        return VCS_REASON_TOO_MANY_TASKS;
    }
    if (parameters->max_uploads > 0 && record->uploading > (uint64_t)parameters->max_uploads * survey->cpus) {
        return VCS_REASON_UPLOADS;
    }
    return wait > 0.0 && project != survey->called ? VCS_REASON_DEFERRED : VCS_REASON_NONE;
}

static uint32_t resource_obstacle(const vcs_survey_project_resource *of, double wait) {
    if (of->resource->prepared->suspended) {
        return VCS_REASON_RESOURCE_SUSPENDED;
    }
    if ((of->record->flags & VCS_PROJECT_RESOURCE_NOT_WANTED) != 0) {
        return VCS_REASON_NOT_WANTED;
    }
    if ((of->record->flags & VCS_PROJECT_RESOURCE_NO_APPS) != 0) {
        return VCS_REASON_NO_APPS;
    }
    if (of->allowed == 0) {
        return VCS_REASON_EXCLUDED;
    }
    return wait > 0.0 ? VCS_REASON_BACKED_OFF : VCS_REASON_NONE;
}

static void note_obstacle(vcs_survey_project_resource *of, uint32_t obstacle, double wait) {
    of->obstacle = obstacle;
    of->wait = obstacle == VCS_REASON_DEFERRED || obstacle == VCS_REASON_BACKED_OFF ? wait : 0.0;
}

/* ---- All of it ---- */

/* What the state has at its place among the project_resources. */
static void begin_project_resource(vcs_survey_project_resource *of, const vcs_state *state, size_t place) {
    of->record = &vcs_project_resources(state)[place];
    of->forecast = &vcs_project_resource_forecasts(state)[place];
    of->decision = &vcs_fetch_choices(state)[place];
}

static void survey_project_resource(vcs_survey *survey, vcs_survey_project_resource *of) {
    const uint32_t instances = of->resource->prepared->instances;
    const double wait = wait_until(of->record->backoff_until, survey->state->now);
    of->allowed = vcs_allowed_instances(instances, of->record->excluded);
    of->limited = of->project->limit > 0 || of->allowed < instances;
    survey->has_limits |= of->limited;
    note_obstacle(of, resource_obstacle(of, wait), wait);
}

static void survey_project(vcs_survey *survey, uint32_t index) {
    const size_t first = (size_t)index * survey->resource_count;
    vcs_survey_project *project = &survey->projects[index];
    project->record = &vcs_projects(survey->state)[index];
    project->project_resources = &survey->project_resources[first];
    project->index = index;
    project->limit = limit_of(project);
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_project_resource *of = &project->project_resources[r];
        of->project = project;
        of->resource = &survey->resources[r];
        begin_project_resource(of, survey->state, first + r);
        survey_project_resource(survey, of);
        project->tasks += of->forecast->tasks;
    }
    const double wait = wait_until(project->record->min_rpc_time, survey->state->now);
    const uint32_t obstacle = project_obstacle(survey, project, wait);
    for (uint32_t r = 0; obstacle != VCS_REASON_NONE && r < survey->resource_count; r++) {
        note_obstacle(&project->project_resources[r], obstacle, wait);
    }
}

void vcs_fill_survey(vcs_survey *survey) {
    add_up_limits_of_apps(survey);
    for (uint32_t p = 0; p < survey->project_count; p++) {
        survey_project(survey, p);
    }
    if (looks_at_tasks(survey)) {
        count_tasks(survey);
    }
}

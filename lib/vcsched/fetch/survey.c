/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/survey.h"

#include "vcsched/host/declared.h"
#include "vcsched/host/snapshot.h"
#include "vcsched/simulation/limits.h"
#include "vcsched/timers/timer.h"

#include <float.h>

/* ---- Queued tasks ---- */

/* Operations that a task still needs of one resource. */
static double work_on(const vcs_state *state, const vcs_prepared_task *task, uint32_t resource, int64_t units) {
    return task->remaining * (vcs_instances(units) * vcs_resources(state)[resource].flops);
}

static void count_work(vcs_survey *survey, const vcs_prepared_task *task) {
    vcs_survey_project *project = &survey->projects[task->project];
    const double on_cpu = work_on(survey->state, task, 0, task->cpu_units);
    const double on_gpu = task->resource == 0 ? 0.0 : work_on(survey->state, task, task->resource, task->gpu_units);
    project->queued_flops += on_cpu + on_gpu;
    project->project_resources[0].queued_flops += on_cpu;
    if (task->resource != 0) {
        project->project_resources[task->resource].queued_flops += on_gpu;
    }
}

/* A task that outlasts the buffer counts only for as long as that: the rest keeps nothing out of it. */
static void count_towards_limits(const vcs_survey *survey, vcs_survey_project_resource *of,
                                 const vcs_prepared_task *task, int64_t use, int runs) {
    const int64_t most = vcs_micros(vcs_buffer_to_fill(survey));
    vcs_wide_add(&of->queued, (uint64_t)use, (uint64_t)vcs_min_i64(task->run_time, most));
    vcs_wide_add(&of->queued_time, 1, (uint64_t)vcs_min_i64(task->run_time, most));
    of->draining += runs && task->run_time <= most ? use : 0;
    of->narrowest = of->is_counted ? vcs_min_i64(use, of->narrowest) : use;
    of->widest = of->is_counted ? vcs_max_i64(use, of->widest) : use;
    of->is_counted = 1;
}

/* Each task counts towards the need. A task that starts now and is not interrupted ends after its run time. */
static void count_task(vcs_survey *survey, const vcs_prepared_task *task, const vcs_task_forecast *forecast) {
    const int64_t use = task->resource == 0 ? task->cpu_units : task->gpu_units;
    const double finish = forecast->finish;
    const int runs = finish <= vcs_seconds(task->run_time);
    vcs_survey_resource *cpus = &survey->resources[0], *own = &survey->resources[task->resource];
    vcs_survey_project *project = &survey->projects[task->project];
    vcs_survey_project_resource *of = &project->project_resources[task->resource];
    if (of->limited) {
        count_towards_limits(survey, of, task, use, runs);
    }
    if (survey->is_wf1) {
        of->device_seconds += task->remaining * vcs_instances(use);
    }
    if (!task->can_start) { /* once it can, it occupies instances that are left idle now */
        cpus->left = vcs_max_i64(cpus->left - task->cpu_units, 0);
        if (own != cpus) {
            own->left = vcs_max_i64(own->left - task->gpu_units, 0);
        }
    }
    if (!survey->is_study && finish > survey->parameters->backup_lead) {
        own->booked = vcs_min_i64(own->booked + use, own->prepared->capacity);
    }
    if (forecast->verdict != VCS_VERDICT_STUCK) {
        of->last_finish = vcs_max(of->last_finish, finish);
        if (finish >= survey->buffer) {
            project->first_beyond = vcs_min(project->first_beyond, finish - survey->buffer);
        }
        of->waits |= of->forecast->waits_for_fit && !survey->is_study &&
                     finish > own->forecast->saturated + vcs_seconds(task->run_time);
    }
    if (!survey->is_study && survey->parameters->ranking == VCS_RANK_PRIORITY) {
        count_work(survey, task);
    }
}

/* In order of arrival, so that sums of doubles do not depend on the order of the records. */
static void count_tasks(vcs_survey *survey) {
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

/* Counts the tasks chosen to run. */
static void count_chosen(vcs_survey *survey) {
    const vcs_state *state = survey->state;
    for (uint32_t place = 0; survey->knows_choice && place < state->running_count; place++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[vcs_running(state)[place]];
        vcs_survey_project_resource *of = &survey->projects[task->project].project_resources[task->resource];
        of->chosen_units += task->resource == 0 ? task->cpu_units : task->gpu_units;
        of->chosen++;
    }
}

/* ---- Obstacles ---- */

/* The wait is finite, even for a moment that never comes. */
static double wait_until(double moment, double now) {
    const double wait = vcs_wait_until(moment, now);
    return vcs_min(wait, DBL_MAX);
}

/* The first obstacle that holds. Obstacles that last longest come first. */
static uint32_t project_obstacle(const vcs_survey *survey, const vcs_survey_project *project) {
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
    if (parameters->max_uploads > 0 && record->uploading > (uint64_t)parameters->max_uploads * survey->most) {
        return VCS_REASON_UPLOADS;
    }
    return project->wait > 0.0 ? VCS_REASON_DEFERRED : VCS_REASON_NONE;
}

static uint32_t resource_obstacle(const vcs_survey_project_resource *of) {
    if (of->resource->prepared->suspended) {
        return VCS_REASON_RESOURCE_SUSPENDED;
    }
    if ((of->record->flags & VCS_PROJECT_RESOURCE_NOT_WANTED) != 0) {
        return VCS_REASON_NOT_WANTED;
    }
    if ((of->record->flags & VCS_PROJECT_RESOURCE_NO_APPS) != 0 || of->has_no_apps) {
        return VCS_REASON_NO_APPS;
    }
    if (of->allowed == 0) {
        return VCS_REASON_EXCLUDED;
    }
    if ((of->record->flags & VCS_PROJECT_RESOURCE_DEFERRED) != 0) {
        return VCS_REASON_TASK_DEFERRED;
    }
    return of->backoff > 0.0 ? VCS_REASON_BACKED_OFF : VCS_REASON_NONE;
}

/* Which of two obstacles is the reason: the wait that ends last, or what does not end by itself. */
static uint32_t binding(const vcs_survey_project_resource *of, uint32_t of_project, uint32_t own) {
    if (of_project == VCS_REASON_DEFERRED) {
        const int lasts = own == VCS_REASON_BACKED_OFF ? of->backoff > of->project->wait : own != VCS_REASON_NONE;
        return lasts ? own : of_project;
    }
    return of_project != VCS_REASON_NONE ? of_project : own;
}

/* A project that is called anyway is not deferred. */
static void find_obstacles(const vcs_survey *survey, vcs_survey_project *project) {
    const uint32_t of_project = project_obstacle(survey, project);
    const int ends = of_project == VCS_REASON_NONE || of_project == VCS_REASON_DEFERRED;
    const int is_called = project == survey->called && of_project == VCS_REASON_DEFERRED;
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_project_resource *of = &project->project_resources[r];
        const uint32_t own = resource_obstacle(of);
        of->obstacle = is_called ? own : binding(of, of_project, own);
        of->closed = !ends || (own != VCS_REASON_NONE && own != VCS_REASON_BACKED_OFF);
    }
}

/* ---- All of it ---- */

static void fill_resource(vcs_survey *survey, uint32_t index) {
    const vcs_prepared_resource *prepared = &vcs_resources(survey->state)[index];
    const double used = vcs_resource_decisions(survey->state)[index].used;
    const double useless = vcs_resource_forecasts(survey->state)[index].useless;
    survey->resources[index] = (vcs_survey_resource){
        .prepared = prepared,
        .forecast = &vcs_resource_forecasts(survey->state)[index],
        /* Neither the rules of the study nor the fluid discipline know GPU tasks, so none are asked for. */
        .decided = index == 0 || (!survey->is_study && survey->parameters->discipline != VCS_DISCIPLINE_FLUID),
        .left = survey->knows_choice && !prepared->suspended
                    ? vcs_max_i64(prepared->capacity - vcs_units(used) - vcs_units(useless), 0)
                    : 0,
    };
}

/* `place`: where the state has it among the project_resources. */
static void fill_project_resource(vcs_survey *survey, const vcs_survey_project *project, uint32_t resource,
                                  size_t place) {
    const vcs_state *state = survey->state;
    const vcs_project_resource *record = &vcs_project_resources(state)[place];
    const uint32_t instances = survey->resources[resource].prepared->instances;
    const uint32_t allowed = vcs_allowed_instances(instances, record->excluded);
    const uint32_t limited = survey->limits[place] > 0 || allowed < instances || vcs_limits_units(record);
    const vcs_task_uses uses = vcs_uses_without_tasks(state, place);
    survey->project_resources[place] = (vcs_survey_project_resource){
        .project = project,
        .resource = &survey->resources[resource],
        .record = record,
        .forecast = &vcs_project_resource_forecasts(state)[place],
        .decision = &vcs_fetch_choices(state)[place],
        .backoff = wait_until(record->backoff_until, state->now),
        .limit = survey->limits[place],
        .narrowest = uses.narrowest,
        .widest = uses.widest,
        .allowed = allowed,
        .limited = limited,
        .has_no_apps = vcs_declares_no_apps(state, project->index, place),
    };
    survey->has_limits |= limited;
}

static void fill_project(vcs_survey *survey, uint32_t index) {
    const vcs_state *state = survey->state;
    const size_t first = (size_t)index * survey->resource_count;
    vcs_survey_project *project = &survey->projects[index];
    *project = (vcs_survey_project){
        .record = &vcs_projects(state)[index],
        .project_resources = &survey->project_resources[first],
        .index = index,
        .wait = wait_until(vcs_projects(state)[index].min_rpc_time, state->now),
        .first_beyond = VCS_INFINITY,
    };
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        fill_project_resource(survey, project, r, first + r);
        project->tasks += vcs_project_resource_forecasts(state)[first + r].tasks;
    }
    find_obstacles(survey, project);
}

void vcs_fill_survey(vcs_survey *survey) {
    uint32_t gpus = 0;
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        fill_resource(survey, r);
        gpus += r > 0 ? survey->resources[r].prepared->instances : 0;
    }
    survey->most = survey->cpus > gpus ? survey->cpus : gpus;
    vcs_find_limits(survey->state, survey->limits, survey->used_by_apps);
    for (uint32_t p = 0; p < survey->project_count; p++) {
        fill_project(survey, p);
    }
}

void vcs_survey_tasks(vcs_survey *survey) {
    if (!survey->is_study || survey->is_wf1 || survey->has_limits) { /* else the simulation reports all that counts */
        count_tasks(survey);
    }
    count_chosen(survey);
}

/* SPDX-License-Identifier: MIT */
#include "client/estimate.h"
#include "client/fetch.h"
#include "client/limits.h"

#include <float.h>

/* ---- What is queued ---- */

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Operations that a task still needs of one resource. */
static double work_on(const vcs_state *state, const vcs_job *job, uint32_t resource, int64_t units) {
    return job->remaining * (vcs_instances(units) * vcs_resources(state)[resource].flops);
}

static void count_work(const vcs_fetch_work *work, const vcs_job *job) {
    const double on_cpu = work_on(work->state, job, 0, job->cpu_units);
    const double on_gpu = job->resource == 0 ? 0.0 : work_on(work->state, job, job->resource, job->gpu_units);
    work->projects[job->project].queued_flops += on_cpu + on_gpu;
    vcs_fetch_pair_of(work, job->project, 0)->queued_flops += on_cpu;
    if (job->resource != 0) {
        vcs_fetch_pair_of(work, job->project, job->resource)->queued_flops += on_gpu;
    }
}

static void count_towards_limits(vcs_fetch_pair *pair, const vcs_job *job, int64_t use) {
    vcs_wide_add(&pair->queued, (uint64_t)use, (uint64_t)job->run_time);
    pair->widest = use > pair->widest ? use : pair->widest;
}

static void book(const vcs_fetch_work *work, const vcs_job *job, int64_t use, double finish) {
    vcs_fetch_resource *resource = &work->resources[job->resource];
    if (finish > work->state->parameters.backup_lead) {
        resource->booked = lesser(resource->booked + use, vcs_resources(work->state)[job->resource].capacity);
    }
}

/* Each is counted towards what will be looked at. */
static void count_task(const vcs_fetch_work *work, const vcs_job *job, const vcs_task_forecast *forecast) {
    const int64_t use = job->resource == 0 ? job->cpu_units : job->gpu_units;
    vcs_fetch_pair *pair = vcs_fetch_pair_of(work, job->project, job->resource);
    work->projects[job->project].tasks++;
    if (pair->limited) {
        count_towards_limits(pair, job, use);
    }
    if (work->is_wf1) {
        pair->device_seconds += job->remaining * vcs_instances(use);
    }
    if (!work->is_study) {
        book(work, job, use, forecast->finish);
    }
    if (vcs_fetch_ranks_by_priority(work)) {
        count_work(work, job);
    }
}

/* In order of arrival, so that sums of doubles do not depend on the order of the records. */
static void count_tasks(const vcs_fetch_work *work) {
    const vcs_state *state = work->state;
    const vcs_job *jobs = vcs_jobs(state);
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    const uint32_t *by_arrival = vcs_arrival_order(state);
    for (uint32_t i = 0; i < state->job_count; i++) {
        const uint32_t index = by_arrival[i];
        if (jobs[index].takes_part) {
            count_task(work, &jobs[index], &forecasts[index]);
        }
    }
}

/* ---- What limits a project ---- */

/* The limits of applications hold a project back if each of those that are known has one. */
static void find_limits_of_projects(const vcs_fetch_work *work) {
    const vcs_state *state = work->state;
    const vcs_app *apps = vcs_apps(state);
    for (uint32_t i = 0; i < state->app_count; i++) {
        const vcs_app *app = &apps[i];
        vcs_fetch_project *project = &work->projects[app->project];
        project->app_limits += app->max_concurrent;
        project->open_app |= app->max_concurrent == 0;
    }
    for (uint32_t p = 0; p < work->project_count; p++) {
        vcs_fetch_project *project = &work->projects[p];
        project->limit = vcs_projects(state)[p].max_concurrent;
        if (!project->open_app && project->app_limits > 0 &&
            (project->limit == 0 || project->app_limits < project->limit)) {
            project->limit = project->app_limits;
        }
    }
}

/* What limits it on one resource: the same, and exclusions. */
static void find_limits_of_pairs(const vcs_fetch_work *work) {
    const vcs_pair *records = vcs_pairs(work->state);
    const vcs_prepared_resource *resources = vcs_resources(work->state);
    const size_t count = (size_t)work->project_count * work->resource_count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t instances = resources[records[i].resource].instances;
        vcs_fetch_pair *pair = &work->pairs[i];
        pair->allowed = vcs_allowed_instances(instances, records[i].excluded);
        pair->limited = work->projects[records[i].project].limit > 0 || pair->allowed < instances;
    }
}

/* ---- What forbids to ask it ---- */

/* Seconds until a moment; 0 stands for one that has passed. */
static double wait_until(double moment, double now) {
    double wait = moment == 0.0 ? 0.0 : moment - now;
    if (wait > DBL_MAX) {
        return DBL_MAX;
    }
    return wait > 0.0 ? wait : 0.0;
}

/* Of several obstacles the one that will last counts. */
static uint32_t project_obstacle(const vcs_fetch_work *work, uint32_t index) {
    const vcs_state *state = work->state;
    const vcs_parameters *parameters = &state->parameters;
    const vcs_project *project = &vcs_projects(state)[index];
    const uint64_t most_uploads = (uint64_t)parameters->max_uploads * vcs_resources(state)[0].instances;
    if ((project->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    if ((project->flags & VCS_PROJECT_NO_NEW_WORK) != 0) {
        return VCS_REASON_NO_NEW_WORK;
    }
    if (parameters->max_runnable > 0 && work->projects[index].tasks >= parameters->max_runnable) {
        return VCS_REASON_TOO_MANY_TASKS;
    }
    if (parameters->max_uploads > 0 && project->uploading > most_uploads) {
        return VCS_REASON_UPLOADS;
    }
    return work->projects[index].wait > 0.0 && index != work->called ? VCS_REASON_DEFERRED : VCS_REASON_NONE;
}

static uint32_t pair_obstacle(const vcs_state *state, const vcs_pair *record, const vcs_fetch_pair *pair) {
    if (vcs_resources(state)[record->resource].suspended) {
        return VCS_REASON_RESOURCE_SUSPENDED;
    }
    if ((record->flags & VCS_PAIR_NOT_WANTED) != 0) {
        return VCS_REASON_NOT_WANTED;
    }
    if ((record->flags & VCS_PAIR_NO_APPS) != 0) {
        return VCS_REASON_NO_APPS;
    }
    if (pair->allowed == 0) {
        return VCS_REASON_EXCLUDED;
    }
    return pair->wait > 0.0 ? VCS_REASON_BACKED_OFF : VCS_REASON_NONE;
}

static void find_obstacles(const vcs_fetch_work *work) {
    const vcs_state *state = work->state;
    const vcs_pair *records = vcs_pairs(state);
    const size_t count = (size_t)work->project_count * work->resource_count;
    for (uint32_t p = 0; p < work->project_count; p++) {
        vcs_fetch_project *project = &work->projects[p];
        project->wait = wait_until(vcs_projects(state)[p].min_rpc_time, state->now);
        project->wacky = vcs_is_wacky(vcs_projects(state)[p].dcf);
        project->obstacle = project_obstacle(work, p);
    }
    for (size_t i = 0; i < count; i++) {
        vcs_fetch_pair *pair = &work->pairs[i];
        pair->wait = wait_until(records[i].backoff_until, state->now);
        pair->obstacle = pair_obstacle(state, &records[i], pair);
    }
}

void vcs_fetch_survey(vcs_fetch_work *work) {
    find_limits_of_projects(work);
    find_limits_of_pairs(work);
    count_tasks(work);
    find_obstacles(work);
}

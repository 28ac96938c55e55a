/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_records.h"

#include <math.h>
#include <stdlib.h>

const vcs_resource *oracle_resource(const vcs_snapshot *snapshot, uint32_t index) {
    return (const vcs_resource *)snapshot->resources.base + index;
}

const vcs_project *oracle_project(const vcs_snapshot *snapshot, uint32_t index) {
    return (const vcs_project *)snapshot->projects.base + index;
}

const vcs_app *oracle_app(const vcs_snapshot *snapshot, uint32_t index) {
    return (const vcs_app *)snapshot->apps.base + index;
}

const vcs_task *oracle_task(const vcs_snapshot *snapshot, uint32_t index) {
    return (const vcs_task *)snapshot->tasks.base + index;
}

const vcs_task *oracle_candidate(const vcs_snapshot *snapshot, uint32_t index) {
    return (const vcs_task *)snapshot->candidates.base + index;
}

const vcs_project_resource *oracle_project_resource(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource) {
    const vcs_project_resource *project_resources = (const vcs_project_resource *)snapshot->project_resources.base;
    for (uint32_t i = 0; i < snapshot->project_resources.count; i++) {
        if (project_resources[i].project == project && project_resources[i].resource == resource) {
            return &project_resources[i];
        }
    }
    return NULL;
}

const vcs_app_resource *oracle_app_resource(const vcs_snapshot *snapshot, uint32_t app, uint32_t resource) {
    const vcs_app_resource *app_resources = (const vcs_app_resource *)snapshot->app_resources.base;
    for (uint32_t i = 0; i < snapshot->app_resources.count; i++) {
        if (app_resources[i].app == app && app_resources[i].resource == resource) {
            return &app_resources[i];
        }
    }
    return NULL;
}

int64_t oracle_micros(double seconds) {
    double micros = seconds * 1e6;
    if (micros >= (double)ORACLE_FOREVER) {
        return ORACLE_FOREVER;
    }
    if (micros <= -(double)ORACLE_FOREVER) {
        return -ORACLE_FOREVER;
    }
    return (int64_t)floor(micros + 0.5);
}

double oracle_seconds(int64_t micros) {
    return (double)micros / 1e6;
}

int64_t oracle_units(double instances) {
    return (int64_t)floor(instances * (double)ORACLE_ONE + 0.5);
}

double oracle_instance_seconds(oracle_sum sum) {
    return (double)sum / 1048576.0 / 1e6;
}

void *oracle_allocate(uint64_t count, uint64_t size) {
    void *memory = calloc((size_t)(count + 1), (size_t)size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

bool oracle_takes_part(const vcs_snapshot *snapshot, const vcs_task *task) {
    bool task_suspended = (task->flags & VCS_TASK_SUSPENDED) != 0;
    bool project_suspended = (oracle_project(snapshot, task->project)->flags & VCS_PROJECT_SUSPENDED) != 0;
    bool gpu_suspended = task->gpu != 0 && (oracle_resource(snapshot, task->gpu)->flags & VCS_RESOURCE_SUSPENDED) != 0;
    return !task_suspended && !project_suspended && !gpu_suspended;
}

uint32_t oracle_resource_of(const vcs_task *task) {
    return task->gpu; /* resource 0 is the CPU */
}

int64_t oracle_use(const vcs_task *task, uint32_t resource) {
    if (resource == 0) {
        return oracle_units(task->cpus);
    }
    return resource == task->gpu ? oracle_units(task->gpus) : 0;
}

double oracle_run_seconds(const vcs_snapshot *snapshot, const vcs_task *task) {
    const vcs_resource *resource = oracle_resource(snapshot, oracle_resource_of(task));
    return task->remaining / (task->usable > 0 ? task->usable : resource->usable);
}

int64_t oracle_run_time(const vcs_snapshot *snapshot, const vcs_task *task) {
    return oracle_micros(oracle_run_seconds(snapshot, task));
}

bool oracle_arrives_before(const vcs_task *a, const vcs_task *b) {
    return a->received != b->received ? a->received < b->received : a->id < b->id;
}

/* Tasks of a project (any if VCS_NONE), of an application (likewise), for a resource (likewise). */
static uint32_t count_tasks(const vcs_snapshot *snapshot, uint32_t project, uint32_t app, uint32_t resource) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(snapshot, i);
        count += oracle_takes_part(snapshot, task) && (project == VCS_NONE || task->project == project) &&
                 (app == VCS_NONE || task->app == app) &&
                 (resource == VCS_NONE || oracle_resource_of(task) == resource);
    }
    return count;
}

static double use_declared(const vcs_snapshot *snapshot, uint32_t app, uint32_t resource) {
    const vcs_app_resource *of_app = oracle_app_resource(snapshot, app, resource);
    return of_app == NULL ? 0 : of_app->use;
}

/* An application that declares a use anywhere declares everything. */
static bool declares(const vcs_snapshot *snapshot, uint32_t app) {
    bool any = false;
    for (uint32_t r = 0; r < snapshot->resources.count; r++) {
        any = any || use_declared(snapshot, app, r) > 0;
    }
    return any;
}

int64_t oracle_declared_use(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource, bool at_most) {
    int64_t found = 0;
    for (uint32_t i = 0; i < snapshot->apps.count; i++) {
        const double use = use_declared(snapshot, i, resource);
        if (oracle_app(snapshot, i)->project == project && use > 0) {
            const int64_t units = oracle_units(use) > 0 ? oracle_units(use) : 1;
            found = found == 0 || (at_most ? units > found : units < found) ? units : found;
        }
    }
    return found;
}

bool oracle_declares_no_apps(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource) {
    bool has_apps = false, none_may_come = true;
    for (uint32_t i = 0; i < snapshot->apps.count; i++) {
        if (oracle_app(snapshot, i)->project == project) {
            has_apps = true;
            none_may_come = none_may_come && declares(snapshot, i) && use_declared(snapshot, i, resource) == 0;
        }
    }
    return has_apps && none_may_come && (oracle_project(snapshot, project)->flags & VCS_PROJECT_APPS_LISTED) != 0;
}

double oracle_limit_on(const vcs_snapshot *snapshot, uint32_t index, uint32_t resource) {
    const vcs_project *project = oracle_project(snapshot, index);
    const double own = project->max_concurrent;
    const bool has_tasks = count_tasks(snapshot, index, VCS_NONE, resource) > 0;
    double limit = own > 0 ? own : (double)INFINITY, of_apps = 0;
    bool all_limited = (project->flags & VCS_PROJECT_APPS_LISTED) != 0;
    for (uint32_t i = 0; i < snapshot->apps.count; i++) {
        const vcs_app *app = oracle_app(snapshot, i);
        if (app->project == index) {
            const bool has_some_here = count_tasks(snapshot, VCS_NONE, i, resource) > 0;
            const bool is_elsewhere = count_tasks(snapshot, VCS_NONE, i, VCS_NONE) > 0 && !has_some_here;
            const bool never_comes =
                declares(snapshot, i) && use_declared(snapshot, i, resource) == 0 && !has_some_here;
            all_limited = all_limited && app->max_concurrent > 0;
            of_apps += never_comes || (has_tasks && is_elsewhere && !(use_declared(snapshot, i, resource) > 0))
                           ? 0
                           : app->max_concurrent;
        }
    }
    return all_limited && of_apps > 0 ? fmin(limit, of_apps) : limit;
}

int64_t oracle_limit(const vcs_task *task, double now, double cushion) {
    return isinf(task->deadline) ? ORACLE_NEVER : oracle_micros((task->deadline - now) - cushion);
}

double oracle_admission_cushion(const vcs_parameters *parameters) {
    return parameters->admission_cushion == 0 ? parameters->min_buffer : parameters->admission_cushion;
}

int64_t oracle_horizon(const vcs_parameters *parameters) {
    return parameters->horizon > 0 ? oracle_micros(parameters->horizon) : ORACLE_FOREVER;
}

double oracle_buffer(const vcs_parameters *parameters) {
    return fmax(parameters->min_buffer, parameters->least_buffer) + parameters->additional_buffer;
}

double oracle_work_to_keep(const vcs_parameters *parameters) {
    return parameters->work_fetch == VCS_WORK_FETCH_ORIGINAL ? oracle_buffer(parameters)
                                                             : fmax(parameters->min_buffer, parameters->least_buffer);
}

/* A part of what all instances do in the buffer; no more than half of what one does, unless the part is greater. */
double oracle_least_shortfall(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t resource) {
    const vcs_resource *of = oracle_resource(snapshot, resource);
    const double instances = ceil(of->instances - (double)oracle_units(of->reserve) / (double)ORACLE_ONE);
    const double part = parameters->least_shortfall;
    return fmin(part * instances, fmax(part, 0.5)) * oracle_buffer(parameters);
}

bool oracle_allows(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource, uint32_t instance) {
    const vcs_project_resource *pair = oracle_project_resource(snapshot, project, resource);
    return pair == NULL || instance >= 64 || (pair->excluded >> instance & 1) == 0;
}

uint32_t oracle_allowed_count(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < oracle_resource(snapshot, resource)->instances; i++) {
        count += oracle_allows(snapshot, project, resource, i);
    }
    return count;
}

uint32_t *oracle_projects_by_id(const vcs_snapshot *snapshot) {
    uint32_t count = snapshot->projects.count;
    uint32_t *order = oracle_allocate(count, sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = 0;
        for (uint32_t other = 0; other < count; other++) {
            place += oracle_project(snapshot, other)->id < oracle_project(snapshot, i)->id;
        }
        order[place] = i;
    }
    return order;
}

/* SPDX-License-Identifier: MIT */
#include "vcsched/host/check_snapshot.h"
#include "vcsched/chance/hours_seen.h"
#include "vcsched/host/snapshot.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/chance_fields.h"
#include "vcsched/interface/fields/host_fields.h"

/* ---- Records ---- */

typedef int (*record_check)(const vcs_snapshot *snapshot, const void *record, uint32_t index, vcs_error *error);

static int check_resource(const vcs_snapshot *snapshot, const void *record, uint32_t index, vcs_error *error) {
    const vcs_resource *resource = record;
    (void)snapshot;
    if (index > 0 && resource->instances > VCS_MAX_GPU_INSTANCES) {
        return vcs_fail(error, VCS_ERR_RANGE, &vcs_resource_layout, index, VCS_FIELD(vcs_resource, instances),
                        "is more than the 64 instances that a GPU type can have");
    }
    if (resource->reserve > 0.0 && (index > 0 || resource->reserve > resource->instances - 1e-6)) {
        return vcs_fail(error, VCS_ERR_RANGE, &vcs_resource_layout, index, VCS_FIELD(vcs_resource, reserve),
                        index > 0 ? "is not that of the CPU" : "leaves no CPU");
    }
    if (index == 0 && (resource->flags & VCS_RESOURCE_SUSPENDED) != 0) {
        return vcs_fail(error, VCS_ERR_RANGE, &vcs_resource_layout, index, VCS_FIELD(vcs_resource, flags),
                        "suspend the CPU; only GPUs can be suspended");
    }
    return VCS_OK;
}

/* Checks a field that names instances of a GPU type, as bits. */
static int check_instances(const vcs_snapshot *snapshot, uint32_t resource, uint64_t named, const vcs_layout *layout,
                           uint32_t index, uint32_t field, vcs_error *error) {
    if (named == 0) {
        return VCS_OK;
    }
    const vcs_resource *of = vcs_element(&snapshot->resources, resource);
    if (resource > 0 && (of->instances >= 64 || named >> of->instances == 0)) {
        return VCS_OK;
    }
    return resource == 0
               ? vcs_fail(error, VCS_ERR_RANGE, layout, index, field, "needs a GPU type")
               : vcs_fail(error, VCS_ERR_INDEX, layout, index, field, "names an instance that does not exist");
}

/* Only devices are shared by number. */
static int check_per_device(uint32_t resource, uint32_t max_per_device, const vcs_layout *layout, uint32_t index,
                            uint32_t field, vcs_error *error) {
    return resource > 0 || max_per_device == 0
               ? VCS_OK
               : vcs_fail(error, VCS_ERR_RANGE, layout, index, field, "needs a GPU type");
}

static int check_project_resource(const vcs_snapshot *snapshot, const void *record, uint32_t index, vcs_error *error) {
    const vcs_project_resource *project_resource = record;
    if (project_resource->project >= snapshot->projects.count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_project_resource_layout, index,
                        VCS_FIELD(vcs_project_resource, project), "is no project");
    }
    if (project_resource->resource >= snapshot->resources.count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_project_resource_layout, index,
                        VCS_FIELD(vcs_project_resource, resource), "is no resource");
    }
    const int code =
        check_instances(snapshot, project_resource->resource, project_resource->excluded, &vcs_project_resource_layout,
                        index, VCS_FIELD(vcs_project_resource, excluded), error);
    return code == VCS_OK ? check_per_device(project_resource->resource, project_resource->max_per_device,
                                             &vcs_project_resource_layout, index,
                                             VCS_FIELD(vcs_project_resource, max_per_device), error)
                          : code;
}

static int check_app(const vcs_snapshot *snapshot, const void *record, uint32_t index, vcs_error *error) {
    const vcs_app *app = record;
    if (app->project >= snapshot->projects.count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_app_layout, index, VCS_FIELD(vcs_app, project), "is no project");
    }
    return VCS_OK;
}

static int check_app_resource(const vcs_snapshot *snapshot, const void *record, uint32_t index, vcs_error *error) {
    const vcs_app_resource *app_resource = record;
    if (app_resource->app >= snapshot->apps.count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_app_resource_layout, index, VCS_FIELD(vcs_app_resource, app),
                        "is no application");
    }
    if (app_resource->resource >= snapshot->resources.count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_app_resource_layout, index, VCS_FIELD(vcs_app_resource, resource),
                        "is no resource");
    }
    const int code = check_instances(snapshot, app_resource->resource, app_resource->excluded, &vcs_app_resource_layout,
                                     index, VCS_FIELD(vcs_app_resource, excluded), error);
    return code == VCS_OK
               ? check_per_device(app_resource->resource, app_resource->max_per_device, &vcs_app_resource_layout, index,
                                  VCS_FIELD(vcs_app_resource, max_per_device), error)
               : code;
}

/* Checks the indices of a task or candidate. */
static int check_references(const vcs_snapshot *snapshot, const vcs_task *task, const vcs_layout *layout,
                            uint32_t index, vcs_error *error) {
    if (task->project >= snapshot->projects.count) {
        return vcs_fail(error, VCS_ERR_INDEX, layout, index, VCS_FIELD(vcs_task, project), "is no project");
    }
    if (task->gpu >= snapshot->resources.count) {
        return vcs_fail(error, VCS_ERR_INDEX, layout, index, VCS_FIELD(vcs_task, gpu), "is no resource");
    }
    if ((task->gpu == 0) != (task->gpus == 0.0)) {
        return vcs_fail(error, VCS_ERR_RANGE, layout, index, VCS_FIELD(vcs_task, gpus),
                        task->gpu == 0 ? "is not 0, but no GPU type is named" : "is 0, but a GPU type is named");
    }
    if (task->app != VCS_NONE &&
        (task->app >= snapshot->apps.count ||
         ((const vcs_app *)vcs_element(&snapshot->apps, task->app))->project != task->project)) {
        return vcs_fail(error, VCS_ERR_INDEX, layout, index, VCS_FIELD(vcs_task, app),
                        "is not an application of its project");
    }
    return check_instances(snapshot, task->gpu, task->devices, layout, index, VCS_FIELD(vcs_task, devices), error);
}

static int check_task(const vcs_snapshot *snapshot, const void *record, uint32_t index, vcs_error *error) {
    return check_references(snapshot, record, &vcs_task_layout, index, error);
}

/* Whether a task or candidate is right. */
static bool is_right(const vcs_snapshot *snapshot, const vcs_task *task) {
    return vcs_task_passes(task) && check_references(snapshot, task, &vcs_task_layout, 0, NULL) == VCS_OK;
}

/* Whether all tasks are right, as they nearly always are. Which one is wrong, and why, is found later. */
VCS_FLATTEN static bool are_tasks_right(const vcs_snapshot *snapshot) {
    const vcs_task *tasks = snapshot->tasks.base;
    if (!vcs_is_array_of(&snapshot->tasks, sizeof *tasks)) {
        return false;
    }
    uint32_t right = 0;
    while (right < snapshot->tasks.count && is_right(snapshot, &tasks[right])) {
        right++;
    }
    return right == snapshot->tasks.count;
}

static int check_candidate(const vcs_snapshot *snapshot, const void *record, uint32_t index, vcs_error *error) {
    return check_references(snapshot, record, &vcs_candidate_layout, index, error);
}

/* The arrays, and for each what its records need beside fields in range; NULL if nothing. */
static const struct {
    const vcs_layout *layout;
    size_t offset;
    record_check check;
    bool (*are_right)(const vcs_snapshot *snapshot); /* a quicker way to find that all are right; NULL = none */
} arrays[] = {
    {&vcs_host_layout, offsetof(vcs_snapshot, host), NULL, NULL},
    {&vcs_resource_layout, offsetof(vcs_snapshot, resources), check_resource, NULL},
    {&vcs_project_layout, offsetof(vcs_snapshot, projects), NULL, NULL},
    {&vcs_project_resource_layout, offsetof(vcs_snapshot, project_resources), check_project_resource, NULL},
    {&vcs_app_layout, offsetof(vcs_snapshot, apps), check_app, NULL},
    {&vcs_app_resource_layout, offsetof(vcs_snapshot, app_resources), check_app_resource, NULL},
    {&vcs_task_layout, offsetof(vcs_snapshot, tasks), check_task, are_tasks_right},
    {&vcs_candidate_layout, offsetof(vcs_snapshot, candidates), check_candidate, NULL},
    {&vcs_hour_layout, offsetof(vcs_snapshot, hours), NULL, NULL},
};

/* Checks each record of an array: its size, its fields, then what only this array needs. */
static int check_records(const vcs_snapshot *snapshot, size_t number, vcs_error *error) {
    const vcs_array *array = (const void *)((const unsigned char *)snapshot + arrays[number].offset);
    const record_check check = arrays[number].check;
    if (array->count == 0) {
        return VCS_OK;
    }
    if (arrays[number].are_right != NULL && arrays[number].are_right(snapshot)) {
        return VCS_OK;
    }
    int code = vcs_check_array(array, arrays[number].layout, error);
    if (code != VCS_OK) {
        return code;
    }
    const uint32_t passing = vcs_count_passing(arrays[number].layout, array);
    for (uint32_t i = 0; check != NULL && code == VCS_OK && i < passing; i++) {
        code = check(snapshot, vcs_element(array, i), i, error);
    }
    return code == VCS_OK && passing < array->count ? vcs_refuse_record(array, passing, arrays[number].layout, error)
                                                    : code;
}

static int check_hours(const vcs_array *hours, vcs_error *error) {
    return hours->count == 0 || vcs_is_count_of_hours(hours->count)
               ? VCS_OK
               : vcs_fail(error, VCS_ERR_COUNT, &vcs_hour_layout, 0, VCS_WHOLE_RECORD,
                          "belongs to neither 24 hours of a day nor 168 of a week");
}

static int check_count(const vcs_layout *layout, uint32_t count, uint32_t least, uint32_t greatest, vcs_error *error) {
    if (count >= least && count <= greatest) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_COUNT, layout, 0, VCS_WHOLE_RECORD,
                    count < least ? "is missing: at least one is needed" : "is given more than once");
}

/* The fluid discipline is defined for tasks of one CPU each, without limits per application (rule 4.2). */
static int check_fluid_app(const vcs_snapshot *snapshot, uint32_t index, vcs_error *error) {
    const vcs_app *app = vcs_element(&snapshot->apps, index);
    if (app->max_concurrent == 0) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_UNSUPPORTED, &vcs_app_layout, index, VCS_FIELD(vcs_app, max_concurrent),
                    "is a limit per application, which the fluid discipline does not support");
}

static int check_fluid_project_resource(const vcs_snapshot *snapshot, uint32_t index, vcs_error *error) {
    const vcs_project_resource *project_resource = vcs_element(&snapshot->project_resources, index);
    if (project_resource->max_instances == 0.0) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_UNSUPPORTED, &vcs_project_resource_layout, index,
                    VCS_FIELD(vcs_project_resource, max_instances),
                    "is a limit in instances, which the fluid discipline does not support");
}

static int check_fluid_app_resource(const vcs_snapshot *snapshot, uint32_t index, vcs_error *error) {
    const vcs_app_resource *app_resource = vcs_element(&snapshot->app_resources, index);
    if (app_resource->max_instances == 0.0) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_UNSUPPORTED, &vcs_app_resource_layout, index,
                    VCS_FIELD(vcs_app_resource, max_instances),
                    "is a limit in instances, which the fluid discipline does not support");
}

static int check_fluid_task(const vcs_snapshot *snapshot, uint32_t index, vcs_error *error) {
    const vcs_task *task = vcs_element(&snapshot->tasks, index);
    if (!vcs_takes_part(snapshot, task) || (task->gpu == 0 && task->cpus == 1.0)) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_UNSUPPORTED, &vcs_task_layout, index,
                    task->gpu != 0 ? VCS_FIELD(vcs_task, gpu) : VCS_FIELD(vcs_task, cpus),
                    "is not that of a single-CPU task, the only kind that the fluid discipline supports");
}

static int check_fluid(const vcs_snapshot *snapshot, vcs_error *error) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < snapshot->apps.count; i++) {
        code = check_fluid_app(snapshot, i, error);
    }
    for (uint32_t i = 0; code == VCS_OK && i < snapshot->project_resources.count; i++) {
        code = check_fluid_project_resource(snapshot, i, error);
    }
    for (uint32_t i = 0; code == VCS_OK && i < snapshot->app_resources.count; i++) {
        code = check_fluid_app_resource(snapshot, i, error);
    }
    for (uint32_t i = 0; code == VCS_OK && i < snapshot->tasks.count; i++) {
        code = check_fluid_task(snapshot, i, error);
    }
    return code;
}

/* ---- The whole snapshot, and single records ---- */

int vcs_check_snapshot(const vcs_snapshot *snapshot, const vcs_parameters *parameters, vcs_error *error) {
    int code = check_count(&vcs_host_layout, snapshot->host.count, 1, 1, error);
    code = code == VCS_OK ? check_count(&vcs_resource_layout, snapshot->resources.count, 1, UINT32_MAX, error) : code;
    for (size_t i = 0; code == VCS_OK && i < sizeof arrays / sizeof *arrays; i++) {
        code = check_records(snapshot, i, error);
    }
    code = code == VCS_OK ? check_hours(&snapshot->hours, error) : code;
    if (code == VCS_OK && parameters->discipline == VCS_DISCIPLINE_FLUID) {
        code = check_fluid(snapshot, error);
    }
    return code;
}

bool vcs_resource_is_right(const vcs_snapshot *snapshot, uint32_t index) {
    const vcs_resource *resource = vcs_element(&snapshot->resources, index);
    return vcs_resource_passes(resource) && check_resource(snapshot, resource, index, NULL) == VCS_OK;
}

bool vcs_task_is_right(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t index) {
    return is_right(snapshot, vcs_element(&snapshot->tasks, index)) &&
           (parameters->discipline != VCS_DISCIPLINE_FLUID || check_fluid_task(snapshot, index, NULL) == VCS_OK);
}

bool vcs_candidate_is_right(const vcs_snapshot *snapshot, uint32_t index) {
    return is_right(snapshot, vcs_element(&snapshot->candidates, index));
}

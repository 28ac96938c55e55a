/* SPDX-License-Identifier: MIT */
#include "vcsched/host/convert.h"
#include "vcsched/host/declared.h"
#include "vcsched/host/host_spells.h"
#include "vcsched/host/snapshot.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/host_fields.h"

#include <string.h>

/* A record is copied as a whole to the beginning of its prepared task. */
#define ASSERT_SAME_PLACE(prepared, of_task)                                                                           \
    _Static_assert(offsetof(vcs_prepared_task, prepared) == offsetof(vcs_task, of_task),                               \
                   "vcs_prepared_task begins like vcs_task");
ASSERT_SAME_PLACE(id, id)
ASSERT_SAME_PLACE(project, project)
ASSERT_SAME_PLACE(app, app)
ASSERT_SAME_PLACE(resource, gpu)
ASSERT_SAME_PLACE(flags, flags)
ASSERT_SAME_PLACE(cpus, cpus)
ASSERT_SAME_PLACE(gpus, gpus)
ASSERT_SAME_PLACE(remaining, remaining)
ASSERT_SAME_PLACE(deadline, deadline)
ASSERT_SAME_PLACE(received, received)
ASSERT_SAME_PLACE(ram, ram)
ASSERT_SAME_PLACE(running_since, running_since)
ASSERT_SAME_PLACE(since_checkpoint, since_checkpoint)
ASSERT_SAME_PLACE(run_time, devices)

int vcs_count_records(const vcs_snapshot *snapshot, vcs_counts *counts, vcs_error *error) {
    int code = vcs_check_array(&snapshot->resources, &vcs_resource_layout, error);
    if (code != VCS_OK) {
        return code;
    }
    counts->resources = snapshot->resources.count;
    counts->projects = snapshot->projects.count;
    counts->project_resources = snapshot->project_resources.count;
    counts->apps = snapshot->apps.count;
    counts->app_resources = snapshot->app_resources.count;
    counts->tasks = snapshot->tasks.count;
    counts->candidates = snapshot->candidates.count;
    counts->hours = snapshot->hours.count;
    counts->instances = 0;
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        const vcs_resource *resource = vcs_element(&snapshot->resources, i);
        if (resource->instances == 0 || resource->instances > VCS_MAX_INSTANCES) {
            return vcs_fail(error, VCS_ERR_RANGE, &vcs_resource_layout, i, VCS_FIELD(vcs_resource, instances),
                            "is outside the range of instances");
        }
        counts->instances += resource->instances;
    }
    return VCS_OK;
}

/* Reads a record of the caller's, of any size; bytes beyond the known ones were checked to be 0. */
static inline void read_record(void *known, uint32_t size, const vcs_array *array, uint32_t index) {
    vcs_copy_struct(known, size, vcs_element(array, index), array->element_size);
}

static void convert_resource(const vcs_resource *from, double cpu_flops, vcs_prepared_resource *to) {
    to->id = from->id;
    to->capacity = (int64_t)from->instances * VCS_ONE - vcs_units(from->reserve);
    to->instances = (uint32_t)((to->capacity + VCS_ONE - 1) / VCS_ONE);
    to->suspended = (from->flags & VCS_RESOURCE_SUSPENDED) != 0;
    to->flops = from->flops;
    to->usable = from->usable;
    to->speed = from->flops / cpu_flops;
}

void vcs_convert_resources(vcs_state *state, const vcs_snapshot *snapshot) {
    const vcs_resource *cpu = vcs_element(&snapshot->resources, 0);
    vcs_resource *records = vcs_resource_records(state);
    vcs_prepared_resource *resources = vcs_resources(state);
    for (uint32_t i = 0; i < state->resource_count; i++) {
        read_record(&records[i], sizeof records[i], &snapshot->resources, i);
        convert_resource(&records[i], cpu->flops, &resources[i]);
    }
}

/* Fills the table of all projects and resources, and keeps the index of each given record in it. */
static int convert_project_resources(vcs_state *state, const vcs_snapshot *snapshot, vcs_error *error) {
    vcs_project_resource *project_resources = vcs_project_resources(state);
    uint64_t *places = vcs_project_resource_places(state);
    const size_t count = (size_t)state->project_count * state->resource_count;
    state->has_all_project_resources = snapshot->project_resources.count == count;
    memset(project_resources, 0, count * sizeof *project_resources);
    state->has_instance_limits = state->has_device_limits = 0;
    for (size_t i = 0; i < count; i++) {
        project_resources[i].project = VCS_NONE; /* not given yet */
    }
    for (uint32_t i = 0; i < snapshot->project_resources.count; i++) {
        const vcs_project_resource *project_resource = vcs_element(&snapshot->project_resources, i);
        places[i] = vcs_project_resource_place(state, project_resource);
        if (project_resources[places[i]].project != VCS_NONE) {
            return vcs_fail(error, VCS_ERR_DUPLICATE, &vcs_project_resource_layout, i, VCS_WHOLE_RECORD,
                            "is for the same project and resource as an earlier one");
        }
        read_record(&project_resources[places[i]], sizeof *project_resource, &snapshot->project_resources, i);
        state->has_all_project_resources &= places[i] == i;
        state->has_instance_limits |= project_resources[places[i]].max_instances > 0.0;
        state->has_device_limits |= project_resources[places[i]].max_per_device > 0;
    }
    for (uint32_t p = 0; p < state->project_count; p++) {
        for (uint32_t r = 0; r < state->resource_count; r++, project_resources++) {
            project_resources->project = p;
            project_resources->resource = r;
        }
    }
    return VCS_OK;
}

/* Likewise of all applications and resources, if any record is given. */
static int convert_app_resources(vcs_state *state, const vcs_snapshot *snapshot, vcs_error *error) {
    vcs_app_resource *app_resources = vcs_app_resources(state);
    uint64_t *places = vcs_app_resource_places(state);
    const size_t count = snapshot->app_resources.count > 0 ? (size_t)state->app_count * state->resource_count : 0;
    for (size_t i = 0; i < count; i++) {
        memset(&app_resources[i], 0, sizeof app_resources[i]);
        app_resources[i].app = VCS_NONE; /* not given yet */
    }
    for (uint32_t i = 0; i < snapshot->app_resources.count; i++) {
        places[i] = vcs_app_resource_place(state, vcs_element(&snapshot->app_resources, i));
        if (app_resources[places[i]].app != VCS_NONE) {
            return vcs_fail(error, VCS_ERR_DUPLICATE, &vcs_app_resource_layout, i, VCS_WHOLE_RECORD,
                            "is for the same application and resource as an earlier one");
        }
        read_record(&app_resources[places[i]], sizeof *app_resources, &snapshot->app_resources, i);
        state->has_instance_limits |= app_resources[places[i]].max_instances > 0.0;
        state->has_device_limits |= app_resources[places[i]].max_per_device > 0;
    }
    return VCS_OK;
}

static inline int64_t run_time_of(const vcs_prepared_resource *resources, const vcs_task *task) {
    return vcs_micros(task->remaining / (task->usable > 0.0 ? task->usable : resources[task->gpu].usable));
}

/* Records that tasks refer to. */
typedef struct referred {
    const vcs_prepared_resource *resources;
    const vcs_resource *resource_records;
    const vcs_project *projects;
} referred;

static inline referred find_referred(const vcs_state *state) {
    return (referred){vcs_resources(state), vcs_resource_records(state), vcs_projects(state)};
}

/* Sets whether a task takes part, and whether only other tasks keep it from running. */
static inline void set_eligibility(const referred *to, vcs_prepared_task *task) {
    const uint32_t of_own = to->resource_records[task->resource].flags;
    const uint32_t waits = (task->flags & VCS_TASK_DOWNLOADING) | (of_own & VCS_RESOURCE_PAUSED);
    task->takes_part = vcs_flags_take_part(task->flags, to->projects[task->project].flags, of_own);
    task->given_up = 0;
    task->can_start = task->takes_part && waits == 0;
}

static inline void prepare_progress(const vcs_prepared_resource *resources, const vcs_task *from,
                                    vcs_prepared_task *to) {
    memcpy(to, from, VCS_PREPARED_TASK_RECORD);
    to->run_time = run_time_of(resources, from);
}

/* Copies the record and derives the rest. */
static inline void prepare_task(const referred *records, const vcs_task *from, vcs_prepared_task *to) {
    prepare_progress(records->resources, from, to);
    to->cpu_units = vcs_units(from->cpus);
    to->gpu_units = vcs_units(from->gpus);
    set_eligibility(records, to);
}

void vcs_convert_run_times(vcs_state *state) {
    const vcs_prepared_resource *resources = vcs_resources(state);
    vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t count = state->task_count;
    for (uint32_t i = 0; i < count; i++) {
        tasks[i].run_time = run_time_of(resources, &vcs_task_records(state)[i]);
    }
}

void vcs_set_eligibilities(vcs_state *state) {
    const referred records = find_referred(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        set_eligibility(&records, &vcs_prepared_tasks(state)[i]);
    }
}

/* Tasks from `first` up to `end`. */
static void convert_tasks(vcs_state *state, const vcs_snapshot *snapshot, uint32_t first, uint32_t end) {
    const referred records = find_referred(state);
    vcs_task *from = vcs_task_records(state);
    vcs_prepared_task *to = vcs_prepared_tasks(state);
    for (uint32_t i = first; i < end; i++) {
        read_record(&from[i], sizeof from[i], &snapshot->tasks, i);
        prepare_task(&records, &from[i], &to[i]);
    }
}

void vcs_convert_task(vcs_state *state, const vcs_snapshot *snapshot, uint32_t index) {
    convert_tasks(state, snapshot, index, index + 1);
}

void vcs_convert_tasks(vcs_state *state, const vcs_snapshot *snapshot) {
    convert_tasks(state, snapshot, 0, state->task_count);
}

void vcs_convert_progress(vcs_state *state, const vcs_task *task, uint32_t index) {
    memcpy(&vcs_task_records(state)[index], task, sizeof *task);
    prepare_progress(vcs_resources(state), task, &vcs_prepared_tasks(state)[index]);
}

void vcs_convert_candidates(vcs_state *state, const vcs_snapshot *snapshot) {
    const referred records = find_referred(state);
    for (uint32_t i = 0; i < state->candidate_count; i++) {
        vcs_task copy;
        const vcs_task *candidate = vcs_whole_element(&snapshot->candidates, i, &copy, sizeof copy);
        prepare_task(&records, candidate, &vcs_prepared_tasks(state)[state->task_count + i]);
    }
}

int vcs_convert_host(vcs_state *state, const vcs_snapshot *snapshot, vcs_error *error) {
    read_record(&state->host, sizeof state->host, &snapshot->host, 0);
    vcs_convert_resources(state, snapshot);
    vcs_convert_hours(state, snapshot);
    for (uint32_t i = 0; i < state->project_count; i++) {
        read_record(&vcs_projects(state)[i], sizeof(vcs_project), &snapshot->projects, i);
    }
    for (uint32_t i = 0; i < state->app_count; i++) {
        read_record(&vcs_apps(state)[i], sizeof(vcs_app), &snapshot->apps, i);
    }
    int code = convert_project_resources(state, snapshot, error);
    code = code == VCS_OK ? convert_app_resources(state, snapshot, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_add_up_declared_uses(state);
    return VCS_OK;
}

/* SPDX-License-Identifier: MIT */
#include "client/prepared.h"
#include "core/check.h"
#include "core/field_pass.h"
#include "core/order.h"

#include <string.h>

/* ---- Sizes ---- */

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The one description of how a state lies in memory; the size is UINT64_MAX if it does not fit. */
static void lay_out(vcs_state *at, const vcs_counts *counts) {
    vcs_arena measure = {NULL, 0};
    memset(at, 0, sizeof *at);
    vcs_arena_take(&measure, 1, sizeof(vcs_state));
#define PIECE(member, count, type) (at->member = measure.used, vcs_arena_take(&measure, count, sizeof(type)))
    PIECE(resources, counts->resources, vcs_prepared_resource);
    PIECE(projects, counts->projects, vcs_project);
    PIECE(project_order, counts->projects, uint32_t);
    PIECE(pairs, counts->projects * counts->resources, vcs_pair);
    PIECE(apps, counts->apps, vcs_app);
    PIECE(jobs, counts->jobs + counts->candidates, vcs_job);
    PIECE(arrival_order, counts->jobs, uint32_t);
    PIECE(deadline_order, counts->jobs, uint32_t);
    PIECE(forecasts, counts->jobs, vcs_task_forecast);
    PIECE(resource_forecasts, counts->resources, vcs_resource_forecast);
    PIECE(pair_forecasts, counts->projects * counts->resources, vcs_pair_forecast);
    PIECE(placements, counts->jobs, vcs_edf_task);
    PIECE(busy, counts->resources, vcs_edf_resource);
    PIECE(task_decisions, counts->jobs, vcs_task_decision);
    PIECE(resource_decisions, counts->resources, vcs_resource_decision);
    PIECE(pair_decisions, counts->projects * counts->resources, vcs_pair_decision);
    at->queue_size = vcs_admit_queue(counts);
    PIECE(queue, at->queue_size, unsigned char);
    at->scratch_size = larger(vcs_wrr_fluid_scratch(counts), vcs_wrr_sliced_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_edf_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_schedule_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_fetch_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_send_scratch(counts));
    at->scratch_size = larger(at->scratch_size, 2 * sizeof(vcs_sort_item) * larger(counts->jobs, counts->projects));
    PIECE(scratch, at->scratch_size, unsigned char);
#undef PIECE
    at->size = vcs_arena_size(&measure);
}

/* Element `index` of an array that has been checked; of its fields, those of the first version. */
static const void *element(const vcs_array *array, uint32_t index) {
    return (const unsigned char *)array->base + (size_t)index * array->element_size;
}

static int take_view(vcs_view *known, const vcs_view *callers, vcs_error *error) {
    if (callers == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_VIEW, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    int code = vcs_check_size(callers->struct_size, sizeof *known);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_VIEW, 0, VCS_FIELD(vcs_view, struct_size),
                        "is no size that vcs_view ever had");
    }
    if (vcs_take_struct(known, sizeof *known, callers, callers->struct_size) != VCS_OK) {
        return vcs_fail(error, VCS_ERR_ABI_NEWER, VCS_TYPE_VIEW, 0, VCS_WHOLE_RECORD,
                        "has fields set that this version of the library does not know");
    }
    return vcs_check_fields(VCS_TYPE_VIEW, known, 0, error);
}

/* ---- Checks: everything is looked at before anything is written ---- */

typedef int (*record_check)(const vcs_view *view, const void *record, uint32_t index, vcs_error *error);

static int check_resource(const vcs_view *view, const void *record, uint32_t index, vcs_error *error) {
    const vcs_resource *resource = record;
    (void)view;
    if (index == 0 && (resource->flags & VCS_RESOURCE_SUSPENDED) != 0) {
        return vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_RESOURCE, index, VCS_FIELD(vcs_resource, flags),
                        "suspend the CPU, which only GPUs may be");
    }
    return VCS_OK;
}

static int check_pair(const vcs_view *view, const void *record, uint32_t index, vcs_error *error) {
    const vcs_pair *pair = record;
    if (pair->project >= view->projects.count) {
        return vcs_fail(error, VCS_ERR_INDEX, VCS_TYPE_PAIR, index, VCS_FIELD(vcs_pair, project), "is no project");
    }
    if (pair->resource >= view->resources.count) {
        return vcs_fail(error, VCS_ERR_INDEX, VCS_TYPE_PAIR, index, VCS_FIELD(vcs_pair, resource), "is no resource");
    }
    if (pair->excluded == 0) {
        return VCS_OK;
    }
    const vcs_resource *resource = element(&view->resources, pair->resource);
    if (pair->resource == 0 || resource->instances > VCS_MAX_MAPPED_INSTANCES) {
        return vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_PAIR, index, VCS_FIELD(vcs_pair, excluded),
                        "is for a GPU type of at most 64 instances");
    }
    if (resource->instances < 64 && pair->excluded >> resource->instances != 0) {
        return vcs_fail(error, VCS_ERR_INDEX, VCS_TYPE_PAIR, index, VCS_FIELD(vcs_pair, excluded),
                        "names an instance that is not there");
    }
    return VCS_OK;
}

static int check_app(const vcs_view *view, const void *record, uint32_t index, vcs_error *error) {
    const vcs_app *app = record;
    if (app->project >= view->projects.count) {
        return vcs_fail(error, VCS_ERR_INDEX, VCS_TYPE_APP, index, VCS_FIELD(vcs_app, project), "is no project");
    }
    return VCS_OK;
}

/* What a task or candidate refers to. */
static int check_references(const vcs_view *view, const vcs_task *task, uint32_t type, uint32_t index,
                            vcs_error *error) {
    if (task->project >= view->projects.count) {
        return vcs_fail(error, VCS_ERR_INDEX, type, index, VCS_FIELD(vcs_task, project), "is no project");
    }
    if (task->gpu >= view->resources.count) {
        return vcs_fail(error, VCS_ERR_INDEX, type, index, VCS_FIELD(vcs_task, gpu), "is no resource");
    }
    if ((task->gpu == 0) != (task->gpus == 0.0)) {
        return vcs_fail(error, VCS_ERR_RANGE, type, index, VCS_FIELD(vcs_task, gpus),
                        task->gpu == 0 ? "is not 0, but no GPU type is named" : "is 0, but a GPU type is named");
    }
    if (task->app == VCS_NONE) {
        return VCS_OK;
    }
    if (task->app >= view->apps.count || ((const vcs_app *)element(&view->apps, task->app))->project != task->project) {
        return vcs_fail(error, VCS_ERR_INDEX, type, index, VCS_FIELD(vcs_task, app),
                        "is no application of its project");
    }
    return VCS_OK;
}

static int check_task(const vcs_view *view, const void *record, uint32_t index, vcs_error *error) {
    return check_references(view, record, VCS_TYPE_TASK, index, error);
}

static int check_candidate(const vcs_view *view, const void *record, uint32_t index, vcs_error *error) {
    return check_references(view, record, VCS_TYPE_CANDIDATE, index, error);
}

/* Checks each record of an array: its size, its fields by the table, then what only this type needs. */
static int check_records(const vcs_view *view, const vcs_array *array, uint32_t type, record_check check,
                         vcs_error *error) {
    int code = vcs_check_array(array, vcs_struct_size(type), type, error);
    if (code != VCS_OK) {
        return code;
    }
    const uint32_t passing = vcs_count_passing(type, array->base, array->element_size, array->count);
    for (uint32_t i = 0; check != NULL && code == VCS_OK && i < passing; i++) {
        code = check(view, element(array, i), i, error);
    }
    return code == VCS_OK && passing < array->count ? vcs_refuse_record(array, passing, type, error) : code;
}

static int check_count(uint32_t type, uint32_t count, uint32_t least, uint32_t greatest, vcs_error *error) {
    if (count >= least && count <= greatest) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_COUNT, type, 0, VCS_WHOLE_RECORD,
                    count < least ? "is missing: at least one is needed" : "is there more than once");
}

static int check_view(const vcs_view *view, vcs_error *error) {
    const struct {
        const vcs_array *array;
        record_check check; /* NULL = the fields are all */
        uint32_t type;
    } arrays[] = {
        {&view->host, NULL, VCS_TYPE_HOST},
        {&view->resources, check_resource, VCS_TYPE_RESOURCE},
        {&view->projects, NULL, VCS_TYPE_PROJECT},
        {&view->pairs, check_pair, VCS_TYPE_PAIR},
        {&view->apps, check_app, VCS_TYPE_APP},
        {&view->tasks, check_task, VCS_TYPE_TASK},
        {&view->candidates, check_candidate, VCS_TYPE_CANDIDATE},
    };
    int code = check_count(VCS_TYPE_HOST, view->host.count, 1, 1, error);
    if (code == VCS_OK) {
        code = check_count(VCS_TYPE_RESOURCE, view->resources.count, 1, UINT32_MAX, error);
    }
    for (size_t i = 0; code == VCS_OK && i < sizeof arrays / sizeof *arrays; i++) {
        code = check_records(view, arrays[i].array, arrays[i].type, arrays[i].check, error);
    }
    return code;
}

/* Neither it, nor its project, nor its resource is suspended. */
static int takes_part(const vcs_view *view, const vcs_task *task) {
    const vcs_project *project = element(&view->projects, task->project);
    const vcs_resource *resource = element(&view->resources, task->gpu);
    return (task->flags & VCS_TASK_SUSPENDED) == 0 && (project->flags & VCS_PROJECT_SUSPENDED) == 0 &&
           (resource->flags & VCS_RESOURCE_SUSPENDED) == 0;
}

/* The fluid discipline is defined for tasks of one CPU each (rule 4.2). */
static int check_fluid(const vcs_view *view, vcs_error *error) {
    for (uint32_t i = 0; i < view->apps.count; i++) {
        const vcs_app *app = element(&view->apps, i);
        if (app->max_concurrent != 0) {
            return vcs_fail(error, VCS_ERR_UNSUPPORTED, VCS_TYPE_APP, i, VCS_FIELD(vcs_app, max_concurrent),
                            "is a limit per application, which the fluid discipline does not know");
        }
    }
    for (uint32_t i = 0; i < view->tasks.count; i++) {
        const vcs_task *task = element(&view->tasks, i);
        if (takes_part(view, task) && (task->gpu != 0 || task->cpus != 1.0)) {
            return vcs_fail(error, VCS_ERR_UNSUPPORTED, VCS_TYPE_TASK, i,
                            task->gpu != 0 ? VCS_FIELD(vcs_task, gpu) : VCS_FIELD(vcs_task, cpus),
                            "is not that of a task of one CPU, the only kind that the fluid discipline knows");
        }
    }
    return VCS_OK;
}

/* ---- Conversion ---- */

static int count_records(const vcs_view *view, vcs_counts *counts, vcs_error *error) {
    int code = vcs_check_array(&view->resources, sizeof(vcs_resource), VCS_TYPE_RESOURCE, error);
    if (code != VCS_OK) {
        return code;
    }
    counts->resources = view->resources.count;
    counts->projects = view->projects.count;
    counts->apps = view->apps.count;
    counts->jobs = view->tasks.count;
    counts->candidates = view->candidates.count;
    counts->instances = 0;
    for (uint32_t i = 0; i < view->resources.count; i++) {
        const vcs_resource *resource = element(&view->resources, i);
        if (resource->instances == 0 || resource->instances > VCS_MAX_INSTANCES) {
            return vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_RESOURCE, i, VCS_FIELD(vcs_resource, instances),
                            "is not a number that a resource has");
        }
        counts->instances += resource->instances;
    }
    return VCS_OK;
}

static void convert_resources(vcs_state *state, const vcs_view *view) {
    const vcs_resource *cpu = element(&view->resources, 0);
    for (uint32_t i = 0; i < state->resource_count; i++) {
        const vcs_resource *from = element(&view->resources, i);
        vcs_prepared_resource *to = &vcs_resources(state)[i];
        memset(to, 0, sizeof *to);
        to->id = from->id;
        to->instances = from->instances;
        to->capacity = (int64_t)from->instances * VCS_ONE;
        to->suspended = (from->flags & VCS_RESOURCE_SUSPENDED) != 0;
        to->flops = from->flops;
        to->usable = from->usable;
        to->speed = from->flops / cpu->flops;
    }
}

static int convert_pairs(vcs_state *state, const vcs_view *view, vcs_error *error) {
    vcs_pair *pairs = vcs_pairs(state);
    const size_t count = (size_t)state->project_count * state->resource_count;
    for (size_t i = 0; i < count; i++) {
        memset(&pairs[i], 0, sizeof pairs[i]);
        pairs[i].project = VCS_NONE; /* not given yet */
    }
    for (uint32_t i = 0; i < view->pairs.count; i++) {
        vcs_pair pair;
        memcpy(&pair, element(&view->pairs, i), sizeof pair);
        vcs_pair *to = &pairs[(size_t)pair.project * state->resource_count + pair.resource];
        if (to->project != VCS_NONE) {
            return vcs_fail(error, VCS_ERR_DUPLICATE, VCS_TYPE_PAIR, i, VCS_WHOLE_RECORD,
                            "is for the same project and resource as an earlier one");
        }
        *to = pair;
        vcs_resources(state)[pair.resource].excludes |= pair.excluded != 0;
    }
    for (size_t i = 0; i < count; i++) {
        pairs[i].project = (uint32_t)(i / state->resource_count);
        pairs[i].resource = (uint32_t)(i % state->resource_count);
    }
    return VCS_OK;
}

static void convert_job(vcs_state *state, const vcs_view *view, const vcs_task *from, vcs_job *to) {
    to->id = from->id;
    to->deadline = from->deadline;
    to->received = from->received;
    to->remaining = from->remaining;
    to->ram = from->ram;
    to->running_since = from->running_since;
    to->since_checkpoint = from->since_checkpoint;
    to->run_time = vcs_micros(from->remaining / vcs_resources(state)[from->gpu].usable);
    to->cpu_units = vcs_units(from->cpus);
    to->gpu_units = vcs_units(from->gpus);
    to->project = from->project;
    to->app = from->app;
    to->resource = from->gpu;
    to->flags = from->flags;
    to->takes_part = (uint32_t)takes_part(view, from);
    to->unused = 0;
}

static void convert_records(vcs_state *state, const vcs_view *view) {
    memcpy(&state->host, view->host.base, sizeof state->host);
    convert_resources(state, view);
    for (uint32_t i = 0; i < state->project_count; i++) {
        memcpy(&vcs_projects(state)[i], element(&view->projects, i), sizeof(vcs_project));
    }
    for (uint32_t i = 0; i < state->app_count; i++) {
        memcpy(&vcs_apps(state)[i], element(&view->apps, i), sizeof(vcs_app));
    }
    for (uint32_t i = 0; i < state->job_count; i++) {
        convert_job(state, view, element(&view->tasks, i), &vcs_jobs(state)[i]);
    }
    for (uint32_t i = 0; i < state->candidate_count; i++) {
        convert_job(state, view, element(&view->candidates, i), &vcs_jobs(state)[state->job_count + i]);
    }
}

/* ---- Orders ---- */

typedef uint64_t (*key_of)(const void *records, uint32_t index);

static uint64_t project_id(const void *records, uint32_t index) {
    return ((const vcs_project *)records)[index].id;
}

static uint64_t job_id(const void *records, uint32_t index) {
    return ((const vcs_job *)records)[index].id;
}

static uint64_t job_arrival(const void *records, uint32_t index) {
    return vcs_order_key(((const vcs_job *)records)[index].received);
}

static uint64_t job_run_time(const void *records, uint32_t index) {
    return (uint64_t)((const vcs_job *)records)[index].run_time;
}

static uint64_t job_deadline(const void *records, uint32_t index) {
    return vcs_order_key(((const vcs_job *)records)[index].deadline);
}

/* With the keys known where it is called, so that they are read in place: there may be many records. */
static inline void sort_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = key(records, items[i].index);
    }
    vcs_sort(items, spare, count);
}

/* Among those of equal keys, which stand side by side. Most keys are different, or the records are in order. */
static void sort_equals_by(key_of key, const void *records, vcs_sort_item *items, vcs_sort_item *spare,
                           uint32_t count) {
    for (uint32_t first = 0, end; first < count; first = end) {
        const uint64_t equal = items[first].key;
        for (end = first + 1; end < count && items[end].key == equal; end++) {
        }
        if (end - first > 1) {
            sort_by(key, records, items + first, spare, end - first);
        }
    }
}

static void begin_order(vcs_sort_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].index = i;
        items[i].unused = 0;
    }
}

static void keep_order(uint32_t *order, const vcs_sort_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        order[i] = items[i].index;
    }
}

/* After sorting by id: two of the same stand side by side. */
static int check_ids(const vcs_sort_item *items, uint32_t count, uint32_t type, vcs_error *error) {
    for (uint32_t i = 1; i < count; i++) {
        if (items[i].key == items[i - 1].key) {
            return vcs_fail(error, VCS_ERR_DUPLICATE, type, items[i].index, 0, "is that of another one");
        }
    }
    return VCS_OK;
}

static int order_projects(vcs_state *state, vcs_error *error) {
    vcs_sort_item *items = vcs_piece(state, state->scratch);
    const uint32_t count = state->project_count;
    begin_order(items, count);
    sort_by(project_id, vcs_projects(state), items, items + count, count);
    keep_order(vcs_piece(state, state->project_order), items, count);
    return check_ids(items, count, VCS_TYPE_PROJECT, error);
}

/* Each sort keeps the order of the one before among equals. */
static int order_jobs(vcs_state *state, vcs_error *error) {
    vcs_sort_item *items = vcs_piece(state, state->scratch);
    const uint32_t count = state->job_count;
    vcs_sort_item *spare = items + count;
    const vcs_job *jobs = vcs_jobs(state);
    begin_order(items, count);
    sort_by(job_id, jobs, items, spare, count);
    int code = check_ids(items, count, VCS_TYPE_TASK, error);
    if (code != VCS_OK) {
        return code;
    }
    sort_by(job_arrival, jobs, items, spare, count);
    keep_order(vcs_piece(state, state->arrival_order), items, count);
    sort_by(job_deadline, jobs, items, spare, count);
    sort_equals_by(job_run_time, jobs, items, spare, count);
    keep_order(vcs_piece(state, state->deadline_order), items, count);
    return VCS_OK;
}

/* ---- The interface ---- */

int vcs_state_size(const vcs_view *view, size_t *bytes) {
    vcs_view known;
    vcs_counts counts;
    if (bytes == NULL) {
        return VCS_ERR_NULL;
    }
    int code = take_view(&known, view, NULL);
    if (code == VCS_OK) {
        code = count_records(&known, &counts, NULL);
    }
    if (code != VCS_OK) {
        return code;
    }
    vcs_state layout;
    lay_out(&layout, &counts);
    if (layout.size == UINT64_MAX) {
        return VCS_ERR_OVERFLOW;
    }
    *bytes = (size_t)layout.size;
    return VCS_OK;
}

/* Whether the work memory will do. */
static int check_work(const void *work, size_t work_size, uint64_t needed, vcs_error *error) {
    if (needed == UINT64_MAX) {
        return vcs_fail(error, VCS_ERR_OVERFLOW, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "the records are too many for one address space");
    }
    if ((uintptr_t)work % 8 != 0 || work_size < needed) {
        return vcs_fail(error, VCS_ERR_WORKSPACE, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "the work memory is smaller than vcs_state_size() says, or not aligned to 8 bytes");
    }
    return VCS_OK;
}

static int fill(vcs_state *state, const vcs_view *view, const vcs_parameters *parameters, double now,
                vcs_error *error) {
    state->now = now;
    state->parameters = *parameters;
    state->resource_count = view->resources.count;
    state->project_count = view->projects.count;
    state->app_count = view->apps.count;
    state->job_count = view->tasks.count;
    state->candidate_count = view->candidates.count;
    convert_records(state, view);
    int code = convert_pairs(state, view, error);
    if (code == VCS_OK) {
        code = order_projects(state, error);
    }
    return code == VCS_OK ? order_jobs(state, error) : code;
}

int vcs_state_prepare(const vcs_view *view, const vcs_parameters *parameters, double now, void *work, size_t work_size,
                      vcs_state **state, vcs_error *error) {
    vcs_view known;
    vcs_parameters policy;
    vcs_counts counts;
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (parameters == NULL || work == NULL || state == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "parameters, work memory or the place for the state is NULL");
    }
    if (!vcs_is_finite(now)) {
        return vcs_fail(error, VCS_ERR_NOT_FINITE, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "now is not finite");
    }
    code = take_view(&known, view, error);
    if (code == VCS_OK) {
        code = vcs_parameters_take(&policy, parameters, error);
    }
    if (code == VCS_OK) {
        code = check_view(&known, error);
    }
    if (code == VCS_OK && policy.discipline == VCS_DISCIPLINE_FLUID) {
        code = check_fluid(&known, error);
    }
    if (code == VCS_OK) {
        code = count_records(&known, &counts, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    vcs_state layout;
    lay_out(&layout, &counts);
    code = check_work(work, work_size, layout.size, error);
    if (code != VCS_OK) {
        return code;
    }
    memcpy(work, &layout, sizeof layout);
    code = fill(work, &known, &policy, now, error);
    if (code == VCS_OK) {
        *state = work;
    }
    return code;
}

/*
 * Most records are what they were when the state was last brought up to date: the tasks that run have got on, one has
 * arrived or ended. Comparing a record with what is kept of it is much cheaper than checking, converting and sorting
 * it.
 *
 * Whatever is not right, or might change more than the record itself, is left to preparing anew.
 *
 * SPDX-License-Identifier: MIT
 */
#include "client/state.h"
#include "core/field_check.h"
#include "core/field_pass.h"

#include <string.h>

/* A task's record is compared as a whole with the beginning of its job. */
#define ASSERT_SAME_PLACE(of_job, of_task)                                                                             \
    _Static_assert(offsetof(vcs_job, of_job) == offsetof(vcs_task, of_task), "vcs_job begins like vcs_task");
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
ASSERT_SAME_PLACE(run_time, reserved)

typedef struct renewal {
    vcs_state *state;
    const vcs_view *view;
    const vcs_parameters *parameters;
    uint32_t *changed;  /* tasks whose records are not what they were */
    unsigned char *how; /* VCS_TASK_*, of each task */
    vcs_moved moved;
    vcs_order_scratch scratch;
} renewal;

/* ---- Memory ---- */

static void lay_out(renewal *r, uint64_t tasks, vcs_arena *arena) {
    r->changed = vcs_arena_take(arena, tasks, sizeof *r->changed);
    r->how = vcs_arena_take(arena, tasks, sizeof *r->how);
    vcs_lay_out_order_scratch(&r->scratch, tasks, arena);
}

uint64_t vcs_renew_scratch(const vcs_counts *counts) {
    renewal nothing;
    vcs_arena measure = {NULL, 0};
    lay_out(&nothing, counts->jobs, &measure);
    return vcs_arena_size(&measure);
}

/* ---- What must be as it was ---- */

/* An array of records of the first version, that many. */
static int is_plain(const vcs_array *array, size_t size, uint32_t count) {
    return array->count == count &&
           (count == 0 || (array->base != NULL && array->element_size == size && vcs_is_aligned(array->base)));
}

/* A view of another size is not looked into: it may be shorter. */
static int are_counts_known(const vcs_state *state, const vcs_view *view) {
    return view->struct_size == sizeof *view && view->flags == 0 && view->tasks.count <= state->room.jobs &&
           view->candidates.count <= state->room.candidates && is_plain(&view->host, sizeof(vcs_host), 1) &&
           is_plain(&view->resources, sizeof(vcs_resource), state->resource_count) &&
           is_plain(&view->projects, sizeof(vcs_project), state->project_count) &&
           is_plain(&view->pairs, sizeof(vcs_pair), (uint32_t)state->room.pairs) &&
           is_plain(&view->apps, sizeof(vcs_app), state->app_count) &&
           is_plain(&view->tasks, sizeof(vcs_task), view->tasks.count) &&
           is_plain(&view->candidates, sizeof(vcs_task), view->candidates.count);
}

static int is_same_host(const renewal *r) {
    return memcmp(&r->state->parameters, r->parameters, sizeof *r->parameters) == 0 &&
           memcmp(&r->state->host, r->view->host.base, sizeof(vcs_host)) == 0;
}

/* ---- What may have changed ---- */

static int can_take_resource(renewal *r, uint32_t index) {
    const vcs_resource *before = &vcs_resource_records(r->state)[index], *now = vcs_element(&r->view->resources, index);
    if (memcmp(before, now, sizeof *now) == 0) {
        return 1;
    }
    r->moved.is_rescaled = 1; /* run times depend on the fraction of the time for which it can be used */
    return now->instances == before->instances && now->flags == before->flags && vcs_resource_passes(now);
}

/* Tasks take part or not as the flags of their project say. */
static int can_take_project(const renewal *r, uint32_t index) {
    const vcs_project *before = &vcs_projects(r->state)[index], *now = vcs_element(&r->view->projects, index);
    if (memcmp(before, now, sizeof *now) == 0) {
        return 1;
    }
    return now->id == before->id && now->flags == before->flags && vcs_project_passes(now);
}

static int can_take_pair(const renewal *r, uint32_t index) {
    const vcs_pair *now = vcs_element(&r->view->pairs, index);
    const uint64_t place = vcs_pair_places(r->state)[index];
    const vcs_pair *before = &vcs_pairs(r->state)[place];
    if (memcmp(before, now, sizeof *now) == 0) {
        return 1;
    }
    return now->project == before->project && now->resource == before->resource && now->excluded == before->excluded &&
           vcs_pair_passes(now);
}

static int can_take_app(const renewal *r, uint32_t index) {
    const vcs_app *before = &vcs_apps(r->state)[index], *now = vcs_element(&r->view->apps, index);
    if (memcmp(before, now, sizeof *now) == 0) {
        return 1;
    }
    return now->project == before->project && now->max_concurrent == before->max_concurrent && vcs_app_passes(now);
}

static int can_take_host(renewal *r) {
    int can = is_same_host(r);
    for (uint32_t i = 0; can && i < r->state->resource_count; i++) {
        can = can_take_resource(r, i);
    }
    for (uint32_t i = 0; can && i < r->state->project_count; i++) {
        can = can_take_project(r, i);
    }
    for (uint32_t i = 0; can && i < r->view->pairs.count; i++) {
        can = can_take_pair(r, i);
    }
    for (uint32_t i = 0; can && i < r->state->app_count; i++) {
        can = can_take_app(r, i);
    }
    for (uint32_t i = 0; can && i < r->view->candidates.count; i++) {
        can = vcs_candidate_is_right(r->view, i);
    }
    return can;
}

/* ---- Tasks ---- */

static int is_same_task(const vcs_job *job, const vcs_task *task) {
    return memcmp(job, task, VCS_JOB_RECORD) == 0 && vcs_is_zero(task->reserved, sizeof task->reserved);
}

/* How far a task has moved if its place was one of the tasks before. */
static unsigned char how_moved(const vcs_job *job, const vcs_task *task) {
    if (job->id != task->id || job->received != task->received) {
        return VCS_TASK_IS_ANOTHER;
    }
    return job->deadline != task->deadline || job->remaining != task->remaining ? VCS_TASK_IS_DUE_ELSEWHERE
                                                                                : VCS_TASK_STAYS;
}

static int find_changed(renewal *r) {
    const vcs_job *jobs = vcs_jobs(r->state);
    for (uint32_t i = 0; i < r->view->tasks.count; i++) {
        const vcs_task *task = vcs_element(&r->view->tasks, i);
        const int is_known = i < r->state->job_count;
        r->how[i] = VCS_TASK_STAYS;
        if (is_known && is_same_task(&jobs[i], task)) {
            continue;
        }
        if (!vcs_task_is_right(r->view, r->parameters, i)) {
            return 0;
        }
        r->how[i] = is_known ? how_moved(&jobs[i], task) : VCS_TASK_IS_ANOTHER;
        r->moved.others += r->how[i] == VCS_TASK_IS_ANOTHER;
        r->changed[r->moved.count++] = i;
    }
    return 1;
}

/* Whether a task that was there before, at another place than `index`, is still there and has this id. */
static int is_id_taken(const renewal *r, uint64_t id, uint32_t index) {
    const uint32_t *by_id = vcs_piece(r->state, r->state->id_order);
    const vcs_job *jobs = vcs_jobs(r->state);
    uint32_t first = 0, end = r->state->job_count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (jobs[by_id[middle]].id < id) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    if (first == r->state->job_count || jobs[by_id[first]].id != id) {
        return 0;
    }
    const uint32_t place = by_id[first];
    return place != index && place < r->view->tasks.count &&
           ((const vcs_task *)vcs_element(&r->view->tasks, place))->id == id;
}

/* Of those that are another task than before, none may have the id of one that stays, nor two of them the same. */
static int are_ids_distinct(const renewal *r) {
    vcs_sort_item *items = r->scratch.items;
    uint32_t count = 0;
    if (r->moved.others == 0) {
        return 1;
    }
    for (uint32_t i = 0; i < r->moved.count && count < r->moved.others; i++) {
        const uint32_t index = r->changed[i];
        const vcs_task *task = vcs_element(&r->view->tasks, index);
        if (r->how[index] == VCS_TASK_IS_ANOTHER) {
            if (is_id_taken(r, task->id, index)) {
                return 0;
            }
            items[count++].key = task->id;
        }
    }
    vcs_sort(items, r->scratch.spare, count);
    for (uint32_t i = 1; i < count; i++) {
        if (items[i].key == items[i - 1].key) {
            return 0;
        }
    }
    return 1;
}

/* ---- Taking them ---- */

/* Copies records that lie side by side; there may be none, and then no array. */
static void copy(void *to, const vcs_array *from, size_t size) {
    if (from->count > 0) {
        memcpy(to, from->base, size * from->count);
    }
}

static void take_host(const renewal *r) {
    if (r->moved.is_rescaled) {
        vcs_convert_resources(r->state, r->view);
        vcs_note_exclusions(r->state);
    }
    copy(vcs_projects(r->state), &r->view->projects, sizeof(vcs_project));
    copy(vcs_apps(r->state), &r->view->apps, sizeof(vcs_app));
    for (uint32_t i = 0; i < r->view->pairs.count; i++) {
        memcpy(&vcs_pairs(r->state)[vcs_pair_places(r->state)[i]], vcs_element(&r->view->pairs, i), sizeof(vcs_pair));
    }
}

static void convert_tasks(const renewal *r) {
    for (uint32_t i = 0; i < r->moved.count; i++) {
        vcs_convert_task(r->state, r->view, r->changed[i]);
    }
    for (uint32_t i = 0; r->moved.is_rescaled && i < r->state->job_count; i++) {
        vcs_convert_run_time(r->state, i);
    }
}

static void take_tasks(const renewal *r) {
    vcs_state *state = r->state;
    const uint32_t before = state->job_count;
    state->job_count = r->view->tasks.count;
    state->candidate_count = r->view->candidates.count;
    convert_tasks(r);
    vcs_convert_candidates(state, r->view);
    vcs_reorder_tasks(state, before, &r->moved, &r->scratch);
}

int vcs_renew_quickly(vcs_state *state, const vcs_view *view, const vcs_parameters *parameters, double now) {
    renewal r = {.state = state, .view = view, .parameters = parameters};
    if (parameters->struct_size != sizeof *parameters || !are_counts_known(state, view) || !can_take_host(&r)) {
        return 0;
    }
    vcs_arena arena = vcs_scratch(state);
    lay_out(&r, state->room.jobs, &arena);
    r.moved.tasks = r.changed;
    r.moved.how = r.how;
    if (!find_changed(&r) || !are_ids_distinct(&r)) {
        return 0;
    }
    take_host(&r);
    take_tasks(&r);
    state->now = now;
    state->has = 0;
    return 1;
}

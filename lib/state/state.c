/* SPDX-License-Identifier: MIT */
#include "state/state.h"
#include "interface/check.h"

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
    PIECE(resource_records, counts->resources, vcs_resource);
    PIECE(projects, counts->projects, vcs_project);
    PIECE(project_order, counts->projects, uint32_t);
    PIECE(project_resources, counts->projects * counts->resources, vcs_project_resource);
    PIECE(project_resource_places, counts->project_resources, uint64_t);
    PIECE(apps, counts->apps, vcs_app);
    PIECE(task_records, counts->jobs, vcs_task);
    PIECE(jobs, counts->jobs + counts->candidates, vcs_job);
    PIECE(id_order, counts->jobs, uint32_t);
    PIECE(arrival_order, counts->jobs, uint32_t);
    PIECE(deadline_order, counts->jobs, uint32_t);
    PIECE(forecasts, counts->jobs, vcs_task_forecast);
    PIECE(resource_forecasts, counts->resources, vcs_resource_forecast);
    PIECE(project_resource_forecasts, counts->projects * counts->resources, vcs_project_resource_forecast);
    PIECE(placements, counts->jobs, vcs_edf_task);
    PIECE(busy, counts->resources, vcs_edf_resource);
    PIECE(task_decisions, counts->jobs, vcs_task_decision);
    PIECE(running, counts->jobs, uint32_t);
    PIECE(resource_decisions, counts->resources, vcs_resource_decision);
    PIECE(fetch_decisions, counts->projects * counts->resources, vcs_fetch_decision);
    at->queue_size = vcs_admit_queue(counts);
    PIECE(queue, at->queue_size, unsigned char);
    at->scratch_size = larger(vcs_wrr_fluid_scratch(counts), vcs_wrr_sliced_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_edf_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_schedule_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_fetch_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_send_scratch(counts));
    at->scratch_size = larger(at->scratch_size, vcs_renew_scratch(counts)); /* that of preparing is a part of it, */
    at->scratch_size = larger(at->scratch_size, 2 * sizeof(vcs_sort_item) * counts->projects); /* but for this */
    PIECE(scratch, at->scratch_size, unsigned char);
#undef PIECE
    at->size = vcs_arena_size(&measure);
    at->room = *counts;
}

/* ---- The interface ---- */

int vcs_state_size(const vcs_snapshot *snapshot, size_t *bytes) {
    vcs_snapshot known;
    vcs_counts counts;
    if (bytes == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_take_snapshot(&known, snapshot, NULL);
    if (code == VCS_OK) {
        code = vcs_count_records(&known, &counts, NULL);
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

static int fill(vcs_state *state, const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                vcs_error *error) {
    state->now = now;
    state->parameters = *parameters;
    state->resource_count = snapshot->resources.count;
    state->project_count = snapshot->projects.count;
    state->app_count = snapshot->apps.count;
    state->job_count = snapshot->tasks.count;
    state->candidate_count = snapshot->candidates.count;
    int code = vcs_convert_host(state, snapshot, error);
    if (code == VCS_OK) {
        code = vcs_order_projects(state, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    for (uint32_t i = 0; i < state->job_count; i++) {
        vcs_convert_task(state, snapshot, i);
    }
    vcs_convert_candidates(state, snapshot);
    return vcs_order_tasks(state, error);
}

static int check_arguments(const vcs_parameters *parameters, double now, const void *work, const void *state,
                           vcs_error *error) {
    if (parameters == NULL || work == NULL || state == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "parameters, work memory or the place for the state is NULL");
    }
    if (!vcs_is_finite(now)) {
        return vcs_fail(error, VCS_ERR_NOT_FINITE, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "now is not finite");
    }
    return VCS_OK;
}

/* Checks everything; then nothing more can be wrong but what takes sorting to find. */
static int check(vcs_snapshot *known, vcs_parameters *policy, vcs_counts *counts, const vcs_snapshot *snapshot,
                 const vcs_parameters *parameters, vcs_error *error) {
    int code = vcs_take_snapshot(known, snapshot, error);
    if (code == VCS_OK) {
        code = vcs_parameters_take(policy, parameters, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_snapshot(known, policy, error);
    }
    return code == VCS_OK ? vcs_count_records(known, counts, error) : code;
}

/*
 * With room for more tasks and candidates, as far as there is memory for them, so that not every task that arrives
 * finds the state too small.
 */
static void lay_out_with_room(vcs_state *layout, const vcs_counts *counts, size_t work_size) {
    uint64_t part = 4;
    vcs_counts roomy;
    do {
        roomy = *counts;
        roomy.jobs += counts->jobs / part + 32 / part;
        roomy.candidates += counts->candidates / part + 32 / part;
        lay_out(layout, &roomy);
        part *= 2;
    } while (layout->size > work_size && (roomy.jobs > counts->jobs || roomy.candidates > counts->candidates));
}

static int prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                   size_t work_size, int spares_room, vcs_error *error) {
    vcs_snapshot known;
    vcs_parameters policy;
    vcs_counts counts;
    vcs_state layout;
    int code = check(&known, &policy, &counts, snapshot, parameters, error);
    if (code != VCS_OK) {
        return code;
    }
    if (spares_room) {
        lay_out_with_room(&layout, &counts, work_size);
    } else {
        lay_out(&layout, &counts);
    }
    code = check_work(work, work_size, layout.size, error);
    if (code != VCS_OK) {
        return code;
    }
    memcpy(work, &layout, sizeof layout);
    return fill(work, &known, &policy, now, error);
}

int vcs_state_prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                      size_t work_size, vcs_state **state, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    code = check_arguments(parameters, now, work, state, error);
    if (code == VCS_OK) {
        code = prepare(snapshot, parameters, now, work, work_size, 0, error);
    }
    if (code == VCS_OK) {
        *state = work;
    }
    return code;
}

int vcs_state_renew(vcs_state *state, size_t work_size, const vcs_snapshot *snapshot, const vcs_parameters *parameters,
                    double now, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    code = check_arguments(parameters, now, state, state, error);
    if (code != VCS_OK) {
        return code;
    }
    if (snapshot != NULL && work_size >= state->size && vcs_renew_quickly(state, snapshot, parameters, now)) {
        return VCS_OK;
    }
    code = prepare(snapshot, parameters, now, state, work_size, 1, error);
    if (code == VCS_ERR_DUPLICATE) {
        state->resource_count = 0; /* it is half made: whatever comes is prepared anew */
    }
    return code;
}

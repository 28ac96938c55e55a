/* SPDX-License-Identifier: MIT */
#include "vcsched/host/builder.h"
#include "vcsched/host/check_snapshot.h"
#include "vcsched/host/convert.h"
#include "vcsched/host/order.h"
#include "vcsched/host/renew.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/host_fields.h"

#include <string.h>

int vcs_count_for_build(vcs_counts *counts, const vcs_snapshot *snapshot) {
    vcs_snapshot known;
    const int code = vcs_copy_input(&known, snapshot, &vcs_snapshot_layout, NULL);
    return code == VCS_OK ? vcs_count_records(&known, counts, NULL) : code;
}

int vcs_begin_build(vcs_build *build, const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                    vcs_error *error) {
    build->now = now;
    int code = vcs_copy_input(&build->snapshot, snapshot, &vcs_snapshot_layout, error);
    code = code == VCS_OK ? vcs_parameters_copy(&build->parameters, parameters, error) : code;
    code = code == VCS_OK ? vcs_check_snapshot(&build->snapshot, &build->parameters, error) : code;
    return code == VCS_OK ? vcs_count_records(&build->snapshot, &build->counts, error) : code;
}

/* Ordering the tasks needs no more than renewing them; ordering the projects may. */
uint64_t vcs_build_scratch(const vcs_counts *counts) {
    vcs_record_sort projects;
    vcs_arena measure = {NULL, 0};
    vcs_lay_out_sort(&projects, counts->projects, &measure);
    return vcs_max_u64(vcs_renew_scratch(counts), vcs_arena_size(&measure));
}

void vcs_lay_out_state(vcs_state *at, const vcs_counts *n, uint64_t queue_size, uint64_t scratch_size) {
    vcs_arena measure = {NULL, 0};
    memset(at, 0, VCS_STATE_LAYOUT);
    vcs_arena_allocate(&measure, 1, sizeof *at);
#define PLACE(name, type, count) (at->name = measure.used, vcs_arena_allocate(&measure, count, sizeof(type)));
    VCS_PIECES(PLACE)
    PLACE(queue, unsigned char, queue_size)
    PLACE(scratch, unsigned char, scratch_size)
#undef PLACE
    at->queue_size = queue_size;
    at->scratch_size = scratch_size;
    at->size = vcs_arena_size(&measure);
    at->capacity = *n;
}

void vcs_begin_state(vcs_state *state, const vcs_state *layout) {
    vcs_open_gaps(state, (size_t)layout->size);
    memcpy(state, layout, VCS_STATE_LAYOUT);
#define CLOSE_BEFORE(name, type, count) vcs_close_gap((unsigned char *)state, state->name - VCS_GAP);
    VCS_PIECES(CLOSE_BEFORE)
    CLOSE_BEFORE(queue, , )
    CLOSE_BEFORE(scratch, , )
#undef CLOSE_BEFORE
}

int vcs_finish_build(vcs_state *state, const vcs_build *build, vcs_error *error) {
    const vcs_snapshot *snapshot = &build->snapshot;
    state->now = build->now;
    state->given_up_count = 0;
    state->parameters = build->parameters;
    state->resource_count = snapshot->resources.count;
    state->project_count = snapshot->projects.count;
    state->app_count = snapshot->apps.count;
    state->task_count = snapshot->tasks.count;
    state->candidate_count = snapshot->candidates.count;
    int code = vcs_convert_host(state, snapshot, error);
    code = code == VCS_OK ? vcs_order_projects(state, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_convert_tasks(state, snapshot);
    vcs_convert_candidates(state, snapshot);
    return vcs_order_tasks(state, error);
}

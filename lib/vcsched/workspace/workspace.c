/*
 * The work memory of a host, and the public entry points of vcs_state.
 *
 * Only one decision runs on a state at a time, so all share one scratch memory, as large as the largest needs. Each
 * decision measures its own with its layout (host/scratch.h). This file calls them all, so it stands above them in a
 * room of its own, while the rest of vcs_state is in host, below.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/host.h>

#include "vcsched/host/builder.h"
#include "vcsched/host/given_up.h"
#include "vcsched/host/renew.h"
#include "vcsched/host/scratch.h"
#include "vcsched/interface/check/check.h"

/* ---- Sizes ---- */

static uint64_t most_scratch(const vcs_counts *counts) {
    uint64_t most = vcs_build_scratch(counts);
    most = vcs_max_u64(most, vcs_wrr_fluid_scratch(counts));
    most = vcs_max_u64(most, vcs_wrr_sliced_scratch(counts));
    most = vcs_max_u64(most, vcs_edf_scratch(counts));
    most = vcs_max_u64(most, vcs_schedule_scratch(counts));
    most = vcs_max_u64(most, vcs_fetch_scratch(counts));
    return vcs_max_u64(most, vcs_send_scratch(counts));
}

static void lay_out(vcs_state *layout, const vcs_counts *counts) {
    vcs_lay_out_state(layout, counts, vcs_admit_queue(counts), most_scratch(counts));
}

/*
 * Lays out spare capacity for tasks and candidates, as far as the memory reaches, so that the next tasks fit, and at
 * first the capacity `before`, which may be needed again: hosts of a grid have different sizes.
 */
static void lay_out_with_spare(vcs_state *layout, const vcs_counts *counts, const vcs_counts *before,
                               size_t work_size) {
    uint64_t part = 4, tasks = before->tasks, candidates = before->candidates;
    vcs_counts enlarged;
    do {
        enlarged = *counts;
        enlarged.tasks = vcs_max_u64(enlarged.tasks + counts->tasks / part + 32 / part, tasks);
        enlarged.candidates = vcs_max_u64(enlarged.candidates + counts->candidates / part + 32 / part, candidates);
        lay_out(layout, &enlarged);
        part *= 2;
        tasks = candidates = 0;
    } while (layout->size > work_size && (enlarged.tasks > counts->tasks || enlarged.candidates > counts->candidates));
}

int vcs_state_size(const vcs_snapshot *snapshot, size_t *bytes) {
    vcs_counts counts;
    if (bytes == NULL) {
        return VCS_ERR_NULL;
    }
    const int code = vcs_count_for_build(&counts, snapshot);
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

/* ---- Preparing and renewing ---- */

static int check_arguments(const vcs_parameters *parameters, double now, const void *work, const void *state,
                           vcs_error *error) {
    if (parameters == NULL || work == NULL || state == NULL) {
        return vcs_refuse(error, VCS_ERR_NULL, "parameters, work memory or the place for the state is NULL");
    }
    if (!vcs_is_finite(now)) {
        return vcs_refuse(error, VCS_ERR_NOT_FINITE, "now is not finite");
    }
    return VCS_OK;
}

/* Whether the work memory will do; none does if `needed` is UINT64_MAX. */
static int check_work(const void *work, size_t work_size, uint64_t needed, vcs_error *error) {
    if ((uintptr_t)work % 8 != 0 || work_size < needed) {
        return vcs_refuse(error, VCS_ERR_WORKSPACE,
                          "the work memory is smaller than vcs_state_size() says, or not aligned to 8 bytes");
    }
    return VCS_OK;
}

/* `before`: the capacity of the state to be renewed; NULL for a new state. */
static int prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                   size_t work_size, const vcs_counts *before, vcs_error *error) {
    vcs_build build;
    vcs_state layout;
    int code = vcs_begin_build(&build, snapshot, parameters, now, error);
    if (code != VCS_OK) {
        return code;
    }
    if (before != NULL) {
        lay_out_with_spare(&layout, &build.counts, before, work_size);
    } else {
        lay_out(&layout, &build.counts);
    }
    code = check_work(work, work_size, layout.size, error);
    if (code != VCS_OK) {
        return code;
    }
    vcs_begin_state(work, &layout);
    code = vcs_finish_build(work, &build, error);
    if (code == VCS_OK) {
        vcs_give_up_tasks(work);
    }
    return code;
}

int vcs_state_prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                      size_t work_size, vcs_state **state, vcs_error *error) {
    int code = vcs_check_error(error);
    code = code == VCS_OK ? check_arguments(parameters, now, work, state, error) : code;
    code = code == VCS_OK ? prepare(snapshot, parameters, now, work, work_size, NULL, error) : code;
    if (code == VCS_OK) {
        *state = work;
    }
    return code;
}

int vcs_state_renew(vcs_state *state, size_t work_size, const vcs_snapshot *snapshot, const vcs_parameters *parameters,
                    double now, vcs_error *error) {
    int code = vcs_check_error(error);
    code = code == VCS_OK ? check_arguments(parameters, now, state, state, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if (snapshot != NULL && work_size >= state->size && vcs_renew_quickly(state, snapshot, parameters, now)) {
        vcs_give_up_tasks(state);
        return VCS_OK;
    }
    code = prepare(snapshot, parameters, now, state, work_size, &state->capacity, error);
    if (code == VCS_ERR_DUPLICATE) { /* half built: only its resources are right, so it has nothing else */
        state->project_count = state->app_count = state->task_count = state->candidate_count = 0;
        state->capacity.project_resources = state->capacity.app_resources = 0;
    }
    return code;
}

/* SPDX-License-Identifier: MIT */
#include "vcsched/host/prepared.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/fetch_fields.h"
#include "vcsched/interface/fields/schedule_fields.h"
#include "vcsched/interface/fields/simulation_fields.h"
#include "vcsched/timers/buffer.h"

#include <string.h>

int64_t vcs_buffer_end(const vcs_parameters *parameters) {
    return vcs_micros(vcs_whole_buffer(parameters));
}

vcs_counts vcs_counts_of(const vcs_state *state) {
    vcs_counts counts = {
        .resources = state->resource_count,
        .projects = state->project_count,
        .project_resources = state->capacity.project_resources,
        .apps = state->app_count,
        .app_resources = state->capacity.app_resources,
        .tasks = state->task_count,
        .candidates = state->candidate_count,
        .hours = state->capacity.hours,
    };
    for (uint32_t r = 0; r < state->resource_count; r++) {
        counts.instances += vcs_resources(state)[r].instances;
    }
    return counts;
}

/* ---- Results ---- */

/* Hands out `needed` results of `size` bytes each to a caller with elements of any version. */
static int read_results(const void *results, uint32_t size, uint32_t first_size, uint32_t needed,
                        const vcs_array *out) {
    const int code = vcs_check_output(out, first_size, needed);
    if (code != VCS_OK || needed == 0) {
        return code;
    }
    if (out->element_size == size) {
        memcpy(out->out, results, (size_t)needed * size);
        return VCS_OK;
    }
    for (uint32_t i = 0; i < needed; i++) {
        vcs_hand_out_element(out, i, (const unsigned char *)results + (size_t)i * size, size);
    }
    return VCS_OK;
}

/* R(function, VCS_HAS_* that it needs, piece of the state, record, number of records) */
#define RESULTS(R)                                                                                                     \
    R(vcs_wrr_tasks, VCS_HAS_WRR, forecasts, task_forecast, s->task_count)                                             \
    R(vcs_wrr_resources, VCS_HAS_WRR, resource_forecasts, resource_forecast, s->resource_count)                        \
    R(vcs_wrr_project_resources, VCS_HAS_WRR, project_resource_forecasts, project_resource_forecast,                   \
      s->project_count * s->resource_count)                                                                            \
    R(vcs_edf_tasks, VCS_HAS_EDF, placements, edf_task, s->task_count)                                                 \
    R(vcs_edf_resources, VCS_HAS_EDF, busy, edf_resource, s->resource_count)                                           \
    R(vcs_schedule_tasks, VCS_HAS_REASONS, task_decisions, task_decision, s->task_count)                               \
    R(vcs_schedule_resources, VCS_HAS_SCHEDULE, resource_decisions, resource_decision, s->resource_count)              \
    R(vcs_fetch_decisions, VCS_HAS_FETCH, fetch_choices, fetch_decision, s->project_count * s->resource_count)

#define READER(function, needs, piece, record, needed)                                                                 \
    int function(const vcs_state *s, const vcs_array *out) {                                                           \
        if (s == NULL) {                                                                                               \
            return VCS_ERR_NULL;                                                                                       \
        }                                                                                                              \
        if ((s->has & (needs)) == 0) {                                                                                 \
            return VCS_ERR_SEQUENCE;                                                                                   \
        }                                                                                                              \
        return read_results(vcs_##piece(s), sizeof(vcs_##record), VCS_FIRST_##record, needed, out);              \
    }
RESULTS(READER)

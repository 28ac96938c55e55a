/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/slice.h"

#include "vcsched/simulation/fit.h"

/* Whether a wide task may run that would fit alone. If anything free is enough, no task waits for others to go. */
static bool has_wide(const vcs_state *state) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    vcs_cpus cpus;
    vcs_cpus_begin(&cpus, state);
    for (uint32_t i = 0; i < state->task_count && state->parameters.cpu_fit != VCS_CPU_FIT_ANY; i++) {
        if (vcs_is_wide(&tasks[i]) && tasks[i].can_start && vcs_cpu_task_fits(&cpus, tasks[i].cpu_units)) {
            return true;
        }
    }
    return false;
}

vcs_periods vcs_find_periods(const vcs_state *state) {
    const vcs_parameters *parameters = &state->parameters;
    const double period = parameters->period, buffer = parameters->min_buffer + parameters->additional_buffer;
    const bool holds = parameters->hold > 0.0 && has_wide(state);
    /* Whoever wants little work at hand does not want others to wait for longer than it lasts. */
    return (vcs_periods){period, holds ? vcs_max(period, vcs_min(parameters->hold, buffer)) : period, holds};
}

int64_t vcs_keeps_place_for(const vcs_state *state, const vcs_periods *periods, const vcs_prepared_task *task) {
    if (vcs_ends_soon(state, task)) {
        return task->run_time;
    }
    if (!vcs_slice_lasts(state, periods, task)) {
        return 0;
    }
    const double period = vcs_period_of(periods, task), elapsed = state->now - task->running_since;
    return vcs_min_i64(vcs_micros(vcs_slice_left(&state->parameters, period, elapsed)), task->run_time);
}

/* SPDX-License-Identifier: MIT */
#include "emulator/results.h"

#include "core/number.h"
#include "emulator/notify.h"
#include "emulator/study.h"

int vcs_emu_results_open(vcs_emu_results *results, uint32_t project_count) {
    results->counts = vcs_emu_allocate(results->memory, project_count, sizeof *results->counts);
    return results->counts == NULL ? VCS_ERR_MEMORY : VCS_OK;
}

/* Some time before its deadline, or some time after its end. */
static double due_time(const vcs_emu_clock *clock, double deadline) {
    return vcs_min(deadline - vcs_emu_study_report_margin(clock->setup),
                   clock->now + clock->setup->parameters.report_delay);
}

int vcs_emu_add_result(vcs_emu_results *results, const vcs_task *task, const vcs_emu_true_task *truth) {
    const int code = vcs_emu_reserve(results->memory, &results->vector, (uint64_t)results->count + 1,
                                     sizeof *results->results);
    if (code != VCS_OK) {
        return code;
    }
    results->results = results->vector.base;
    results->results[results->count++] = (vcs_emu_result){
        .task = task->id,
        .flops = truth->total * truth->speed,
        .deadline = task->deadline,
        .due = due_time(results->clock, task->deadline),
        .project = task->project,
        .resource = task->gpu,
    };
    results->counts[task->project]++;
    return VCS_OK;
}

/* Whether it is late is judged now. */
static int report(vcs_emu_results *results, const vcs_emu_result *result) {
    vcs_project_outcome *project = &results->merit->projects[result->project];
    const bool late = results->clock->now > result->deadline;
    *(late ? &project->late : &project->in_time) += 1;
    *(late ? &project->flops_late : &project->flops_in_time) += result->flops;
    results->counts[result->project]--;
    const vcs_task task = {
        .id = result->task, .project = result->project, .gpu = result->resource, .deadline = result->deadline};
    return vcs_emu_notify_task(results->clock, late ? VCS_EVENT_LATE : VCS_EVENT_REPORTED, &task, VCS_NONE,
                               result->flops);
}

int vcs_emu_report_results(vcs_emu_results *results, uint32_t project) {
    const bool all = vcs_emu_study_reports_all(results->clock->setup);
    uint32_t kept = 0;
    int code = VCS_OK;
    for (uint32_t i = 0; i < results->count; i++) {
        const vcs_emu_result result = results->results[i];
        if (code == VCS_OK && (all || result.project == project)) {
            code = report(results, &result);
        } else {
            results->results[kept++] = result;
        }
    }
    results->count = kept;
    return code;
}

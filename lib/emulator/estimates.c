/* Rules 2.1 to 2.4; worked by hand in tests/emulator/test_emulator.c. SPDX-License-Identifier: MIT */
#include "emulator/estimates.h"

#include "emulator/study.h"

int vcs_emu_estimates_open(vcs_emu_estimates *estimates, vcs_emu_memory *memory) {
    const vcs_emu_records *records = estimates->records;
    estimates->project_factors =
        vcs_emu_allocate(memory, records->project_count, sizeof *estimates->project_factors);
    estimates->app_factors = vcs_emu_allocate(memory, records->app_count, sizeof *estimates->app_factors);
    if (memory->failed) {
        return VCS_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < records->project_count; i++) {
        vcs_project *project = &records->projects[i];
        project->dcf = vcs_emu_study_first_dcf(estimates->setup, project->dcf);
        estimates->project_factors[i].dcf = project->dcf;
    }
    for (uint32_t i = 0; i < records->app_count; i++) {
        estimates->app_factors[i].dcf = records->apps[i].dcf;
    }
    return VCS_OK;
}

static inline vcs_progress progress_of(const vcs_emu_estimates *estimates, const vcs_task *task,
                                const vcs_emu_true_task *truth) {
    return (vcs_progress){
        .struct_size = sizeof(vcs_progress),
        .est_flops = truth->est_flops,
        .flops = truth->speed,
        .dcf = vcs_emu_correction(estimates, task->project, truth->app),
        .efficiency = estimates->records->projects[task->project].efficiency,
        .elapsed = truth->done,
        .fraction_done = truth->done > 0.0 ? truth->done / truth->total : 0.0, /* an empty task shows it at its end */
    };
}

int vcs_emu_estimate(const vcs_emu_estimates *estimates, vcs_task *task, const vcs_emu_true_task *truth) {
    const vcs_emu_setup *setup = estimates->setup;
    const vcs_progress progress = progress_of(estimates, task, truth);
    if (setup->hooks.estimate != NULL) {
        const int code =
            setup->hooks.estimate(setup->hooks.context, &progress, setup->parameters.estimate, &task->remaining);
        return vcs_emu_hook_result(setup, code, "estimate");
    }
    return vcs_estimate_remaining(&progress, setup->parameters.estimate, &task->remaining, setup->error);
}

static int update(vcs_emu_estimates *estimates, vcs_correction *factor, const vcs_progress *finished, double *shown) {
    const double before = factor->dcf;
    const int code = vcs_correction_update(factor, finished, estimates->setup->error);
    estimates->changed |= factor->dcf != before;
    *shown = factor->dcf;
    return code;
}

int vcs_emu_learn(vcs_emu_estimates *estimates, const vcs_task *task, const vcs_emu_true_task *truth) {
    if (!estimates->setup->parameters.use_dcf || truth->app == VCS_NONE) {
        return VCS_OK;
    }
    const vcs_progress finished = progress_of(estimates, task, truth);
    if (vcs_emu_has_own_factor(estimates, truth->app)) {
        return update(estimates, &estimates->app_factors[truth->app], &finished,
                      &estimates->records->apps[truth->app].dcf);
    }
    return update(estimates, &estimates->project_factors[task->project], &finished,
                  &estimates->records->projects[task->project].dcf);
}

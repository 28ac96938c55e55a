/* Rules 2.1 to 2.4; worked by hand in tests/emulator/test_emulator.c. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"
#include "emulator/study.h"

bool vcs_emu_estimates_open(vcs_emu_emulator *e) {
    vcs_emu_estimates *estimates = &e->estimates;
    const vcs_emu_records *records = &e->records;
    estimates->project_factors = vcs_emu_new(e, records->project_count, sizeof *estimates->project_factors);
    estimates->app_factors = vcs_emu_new(e, records->app_count, sizeof *estimates->app_factors);
    if (!vcs_emu_check_memory(e)) {
        return false;
    }
    for (uint32_t i = 0; i < records->project_count; i++) {
        vcs_project *project = &records->projects[i];
        project->dcf = vcs_emu_study_first_dcf(&e->setup, project->dcf);
        estimates->project_factors[i].dcf = project->dcf;
    }
    for (uint32_t i = 0; i < records->app_count; i++) {
        estimates->app_factors[i].dcf = records->apps[i].dcf;
    }
    return true;
}

static inline vcs_progress progress_of(const vcs_emu_emulator *e, const vcs_task *task,
                                       const vcs_emu_true_task *truth) {
    return (vcs_progress){
        .struct_size = sizeof(vcs_progress),
        .est_flops = truth->est_flops,
        .flops = truth->speed,
        .dcf = vcs_emu_correction(e, task->project, truth->app),
        .efficiency = e->records.projects[task->project].efficiency,
        .elapsed = truth->done,
        .fraction_done = truth->done > 0.0 ? truth->done / truth->total : 0.0, /* an empty task shows it at its end */
    };
}

bool vcs_emu_estimate(vcs_emu_emulator *e, vcs_task *task, const vcs_emu_true_task *truth) {
    const vcs_hooks *hooks = &e->setup.hooks;
    const uint32_t rule = e->setup.parameters.estimate;
    const vcs_progress progress = progress_of(e, task, truth);
    if (hooks->estimate != NULL) {
        return vcs_emu_check_hook(e, hooks->estimate(hooks->context, &progress, rule, &task->remaining), "estimate");
    }
    return vcs_emu_check(e, vcs_estimate_remaining(&progress, rule, &task->remaining, e->setup.error));
}

bool vcs_emu_learn(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    if (!e->setup.parameters.use_dcf || truth->app == VCS_NONE) {
        return true;
    }
    const vcs_progress finished = progress_of(e, task, truth);
    const bool is_own = vcs_emu_has_own_factor(e, truth->app);
    vcs_correction *factor =
        is_own ? &e->estimates.app_factors[truth->app] : &e->estimates.project_factors[task->project];
    const double before = factor->dcf;
    const int code = vcs_correction_update(factor, &finished, e->setup.error);
    e->estimates.changed |= factor->dcf != before;
    *(is_own ? &e->records.apps[truth->app].dcf : &e->records.projects[task->project].dcf) = factor->dcf;
    return vcs_emu_check(e, code);
}

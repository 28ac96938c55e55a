/* Rules 2.1 to 2.4; worked by hand in tests/vcemu/host/test_emulator_estimates.c. SPDX-License-Identifier: MIT */
#include "vcemu/host/tasks/estimates.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"

/* An application that had a factor of its own at the start keeps one; the others share their project's (2.4). */
static double *factor_of(const vcs_emu_emulator *e, uint32_t project, uint32_t app) {
    VCS_INVARIANT(app < e->records->app_count); /* only jobs of an application have a factor */
    return e->records->apps[app].dcf > 0.0 ? &e->records->apps[app].dcf : &e->records->projects[project].dcf;
}

double vcs_emu_correction(const vcs_emu_emulator *e, uint32_t project, uint32_t app) {
    return e->setup->parameters.use_dcf && app != VCS_NONE ? *factor_of(e, project, app) : 0.0;
}

static inline vcs_progress progress_of(const vcs_emu_emulator *e, const vcs_task *task,
                                       const vcs_emu_true_task *truth) {
    const uint32_t of_jobs = truth->app != VCS_NONE ? e->setup->models[truth->app].flags : 0;
    return (vcs_progress){
        .struct_size = sizeof(vcs_progress),
        .flags = (of_jobs & VCS_JOB_MODEL_EXACT) != 0 ? VCS_PROGRESS_EXACT : 0,
        .est_flops = truth->est_flops,
        .flops = truth->speed,
        .dcf = vcs_emu_correction(e, task->project, truth->app),
        .efficiency = e->records->projects[task->project].efficiency,
        .elapsed = truth->done,
        .fraction_done = truth->done > 0.0 ? truth->done / truth->total : 0.0, /* 0 for an empty task, until its end */
    };
}

void vcs_emu_estimate(vcs_emu_emulator *e, vcs_task *task, const vcs_emu_true_task *truth) {
    const vcs_hooks *hooks = &e->setup->hooks;
    const uint32_t rule = e->setup->parameters.estimate;
    const vcs_progress progress = progress_of(e, task, truth);
    if (hooks->estimate == NULL) {
        vcs_emu_note(e, vcs_estimate_remaining(&progress, rule, &task->remaining, e->error));
    } else if (e->code == VCS_OK) {
        vcs_emu_note_hook(e, hooks->estimate(hooks->context, &progress, rule, &task->remaining), "estimate");
    }
}

bool vcs_emu_learn(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    if (!e->setup->parameters.use_dcf || truth->app == VCS_NONE) {
        return false;
    }
    const vcs_progress finished = progress_of(e, task, truth);
    double *factor = factor_of(e, task->project, truth->app);
    const double before = *factor > 0.0 ? *factor : 1.0; /* 0 counts as 1 */
    vcs_correction correction = {.dcf = *factor};
    vcs_emu_note(e, vcs_correction_update(&correction, &finished, e->error));
    *factor = correction.dcf;
    return correction.dcf != before;
}

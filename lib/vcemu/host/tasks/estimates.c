/* Rules 2.1 to 2.4; worked by hand in tests/vcemu/host/test_emulator_estimates.c. SPDX-License-Identifier: MIT */
#include "vcemu/host/tasks/estimates.h"
#include "vcemu/host/client/known_jobs.h"
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

#define MOST_STEPS 1e15 /* finer steps could not be told apart */

/* The fraction that a task reports as done: nothing before it runs, so nothing for an empty one until its end. */
static double reported_fraction(const vcs_emu_true_task *truth, bool is_exact) {
    if (!(truth->done > 0.0)) {
        return 0.0;
    }
    double fraction = truth->done / truth->total;
    if (is_exact || fraction >= 1.0) {
        return fraction;
    }
    if (truth->fraction_power > 0.0 && truth->fraction_power != 1.0) {
        fraction = vcs_exp2(truth->fraction_power * vcs_log2(fraction));
    }
    if (truth->fraction_step > 0.0) {
        const double steps = fraction / truth->fraction_step;
        fraction = steps < MOST_STEPS ? (double)(uint64_t)steps * truth->fraction_step : fraction;
    }
    return fraction;
}

static inline vcs_progress progress_of(const vcs_emu_emulator *e, const vcs_task *task,
                                       const vcs_emu_true_task *truth) {
    const uint32_t of_jobs = truth->app != VCS_NONE ? e->setup->models[truth->app].flags : 0;
    const bool is_exact = (of_jobs & VCS_JOB_MODEL_EXACT) != 0;
    return (vcs_progress){
        .struct_size = sizeof(vcs_progress),
        .flags = is_exact ? VCS_PROGRESS_EXACT : 0,
        .est_flops = truth->est_flops,
        .flops = truth->speed,
        .dcf = vcs_emu_correction(e, task->project, truth->app),
        .efficiency = e->records->projects[task->project].efficiency,
        .elapsed = truth->done,
        .fraction_done = reported_fraction(truth, is_exact),
        .project = task->project,
        .app = task->app,
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
    task->total = vcs_min(truth->done + task->remaining, VCS_MAX_SECONDS);
}

bool vcs_emu_learn(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    if (!e->setup->parameters.use_dcf || truth->app == VCS_NONE) {
        return false;
    }
    const vcs_progress finished = progress_of(e, task, truth);
    double *factor = factor_of(e, task->project, truth->app);
    const double before = *factor > 0.0 ? *factor : 1.0; /* 0 counts as 1 */
    const bool by_mean = e->setup->parameters.use_dcf == VCS_DCF_MEAN;
    vcs_correction correction = {
        .dcf = *factor,
        .tasks = vcs_emu_jobs_before(e, task),
        .rule = by_mean ? VCS_CORRECTION_MEAN : VCS_CORRECTION_DEPLOYED,
    };
    vcs_emu_note(e, vcs_correction_update(&correction, &finished, e->error));
    *factor = correction.dcf;
    return correction.dcf != before;
}

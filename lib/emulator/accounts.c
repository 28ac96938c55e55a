/* What projects are owed, and what is learned of their tasks. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

/* ---- Recent work and averages ---- */

static int blend(vcs_emulator *e, vcs_average *rec, double *flops, double *shown) {
    double credits;
    int code = vcs_credits(*flops, &credits);
    if (code == VCS_OK) {
        code = vcs_average_blend(rec, e->parameters.rec_half_life, e->clock.now, credits);
    }
    *flops = 0.0;
    *shown = rec->value;
    return code;
}

static int settle_rec(vcs_emulator *e, uint32_t index) {
    vcs_true_project *truth = &e->true_projects[index];
    if (e->parameters.accounting == VCS_ACCOUNTING_GLOBAL) {
        return blend(e, &truth->rec, &truth->flops_run, &e->projects[index].rec);
    }
    int code = VCS_OK;
    for (uint32_t r = 0; code == VCS_OK && r < e->snapshot.resources.count; r++) {
        size_t at = (size_t)index * e->snapshot.resources.count + r;
        code = blend(e, &e->true_project_resources[at].rec, &e->true_project_resources[at].flops_run,
                     &e->project_resources[at].rec);
    }
    return code;
}

static int settle_cpu_time(vcs_emulator *e, uint32_t index) {
    vcs_true_project *truth = &e->true_projects[index];
    int code = vcs_average_add(&truth->cpu_time, e->parameters.average_rate, e->clock.now, truth->cpu_run);
    truth->cpu_run = 0.0;
    e->projects[index].exp_avg_cpu = truth->cpu_time.value;
    return code;
}

/* ---- Debts ---- */

static uint32_t debt_flags(const vcs_emulator *e, uint32_t index) {
    const vcs_project *project = &e->projects[index];
    if ((project->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return 0;
    }
    if (e->true_projects[index].tasks > 0) {
        return VCS_DEBT_RUNNABLE | VCS_DEBT_POTENTIALLY_RUNNABLE;
    }
    int askable = (project->flags & VCS_PROJECT_NO_NEW_WORK) == 0 && project->min_rpc_time <= e->clock.now;
    return askable ? VCS_DEBT_POTENTIALLY_RUNNABLE : 0;
}

static int settle_debts(vcs_emulator *e) {
    const uint32_t count = e->snapshot.projects.count;
    const vcs_debt_interval interval = {
        .struct_size = sizeof interval,
        .period = e->parameters.period,
        .elapsed = e->clock.now - e->settled,
    };
    for (uint32_t i = 0; i < count; i++) {
        e->debts[i].flags = debt_flags(e, i);
    }
    int code = vcs_debt_update(&interval, e->debts, sizeof *e->debts, count, e->debt_order, e->error);
    for (uint32_t i = 0; i < count; i++) {
        e->projects[i].short_term_debt = e->debts[i].short_term;
        e->projects[i].long_term_debt = e->debts[i].long_term;
    }
    return code;
}

/* ---- The usable fraction ---- */

static int settle_usable(vcs_emulator *e) {
    int code = VCS_OK;
    for (uint32_t r = 0; code == VCS_OK && r < e->snapshot.resources.count; r++) {
        if (e->scheduled[r] > 0.0) {
            code = vcs_usable_update(&e->usable[r], e->scheduled[r], e->ran[r]);
            e->scheduled[r] = e->ran[r] = 0.0;
            e->resources[r].usable = e->usable[r].fraction;
        }
    }
    return code;
}

static int settle_averages(vcs_emulator *e) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < e->snapshot.projects.count; i++) {
        if ((e->keeps & VCS_KEEP_REC) != 0) {
            code = settle_rec(e, i);
        }
        if (code == VCS_OK && (e->keeps & VCS_KEEP_CPU_TIME) != 0) {
            code = settle_cpu_time(e, i);
        }
    }
    return code;
}

int vcs_settle(vcs_emulator *e) {
    if (e->settled == e->clock.now) {
        return VCS_OK;
    }
    int code = (e->keeps & (VCS_KEEP_REC | VCS_KEEP_CPU_TIME)) != 0 ? settle_averages(e) : VCS_OK;
    if (code == VCS_OK && (e->keeps & VCS_KEEP_DEBTS) != 0) {
        code = settle_debts(e);
    }
    if (code == VCS_OK && e->parameters.learn_usable) {
        code = settle_usable(e);
    }
    e->settled = e->clock.now;
    e->state = NULL;
    return code;
}

/* ---- Estimates ---- */

/* An application that had a factor of its own at the start keeps one. */
static vcs_correction *correction_kept(vcs_emulator *e, uint32_t project, uint32_t app) {
    return e->apps[app].dcf > 0.0 ? &e->true_apps[app].correction : &e->true_projects[project].correction;
}

double vcs_correction_of(const vcs_emulator *e, uint32_t project, uint32_t app) {
    if (!e->parameters.use_dcf || app == VCS_NONE) {
        return 0.0;
    }
    return e->apps[app].dcf > 0.0 ? e->apps[app].dcf : e->projects[project].dcf;
}

static vcs_progress progress_of(const vcs_emulator *e, const vcs_task *task, const vcs_true_task *truth) {
    return (vcs_progress){
        .struct_size = sizeof(vcs_progress),
        .est_flops = truth->est_flops,
        .flops = truth->speed,
        .dcf = vcs_correction_of(e, task->project, truth->app),
        .efficiency = e->projects[task->project].efficiency,
        .elapsed = truth->done,
        .fraction_done = truth->done > 0.0 ? truth->done / truth->total : 0.0, /* that it is empty shows at its end */
    };
}

int vcs_estimate_task(vcs_emulator *e, vcs_task *task, const vcs_true_task *truth) {
    const vcs_progress progress = progress_of(e, task, truth);
    if (e->hooks.estimate != NULL) {
        int code = e->hooks.estimate(e->hooks.context, &progress, e->parameters.estimate, &task->remaining);
        return vcs_hook_failed(e, code, "estimate");
    }
    return vcs_estimate_remaining(&progress, e->parameters.estimate, &task->remaining, e->error);
}

int vcs_learn(vcs_emulator *e, const vcs_task *task, const vcs_true_task *truth) {
    if (!e->parameters.use_dcf || truth->app == VCS_NONE) {
        return VCS_OK;
    }
    const vcs_progress finished = progress_of(e, task, truth);
    vcs_correction *correction = correction_kept(e, task->project, truth->app);
    const double before = correction->dcf;
    int code = vcs_correction_update(correction, &finished, e->error);
    if (correction->dcf != before) {
        e->corrected = 1;
    }
    if (correction == &e->true_apps[truth->app].correction) {
        e->apps[truth->app].dcf = correction->dcf;
    } else {
        e->projects[task->project].dcf = correction->dcf;
    }
    return code;
}

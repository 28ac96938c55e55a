/* Rules 1.1 to 1.3 and 13.9; the plain reference is examples/study/golden.csv. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

/* ---- The beginning ---- */

/* Only the accounts that the policy looks at are kept up to date; the caller's functions may look at any. */
static void choose_accounts(vcs_emu_emulator *e) {
    const vcs_parameters *parameters = &e->setup.parameters;
    const bool any = e->setup.hooks.schedule != NULL || e->setup.hooks.fetch != NULL;
    e->accounts.has_rec =
        any || parameters->ranking == VCS_RANK_PRIORITY || parameters->discipline == VCS_DISCIPLINE_SLICED;
    e->accounts.has_cpu_time = any || parameters->ranking == VCS_RANK_RESOURCE_DEBT;
    e->accounts.has_debts = any || parameters->ranking == VCS_RANK_DEBT ||
                            parameters->work_fetch == VCS_WORK_FETCH_WF1 ||
                            parameters->work_fetch == VCS_WORK_FETCH_WF2;
}

static vcs_average average_of(const vcs_emu_emulator *e, double value) {
    return (vcs_average){.value = value, .time = e->clock.now};
}

bool vcs_emu_accounts_open(vcs_emu_emulator *e) {
    vcs_emu_accounts *accounts = &e->accounts;
    const vcs_emu_records *records = &e->records;
    const uint64_t projects = records->project_count, resources = records->resource_count;
    accounts->projects = vcs_emu_new(e, projects, sizeof *accounts->projects);
    accounts->project_resources = vcs_emu_new(e, projects * resources, sizeof *accounts->project_resources);
    accounts->usage = vcs_emu_new(e, resources, sizeof *accounts->usage);
    accounts->debts = vcs_emu_new(e, projects, sizeof *accounts->debts);
    accounts->debt_order = vcs_emu_new(e, projects, sizeof *accounts->debt_order);
    if (!vcs_emu_check_memory(e)) {
        return false;
    }
    for (uint32_t i = 0; i < projects; i++) {
        const vcs_project *project = &records->projects[i];
        accounts->projects[i].rec = average_of(e, project->rec);
        accounts->projects[i].cpu_time = average_of(e, project->exp_avg_cpu);
        accounts->debts[i] = (vcs_debt){
            .id = project->id,
            .share = project->share,
            .short_term = project->short_term_debt,
            .long_term = project->long_term_debt,
        };
    }
    for (uint64_t i = 0; i < projects * resources; i++) {
        accounts->project_resources[i].rec = average_of(e, records->project_resources[i].rec);
    }
    for (uint32_t r = 0; r < resources; r++) {
        vcs_resource *resource = &records->resources[r];
        if (e->setup.parameters.learn_usable) {
            resource->usable = 1.0;
        } else if ((e->setup.emulation.flags & VCS_EMULATION_USABLE_GIVEN) == 0) {
            resource->usable = vcs_emu_available(&e->setup); /* rule 12.1 */
        }
        accounts->usage[r].usable.fraction = resource->usable;
    }
    choose_accounts(e);
    accounts->settled = e->clock.now;
    return true;
}

/* ---- Recent work and averages ---- */

static bool blend(vcs_emu_emulator *e, vcs_average *rec, double *flops, double *shown) {
    double credits;
    const bool blended =
        vcs_emu_check(e, vcs_credits(*flops, &credits)) &&
        vcs_emu_check(e, vcs_average_blend(rec, credits, e->setup.parameters.rec_half_life, e->clock.now));
    *flops = 0.0;
    *shown = rec->value;
    return blended;
}

static bool settle_rec(vcs_emu_emulator *e, uint32_t project) {
    if (e->setup.parameters.accounting == VCS_ACCOUNTING_GLOBAL) {
        vcs_emu_project_account *account = &e->accounts.projects[project];
        return blend(e, &account->rec, &account->flops, &e->records.projects[project].rec);
    }
    bool settled = true;
    for (uint32_t r = 0; settled && r < e->records.resource_count; r++) {
        const size_t at = vcs_emu_first_of(e, project) + r;
        vcs_emu_resource_account *account = &e->accounts.project_resources[at];
        settled = blend(e, &account->rec, &account->flops, &e->records.project_resources[at].rec);
    }
    return settled;
}

static bool settle_cpu_time(vcs_emu_emulator *e, uint32_t project) {
    vcs_emu_project_account *account = &e->accounts.projects[project];
    const int code = vcs_average_add(&account->cpu_time, account->cpu, e->setup.parameters.average_rate, e->clock.now);
    account->cpu = 0.0;
    e->records.projects[project].exp_avg_cpu = account->cpu_time.value;
    return vcs_emu_check(e, code);
}

static bool settle_averages(vcs_emu_emulator *e) {
    bool settled = true;
    for (uint32_t i = 0; settled && i < e->records.project_count; i++) {
        settled = (!e->accounts.has_rec || settle_rec(e, i)) && (!e->accounts.has_cpu_time || settle_cpu_time(e, i));
    }
    return settled;
}

/* ---- Debts ---- */

static uint32_t debt_flags(const vcs_emu_records *records, uint32_t index, double now) {
    const vcs_project *project = &records->projects[index];
    if ((project->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return 0;
    }
    if (records->task_counts[index] > 0) {
        return VCS_DEBT_RUNNABLE | VCS_DEBT_POTENTIALLY_RUNNABLE;
    }
    const bool may_be_asked = (project->flags & VCS_PROJECT_NO_NEW_WORK) == 0 && project->min_rpc_time <= now;
    return may_be_asked ? VCS_DEBT_POTENTIALLY_RUNNABLE : 0;
}

static bool settle_debts(vcs_emu_emulator *e) {
    vcs_emu_records *records = &e->records;
    vcs_debt *debts = e->accounts.debts;
    const vcs_debt_interval interval = {
        .struct_size = sizeof interval,
        .period = e->setup.parameters.period,
        .elapsed = e->clock.now - e->accounts.settled,
    };
    for (uint32_t i = 0; i < records->project_count; i++) {
        debts[i].flags = debt_flags(records, i, e->clock.now);
    }
    const int code = vcs_debt_update(debts, sizeof *debts, records->project_count, &interval, e->accounts.debt_order,
                                     e->setup.error);
    for (uint32_t i = 0; i < records->project_count; i++) {
        records->projects[i].short_term_debt = debts[i].short_term;
        records->projects[i].long_term_debt = debts[i].long_term;
    }
    return vcs_emu_check(e, code);
}

/* ---- The usable fraction (13.9) ---- */

static bool settle_usable(vcs_emu_emulator *e) {
    bool settled = true;
    for (uint32_t r = 0; settled && r < e->records.resource_count; r++) {
        vcs_emu_usage *usage = &e->accounts.usage[r];
        if (usage->scheduled > 0.0) {
            settled = vcs_emu_check(e, vcs_usable_update(&usage->usable, usage->scheduled, usage->ran));
            usage->scheduled = usage->ran = 0.0;
            e->records.resources[r].usable = usage->usable.fraction;
        }
    }
    return settled;
}

bool vcs_emu_settle(vcs_emu_emulator *e) {
    if (e->accounts.settled == e->clock.now) {
        return true;
    }
    const bool has_averages = e->accounts.has_rec || e->accounts.has_cpu_time;
    const bool settled = (!has_averages || settle_averages(e)) && (!e->accounts.has_debts || settle_debts(e)) &&
                         (!e->setup.parameters.learn_usable || settle_usable(e));
    e->accounts.settled = e->clock.now;
    e->records.changed = true;
    return settled;
}

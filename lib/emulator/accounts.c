/* Rules 1.1 to 1.3 and 13.9; the plain reference is examples/study/golden.csv. SPDX-License-Identifier: MIT */
#include "emulator/accounts.h"

/* ---- The beginning ---- */

/* Only the accounts that the policy looks at are kept up to date; the caller's functions may look at any. */
static void choose_accounts(vcs_emu_accounts *accounts) {
    const vcs_parameters *parameters = &accounts->clock->setup->parameters;
    const vcs_hooks *hooks = &accounts->clock->setup->hooks;
    const bool any = hooks->schedule != NULL || hooks->fetch != NULL;
    accounts->has_rec =
        any || parameters->ranking == VCS_RANK_PRIORITY || parameters->discipline == VCS_DISCIPLINE_SLICED;
    accounts->has_cpu_time = any || parameters->ranking == VCS_RANK_RESOURCE_DEBT;
    accounts->has_debts = any || parameters->ranking == VCS_RANK_DEBT || parameters->work_fetch == VCS_WORK_FETCH_WF1 ||
                          parameters->work_fetch == VCS_WORK_FETCH_WF2;
}

static void open_project(vcs_emu_accounts *accounts, uint32_t index) {
    const vcs_emu_records *records = accounts->records;
    const vcs_project *project = &records->projects[index];
    const double start = accounts->clock->now;
    accounts->projects[index].rec = (vcs_average){.value = project->rec, .time = start};
    accounts->projects[index].cpu_time = (vcs_average){.value = project->exp_avg_cpu, .time = start};
    accounts->debts[index].id = project->id;
    accounts->debts[index].share = project->share;
    accounts->debts[index].short_term = project->short_term_debt;
    accounts->debts[index].long_term = project->long_term_debt;
    for (uint32_t r = 0; r < records->resource_count; r++) {
        const size_t at = vcs_emu_first_of(records, index) + r;
        accounts->project_resources[at].rec =
            (vcs_average){.value = records->project_resources[at].rec, .time = start};
    }
}

int vcs_emu_accounts_open(vcs_emu_accounts *accounts, vcs_emu_memory *memory) {
    const vcs_emu_records *records = accounts->records;
    const uint64_t projects = records->project_count, resources = records->resource_count;
    accounts->projects = vcs_emu_allocate(memory, projects, sizeof *accounts->projects);
    accounts->project_resources = vcs_emu_allocate(memory, projects * resources, sizeof *accounts->project_resources);
    accounts->usage = vcs_emu_allocate(memory, resources, sizeof *accounts->usage);
    accounts->debts = vcs_emu_allocate(memory, projects, sizeof *accounts->debts);
    accounts->debt_order = vcs_emu_allocate(memory, projects, sizeof *accounts->debt_order);
    if (memory->failed) {
        return VCS_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < projects; i++) {
        open_project(accounts, i);
    }
    for (uint32_t r = 0; r < resources; r++) {
        vcs_resource *resource = &records->resources[r];
        resource->usable = accounts->clock->setup->parameters.learn_usable ? 1.0 : resource->usable;
        accounts->usage[r].usable.fraction = resource->usable;
    }
    choose_accounts(accounts);
    accounts->settled = accounts->clock->now;
    return VCS_OK;
}

/* ---- Recent work and averages ---- */

static int blend(const vcs_emu_accounts *accounts, vcs_average *rec, double *flops, double *shown) {
    double credits;
    int code = vcs_credits(*flops, &credits);
    if (code == VCS_OK) {
        code = vcs_average_blend(rec, credits, accounts->clock->setup->parameters.rec_half_life, accounts->clock->now);
    }
    *flops = 0.0;
    *shown = rec->value;
    return code;
}

static int settle_rec(vcs_emu_accounts *accounts, uint32_t project) {
    const vcs_emu_records *records = accounts->records;
    if (accounts->clock->setup->parameters.accounting == VCS_ACCOUNTING_GLOBAL) {
        vcs_emu_project_account *account = &accounts->projects[project];
        return blend(accounts, &account->rec, &account->flops, &records->projects[project].rec);
    }
    int code = VCS_OK;
    for (uint32_t r = 0; code == VCS_OK && r < records->resource_count; r++) {
        const size_t at = vcs_emu_first_of(records, project) + r;
        vcs_emu_resource_account *account = &accounts->project_resources[at];
        code = blend(accounts, &account->rec, &account->flops, &records->project_resources[at].rec);
    }
    return code;
}

static int settle_cpu_time(vcs_emu_accounts *accounts, uint32_t project) {
    vcs_emu_project_account *account = &accounts->projects[project];
    const int code = vcs_average_add(&account->cpu_time, account->cpu, accounts->clock->setup->parameters.average_rate,
                                     accounts->clock->now);
    account->cpu = 0.0;
    accounts->records->projects[project].exp_avg_cpu = account->cpu_time.value;
    return code;
}

static int settle_averages(vcs_emu_accounts *accounts) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < accounts->records->project_count; i++) {
        if (accounts->has_rec) {
            code = settle_rec(accounts, i);
        }
        if (code == VCS_OK && accounts->has_cpu_time) {
            code = settle_cpu_time(accounts, i);
        }
    }
    return code;
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

static int settle_debts(vcs_emu_accounts *accounts) {
    const vcs_emu_clock *clock = accounts->clock;
    vcs_emu_records *records = accounts->records;
    const vcs_debt_interval interval = {
        .struct_size = sizeof interval,
        .period = clock->setup->parameters.period,
        .elapsed = clock->now - accounts->settled,
    };
    for (uint32_t i = 0; i < records->project_count; i++) {
        accounts->debts[i].flags = debt_flags(records, i, clock->now);
    }
    const int code = vcs_debt_update(accounts->debts, sizeof *accounts->debts, records->project_count, &interval,
                                     accounts->debt_order, clock->setup->error);
    for (uint32_t i = 0; i < records->project_count; i++) {
        records->projects[i].short_term_debt = accounts->debts[i].short_term;
        records->projects[i].long_term_debt = accounts->debts[i].long_term;
    }
    return code;
}

/* ---- The usable fraction (13.9) ---- */

static int settle_usable(vcs_emu_accounts *accounts) {
    int code = VCS_OK;
    for (uint32_t r = 0; code == VCS_OK && r < accounts->records->resource_count; r++) {
        vcs_emu_usage *usage = &accounts->usage[r];
        if (usage->scheduled > 0.0) {
            code = vcs_usable_update(&usage->usable, usage->scheduled, usage->ran);
            usage->scheduled = usage->ran = 0.0;
            accounts->records->resources[r].usable = usage->usable.fraction;
        }
    }
    return code;
}

int vcs_emu_settle_since(vcs_emu_accounts *accounts) {
    int code = accounts->has_rec || accounts->has_cpu_time ? settle_averages(accounts) : VCS_OK;
    if (code == VCS_OK && accounts->has_debts) {
        code = settle_debts(accounts);
    }
    if (code == VCS_OK && accounts->clock->setup->parameters.learn_usable) {
        code = settle_usable(accounts);
    }
    accounts->settled = accounts->clock->now;
    accounts->records->changed = true;
    return code;
}

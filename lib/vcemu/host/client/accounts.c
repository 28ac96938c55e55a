/* Rules 1.1 to 1.3, 13.9 and 15.8; the plain reference is examples/study/golden.csv. SPDX-License-Identifier: MIT */
#include "vcemu/host/client/accounts.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"

#include <vcsched/accounts.h>

/* ---- The spells of the host ---- */

/* The means that the client knows now (rule 15.1). */
static void tell_spells(vcs_emu_emulator *e) {
    vcs_host *host = &e->records->host;
    const double usable = e->records->resources[0].usable;
    vcs_emu_note(e, vcs_spells_means(&e->accounts->spells, usable, &host->on_spell, &host->off_spell));
    e->records->changed = true;
}

void vcs_emu_learn_spell(vcs_emu_emulator *e) {
    const uint32_t was_on = e->clock->on ? 0 : 1;
    const double began = e->accounts->spell_began, now = e->clock->now;
    const vcs_array *hours = &e->records->snapshot.hours;
    if (e->accounts->has_spells) {
        vcs_emu_note(e, vcs_spells_add(&e->accounts->spells, was_on, now - began));
        tell_spells(e);
    }
    if (hours->count > 0) {
        vcs_emu_note(e, vcs_hours_add(hours, was_on, began, now));
        e->records->changed = true;
    }
    e->accounts->spell_began = now;
}

/* ---- The beginning ---- */

void vcs_emu_accounts_open(vcs_emu_emulator *e) {
    const vcs_emu_records *records = e->records;
    const vcs_parameters *parameters = &e->setup->parameters;
    for (uint32_t i = 0; i < records->project_count; i++) {
        const vcs_project *project = &records->projects[i];
        e->accounts->debts[i] = (vcs_debt){
            .id = project->id,
            .share = project->share,
            .short_term = project->short_term_debt,
            .long_term = project->long_term_debt,
        };
    }
    /* The usable fraction at the start (rule 12.1). */
    const bool is_given = (e->setup->emulation.flags & VCS_EMULATION_USABLE_GIVEN) != 0;
    for (uint32_t r = 0; r < records->resource_count; r++) {
        if (parameters->learn_usable) {
            records->resources[r].usable = 1.0;
        } else if (!is_given) {
            records->resources[r].usable = vcs_emu_available(e->setup);
        }
    }
    /* Only accounts that the policy looks at are kept up to date; the caller's functions may look at any. The mean of
       all debts is 0, so the debts of a single project stay 0 (rule 1.3). */
    const bool any = e->setup->hooks.schedule != NULL || e->setup->hooks.fetch != NULL;
    const bool owes_nothing = records->project_count == 1 && records->projects[0].short_term_debt == 0.0 &&
                              records->projects[0].long_term_debt == 0.0;
    e->accounts->has_rec =
        any || parameters->ranking == VCS_RANK_PRIORITY || parameters->discipline == VCS_DISCIPLINE_SLICED;
    e->accounts->has_cpu_time = any || parameters->ranking == VCS_RANK_RESOURCE_DEBT;
    e->accounts->has_debts =
        !owes_nothing && (any || parameters->ranking == VCS_RANK_DEBT || parameters->work_fetch == VCS_WORK_FETCH_WF1 ||
                          parameters->work_fetch == VCS_WORK_FETCH_WF2);
    e->accounts->settled = e->accounts->spell_began = e->clock->now;
    /* Spells that the scenario states are known; others are learned. */
    e->accounts->spells = (vcs_spells){.on_count = 0};
    const bool by_chance = parameters->report_risk > 0.0 || parameters->give_up != VCS_GIVE_UP_NEVER ||
                           parameters->work_send == VCS_WORK_SEND_BY_CHANCE ||
                           parameters->work_fetch == VCS_WORK_FETCH_OWED;
    e->accounts->has_spells = by_chance && records->host.on_spell == 0.0;
    if (e->accounts->has_spells) {
        tell_spells(e);
    }
}

/* ---- Recent work and averages: `value` of a record was right when the accounts were last settled ---- */

static void settle_rec(vcs_emu_emulator *e, double *value, double *flops) {
    vcs_average rec = {.value = *value, .time = e->accounts->settled};
    double credits = 0.0;
    vcs_emu_note(e, vcs_credits(*flops, &credits));
    vcs_emu_note(e, vcs_average_blend(&rec, credits, e->setup->parameters.rec_half_life, e->clock->now));
    *flops = 0.0;
    *value = rec.value;
}

static void settle_averages(vcs_emu_emulator *e, uint32_t index) {
    vcs_project *project = &e->records->projects[index];
    const bool is_global = e->setup->parameters.accounting == VCS_ACCOUNTING_GLOBAL;
    const size_t first = vcs_emu_first_of(e, index);
    if (e->accounts->has_rec && is_global) {
        settle_rec(e, &project->rec, &e->accounts->projects[index].flops);
    } else if (e->accounts->has_rec) {
        for (size_t i = first; i < first + e->records->resource_count; i++) {
            settle_rec(e, &e->records->project_resources[i].rec, &e->accounts->flops[i]);
        }
    }
    if (e->accounts->has_cpu_time) {
        vcs_average average = {.value = project->exp_avg_cpu, .time = e->accounts->settled};
        double *cpu = &e->accounts->projects[index].cpu;
        vcs_emu_note(e, vcs_average_add(&average, *cpu, e->setup->parameters.average_rate, e->clock->now));
        *cpu = 0.0;
        project->exp_avg_cpu = average.value;
    }
}

/* ---- Debts ---- */

static uint32_t debt_flags(const vcs_emu_emulator *e, uint32_t index) {
    const vcs_project *project = &e->records->projects[index];
    if ((project->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return 0;
    }
    if (e->records->task_counts[index] > 0) {
        return VCS_DEBT_RUNNABLE | VCS_DEBT_POTENTIALLY_RUNNABLE;
    }
    const bool may_be_asked =
        (project->flags & VCS_PROJECT_NO_NEW_WORK) == 0 && vcs_emu_has_come(e, project->min_rpc_time);
    return may_be_asked ? VCS_DEBT_POTENTIALLY_RUNNABLE : 0;
}

static void settle_debts(vcs_emu_emulator *e) {
    vcs_emu_records *records = e->records;
    vcs_debt *debts = e->accounts->debts;
    const vcs_debt_interval interval = {
        .struct_size = sizeof interval,
        .period = e->setup->parameters.period,
        .elapsed = e->clock->now - e->accounts->settled,
    };
    for (uint32_t i = 0; i < records->project_count; i++) {
        debts[i].flags = debt_flags(e, i);
    }
    vcs_emu_note(e, vcs_debt_update(&(vcs_array){{debts}, sizeof *debts, records->project_count}, &interval,
                                    e->accounts->debt_order, e->error));
    for (uint32_t i = 0; i < records->project_count; i++) {
        records->projects[i].short_term_debt = debts[i].short_term;
        records->projects[i].long_term_debt = debts[i].long_term;
    }
}

/* ---- All accounts ---- */

void vcs_emu_settle(vcs_emu_emulator *e) {
    if (e->accounts->settled == e->clock->now) {
        return;
    }
    const bool has_averages = e->accounts->has_rec || e->accounts->has_cpu_time;
    for (uint32_t i = 0; has_averages && i < e->records->project_count; i++) {
        settle_averages(e, i);
    }
    if (e->accounts->has_debts) {
        settle_debts(e);
    }
    for (uint32_t r = 0; e->setup->parameters.learn_usable && r < e->records->resource_count; r++) {
        struct vcs_emu_usage *usage = &e->accounts->usage[r];
        vcs_usable usable = {.fraction = e->records->resources[r].usable};
        if (usage->scheduled > 0.0) {
            vcs_emu_note(e, vcs_usable_update(&usable, usage->scheduled, usage->ran)); /* rule 13.9 */
            e->records->resources[r].usable = usable.fraction;
            usage->scheduled = usage->ran = 0.0;
        }
    }
    e->accounts->settled = e->clock->now;
    e->records->changed = true;
}

/*
 * Results of tasks that have ended, until they are reported.
 *
 * Rules 13.10, 15.2, 15.7 and 15.8; worked by hand in tests/vcemu/host/test_emulator_merit.c,
 * test_emulator_reports.c and test_emulator_hours.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/tasks/results.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/events.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/setup.h"
#include "vcsched/chance/last_connection.h"
#include "vcsched/timers/buffer.h"

#include <vcsched/chance.h>

/* How long before its deadline a result is reported at the latest, s; the study's time is longer (13.10). */
static double report_margin(const vcs_emu_emulator *e) {
    const double margin = vcs_report_margin(&e->setup->parameters);
    return vcs_emu_is_study(e) ? vcs_max(e->setup->parameters.report_delay, margin) : margin;
}

/* Rules 15.2 and 15.8; the spells and hours are stated or learned. */
static double report_by_risk(vcs_emu_emulator *e, double deadline) {
    const vcs_host *host = &e->records->host;
    const vcs_array *hours = &e->records->snapshot.hours;
    const double risk = vcs_max(e->setup->parameters.report_risk, VCS_MIN_RISK), now = e->clock->now;
    const double on = vcs_max(host->on_spell, VCS_MIN_ON), off = host->off_spell;
    double latest = now;
    vcs_emu_note(e, hours->count > 0 ? vcs_hours_report_latest(hours, deadline, risk, on, off, now, &latest)
                                     : vcs_report_latest(deadline, risk, on, off, now, &latest));
    return latest;
}

/* When a result that is finished now must be reported at the latest, as long as its server is not called before. By
   risk, of a host that is connected now and then, the last connection before the deadline takes its place. */
static double report_by(vcs_emu_emulator *e, double reported_by) {
    const vcs_parameters *parameters = &e->setup->parameters;
    double latest = reported_by - report_margin(e);
    if (parameters->report_risk > 0.0) {
        const double connected = vcs_max(e->results->connected + parameters->connect_every, e->clock->now);
        latest = report_by_risk(e, vcs_last_connection(reported_by, connected, parameters->connect_every));
    }
    return vcs_min(latest, e->clock->now + parameters->report_delay);
}

static void add_result(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth, double due,
                       double ready) {
    vcs_emu_results *r = e->results;
    if (!vcs_emu_reserve(e, &r->all, (uint64_t)r->count + 1, sizeof *r->all)) {
        return;
    }
    VCS_INVARIANT(r->all != NULL && r->count < vcs_emu_capacity(r->all) / sizeof *r->all); /* there is room for one */
    r->all[r->count++] = (vcs_emu_result){
        .task = task->id,
        .project = task->project,
        .gpu = task->gpu,
        .cpus = task->cpus,
        .gpus = task->gpus,
        .deadline = task->deadline,
        .ended = e->clock->now,
        .origin = truth->origin,
        .flops = truth->total * truth->speed,
        .worked = truth->spent * truth->speed,
        .spent = truth->spent,
        .due = due,
        .ready = ready,
    };
    r->of_projects[task->project]++;
}

void vcs_emu_add_result(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    if (truth->origin.fate == VCS_EMU_FATE_LOST) {
        if (task->deadline < e->clock->end) {
            vcs_emu_merit_waste(e, task->cpus, task->gpu, task->gpus,
                                truth->spent); /* like an unreported result at the end */
        }
        e->grid_servers->forget(e, task->project, truth->origin, truth->spent * truth->speed);
        return;
    }
    const bool has_files = e->grid_servers != NULL && truth->origin.fate == VCS_EMU_FATE_DONE;
    const double ready = e->clock->now + (has_files ? e->grid_servers->upload(e, task->project) : 0.0);
    const double due = report_by(e, task->deadline);
    add_result(e, task, truth, vcs_max(due, ready), ready);
}

void vcs_emu_add_given_up(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    vcs_emu_true_task given_up = *truth;
    given_up.origin.fate = VCS_EMU_FATE_GIVEN_UP;
    given_up.total = truth->spent; /* all the operations that it cost */
    e->merit->total.given_up++;
    add_result(e, task, &given_up, e->clock->now, e->clock->now);
}

static void count_result(vcs_emu_emulator *e, const vcs_emu_result *result, bool late) {
    vcs_project_outcome *outcome = &e->merit->projects[result->project];
    if (!late) {
        outcome->in_time++;
        outcome->flops_in_time += result->flops;
        vcs_emu_merit_in_time(e, result->cpus, result->gpu, result->gpus, result->spent);
        return;
    }
    outcome->late++;
    outcome->flops_late += result->flops;
    vcs_emu_merit_waste(e, result->cpus, result->gpu, result->gpus, result->spent);
    if (result->ended <= result->deadline) {
        outcome->done_late++;
        outcome->flops_done_late += result->flops;
        vcs_emu_merit_done_late(e, result->cpus, result->gpu, result->gpus, result->spent);
    }
}

/* Lateness is judged when the result is reported. The study's client reports the results of all projects in a single
   call (13.10). */
void vcs_emu_report_results(vcs_emu_emulator *e, uint32_t project) {
    vcs_emu_results *r = e->results;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const vcs_emu_result *result = &r->all[i];
        const vcs_task task = {
            .id = result->task,
            .project = result->project,
            .gpu = result->gpu,
            .deadline = result->deadline,
        };
        const bool late = e->clock->now > task.deadline, given_up = result->origin.fate == VCS_EMU_FATE_GIVEN_UP;
        const bool is_left_out = task.project != project && !vcs_emu_is_study(e);
        if (result->ready > e->clock->now || is_left_out) {
            r->all[kept++] = *result;
            continue;
        }
        r->of_projects[task.project]--;
        if (!given_up) {
            count_result(e, result, late);
        }
        if (e->grid_servers != NULL) {
            e->grid_servers->report(e, result);
        }
        if (!given_up) {
            vcs_emu_notify_task(e, late ? VCS_EVENT_LATE : VCS_EVENT_REPORTED, &task, VCS_NONE, result->flops);
        }
    }
    r->count = kept;
}

/*
 * The outcome: what is counted while the emulation runs, the results that are not reported yet, and the figures of
 * merit that are made of them.
 *
 * Rules 12.2 and 13.10; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/emulator.h"
#include "emulator/study.h"

bool vcs_emu_merit_open(vcs_emu_emulator *e) {
    vcs_emu_merit *merit = &e->merit;
    const uint32_t count = e->records.project_count;
    merit->projects = vcs_emu_new(e, count, sizeof *merit->projects);
    merit->waits = vcs_emu_new(e, count, sizeof *merit->waits);
    merit->result_counts = vcs_emu_new(e, count, sizeof *merit->result_counts);
    for (uint32_t i = 0; !e->memory.failed && i < count; i++) {
        merit->projects[i].id = e->records.projects[i].id;
    }
    return vcs_emu_check_memory(e);
}

/* ---- Results ---- */

bool vcs_emu_add_result(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    vcs_emu_merit *merit = &e->merit;
    if (!vcs_emu_fit(e, &merit->result_vector, &merit->results, (uint64_t)merit->result_count + 1,
                     sizeof *merit->results)) {
        return false;
    }
    merit->results[merit->result_count++] = (vcs_emu_result){
        .task = task->id,
        .flops = truth->total * truth->speed,
        .deadline = task->deadline,
        /* Some time before its deadline, or some time after its end. */
        .due = vcs_min(task->deadline - vcs_emu_study_report_margin(&e->setup),
                       e->clock.now + e->setup.parameters.report_delay),
        .project = task->project,
        .resource = task->gpu,
    };
    merit->result_counts[task->project]++;
    return true;
}

/* Whether it is late is judged now. */
static bool report(vcs_emu_emulator *e, const vcs_emu_result *result) {
    vcs_project_outcome *project = &e->merit.projects[result->project];
    const bool late = e->clock.now > result->deadline;
    *(late ? &project->late : &project->in_time) += 1;
    *(late ? &project->flops_late : &project->flops_in_time) += result->flops;
    e->merit.result_counts[result->project]--;
    const vcs_task task = {
        .id = result->task, .project = result->project, .gpu = result->resource, .deadline = result->deadline};
    return vcs_emu_notify_task(e, late ? VCS_EVENT_LATE : VCS_EVENT_REPORTED, &task, VCS_NONE, result->flops);
}

bool vcs_emu_report_results(vcs_emu_emulator *e, uint32_t project) {
    vcs_emu_merit *merit = &e->merit;
    const bool all = vcs_emu_study_reports_all(&e->setup);
    uint32_t kept = 0;
    bool reported = true;
    for (uint32_t i = 0; i < merit->result_count; i++) {
        const vcs_emu_result result = merit->results[i];
        if (reported && (all || result.project == project)) {
            reported = report(e, &result);
        } else {
            merit->results[kept++] = result;
        }
    }
    merit->result_count = kept;
    return reported;
}

/* ---- Waits ---- */

static void end_wait(vcs_emu_wait *wait, double active) {
    const double waited = active - wait->last_ran;
    wait->square += waited * waited * waited / 3.0;
}

void vcs_emu_merit_starts(vcs_emu_emulator *e, uint32_t project) {
    vcs_emu_wait *wait = &e->merit.waits[project];
    e->merit.total.starts++;
    if (wait->running++ == 0) {
        end_wait(wait, e->clock.active);
    }
}

void vcs_emu_merit_stops(vcs_emu_emulator *e, uint32_t project) {
    vcs_emu_wait *wait = &e->merit.waits[project];
    if (--wait->running == 0) {
        wait->last_ran = e->clock.active;
    }
}

/* ---- The figures ---- */

static void find_mean_wait(vcs_project_outcome *project, vcs_emu_wait *wait, double active) {
    if (wait->running == 0) {
        end_wait(wait, active);
    }
    project->mean_wait = active > 0.0 ? vcs_sqrt(wait->square / active) : 0.0;
}

static void add_project(vcs_outcome *total, const vcs_project_outcome *project) {
    total->flops_used += project->flops_used;
    total->flops_in_time += project->flops_in_time;
    total->flops_late += project->flops_late;
    total->received += project->received;
    total->ended += project->ended;
    total->in_time += project->in_time;
    total->late += project->late;
    total->calls += project->calls;
    total->failed_calls += project->failed_calls;
    total->master_fetches += project->master_fetches;
    total->failed_masters += project->failed_masters;
}

static double flops_of_host(const vcs_emu_records *records) {
    double flops = 0.0;
    for (uint32_t r = 0; r < records->resource_count; r++) {
        const vcs_resource *resource = &records->resources[r];
        flops += (resource->flags & VCS_RESOURCE_SUSPENDED) != 0 ? 0.0 : resource->instances * resource->flops;
    }
    return flops;
}

/* Waste and idleness are parts of what was reported and what was idle. */
static void find_waste(vcs_outcome *total) {
    double idle = total->flops_available - total->flops_used;
    idle = idle > 1e-12 * total->flops_available ? idle : 0.0; /* below that it is rounding */
    const double all = total->flops_in_time + total->flops_late + idle;
    if (all <= 0.0 || total->in_time + total->late == 0) {
        total->flags |= VCS_UNDEFINED_WASTE;
        return;
    }
    total->waste = total->flops_late / all;
    total->idleness = idle / all;
}

/* Only what was reported counts: a task in progress has not been credited to any project. */
static void find_share_violation(vcs_emu_merit *merit, const vcs_emu_records *records) {
    vcs_outcome *total = &merit->total;
    const double reported = total->flops_in_time + total->flops_late;
    double shares = 0.0, violation = 0.0;
    for (uint32_t i = 0; i < records->project_count; i++) {
        shares += records->projects[i].share;
    }
    if (!(shares > 0.0 && reported > 0.0)) {
        total->flags |= VCS_UNDEFINED_SHARE;
        return;
    }
    for (uint32_t i = 0; i < records->project_count; i++) {
        const vcs_project_outcome *project = &merit->projects[i];
        const double due = reported * (records->projects[i].share / shares);
        const double difference = project->flops_in_time + project->flops_late - due;
        violation += difference < 0.0 ? -difference : difference;
    }
    total->share_violation = violation / (2.0 * reported);
}

static void find_monotony(vcs_emu_merit *merit, uint32_t project_count, double active, double period) {
    const double projects = project_count;
    double waits = 0.0;
    if (project_count == 0 || !(active > 0.0)) {
        merit->total.flags |= VCS_UNDEFINED_MONOTONY;
        return;
    }
    for (uint32_t i = 0; i < project_count; i++) {
        waits += merit->projects[i].mean_wait;
    }
    waits /= projects * projects * period;
    merit->total.monotony = 1.0 - 1.0 / (waits + 1.0);
}

static void find_rpcs_per_job(vcs_outcome *total) {
    const uint64_t reported = total->in_time + total->late;
    if (reported == 0) {
        total->flags |= VCS_UNDEFINED_RPCS;
    } else {
        total->rpcs_per_job = (double)total->calls / (double)reported;
    }
}

void vcs_emu_merit_close(vcs_emu_emulator *e) {
    vcs_emu_merit *merit = &e->merit;
    const vcs_emu_records *records = &e->records;
    const double active = e->clock.active;
    vcs_outcome *total = &merit->total;
    for (uint32_t i = 0; i < records->project_count; i++) {
        find_mean_wait(&merit->projects[i], &merit->waits[i], active);
        add_project(total, &merit->projects[i]);
    }
    total->available_time = active;
    total->flops_available = active * flops_of_host(records);
    find_waste(total);
    find_share_violation(merit, records);
    find_monotony(merit, records->project_count, active, e->setup.parameters.period);
    find_rpcs_per_job(total);
}

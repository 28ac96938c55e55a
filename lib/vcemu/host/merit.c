/*
 * The outcome: counts while the emulation runs, and the figures of merit at its end.
 *
 * Rule 12.2; worked by hand in tests/vcemu/host/test_emulator_merit.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/merit.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"

/* ---- What the processing of tasks was good for ---- */

static void add_use(double *of_cpus, double *of_gpus, double cpus, double gpus, double spent) {
    *of_cpus += cpus * spent;
    if (of_gpus != of_cpus) {
        *of_gpus += gpus * spent;
    }
}

void vcs_emu_merit_waste(vcs_emu_emulator *e, double cpus, uint32_t gpu, double gpus, double spent) {
    vcs_resource_outcome *resources = e->merit->resources;
    add_use(&resources[0].wasted, &resources[gpu].wasted, cpus, gpus, spent);
}

void vcs_emu_merit_in_time(vcs_emu_emulator *e, double cpus, uint32_t gpu, double gpus, double spent) {
    vcs_resource_outcome *resources = e->merit->resources;
    add_use(&resources[0].in_time, &resources[gpu].in_time, cpus, gpus, spent);
}

void vcs_emu_merit_done_late(vcs_emu_emulator *e, double cpus, uint32_t gpu, double gpus, double spent) {
    vcs_resource_outcome *resources = e->merit->resources;
    add_use(&resources[0].done_late, &resources[gpu].done_late, cpus, gpus, spent);
}

/* ---- Waits ---- */

static void end_wait(vcs_emu_wait *wait, double active) {
    const double waited = active - wait->last_ran;
    wait->square += waited * waited * waited / 3.0;
}

void vcs_emu_merit_starts(vcs_emu_emulator *e, uint32_t project) {
    vcs_emu_wait *wait = &e->merit->waits[project];
    e->merit->total.starts++;
    if (wait->running++ == 0) {
        end_wait(wait, e->clock->active);
    }
}

void vcs_emu_merit_stops(vcs_emu_emulator *e, uint32_t project) {
    vcs_emu_wait *wait = &e->merit->waits[project];
    if (--wait->running == 0) {
        wait->last_ran = e->clock->active;
    }
}

/* ---- The figures ---- */

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
    total->done_late += project->done_late;
    total->unreported += project->unreported;
    total->stops += project->stops;
    total->flops_received += project->flops_received;
    total->flops_done_late += project->flops_done_late;
    total->flops_unreported += project->flops_unreported;
}

/* A remainder of rounding counts as nothing. */
static double idle_part(double available, double used) {
    return available - used > 1e-12 * available ? (available - used) / available : 0.0;
}

static void find_waste(vcs_emu_emulator *e) {
    vcs_outcome *total = &e->merit->total;
    double available = 0.0, used = 0.0, wasted = 0.0;
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        vcs_resource_outcome *outcome = &e->merit->resources[r];
        if (outcome->available > 0.0) {
            outcome->idleness = idle_part(outcome->available, outcome->used);
            outcome->waste = vcs_min(outcome->wasted / outcome->available, 1.0);
        }
        available += outcome->available;
        used += outcome->used;
        wasted += outcome->wasted;
    }
    if (available > 0.0) {
        total->idleness = idle_part(available, used);
        total->waste = vcs_min(wasted / available, 1.0);
    } else {
        total->flags |= VCS_UNDEFINED_WASTE;
    }
}

/* The study's waste and idleness are parts of reported plus idle operations. */
static void find_study_waste(vcs_outcome *total) {
    const double idle = idle_part(total->flops_available, total->flops_used) * total->flops_available;
    const double all = total->flops_in_time + total->flops_late + idle;
    if (all <= 0.0 || total->in_time + total->late == 0) {
        total->flags |= VCS_UNDEFINED_STUDY;
        return;
    }
    total->study_waste = total->flops_late / all;
    total->study_idleness = idle / all;
}

/* Finds how far work is from the shares: all work, or only what was reported. Returns whether there is any work. */
static bool find_share_violation(const vcs_emu_emulator *e, bool reported, double work, double *violation) {
    double shares = 0.0, sum = 0.0;
    for (uint32_t i = 0; i < e->records->project_count; i++) {
        shares += e->records->projects[i].share;
    }
    if (!(shares > 0.0 && work > 0.0)) {
        return false;
    }
    for (uint32_t i = 0; i < e->records->project_count; i++) {
        const vcs_project_outcome *project = &e->merit->projects[i];
        const double done = reported ? project->flops_in_time + project->flops_late : project->flops_used;
        const double difference = done - work * (e->records->projects[i].share / shares);
        sum += difference < 0.0 ? -difference : difference;
    }
    *violation = sum / (2.0 * work);
    return true;
}

static void find_monotony(vcs_emu_merit *merit, uint32_t project_count, double active, double period) {
    const double projects = project_count;
    double waits = 0.0;
    if (project_count == 0 || !(active > 0.0)) {
        merit->total.flags |= VCS_UNDEFINED_MONOTONY;
        return;
    }
    if (project_count == 1) {
        return; /* a project alone waits for work, not for another's turn */
    }
    for (uint32_t i = 0; i < project_count; i++) {
        waits += merit->projects[i].mean_wait;
    }
    waits /= projects * projects * period;
    merit->total.monotony = 1.0 - 1.0 / (waits + 1.0);
}

void vcs_emu_merit_close(vcs_emu_emulator *e) {
    vcs_emu_merit *merit = e->merit;
    const vcs_emu_records *records = e->records;
    const double active = e->clock->active;
    vcs_outcome *total = &merit->total;
    double flops = 0.0; /* per second */
    for (uint32_t i = 0; i < records->project_count; i++) {
        vcs_emu_wait *wait = &merit->waits[i];
        if (wait->running == 0) {
            end_wait(wait, active);
        }
        merit->projects[i].id = records->projects[i].id;
        merit->projects[i].mean_wait = active > 0.0 ? vcs_sqrt(wait->square / active) : 0.0;
        add_project(total, &merit->projects[i]);
    }
    for (uint32_t r = 0; r < records->resource_count; r++) {
        const bool is_usable = (records->resources[r].flags & VCS_RESOURCE_SUSPENDED) == 0;
        const double instances = is_usable ? records->resources[r].instances : 0.0;
        flops += instances * records->resources[r].flops;
        merit->resources[r].available = active * instances;
        merit->resources[r].off = (e->setup->emulation.duration - active) * instances;
    }
    total->available_time = active;
    total->flops_available = active * flops;
    find_waste(e);
    find_study_waste(total);
    if (!find_share_violation(e, false, total->flops_used, &total->share_violation)) {
        total->flags |= VCS_UNDEFINED_SHARE;
    }
    const double reported_flops = total->flops_in_time + total->flops_late;
    if (!find_share_violation(e, true, reported_flops, &total->study_share_violation)) {
        total->flags |= VCS_UNDEFINED_STUDY_SHARE; /* the study credits no project for a task in progress */
    }
    find_monotony(merit, records->project_count, active, e->setup->parameters.period);
    const uint64_t reported = total->in_time + total->late;
    if (reported == 0) {
        total->flags |= VCS_UNDEFINED_RPCS;
    } else {
        total->rpcs_per_job = (double)total->calls / (double)reported;
        total->stops_per_job = (double)total->stops / (double)reported;
    }
}

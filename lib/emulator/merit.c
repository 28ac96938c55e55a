/* Rule 12.2; worked by hand in tests/emulator/test_emulator.c. SPDX-License-Identifier: MIT */
#include "emulator/merit.h"

#include "core/number.h"

int vcs_emu_merit_open(vcs_emu_merit *merit, vcs_emu_memory *memory, const vcs_emu_records *records) {
    merit->projects = vcs_emu_allocate(memory, records->project_count, sizeof *merit->projects);
    merit->waits = vcs_emu_allocate(memory, records->project_count, sizeof *merit->waits);
    for (uint32_t i = 0; !memory->failed && i < records->project_count; i++) {
        merit->projects[i].id = records->projects[i].id;
    }
    return memory->failed ? VCS_ERR_MEMORY : VCS_OK;
}

/* ---- Waits ---- */

static void end_wait(vcs_emu_wait *wait, double active) {
    const double waited = active - wait->last_ran;
    wait->square += waited * waited * waited / 3.0;
}

void vcs_emu_merit_starts(vcs_emu_merit *merit, uint32_t project, double active) {
    if (merit->waits[project].running++ == 0) {
        end_wait(&merit->waits[project], active);
    }
}

void vcs_emu_merit_stops(vcs_emu_merit *merit, uint32_t project, double active) {
    if (--merit->waits[project].running == 0) {
        merit->waits[project].last_ran = active;
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

void vcs_emu_merit_close(vcs_emu_merit *merit, const vcs_emu_records *records, const vcs_emu_clock *clock) {
    vcs_outcome *total = &merit->total;
    for (uint32_t i = 0; i < records->project_count; i++) {
        find_mean_wait(&merit->projects[i], &merit->waits[i], clock->active);
        add_project(total, &merit->projects[i]);
    }
    total->available_time = clock->active;
    total->flops_available = clock->active * flops_of_host(records);
    find_waste(total);
    find_share_violation(merit, records);
    find_monotony(merit, records->project_count, clock->active, clock->setup->parameters.period);
    find_rpcs_per_job(total);
}

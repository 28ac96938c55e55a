/* The figures of merit (rule 12.2). SPDX-License-Identifier: MIT */
#include "core/number.h"
#include "emulator/emulator.h"

void vcs_merit_runs(vcs_emulator *e, uint32_t project) {
    vcs_true_project *truth = &e->true_projects[project];
    if (truth->running++ == 0) {
        double waited = e->clock.active - truth->last_ran;
        truth->wait_square += waited * waited * waited / 3.0;
    }
}

void vcs_merit_waits(vcs_emulator *e, uint32_t project) {
    vcs_true_project *truth = &e->true_projects[project];
    if (--truth->running == 0) {
        truth->last_ran = e->clock.active;
    }
}

/* A project that does not run at the end has waited until then. */
static void close_waits(vcs_emulator *e) {
    for (uint32_t i = 0; i < e->snapshot.projects.count; i++) {
        vcs_true_project *truth = &e->true_projects[i];
        if (truth->running == 0) {
            double waited = e->clock.active - truth->last_ran;
            truth->wait_square += waited * waited * waited / 3.0;
        }
        truth->outcome.mean_wait = e->clock.active > 0.0 ? vcs_sqrt(truth->wait_square / e->clock.active) : 0.0;
    }
}

static double flops_of_host(const vcs_emulator *e) {
    double flops = 0.0;
    for (uint32_t i = 0; i < e->snapshot.resources.count; i++) {
        int suspended = (e->resources[i].flags & VCS_RESOURCE_SUSPENDED) != 0;
        flops += suspended ? 0.0 : e->resources[i].instances * e->resources[i].flops;
    }
    return flops;
}

static void add_up(vcs_emulator *e) {
    vcs_outcome *outcome = &e->outcome;
    for (uint32_t i = 0; i < e->snapshot.projects.count; i++) {
        const vcs_project_outcome *project = &e->true_projects[i].outcome;
        outcome->flops_used += project->flops_used;
        outcome->flops_in_time += project->flops_in_time;
        outcome->flops_late += project->flops_late;
        outcome->received += project->received;
        outcome->ended += project->ended;
        outcome->in_time += project->in_time;
        outcome->late += project->late;
        outcome->calls += project->calls;
        outcome->failed_calls += project->failed_calls;
        outcome->master_fetches += project->master_fetches;
        outcome->failed_masters += project->failed_masters;
    }
    outcome->available_time = e->clock.active;
    outcome->flops_available = e->clock.active * flops_of_host(e);
}

/* Waste and idleness are parts of what was reported and what lay idle. */
static void find_waste(vcs_outcome *outcome) {
    double idle = outcome->flops_available - outcome->flops_used;
    idle = idle > 1e-12 * outcome->flops_available ? idle : 0.0; /* below that it is rounding */
    double all = outcome->flops_in_time + outcome->flops_late + idle;
    if (all <= 0.0 || outcome->in_time + outcome->late == 0) {
        outcome->flags |= VCS_UNDEFINED_WASTE;
        return;
    }
    outcome->waste = outcome->flops_late / all;
    outcome->idleness = idle / all;
}

/* What a project was reported to have done (rule 12.2): a task under way has not been credited to anybody. */
static double flops_reported(const vcs_project_outcome *outcome) {
    return outcome->flops_in_time + outcome->flops_late;
}

static void find_share_violation(vcs_emulator *e) {
    vcs_outcome *outcome = &e->outcome;
    const double reported = outcome->flops_in_time + outcome->flops_late;
    double shares = 0.0, violation = 0.0;
    for (uint32_t i = 0; i < e->snapshot.projects.count; i++) {
        shares += e->projects[i].share;
    }
    if (!(shares > 0.0 && reported > 0.0)) {
        outcome->flags |= VCS_UNDEFINED_SHARE;
        return;
    }
    for (uint32_t i = 0; i < e->snapshot.projects.count; i++) {
        const double due = reported * (e->projects[i].share / shares);
        const double difference = flops_reported(&e->true_projects[i].outcome) - due;
        violation += difference < 0.0 ? -difference : difference;
    }
    outcome->share_violation = violation / (2.0 * reported);
}

static void find_monotony(vcs_emulator *e) {
    const double projects = e->snapshot.projects.count;
    double waits = 0.0;
    if (e->snapshot.projects.count == 0 || !(e->clock.active > 0.0)) {
        e->outcome.flags |= VCS_UNDEFINED_MONOTONY;
        return;
    }
    for (uint32_t i = 0; i < e->snapshot.projects.count; i++) {
        waits += e->true_projects[i].outcome.mean_wait;
    }
    waits /= projects * projects * e->parameters.period;
    e->outcome.monotony = 1.0 - 1.0 / (waits + 1.0);
}

void vcs_merit(vcs_emulator *e) {
    vcs_outcome *outcome = &e->outcome;
    close_waits(e);
    add_up(e);
    find_waste(outcome);
    find_share_violation(e);
    find_monotony(e);
    const uint64_t reported = outcome->in_time + outcome->late;
    if (reported == 0) {
        outcome->flags |= VCS_UNDEFINED_RPCS;
    } else {
        outcome->rpcs_per_job = (double)outcome->calls / (double)reported;
    }
}

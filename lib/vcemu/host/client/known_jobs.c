/*
 * What the client remembers of the work that each project has sent.
 *
 * Rules 15.5, 15.6; worked by hand in tests/vcemu/host/test_emulator_known_jobs.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/known_jobs.h"

#include "vcemu/host/client/accounts.h"
#include "vcemu/host/records.h"

/* Until so many jobs have ended, their spread is taken for the first guess. */
#define ENOUGH_JOBS 5.0
#define FIRST_SPREAD 0.2
#define GREATEST_SPREAD 1000.0

static size_t place_of(const vcs_emu_emulator *e, const vcs_task *task) {
    return vcs_emu_first_of(e, task->project) + task->gpu;
}

static double instances_of(const vcs_task *task) {
    return task->gpu != 0 ? task->gpus : task->cpus;
}

void vcs_emu_know_job(vcs_emu_emulator *e, const vcs_task *job, double latency_bound) {
    vcs_project_resource *record = &e->records->project_resources[place_of(e, job)];
    record->job_seconds = job->remaining;
    record->job_bound = vcs_min(latency_bound, VCS_MAX_SECONDS);
    if (e->accounts->known_jobs[place_of(e, job)].count < ENOUGH_JOBS && !(record->job_spread > 0.0)) {
        record->job_spread = FIRST_SPREAD;
    }
}

void vcs_emu_book_job(vcs_emu_emulator *e, const vcs_task *job, vcs_emu_true_task *truth) {
    truth->booked = job->remaining * instances_of(job);
    e->records->project_resources[place_of(e, job)].received += truth->booked;
}

/* What was at hand from the start was never booked, and no server has said what it needs. */
static void learn_spread(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    struct vcs_emu_known_jobs *known = &e->accounts->known_jobs[place_of(e, task)];
    if (truth->app == VCS_NONE || !(truth->est_flops > 0.0)) {
        return;
    }
    const double ratio = truth->total * truth->speed / truth->est_flops;
    known->count++;
    known->ratios += ratio;
    known->squares += ratio * ratio;
    if (known->count >= ENOUGH_JOBS) {
        const double mean = known->ratios / known->count;
        const double variance = vcs_max(known->squares / known->count - mean * mean, 0.0);
        const double spread = mean > 0.0 ? vcs_sqrt(variance) / mean : 0.0;
        e->records->project_resources[place_of(e, task)].job_spread = vcs_min(spread, GREATEST_SPREAD);
    }
}

void vcs_emu_settle_job(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    if (truth->booked > 0.0) {
        e->records->project_resources[place_of(e, task)].received += truth->total * instances_of(task) - truth->booked;
    }
    learn_spread(e, task, truth);
}

void vcs_emu_unbook_job(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    e->records->project_resources[place_of(e, task)].received -= truth->booked;
}

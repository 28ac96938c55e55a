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

/* So many jobs of a project tell their spread; until then so many of all projects do, and until then it is guessed. */
#define ENOUGH_JOBS 5.0
#define FIRST_SPREAD 0.2
#define GREATEST_SPREAD 1000.0

static size_t place_of(const vcs_emu_emulator *e, const vcs_task *task) {
    return vcs_emu_first_of(e, task->project) + task->gpu;
}

static double instances_of(const vcs_task *task) {
    return task->gpu != 0 ? task->gpus : task->cpus;
}

/* The sum of squares of the relative deviations from the project's own mean; 0 for one job, or none. */
static double deviations(const struct vcs_emu_known_jobs *known) {
    const double mean = known->count > 0.0 ? known->ratios / known->count : 0.0;
    return mean > 0.0 ? vcs_max(known->squares / (mean * mean) - known->count, 0.0) : 0.0;
}

static double spread_from(double sum, double count) {
    return vcs_min(vcs_sqrt(sum / count), GREATEST_SPREAD);
}

/* The spread of jobs of a project of which too few have ended: that of all projects' jobs, each about its own mean. */
static double usual_spread(const vcs_emu_emulator *e) {
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < e->records->snapshot.project_resources.count; i++) {
        const struct vcs_emu_known_jobs *known = &e->accounts->known_jobs[i];
        sum += deviations(known);
        count += vcs_max(known->count - 1.0, 0.0);
    }
    return count >= ENOUGH_JOBS ? spread_from(sum, count) : FIRST_SPREAD;
}

void vcs_emu_know_job(vcs_emu_emulator *e, const vcs_task *job, double latency_bound) {
    vcs_project_resource *record = &e->records->project_resources[place_of(e, job)];
    record->job_seconds = job->remaining;
    record->job_bound = vcs_min(latency_bound, VCS_MAX_SECONDS);
    if (e->accounts->known_jobs[place_of(e, job)].count < ENOUGH_JOBS) {
        record->job_spread = usual_spread(e);
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
    const double usual = usual_spread(e);
    for (size_t i = 0; i < e->records->snapshot.project_resources.count; i++) {
        const struct vcs_emu_known_jobs *of = &e->accounts->known_jobs[i];
        vcs_project_resource *record = &e->records->project_resources[i];
        if (of->count >= ENOUGH_JOBS) {
            record->job_spread = spread_from(deviations(of), of->count);
        } else if (record->job_seconds > 0.0) {
            record->job_spread = usual;
        }
    }
}

uint64_t vcs_emu_jobs_before(const vcs_emu_emulator *e, const vcs_task *task) {
    const double count = e->accounts->known_jobs[place_of(e, task)].count;
    return count > 0.0 ? (uint64_t)count - 1 : 0;
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

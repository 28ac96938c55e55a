/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "known_work.h"
#include "log.h"

/* Until so many tasks have ended, the spread of their sizes is taken to be this. */
#define ENOUGH_TASKS 5
#define FIRST_SPREAD 0.2
#define GREATEST_SPREAD 1000.0

void known_work_begin(const struct client *client, struct project *project) {
    double least = INFINITY;
    for (const struct project *other = client->projects; other != NULL; other = other->next) {
        if (other != project && other->share > 0) {
            least = fmin(least, other->known.received / other->share);
        }
    }
    project->known.received = isfinite(least) ? least * project->share : 0;
}

static void note_job(struct project *project, double seconds, double latency_bound) {
    project->known.job_seconds = fmin(fmax(seconds, 0), VCS_MAX_SECONDS);
    project->known.job_bound = fmin(fmax(latency_bound, 0), VCS_MAX_SECONDS);
}

void known_work_arrived(const struct client *client, struct project *project, struct task *task) {
    const double seconds = task_remaining(client, task);
    task->booked = seconds * task->version->cpus;
    project->known.received += task->booked;
    note_job(project, seconds, task->deadline - client->now);
}

void known_work_refused(const struct client *client, struct project *project, double est_flops, double latency_bound) {
    double correction = 0;
    for (const struct app *app = project->apps; app != NULL && client->policy.use_dcf; app = app->next) {
        correction = fmax(correction, app->correction.dcf);
    }
    note_job(project, est_flops / client->flops * (correction > 0 ? correction : 1), latency_bound);
    say(project->name, "refuses a job of %.0f s that is due %.0f s after it is sent", project->known.job_seconds,
        project->known.job_bound);
}

static void learn_spread(struct known_work *known, const struct task *task) {
    const double estimate = task->unit->est_flops / task->version->flops;
    if (estimate > 0) {
        const double ratio = task->progress.elapsed / estimate;
        known->tasks++;
        known->ratios += ratio;
        known->squares += ratio * ratio;
    }
}

void known_work_ended(struct project *project, struct task *task) {
    if (task->booked > 0) {
        const bool is_given_up = task->exit_status == EXIT_NOT_IN_TIME;
        project->known.received += (is_given_up ? 0 : task->progress.elapsed * task->version->cpus) - task->booked;
    }
    task->booked = 0;
    if (task->result_state == RESULT_UPLOADED) {
        learn_spread(&project->known, task);
    }
}

double known_work_spread(const struct project *project) {
    const struct known_work *known = &project->known;
    if (known->tasks < ENOUGH_TASKS) {
        return FIRST_SPREAD;
    }
    const double mean = known->ratios / known->tasks;
    const double variance = fmax(known->squares / known->tasks - mean * mean, 0);
    return mean > 0 ? fmin(sqrt(variance) / mean, GREATEST_SPREAD) : 0;
}

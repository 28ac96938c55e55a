/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/owed.h"

#include "vcsched/chance/admit_by_chance.h"
#include "vcsched/host/load.h"

/* A request reaches this much further than what the project is owed by now, s of its share. */
#define AHEAD (6 * 86400.0)
/* Jobs that must be owed before one is asked for that suffers from waiting, while no instance is idle. */
#define JOBS_OWED 4.0
/* While its server's limit keeps a project below its share, others leave this part of the additional buffer empty. */
#define LEFT_TO_LIMITED 0.75
/* In a call that is made anyway, at least this part of a job must be wanted. */
#define PART_OF_JOB 0.5
/* Results that wait to be reported let a project go first, more of them only up to this many. */
#define MOST_UNREPORTED 3u
/* While waiting work is in the way, look again after this time, s. */
#define LOOK_AGAIN 600.0

/* The order of projects: backup projects, then those whose jobs are too unlikely, then the others. */
enum { TIER_BACKUP = 0, TIER_UNLIKELY = 1, TIER_OWED = 2 };

static vcs_survey_owed_part *part_of(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    return &survey->owed[of - survey->project_resources];
}

/* ---- What a job more of a project would meet ---- */

static int64_t use_of(const vcs_survey_project_resource *of) {
    return of->widest > 0 ? of->widest : VCS_ONE;
}

static int is_too_unlikely(const vcs_survey_owed_part *part) {
    return part->admission == VCS_REASON_SMALL_CHANCE || part->is_behind;
}

/* Whether the job would lose too much of its chance behind all the work at hand. */
static uint32_t suffers_from_waiting(const vcs_survey *survey, const vcs_chance_job *job, const vcs_admit_terms *terms,
                                double chance) {
    const vcs_survey_resource *resource = &survey->resources[job->resource];
    const double all = vcs_chances_work(&survey->chances, job->resource) / vcs_instances(resource->prepared->capacity);
    const vcs_workload behind_all = {vcs_min(all, VCS_MAX_SECONDS), job->remaining, job->spread};
    return (terms->flags & VCS_ADMIT_IDLE) == 0 &&
           vcs_chance_of_workload(behind_all, terms->window, (vcs_mean_spells){terms->on, terms->off}) <
               chance - terms->max_loss;
}

/* A project whose jobs are not known yet may be asked. */
static void look_at_job(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    vcs_survey_owed_part *part = part_of(survey, of);
    const size_t place = (size_t)(of - survey->project_resources);
    vcs_chance_job job;
    *part = (vcs_survey_owed_part){.admission = VCS_REASON_LIKELY, .chance = 1.0};
    if (!vcs_chance_last_job(survey->state, place, use_of(of), &job)) {
        return;
    }
    const vcs_admit_terms terms = vcs_chances_terms(&survey->chances, &job);
    vcs_job_chances chances;
    part->admission = vcs_admit_reason(&terms, &chances);
    part->chance = chances.at_once;
    part->is_behind = chances.at_once < terms.best - terms.below_best;
    part->job = job.remaining * vcs_instances(job.units);
    part->begins = of->resource->free_units > 0 && terms.wait == 0.0;
    part->suffers = suffers_from_waiting(survey, &job, &terms, chances.at_once);
}

/* ---- What it is owed ---- */

/* What counts towards its share: seconds on the resource with local accounting, else operations on all. */
static double received_by(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    double flops = 0.0;
    if (vcs_is_local(survey->parameters)) {
        return of->record->received;
    }
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        flops += of->project->project_resources[r].record->received * survey->resources[r].prepared->flops;
    }
    return flops;
}

/* What one second on an instance counts in the same measure. */
static double weight_of(const vcs_survey *survey, const vcs_survey_resource *resource) {
    return vcs_is_local(survey->parameters) ? 1.0 : resource->prepared->flops;
}

static int shares_in(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    return of->project->record->share > 0.0 && !of->closed && !is_too_unlikely(part_of(survey, of));
}

/*
 * A project is owed its share of all that was sent, with what is lacking now, less what it was sent. The sums run over
 * the projects that could be asked for the resource.
 */
static void find_owed(const vcs_survey *survey, uint32_t resource) {
    const vcs_survey_resource *on = &survey->resources[resource];
    const uint32_t *by_id = vcs_project_order(survey->state);
    const double usable = on->prepared->usable, weight = weight_of(survey, on);
    double received = on->forecast->shortfall * usable * weight, shares = 0.0;
    for (uint32_t i = 0; i < survey->project_count; i++) {
        const vcs_survey_project_resource *of = &survey->projects[by_id[i]].project_resources[resource];
        if (shares_in(survey, of)) {
            received += received_by(survey, of);
            shares += of->project->record->share;
        }
    }
    const double pace = vcs_instances(on->prepared->capacity) * usable;
    for (uint32_t p = 0; p < survey->project_count; p++) {
        const vcs_survey_project_resource *of = &survey->projects[p].project_resources[resource];
        const double share = of->project->record->share, fraction = shares > 0.0 ? vcs_min(share / shares, 1.0) : 1.0;
        vcs_survey_owed_part *part = part_of(survey, of);
        part->due = (fraction * received - received_by(survey, of)) / weight;
        part->wanted = part->due + fraction * AHEAD * pace;
        part->least = fraction * on->forecast->shortfall * usable;
        part->by_share = share > 0.0 ? received_by(survey, of) / share : 0.0;
    }
}

/*
 * What a project at its server's limit is owed at most. It gets a few jobs at a time, which begin when all that came
 * before them has: behind a full buffer of others' work it would have those few in each length of the buffer.
 */
static double most_owed_at_limit(const vcs_survey *survey, const vcs_survey_resource *resource) {
    double most = 0.0;
    for (uint32_t p = 0; p < survey->project_count; p++) {
        const vcs_survey_project_resource *of = &survey->projects[p].project_resources[resource - survey->resources];
        const int is_at_limit = (of->record->flags & VCS_PROJECT_RESOURCE_SERVER_LIMIT) != 0;
        if (is_at_limit && shares_in(survey, of) && part_of(survey, of)->due > part_of(survey, of)->job) {
            most = vcs_max(most, part_of(survey, of)->due);
        }
    }
    return most;
}

/* ---- When ---- */

/* Why it should not be asked while no instance is idle, or VCS_REASON_NONE. */
static uint32_t reason_to_wait(const vcs_survey_owed_part *part) {
    if (is_too_unlikely(part)) {
        return part->admission == VCS_REASON_SMALL_CHANCE ? VCS_REASON_SMALL_CHANCE : VCS_REASON_SMALLER_CHANCE;
    }
    if (!vcs_is_taken(part->admission)) {
        return part->admission;
    }
    return part->suffers && part->due <= JOBS_OWED * part->job ? VCS_REASON_WAIT_COSTS : VCS_REASON_NONE;
}

/* Whether the moment at which a part of the resource is free should be used for it: its jobs suffer from waiting. */
static int is_for_free(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const vcs_survey_owed_part *part = part_of(survey, of);
    return of->project->record->share > 0.0 && of->obstacle == VCS_REASON_NONE && part->begins && part->suffers &&
           reason_to_wait(part) == VCS_REASON_NONE;
}

/* A task that waits would take what is free, and run on; so that is reason enough to call. */
static void find_calls_for_free(vcs_survey *survey, vcs_survey_resource *resource, uint32_t r) {
    resource->is_call_for_free = 0;
    for (uint32_t p = 0; p < survey->project_count && resource->wanted && !resource->in_need; p++) {
        resource->in_need = (uint32_t)is_for_free(survey, &survey->projects[p].project_resources[r]);
        resource->is_call_for_free = resource->in_need;
    }
}

void vcs_find_free(vcs_survey *survey) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        survey->resources[r].free_units = survey->resources[r].prepared->capacity;
    }
    for (uint32_t i = 0; i < survey->state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(survey->state)[i];
        vcs_survey_resource *resource = &survey->resources[task->resource];
        if ((task->flags & VCS_TASK_RUNNING) != 0 && task->takes_part) {
            resource->free_units = vcs_max_i64(resource->free_units - vcs_use_of(task), 0);
        }
    }
}

void vcs_survey_owed(vcs_survey *survey) {
    const size_t count = (size_t)survey->project_count * survey->resource_count;
    vcs_chances_begin(&survey->chances, survey->state);
    for (size_t i = 0; i < count; i++) {
        look_at_job(survey, &survey->project_resources[i]);
    }
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        find_owed(survey, r);
        survey->resources[r].owed_at_limit = most_owed_at_limit(survey, &survey->resources[r]);
        find_calls_for_free(survey, &survey->resources[r], r);
    }
}

/* ---- The order ---- */

void vcs_rank_by_owed(const vcs_survey *survey, const vcs_survey_project_resource *of, vcs_rank_key *key) {
    const vcs_survey_owed_part *part = part_of(survey, of);
    if (!(of->project->record->share > 0.0)) {
        key->tier = TIER_BACKUP;
    } else if (is_too_unlikely(part)) {
        key->tier = TIER_UNLIKELY;
        key->priority = part->chance;
    } else {
        const uint32_t unreported = of->project->record->unreported;
        const uint32_t counted = unreported < MOST_UNREPORTED ? unreported : MOST_UNREPORTED;
        key->tier = TIER_OWED + (part->due > 0.0 ? counted : 0);
        key->priority = -part->by_share;
    }
}

/* ---- How much ---- */

static vcs_survey_request nothing(uint32_t reason) {
    return (vcs_survey_request){0.0, 0.0, reason, 0};
}

vcs_survey_request vcs_request_by_owed(const vcs_survey *survey, const vcs_survey_project_resource *of,
                                       const vcs_survey_lack *lack) {
    const vcs_survey_owed_part *part = part_of(survey, of);
    const uint32_t reason = lack->idle > 0.0 ? VCS_REASON_NONE : reason_to_wait(part);
    if (reason != VCS_REASON_NONE) {
        return nothing(reason);
    }
    if (of->resource->is_call_for_free && survey->called == NULL && !is_for_free(survey, of)) {
        return nothing(VCS_REASON_ENOUGH);
    }
    double wanted = part->wanted, lacking = lack->shortfall;
    const uint32_t instances = of->resource->prepared->instances;
    if (of->resource->owed_at_limit > vcs_max(part->due, 0.0)) {
        wanted = survey->called == NULL ? vcs_max(wanted, part->least) : wanted;
        lacking = vcs_max(lacking - LEFT_TO_LIMITED * survey->parameters->additional_buffer * instances, 0.0);
    }
    const double room = lacking * ((double)of->allowed / instances);
    const double seconds = vcs_min(wanted / of->resource->prepared->usable, room);
    if (survey->called != NULL && seconds * of->resource->prepared->usable < PART_OF_JOB * part->job) {
        return nothing(VCS_REASON_NO_SHARE_LEFT);
    }
    return (vcs_survey_request){vcs_max(seconds, 1.0), lack->idle, VCS_REASON_ASKED, 0};
}

double vcs_until_owed(const vcs_survey *survey, const vcs_survey_project_resource *of, const vcs_survey_lack *lack) {
    const double idle_from = vcs_max(lack->saturated, VCS_LEAST_WAIT);
    return is_too_unlikely(part_of(survey, of)) ? idle_from : vcs_min(idle_from, LOOK_AGAIN);
}

/* SPDX-License-Identifier: MIT */
#include "fetch/fetch.h"

/* Whether a project could be asked for some resource. */
static int could_be_asked(const vcs_fetch_work *work, const vcs_fetch_project *project) {
    for (uint32_t r = 0; r < work->resource_count; r++) {
        if (work->resources[r].decided && project->project_resources[r].obstacle == VCS_REASON_NONE) {
            return 1;
        }
    }
    return 0;
}

static int is_local(const vcs_fetch_work *work) {
    return work->parameters->accounting == VCS_ACCOUNTING_LOCAL;
}

static double rec_of(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    return is_local(work) ? pair->record->rec : pair->project->record->rec;
}

/* The sums run over the projects that could be asked: with local accounting for the resource, else for any. */
static void add_up(const vcs_fetch_work *work, uint32_t resource) {
    const uint32_t *by_id = vcs_project_order(work->state);
    vcs_priority_sums sums = {0};
    for (uint32_t i = 0; i < work->project_count; i++) {
        const vcs_fetch_project *project = &work->projects[by_id[i]];
        const vcs_fetch_pair *pair = &project->project_resources[resource];
        if (is_local(work) ? pair->obstacle == VCS_REASON_NONE : could_be_asked(work, project)) {
            vcs_sums_add(&sums, rec_of(work, pair), project->record->share);
        }
    }
    vcs_sums_close(&sums, 0.0, 0.0);
    work->resources[resource].sums = sums;
}

static void add_up_all(const vcs_fetch_work *work) {
    add_up(work, 0);
    for (uint32_t r = 1; r < work->resource_count; r++) {
        if (is_local(work)) {
            add_up(work, r);
        } else {
            work->resources[r].sums = work->resources[0].sums;
        }
    }
}

/* Peak speed of what the queue is measured against: the resource with local accounting, else the host. */
static double peak_flops(const vcs_fetch_work *work, uint32_t resource) {
    const vcs_prepared_resource *resources = vcs_resources(work->state);
    double flops = 0.0;
    if (is_local(work)) {
        return resources[resource].instances * resources[resource].flops;
    }
    for (uint32_t r = 0; r < work->resource_count; r++) {
        flops += resources[r].instances * resources[r].flops;
    }
    return flops;
}

/* Scheduling priority, lowered by the part of a whole buffer that the project has queued (rule 6.3). */
static double priority_for_fetch(const vcs_fetch_work *work, const vcs_fetch_pair *pair, double flops) {
    const double queued = is_local(work) ? pair->queued_flops : pair->project->queued_flops;
    const double share = pair->project->record->share;
    return vcs_scheduling_priority(&pair->resource->sums, rec_of(work, pair), 0.0, share) -
           queued / (vcs_fetch_reach(work) * flops);
}

static vcs_rank_key key_of(const vcs_fetch_work *work, const vcs_fetch_pair *pair, double flops) {
    const vcs_project *project = pair->project->record;
    const uint32_t rule = work->parameters->ranking;
    vcs_rank_key key = {0.0, project->id, project->priority_class, project->share > 0.0};
    if (rule == VCS_RANK_RESOURCE_DEBT) {
        vcs_rank_by_resource_debt(&key, project->share, project->exp_avg_cpu);
    } else if (rule == VCS_RANK_DEBT) {
        key.priority = project->long_term_debt;
    } else {
        key.priority = priority_for_fetch(work, pair, flops);
    }
    key.priority += 0.0; /* -0 becomes 0 */
    return key;
}

void vcs_fetch_rank(vcs_fetch_work *work) {
    add_up_all(work);
    for (uint32_t r = 0; r < work->resource_count; r++) {
        const double flops = peak_flops(work, r);
        for (uint32_t p = 0; p < work->project_count; p++) {
            vcs_fetch_pair *pair = &work->projects[p].project_resources[r];
            pair->key = key_of(work, pair, flops);
        }
    }
}

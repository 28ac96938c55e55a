/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/rank.h"

#include "vcsched/fetch/owed.h"
#include "vcsched/host/load.h"

/* Whether a project could be asked for some resource. */
static int could_be_asked(const vcs_survey *survey, const vcs_survey_project *project) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        if (survey->resources[r].decided && project->project_resources[r].obstacle == VCS_REASON_NONE) {
            return 1;
        }
    }
    return 0;
}

static double rec_of(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    return vcs_is_local(survey->parameters) ? of->record->rec : of->project->record->rec;
}

/* The sums run over the projects that could be asked: with local accounting for the resource, else for any. */
static void add_up(const vcs_survey *survey, uint32_t resource) {
    const uint32_t *by_id = vcs_project_order(survey->state);
    vcs_priority_sums sums = {0};
    for (uint32_t i = 0; i < survey->project_count; i++) {
        const vcs_survey_project *project = &survey->projects[by_id[i]];
        const vcs_survey_project_resource *of = &project->project_resources[resource];
        if (vcs_is_local(survey->parameters) ? of->obstacle == VCS_REASON_NONE : could_be_asked(survey, project)) {
            vcs_sums_add(&sums, rec_of(survey, of), project->record->share);
        }
    }
    vcs_sums_close(&sums, 0.0, 0.0);
    survey->resources[resource].sums = sums;
}

/* Peak speed by which the queue is measured: of the resource with local accounting, else of the host. */
static double peak_flops(const vcs_survey *survey, uint32_t resource) {
    const vcs_prepared_resource *resources = vcs_resources(survey->state);
    double flops = 0.0;
    if (vcs_is_local(survey->parameters)) {
        return resources[resource].instances * resources[resource].flops;
    }
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        flops += resources[r].instances * resources[r].flops;
    }
    return flops;
}

static vcs_rank_key key_of(const vcs_survey *survey, const vcs_survey_project_resource *of, double flops) {
    const vcs_project *project = of->project->record;
    const uint32_t rule = survey->parameters->ranking;
    vcs_rank_key key = {0.0, project->id, project->priority_class, project->share > 0.0};
    if (survey->is_owed) {
        vcs_rank_by_owed(survey, of, &key);
    } else if (rule == VCS_RANK_RESOURCE_DEBT) {
        vcs_rank_by_resource_debt(&key, project->share, project->exp_avg_cpu);
    } else if (rule == VCS_RANK_DEBT) {
        key.priority = project->long_term_debt;
    } else { /* scheduling priority, lowered by the part of a whole buffer that the project has queued (rule 6.3) */
        const double queued = vcs_is_local(survey->parameters) ? of->queued_flops : of->project->queued_flops;
        key.priority = vcs_scheduling_priority(&of->resource->sums, rec_of(survey, of), 0.0, project->share) -
                       queued / (vcs_buffer_to_fill(survey) * flops);
    }
    key.priority += 0.0; /* -0 becomes 0 */
    return key;
}

void vcs_rank_survey(vcs_survey *survey) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        if (r == 0 || vcs_is_local(survey->parameters)) {
            add_up(survey, r);
        } else {
            survey->resources[r].sums = survey->resources[0].sums;
        }
        const double flops = peak_flops(survey, r);
        for (uint32_t p = 0; p < survey->project_count; p++) {
            vcs_survey_project_resource *of = &survey->projects[p].project_resources[r];
            of->key = key_of(survey, of, flops);
        }
    }
}

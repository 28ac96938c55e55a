/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/next_check.h"

#include "vcsched/fetch/need.h"
#include "vcsched/fetch/owed.h"
#include "vcsched/fetch/request.h"
#include "vcsched/fetch/study.h"

static int is_paused(const vcs_survey *survey, const vcs_survey_resource *resource) {
    return (vcs_resource_records(survey->state)[resource - survey->resources].flags & VCS_RESOURCE_PAUSED) != 0;
}

/* When there will be something to ask a project for, s from now; 0 = there is now. */
static double until_request(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const int has_reason = (of->resource->in_need && !of->has_enough) || of->for_left;
    if (has_reason && of->request.seconds > 0.0) {
        return 0.0;
    }
    if (survey->is_study) {
        return VCS_INFINITY; /* see vcs_next_study_check() */
    }
    if (is_paused(survey, of->resource)) {
        return VCS_INFINITY; /* the work for it does not shrink, though the simulation runs it */
    }
    const vcs_survey_lack lack = vcs_lack_for(survey, of);
    double until = vcs_max(vcs_until_in_need(survey, &lack), vcs_until_much_lacks(survey, of->resource));
    until = vcs_max(until, vcs_until_below_limits(survey, of));
    if (vcs_is_backup(of) && lack.idle == 0.0) {
        until = vcs_max(until, lack.saturated - survey->parameters->backup_lead);
    }
    if (until == 0.0 && survey->is_owed && !vcs_is_backup(of)) {
        return vcs_until_owed(survey, of, &lack);
    }
    return until > 0.0 ? until : vcs_until_limits_allow(survey, of);
}

double vcs_next_fetch_check(const vcs_survey *survey, const vcs_survey_project *asked) {
    const double interval = survey->parameters->look_interval;
    if (asked != NULL && survey->called == NULL) {
        return vcs_look_interval(survey->parameters);
    }
    const size_t count = (size_t)survey->project_count * survey->resource_count;
    double least = survey->is_study ? vcs_next_study_check(survey) : VCS_INFINITY;
    for (size_t i = 0; i < count; i++) { /* when each could be asked if it were chosen for its resource alone */
        const vcs_survey_project_resource *of = &survey->project_resources[i];
        if (!of->closed && of->resource->decided) {
            least = vcs_min(least, vcs_max(vcs_max(of->project->wait, of->backoff), until_request(survey, of)));
        }
    }
    return vcs_max(least, survey->is_study ? vcs_max(interval, VCS_LEAST_WAIT) : VCS_LEAST_WAIT);
}

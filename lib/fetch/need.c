/* SPDX-License-Identifier: MIT */
#include "fetch/need.h"

static vcs_survey_lack lack_of(const vcs_survey_resource *resource) {
    const vcs_resource_forecast *forecast = resource->forecast;
    return (vcs_survey_lack){forecast->shortfall, forecast->idle_now, forecast->saturated};
}

static int is_lacking(const vcs_survey_lack *lack) {
    return lack->shortfall > 0.0 || lack->idle > 0.0;
}

/* Under the rules of the study, what each project lacks decides. */
void vcs_find_needs(vcs_survey *survey) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_resource *resource = &survey->resources[r];
        const vcs_survey_lack lack = lack_of(resource);
        const int lacks_work = !resource->prepared->suspended && is_lacking(&lack);
        resource->wanted = resource->decided && (survey->is_study || lacks_work);
        resource->in_need = resource->wanted && (survey->is_study || vcs_until_in_need(survey, &lack) == 0.0);
    }
}

vcs_survey_lack vcs_lack_for(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    vcs_survey_lack lack = lack_of(of->resource);
    if (of->waits) {
        const double rest = vcs_max(survey->buffer - of->last_finish, 0.0);
        lack.shortfall = vcs_min(lack.shortfall, rest * of->resource->prepared->instances);
        lack.idle = 0.0;
        lack.saturated = of->last_finish;
    }
    return lack;
}

/*
 * A threshold met exactly counts as crossed. If nothing is lacking all the same, the work ends with the buffer; or the
 * simulation was stopped before, and there is no more to say before the moment that it came to.
 */
double vcs_until_in_need(const vcs_survey *survey, const vcs_survey_lack *lack) {
    const vcs_parameters *parameters = survey->parameters;
    const double kept = parameters->work_fetch != VCS_WORK_FETCH_ORIGINAL ? parameters->min_buffer : survey->buffer;
    if (is_lacking(lack) && (lack->idle > 0.0 || lack->saturated <= kept)) {
        return 0.0;
    }
    const int is_seen = lack->saturated > kept || lack->saturated >= survey->buffer;
    return vcs_max(is_seen ? lack->saturated - kept : lack->saturated, VCS_LEAST_WAIT);
}

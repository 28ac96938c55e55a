/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/need.h"

#include "vcsched/timers/buffer.h"

static int is_lacking(const vcs_survey_lack *lack) {
    return lack->shortfall > 0.0 || lack->idle > 0.0;
}

/* The work to keep, s: with less than that left, a project is called. */
static double work_to_keep(const vcs_survey *survey) {
    const vcs_parameters *parameters = survey->parameters;
    return parameters->work_fetch != VCS_WORK_FETCH_ORIGINAL ? vcs_least_work(parameters) : survey->buffer;
}

/* Work that ends exactly with the work to keep is a second short, or else time would pass and nothing be asked. */
static vcs_survey_lack lack_of(const vcs_survey *survey, const vcs_survey_resource *resource) {
    const vcs_resource_forecast *forecast = resource->forecast;
    vcs_survey_lack lack = {forecast->shortfall, forecast->idle_now, forecast->saturated};
    if (!is_lacking(&lack) && lack.saturated <= work_to_keep(survey) && !survey->is_stopped) {
        lack.shortfall = 1.0;
    }
    return lack;
}

/* Under the rules of the study, what each project lacks decides. */
void vcs_find_needs(vcs_survey *survey) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_resource *resource = &survey->resources[r];
        const vcs_survey_lack lack = lack_of(survey, resource);
        const int lacks_work = !resource->prepared->suspended && is_lacking(&lack);
        resource->wanted = resource->decided && (survey->is_study || lacks_work);
        resource->in_need = resource->wanted && (survey->is_study || vcs_until_in_need(survey, &lack) == 0.0);
    }
}

vcs_survey_lack vcs_lack_for(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    vcs_survey_lack lack = lack_of(survey, of->resource);
    if (of->waits) {
        const double rest = vcs_max(survey->buffer - of->last_finish, 0.0);
        lack.shortfall = vcs_min(lack.shortfall, rest * of->resource->prepared->instances);
        lack.idle = 0.0;
        lack.saturated = of->last_finish;
    }
    return lack;
}

/* A threshold met exactly counts as crossed. A stopped simulation says no more before the moment it reached. */
double vcs_until_in_need(const vcs_survey *survey, const vcs_survey_lack *lack) {
    const double kept = work_to_keep(survey);
    if (is_lacking(lack) && (lack->idle > 0.0 || lack->saturated <= kept)) {
        return 0.0;
    }
    return vcs_max(lack->saturated > kept ? lack->saturated - kept : lack->saturated, VCS_LEAST_WAIT);
}

/* What others lack is no reason to call a project that has enough: it would be called for each task that ends. */
double vcs_until_below_limits(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const double kept = work_to_keep(survey), own = of->forecast->saturated;
    return of->limited && !survey->is_study && own > kept ? vcs_max(own - kept, VCS_LEAST_WAIT) : 0.0;
}

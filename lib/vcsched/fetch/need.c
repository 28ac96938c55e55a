/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/need.h"

#include "vcsched/timers/buffer.h"

static int is_lacking(const vcs_survey_lack *lack) {
    return lack->shortfall > 0.0 || lack->idle > 0.0;
}

/* Work that ends exactly with the work to keep is a second short, or else time would pass and nothing be asked. */
static vcs_survey_lack lack_of(const vcs_survey *survey, const vcs_survey_resource *resource) {
    const vcs_resource_forecast *forecast = resource->forecast;
    vcs_survey_lack lack = {forecast->shortfall, vcs_idle_for_want(forecast), forecast->saturated};
    if (!is_lacking(&lack) && lack.saturated <= vcs_work_to_keep(survey->parameters) && !survey->is_stopped) {
        lack.shortfall = 1.0;
    }
    return lack;
}

/* Only the sliced discipline knows when little becomes much; what a stopped simulation did not see may be missing. */
double vcs_little(const vcs_survey *survey, const vcs_survey_resource *resource) {
    const vcs_parameters *parameters = survey->parameters;
    const int is_known = !survey->is_study && !survey->is_stopped && parameters->discipline != VCS_DISCIPLINE_FLUID;
    return is_known ? vcs_seconds(vcs_micros(vcs_least_shortfall(parameters, resource->prepared->instances))) : 0.0;
}

static int lacks_little(const vcs_survey *survey, const vcs_survey_resource *resource) {
    const vcs_resource_forecast *forecast = resource->forecast;
    const int64_t whole = vcs_min_i64(resource->prepared->capacity, VCS_ONE);
    return forecast->shortfall < vcs_little(survey, resource) && vcs_units(vcs_idle_for_want(forecast)) < whole;
}

double vcs_until_much_lacks(const vcs_survey *survey, const vcs_survey_resource *resource) {
    const vcs_resource_forecast *forecast = resource->forecast;
    const double kept = vcs_work_to_keep(survey->parameters);
    const double much = vcs_max(forecast->saturated - kept, forecast->short_from);
    return lacks_little(survey, resource) ? vcs_max(vcs_min(forecast->idle_from, much), VCS_LEAST_WAIT) : 0.0;
}

/* Under the rules of the study, what each project lacks decides. */
void vcs_find_needs(vcs_survey *survey) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_resource *resource = &survey->resources[r];
        const vcs_survey_lack lack = lack_of(survey, resource);
        const int lacks_work = !resource->prepared->suspended && is_lacking(&lack);
        resource->wanted = resource->decided && (survey->is_study || lacks_work);
        const int is_short = resource->wanted && (survey->is_study || vcs_until_in_need(survey, &lack) == 0.0);
        resource->little = is_short && lacks_little(survey, resource);
        resource->in_need = is_short && !resource->little;
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
    const double kept = vcs_work_to_keep(survey->parameters);
    if (is_lacking(lack) && (lack->idle > 0.0 || lack->saturated <= kept)) {
        return 0.0;
    }
    return vcs_max(lack->saturated > kept ? lack->saturated - kept : lack->saturated, VCS_LEAST_WAIT);
}

/* What others lack is no reason to call a project that has enough: it would be called for each task that ends. */
double vcs_until_below_limits(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const double kept = vcs_work_to_keep(survey->parameters), own = of->forecast->saturated;
    return of->limited && own > kept ? vcs_max(own - kept, VCS_LEAST_WAIT) : 0.0;
}

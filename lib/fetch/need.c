/* SPDX-License-Identifier: MIT */
#include "fetch/need.h"

/* Neither the rules of the study nor the fluid discipline know GPU tasks, so none are asked for. */
static int is_decided(const vcs_survey *survey, uint32_t resource) {
    return resource == 0 || !(survey->is_study || survey->parameters->discipline == VCS_DISCIPLINE_FLUID);
}

/* Short of work, or idle. */
static int lacks_work(const vcs_survey_resource *resource) {
    return !resource->prepared->suspended &&
           (resource->forecast->shortfall > 0.0 || resource->forecast->idle_now > 0.0);
}

/* Whether so little work is left that a project is called for it, by the current rules. */
static int is_low(const vcs_survey *survey, const vcs_survey_resource *resource) {
    return survey->parameters->work_fetch != VCS_WORK_FETCH_CURRENT || resource->forecast->idle_now > 0.0 ||
           resource->forecast->saturated < survey->parameters->min_buffer;
}

/* Under the rules of the study, what each project lacks decides. */
void vcs_find_needs(const vcs_survey *survey) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_resource *resource = &survey->resources[r];
        resource->prepared = &vcs_resources(survey->state)[r];
        resource->forecast = &vcs_resource_forecasts(survey->state)[r];
        resource->decided = (uint32_t)is_decided(survey, r);
        resource->wanted = resource->decided && (survey->is_study || lacks_work(resource));
        resource->in_need = resource->wanted && (survey->is_study || is_low(survey, resource));
    }
}

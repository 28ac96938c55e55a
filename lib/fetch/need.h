/*
 * Which resources lack work, and how full the others are.
 *
 * Rule 6.3; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_NEED_H
#define VCS_FETCH_NEED_H

#include "fetch/survey.h"

/* Decides for each resource whether it lacks work, and whether that is reason enough to call a project. */
void vcs_find_needs(const vcs_survey *survey);

/* Whether a resource has all the work that the buffer asks for. */
static inline int vcs_is_full(const vcs_survey *survey, const vcs_survey_resource *resource) {
    const vcs_resource_forecast *forecast = resource->forecast;
    return forecast->idle_now == 0.0 && (forecast->shortfall == 0.0 || forecast->saturated >= survey->buffer);
}

#endif

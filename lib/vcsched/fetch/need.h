/*
 * How much work is lacking, and when that is reason to call a project.
 *
 * Rules 4.7, 6.3 and 6.10; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_NEED_H
#define VCS_FETCH_NEED_H

#include "vcsched/fetch/survey.h"

/* What a resource lacks, as far as a project is concerned. */
typedef struct vcs_survey_lack {
    double shortfall; /* instance-seconds, up to the end of the buffer */
    double idle;      /* instances that are idle now */
    double saturated; /* how long the others stay busy, s */
} vcs_survey_lack;

/* Instances that are idle now for want of work, not of room beside others. */
static inline double vcs_idle_for_want(const vcs_resource_forecast *forecast) {
    return forecast->idle_now - forecast->useless;
}

/* Finds out what each resource lacks, and whether that is reason enough to call a project. */
void vcs_find_needs(vcs_survey *survey);

/*
 * What a project could bring to a resource. If its own task waits until enough instances are idle, it can help only
 * after its last one: as long as it has work, another narrow task would make the wide one wait even longer (rule 4.7).
 */
vcs_survey_lack vcs_lack_for(const vcs_survey *survey, const vcs_survey_project_resource *of);

/* When the lack is reason to call a project, s from now; 0 = it is already. */
double vcs_until_in_need(const vcs_survey *survey, const vcs_survey_lack *lack);

/* What is missing of a resource must be more than this to be reason to call a project, instance-seconds; 0 = any is. */
double vcs_little(const vcs_survey *survey, const vcs_survey_resource *resource);

/* When more than little is missing of a resource, or a whole instance idle, s from now; 0 = it is so now. */
double vcs_until_much_lacks(const vcs_survey *survey, const vcs_survey_resource *resource);

/*
 * When a limited project will not run as many tasks any more as its limits allow, s from now; 0 = that may be soon. The
 * rules of the study do not ask this.
 */
double vcs_until_below_limits(const vcs_survey *survey, const vcs_survey_project_resource *of);

/* Whether a resource has all the work that the buffer asks for. If anything is idle now, something is missing. */
static inline int vcs_is_full(const vcs_survey_resource *resource) {
    return resource->forecast->shortfall == 0.0;
}

#endif

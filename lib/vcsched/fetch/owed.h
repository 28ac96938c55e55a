/*
 * Requests by what each project is owed of the work that was sent.
 *
 * Rule 15.6; worked by hand in tests/vcsched/fetch/test_owed.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_OWED_H
#define VCS_FETCH_OWED_H

#include "vcsched/fetch/need.h"

/* Finds what running tasks leave free of each resource. O(resources + tasks). */
void vcs_find_free(vcs_survey *survey);

/* Finds out what each project is owed of each resource, and what a job more of it would meet. */
void vcs_survey_owed(vcs_survey *survey);

/* Its place in the order; the caller sets id and class. */
void vcs_rank_by_owed(const vcs_survey *survey, const vcs_survey_project_resource *of, vcs_rank_key *key);

/*
 * How much it should be asked for, of what is lacking as far as it is concerned; limits are the caller's matter. 0 with
 * the reason, if it should not be.
 */
vcs_survey_request vcs_request_by_owed(const vcs_survey *survey, const vcs_survey_project_resource *of,
                                       const vcs_survey_lack *lack);

/* When a project that is in need of nothing but a better moment should be looked at again, s from now. */
double vcs_until_owed(const vcs_survey *survey, const vcs_survey_project_resource *of, const vcs_survey_lack *lack);

#endif

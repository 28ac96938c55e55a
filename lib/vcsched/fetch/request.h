/*
 * How much to ask a project for.
 *
 * Rules 2.3, 4.7, 6.3, 6.5 and 6.6; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_REQUEST_H
#define VCS_FETCH_REQUEST_H

#include "vcsched/fetch/survey.h"

/* Fills all requests by rule 6.3, as if each project were the best, and finds the best for each resource. */
void vcs_fill_requests(vcs_survey *survey);

/* When the limits of a project will let it be asked for something, s from now; +infinity if a task must end first. */
double vcs_until_limits_allow(const vcs_survey *survey, const vcs_survey_project_resource *of);

/* Lowers the request of a limited project to what its limits let it run within the buffer (rule 6.6). */
void vcs_keep_limits(const vcs_survey *survey, vcs_survey_project_resource *of);

#endif

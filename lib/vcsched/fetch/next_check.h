/*
 * When to decide again.
 *
 * Rules 6.10 and 13.11; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_NEXT_CHECK_H
#define VCS_FETCH_NEXT_CHECK_H

#include "vcsched/fetch/survey.h"

/* When to ask again whom to call, s from now; once `asked`, if not NULL, has been called. */
double vcs_next_fetch_check(const vcs_survey *survey, const vcs_survey_project *asked);

#endif

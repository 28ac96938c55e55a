/*
 * What is reported of a decision on fetching: the reasons, and when to decide again.
 *
 * Rules 6.3, 6.9 and 13.11; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_REPORT_H
#define VCS_FETCH_REPORT_H

#include "fetch/survey.h"

/* Writes the decision on each project and resource. `asked` is the project to call; NULL if there is none. */
void vcs_report_decisions(const vcs_survey *survey, const vcs_survey_project *asked);

/* Why nobody is asked, once all decisions have been written. */
uint32_t vcs_reason_to_ask_nobody(const vcs_survey *survey);

/* When to decide again at the latest, s from now. */
double vcs_next_fetch_check(const vcs_survey *survey, const vcs_survey_project *asked);

#endif

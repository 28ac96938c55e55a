/*
 * The report of a decision on fetching: the reasons.
 *
 * Rules 6.3 and 6.9; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_REPORT_H
#define VCS_FETCH_REPORT_H

#include "vcsched/fetch/survey.h"

/* Writes the decision on each project and resource. `asked` is the project to call; NULL if there is none. */
void vcs_report_decisions(const vcs_survey *survey, const vcs_survey_project *asked);

/* Why nobody is asked, once all decisions have been written. */
uint32_t vcs_reason_to_ask_nobody(const vcs_survey *survey);

#endif

/*
 * Work fetch as the published study has it: keys, requests and the best project, for the CPU alone.
 *
 * Rules 6.1, 6.2, 13.3 and 13.8; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_STUDY_H
#define VCS_FETCH_STUDY_H

#include "vcsched/fetch/survey.h"

void vcs_decide_by_study(vcs_survey *survey);

/* Whether by WF2 nothing is to be asked of anybody, as the forecasts say, and when to decide again then. */
int vcs_is_full_by_wf2(const vcs_state *state);
double vcs_wait_by_wf2(const vcs_state *state);

/* When the decision can next change, s from now; +infinity if time alone changes nothing (rules 6.1 and 13.11). */
double vcs_next_study_check(const vcs_survey *survey);

#endif

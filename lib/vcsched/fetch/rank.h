/*
 * Which project goes before which when work is fetched.
 *
 * Rules 6.3 and 6.8; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_RANK_H
#define VCS_FETCH_RANK_H

#include "vcsched/fetch/survey.h"

/* Fills all keys, by rule 6.3. */
void vcs_rank_survey(vcs_survey *survey);

/* One project before another; anything goes before nothing. */
static inline int vcs_goes_before(const vcs_survey_project_resource *a, const vcs_survey_project_resource *b) {
    return b == NULL || vcs_ranks_before(&a->key, &b->key);
}

/*
 * Of the projects that could be asked for something, the first in order is the best for the resource; where one is to
 * be called, of those that there is reason to call. What the choice of tasks leaves idle is a matter of its own.
 */
static inline void vcs_note_best(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const int has_reason = survey->called != NULL || !of->resource->in_need || !of->has_enough;
    const vcs_survey_project_resource **best = of->for_left ? &of->resource->best_for_left : &of->resource->best;
    if (of->obstacle == VCS_REASON_NONE && has_reason && of->request.seconds > 0.0 && vcs_goes_before(of, *best)) {
        *best = of;
    }
}

#endif

/*
 * Conditions that always hold. Beside each stands the reason, in a phrase: the part of a proof that the analyser of
 * tests/assurance/proof cannot find by itself and takes for granted. Builds with VCS_CHECKED (sanitizers and fuzz
 * targets) check each condition and abort where it fails; all other builds drop it.
 *
 * A condition has no side effect, and may always be evaluated.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_INVARIANT_H
#define VCS_CORE_INVARIANT_H

/* Whether a stored double is no NaN. The analyser defines its own way to see it. */
#ifndef VCS_IS_NUMBER
#define VCS_IS_NUMBER(place) ((place) == (place))
#endif

#ifdef VCS_INVARIANT
/* Defined by the build: for the analyser, or as nothing where conditions are counted. */
#elif defined VCS_CHECKED
#include <stdio.h>
#include <stdlib.h>

static inline void vcs_invariant_broken(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d: this invariant does not hold: %s\n", file, line, condition);
    abort();
}
#define VCS_INVARIANT(condition) ((condition) ? (void)0 : vcs_invariant_broken(__FILE__, __LINE__, #condition))
#else
#define VCS_INVARIANT(condition) ((void)sizeof(!(condition)))
#endif

#endif

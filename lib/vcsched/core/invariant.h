/*
 * What always holds at a place in the code. Beside each stands why, in a sentence: it is the part of a proof that the
 * analyser of tests/assurance/proof cannot find by itself, so it takes it for granted. Builds with VCS_CHECKED, which
 * are those of the sanitizers and the fuzz targets, look each time and stop where one does not hold. Any other build
 * forgets it.
 *
 * A condition has no side effect, and may be evaluated wherever it stands.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_INVARIANT_H
#define VCS_CORE_INVARIANT_H

/* Whether what is stored at a place is a number. The analyser has a way of its own to see it. */
#ifndef VCS_IS_NUMBER
#define VCS_IS_NUMBER(place) ((place) == (place))
#endif

#ifdef VCS_INVARIANT
/* The build has a meaning of its own for it: the analyser's, or none at all where conditions are counted. */
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

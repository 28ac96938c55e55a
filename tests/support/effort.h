/*
 * How much the tests of random and of enumerated cases try: all, or with the environment variable VCS_ONE_CASE_IN=10
 * one case in ten, for builds in which each case takes ten times as long.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef EFFORT_H
#define EFFORT_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t one_case_in(void) {
    const char *text = getenv("VCS_ONE_CASE_IN");
    const uint64_t in = text == NULL ? 1 : strtoull(text, NULL, 10);
    return in > 0 ? in : 1;
}

/* How many of this number of cases to try. */
static inline uint64_t cases_to_try(uint64_t usual) {
    return (usual + one_case_in() - 1) / one_case_in();
}

#endif

/*
 * The self-test, where memory keeps what is written to it and doubles are those of IEEE 754, but square roots may come
 * out as any number: it passes, or tells what is wrong.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/interface/*/*.c
// without: lib/vcsched/interface/check/self_test.c
#include "vcsched/core/number.h"

#include "any.h"

/* The test hides its numbers from compilers that way. The analyser would take each for any number, NaN among them. */
#define volatile
#define vcs_sqrt(x) any_root(x)

static double any_root(double x) {
    return EITHER() ? (vcs_sqrt)(x) : ANY_FINITE();
}

#include "vcsched/interface/self_test.c"

int code;

int main(void) {
    ANY(vcs_error, error);
    error.struct_size = sizeof error;
    MAY_PASS(vcs_self_test(&error));
    MAY_PASS(vcs_self_test(NOBODY));
    return 0;
}

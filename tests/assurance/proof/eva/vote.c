/*
 * A vote on up to three ballots. Who has a vote, and whose results are in one class, is each of all cases, on a path of
 * its own; classes have the numbers 0, 1, 2 as they come. Credibilities, ids and terms are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/core/index_sort.c lib/vcsched/interface/*/*.c lib/vcsched/verify/*.c
// options: -eva-min-loop-unroll 64 -eva-slevel 1000
// options: -eva-slevel-function vcs_scaled_of:0,lowered:0,vcs_scaled_plus:0,vcs_scaled_times:0,vcs_scaled_is_less:0
#include <vcsched/vcsched.h>

#include "right.h"

int code;

#define BALLOTS 3

vcs_ballot ballots[BALLOTS];
vcs_vote_terms terms;

static void vote_on(uint32_t count) {
    uint32_t order[BALLOTS];
    vcs_ballot_verdict verdicts[BALLOTS];
    vcs_vote_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_vote(&(vcs_array){{ballots}, sizeof *ballots, count}, &terms, order,
                      &(vcs_array){{verdicts}, sizeof *verdicts, count}, &summary, NOBODY));
}

/* All cases of the first `count` ballots, given the flags and classes of those before `next`. */
static void vote_on_all(uint32_t count, uint32_t flags, uint32_t classes) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        ballots[i].flags = (flags >> i & 1) != 0 ? VCS_BLACKLISTED : 0;
        ballots[i].result_class = classes >> 2 * i & 3;
        if (ballots[i].result_class > seen) {
            return; /* the same as one whose classes are numbered as they come */
        }
        seen = ballots[i].result_class == seen ? seen + 1 : seen;
    }
    vote_on(count);
}

int main(void) {
    for (uint32_t i = 0; i < BALLOTS; i++) {
        any_right_ballot(&ballots[i]);
    }
    any_right_vote_terms(&terms);
    terms.struct_size = sizeof terms;
    /*@ split terms.rule; */
    /*@ split terms.flags; */
    for (uint32_t count = 0; count <= BALLOTS; count++) {
        for (uint32_t flags = 0; flags < 1u << count; flags++) {
            for (uint32_t classes = 0; classes < 1u << 2 * count; classes++) {
                vote_on_all(count, flags, classes);
            }
        }
    }
    return 0;
}

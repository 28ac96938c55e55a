/*
 * Credibility: how probable it is that a client, or a group of clients that agree, is right (rule 11.3).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_CREDIBILITY_H
#define VCSCHED_CREDIBILITY_H

#include <vcsched/vote.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Credibility of a client after checks that it passed.
 *
 * passed        checks passed, vcs_trust.passed; 0 = never checked, which counts as 1
 * error_bound   f: the part of all results that is wrong at most, 0 ... 1
 * credibility   1 - f / passed, but at most VCS_MAX_CREDIBILITY
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_credibility(uint64_t passed, double error_bound, double *credibility);

/*
 * Holds a vote in which results weigh by the credibility of their clients.
 *
 * The arguments are those of vcs_vote(). With c the credibilities, the weight of a class is the product of c over its
 * results times that of 1 - c over all others. Its credibility is its weight over the sum of the weights of all classes
 * and of the product of 1 - c over all results, which stands for that none is right. The most credible class wins if
 * its doubt, 1 - credibility, is at most terms.tolerance. Else the summary asks for one more copy, or for the rest of
 * the copies wanted if that is more. Of classes of the same credibility that one leads which has the lowest id.
 *
 * Products are taken in order of id, and sums in order of class; none overflows or vanishes, however many results there
 * are.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * Thread-safe. O(n * log(n)) for n ballots.
 */
VCS_API int vcs_vote_by_credibility(const vcs_vote_terms *terms, const vcs_array *ballots, uint32_t *order,
                                    vcs_ballot_verdict *verdicts, uint32_t verdict_size, vcs_vote_summary *summary,
                                    vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

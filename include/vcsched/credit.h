/*
 * Credit: what the hosts of valid results get for them (rule 8.8).
 *
 * vcs_validate() grants it to the results of a unit. This header has the rule alone, for servers that have no units.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_CREDIT_H
#define VCSCHED_CREDIT_H

#include <vcsched/unit.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What each of the valid results of a computation is granted, by what their hosts claim: of one the claim, of two the
 * lesser, of three or more the mean without the highest and the lowest claim. So no host alone can raise what it gets
 * above what others claim. A single claim has nothing beside it, and is capped.
 *
 * results            the valid ones, in any order, aligned to 8 bytes; only `claimed` is read. May be NULL if
 *                    result_count is 0
 * result_size        sizeof(vcs_result) of the caller
 * result_count       how many results
 * max_single_claim   a single claim counts up to this, 0 ... VCS_MAX_CREDIT; 0 = it is not capped
 * granted            the answer, in the unit of the claims; 0 if there is no result
 * error              what was refused, and where; may be NULL
 *
 * The order of the results does not matter, not even to the last bit.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written.
 * Thread-safe. O(result_count^2).
 */
VCS_API int vcs_credit_granted(const vcs_result *results, uint32_t result_size, uint32_t result_count,
                               double max_single_claim, double *granted, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

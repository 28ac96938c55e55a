/*
 * What is still wanted: of a copy that a host has, and of a unit that has come to its end (rule 8.9).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_NEEDED_H
#define VCSCHED_NEEDED_H

#include <vcsched/unit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a host should go on with a copy */
#define VCS_NEEDED_KEEP 0u              /* it should: the unit still needs it */
#define VCS_NEEDED_ABORT_NOT_STARTED 1u /* only if it has started: there is a canonical result, but what was begun still
                                           earns credit */
#define VCS_NEEDED_ABORT 2u             /* it should not: nothing would come of it */

/*
 * Whether a host that has a copy should go on with it. A server asks this for each task that a client lists.
 *
 * unit           the work unit
 * results        all its results, aligned to 8 bytes; only the one in question is looked at. May be NULL if
 *                result_count is 0
 * result_size    sizeof(vcs_result) of the caller
 * result_count   how many results
 * index          index of the result
 * needed         the answer: VCS_NEEDED_*
 * reason         VCS_REASON_*: why; may be NULL
 * error          what was refused, and where; may be NULL
 *
 *                                     unit open   it has a canonical result   it has failed
 *   in progress                       keep        abort if not started        abort
 *   no reply: given up                keep        abort                       abort
 *   unsent, or over in another way    abort       abort                       abort
 *
 * A copy that was given up is kept, because its success still counts while the unit is open.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_INDEX if there is no such result,
 * VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_UNSUPPORTED for states that contradict each other, or VCS_ERR_OVERFLOW. On
 * an error nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_result_needed(const vcs_unit *unit, const vcs_result *results, uint32_t result_size,
                              uint32_t result_count, uint32_t index, uint32_t *needed, uint32_t *reason,
                              vcs_error *error);

/*
 * Whether a unit has come to its end in every respect, so that its rows may be removed from a database.
 *
 * unit           the work unit
 * results        all its results, in any order, aligned to 8 bytes; may be NULL if result_count is 0
 * result_size    sizeof(vcs_result) of the caller
 * result_count   how many results
 * finished       set to 1 if it is assimilated, all results are over and judged, and all files are deleted; else to 0.
 *                A file that could not be deleted keeps the unit: else nobody would know of it
 * error          what was refused, and where; may be NULL
 *
 * All that may still come for a finished unit are reports that change nothing. Acknowledge them, as those of results
 * that you never heard of.
 *
 * Returns VCS_OK or what vcs_unit_check() returns. On an error nothing is written. Thread-safe. O(result_count^2).
 */
VCS_API int vcs_unit_finished(const vcs_unit *unit, const vcs_result *results, uint32_t result_size,
                              uint32_t result_count, uint32_t *finished, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

/*
 * What a work unit needs next (rule 8.3).
 *
 * The life of a unit: VCS_UNIT_EVENT_CREATED, then vcs_transition() whenever now >= transition_time. It asks for
 * copies, gives up overdue ones, and says when to validate, to assimilate and to delete files. Meanwhile the caller
 * reports everything that happens to the unit with vcs_unit_handle_event(). An event and the transition that it makes
 * due may share one clock reading, and so one database transaction.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_TRANSITION_H
#define VCSCHED_TRANSITION_H

#include <vcsched/change.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Decides what a unit needs now. It returns no changes unless the unit is due: now >= unit.transition_time.
 *
 * unit              the work unit
 * results           all its results, in any order, aligned to 8 bytes; may be NULL if result_count is 0
 * result_size       sizeof(vcs_result) of the caller
 * result_count      how many results
 * now               the present, a time; the clock may go back
 * changes           out: the changes, to be applied in this order
 * change_size       sizeof(vcs_change) of the caller
 * change_capacity   how many changes fit; see VCS_CHANGES_PER_UNIT
 * change_count      out: how many changes there are
 * error             what was refused, and where; may be NULL
 *
 * These steps are taken in order, each based on the results of the previous ones (rule 8.3). M is min_quorum:
 *   a. copies in progress whose deadline is not after now are given up. Handle a report of that very instant before
 *      the transition, and it is in time
 *   b. validation is asked for when there are M successes and some were not compared yet
 *   c. the unit fails if a copy could not be sent, or if there are too many errors or copies
 *   d. if it has neither failed nor a canonical result, the missing copies are asked for
 *   e. if it has failed, unsent copies are withdrawn, and it is ready to be assimilated
 *   f. once it is assimilated, and delete_delay later, files that nothing needs any more may be deleted
 *   g. transition_time becomes the time of the next known event, which is after now. Only if this transition is more
 *      than a minute late is the unit left alone for twice that time, a day at most
 *
 * A second transition at the same time changes nothing. The order of the results does not matter.
 *
 * Returns VCS_OK, what vcs_unit_check() returns, or VCS_ERR_COUNT if too few changes fit; the message says how many are
 * needed. On an error nothing is written. Thread-safe. O(result_count^2).
 */
VCS_API int vcs_transition(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t result_count,
                           double now, vcs_change *changes, uint32_t change_size, uint32_t change_capacity,
                           uint32_t *change_count, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

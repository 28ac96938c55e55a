/*
 * Which results of a work unit are right (rule 8.4).
 *
 * Comparing results is the caller's: only the application knows when two of them are equal. The caller sorts them into
 * classes of equal ones; the library decides what follows from that.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VALIDATE_H
#define VCSCHED_VALIDATE_H

#include <vcsched/transition.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The class of a result that is wrong by itself, whatever the others say. A result that cannot be compared, since its
 * files are missing or cannot be read, has the class VCS_NONE. */
#define VCS_CLASS_WRONG 0xfffffffeu

/*
 * Judges the successes of a unit. To be called when need_validate is 1.
 *
 * unit          the work unit
 * results       all results that it has, in any order, aligned to 8 bytes; may be NULL if count is 0
 * result_size   sizeof(vcs_result) of the caller
 * count         results
 * classes       `count` numbers: equal results have equal ones; any number but VCS_NONE and VCS_CLASS_WRONG. Only those
 *               of the canonical result, and of successes that are not judged (validate_state init or inconclusive),
 *               are read. May be NULL if count is 0
 * now           the present, a time
 * and from changes on as for vcs_transition().
 *
 * With a canonical result, each success that is not judged is compared with it: valid, and credited, if it is of the
 * same class, else invalid. It is too late if the files of the canonical result are gone, or its class is VCS_NONE.
 *
 * Without one, and at least M successes to compare, a consensus is looked for, by unit.quorum_rule:
 *   VCS_QUORUM_MAJORITY   a class of more than half of the successes, and of at least M
 *   VCS_QUORUM_EQUAL      a class of at least M
 *   VCS_QUORUM_WEIGHTED   a class whose weights add up to quorum_weight or more
 * If several classes qualify, the largest (the heaviest) counts, and if that is not one alone, there is no consensus.
 * Its result with the lowest id becomes canonical; the class is valid and credited, all others are invalid, what was
 * not sent is not needed any more, and the unit is ready to be assimilated. Without a consensus the successes are
 * inconclusive; if there are more than C, the unit fails, else N becomes at least one more than there are successes,
 * but not more than B.
 *
 * Results of class VCS_NONE and VCS_CLASS_WRONG are judged (a validate error, invalid) and left out first. A unit that
 * has failed and has no canonical result is left as it is. In each case need_validate becomes 0, and the unit's
 * transition is due.
 *
 * Returns VCS_OK, what vcs_unit_check() returns, or VCS_ERR_COUNT if there is room for too few changes; the message
 * says how many are needed. On an error nothing is written. Thread-safe. O(count^2).
 */
VCS_API int vcs_validate(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t count,
                         const uint32_t *classes, double now, vcs_change *changes, uint32_t change_size,
                         uint32_t capacity, uint32_t *count_out, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

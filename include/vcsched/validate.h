/*
 * Validation: which results of a work unit are right (rule 8.4).
 *
 * Only the application knows when two results are equal, so comparing them is up to the caller, who sorts them into
 * classes of equal results. The library decides what follows from the classes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VALIDATE_H
#define VCSCHED_VALIDATE_H

#include <vcsched/change.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The class of a result that is wrong in itself, whatever the others say. A result that cannot be compared, because its
 * files are missing or cannot be read, has the class VCS_NONE. */
#define VCS_CLASS_WRONG 0xfffffffeu

/*
 * Judges the successes of a unit. Call it when need_validate is 1.
 *
 * unit              the work unit
 * results           all its results, in any order, aligned to 8 bytes; may be NULL if result_count is 0
 * result_size       sizeof(vcs_result) of the caller
 * result_count      how many results
 * classes           for each result a number: equal results have equal numbers; any number but VCS_NONE and
 *                   VCS_CLASS_WRONG. Only the numbers of the canonical result and of successes that are not judged yet
 *                   (validate_state init or inconclusive) are read. May be NULL if result_count is 0
 * now               the present, a time
 * changes           out: the changes, to be applied in this order
 * change_size       sizeof(vcs_change) of the caller
 * change_capacity   how many changes fit; see VCS_CHANGES_PER_UNIT
 * change_count      out: how many changes there are
 * error             what was refused, and where; may be NULL
 *
 * With a canonical result, each success that is not judged yet is compared with it: it is valid, and credited, if it is
 * of the same class, and granted the same as the canonical result; otherwise it is invalid. It is too late if the files
 * of the canonical result are gone, or its class is VCS_NONE.
 *
 * Without one, and with at least M successes to compare, a consensus is looked for by unit.quorum_rule:
 *   VCS_QUORUM_MAJORITY   a class of more than half of the successes, and at least M
 *   VCS_QUORUM_EQUAL      a class of at least M
 *   VCS_QUORUM_WEIGHTED   a class whose weights add up to quorum_weight or more
 * If several classes qualify, the largest (or heaviest) counts; if two are equally large, there is no consensus. The
 * result with the lowest id in that class becomes canonical. The class is valid and credited by unit.credit_rule (see
 * vcs_credit_granted()), all others are invalid, unsent copies are not needed any more, and the unit is ready to be
 * assimilated. Without a consensus the successes are inconclusive. If there are more than C of them, the unit fails;
 * otherwise N is raised to one more than the number of successes, up to B.
 *
 * Results of class VCS_NONE (validate error) and VCS_CLASS_WRONG (invalid) are judged first and take no further part. A
 * unit that has failed and has no canonical result is left alone. In every case need_validate becomes 0, and the unit's
 * transition is due.
 *
 * Returns VCS_OK, what vcs_unit_check() returns, or VCS_ERR_COUNT if too few changes fit; the message says how many are
 * needed. On an error nothing is written. Thread-safe. O(result_count^2).
 */
VCS_API int vcs_validate(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t result_count,
                         const uint32_t *classes, double now, vcs_change *changes, uint32_t change_size,
                         uint32_t change_capacity, uint32_t *change_count, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Lessons: what a change to a result says about its host (rule 8.9).
 *
 * A server that keeps trust (trust.h) and a daily quota (quota.h) for each host asks this of every change that it
 * applies, in the same transaction, and so counts each outcome once:
 *
 *     if (lesson.flags & VCS_LESSON_TRUST) vcs_trust_update(&trust_of_host, lesson.trust, lesson.reason);
 *     if (lesson.flags & VCS_LESSON_QUOTA) vcs_quota_judge(&quota_of_host, lesson.valid);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LESSON_H
#define VCSCHED_LESSON_H

#include <vcsched/change.h>
#include <vcsched/trust.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_lesson.flags: what learns from it. 0 = nothing */
#define VCS_LESSON_TRUST 0x1u /* the host's trust, see `trust` */
#define VCS_LESSON_QUOTA 0x2u /* the host's quota, see `valid` */

/* What follows from one change for the host of a result. 40 bytes. Since 0.1. */
typedef struct vcs_lesson {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: VCS_LESSON_TRUST, VCS_LESSON_QUOTA */
    uint32_t result;      /* out: index of the result that was changed; VCS_NONE = the change is about the unit */
    uint32_t trust;       /* out: VCS_TRUST_VALID or VCS_TRUST_ERROR, for vcs_trust_update(); 0 if it learns nothing */
    uint32_t valid;       /* out: 1 = the job was valid, for vcs_quota_judge(); 0 = it failed, or nothing is learned */
    uint32_t reason;      /* out: VCS_REASON_*: that of the change, or why nothing is learned from it */
    uint64_t host;        /* out: vcs_result.host; 0 if it is not kept, or the change is about the unit */
    uint64_t reserved[1]; /* out: 0 */
} vcs_lesson;

/*
 * Whether the trust and the quota of a host learn from a change to one of its results, and what.
 *
 * change         one that was returned for these records, whether it has been applied or not
 * results        those of the unit, aligned to 8 bytes; only the one that is changed is looked at. May be NULL if
 *                result_count is 0
 * result_size    sizeof(vcs_result) of the caller
 * result_count   how many results
 * lesson         the answer
 * error          what was refused, and where; may be NULL
 *
 *   what the change says                            trust     quota
 *   valid                                           valid     valid
 *   client error, validate error                    error     failed
 *   invalid: outvoted, or wrong in itself           error     failed
 *   no reply by the deadline                        error     failed
 *   aborted by the user                             -         failed: it used up a job
 *   lost reply, host detached or caught, report refused, not sent, not needed, success not judged yet, inconclusive,
 *   no check, too late, and all other changes       -         -
 *
 * So only changes of VCS_FIELD_RESULT_OUTCOME and VCS_FIELD_RESULT_VALIDATE_STATE teach; a caller in a hurry need ask
 * about no others.
 *
 * Each outcome of a result teaches once, whatever happens to its unit. A verdict that was taken back because another
 * host was caught (vcs_result.revoked) has taught already: if it is the same again, nothing is learned; if it is the
 * opposite, that is. A copy that was given up, and is reported after all, teaches twice: that it was late, and what it
 * was found to be.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown kind, field or state, VCS_ERR_INDEX if
 * the result is not there, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is written. Thread-safe. O(fields).
 */
VCS_API int vcs_change_lesson(const vcs_change *change, const vcs_result *results, uint32_t result_size,
                              uint32_t result_count, vcs_lesson *lesson, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

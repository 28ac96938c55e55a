/*
 * Reasons: why a decision was made, as a code for programs and a sentence for people.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_REASON_H
#define VCSCHED_REASON_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The reasons. Values are never reused; there are gaps for later ones. vcs_reason_sentence() says what each one means,
 * and the rules in brackets say when it is given.
 */
#define VCS_REASON_NONE 0u
/* of an admission (rule 4.5) */
#define VCS_REASON_ADMITTED 1u
#define VCS_REASON_OWN_DEADLINE 2u
#define VCS_REASON_HARMS_TIMELY 3u
#define VCS_REASON_DELAYS_LATE 4u
#define VCS_REASON_CANNOT_RUN 5u
#define VCS_REASON_BUDGET 6u
/* why a task runs (rule 5.6) */
#define VCS_REASON_LATE 20u
#define VCS_REASON_NEARLY_DONE 21u
#define VCS_REASON_SLICE 22u
#define VCS_REASON_TURN 23u
#define VCS_REASON_UNINTERRUPTIBLE 24u
#define VCS_REASON_ENDS_SOON 25u
#define VCS_REASON_FILLS_IN 26u
#define VCS_REASON_RUNS_ON 27u
#define VCS_REASON_EARLIEST_DEADLINE 28u
/* why a task does not run (rule 5.6); also VCS_REASON_CANNOT_RUN */
#define VCS_REASON_TASK_SUSPENDED 30u
#define VCS_REASON_PROJECT_SUSPENDED 31u
#define VCS_REASON_RESOURCE_SUSPENDED 32u
#define VCS_REASON_WAITS 33u
#define VCS_REASON_SLICE_OVER 34u
#define VCS_REASON_GIVES_WAY 35u
#define VCS_REASON_MEMORY 36u
#define VCS_REASON_PROJECT_LIMIT 37u
#define VCS_REASON_APP_LIMIT 38u
#define VCS_REASON_EXCLUDED 39u
#define VCS_REASON_DOWNLOADING 40u
#define VCS_REASON_RESOURCE_PAUSED 41u
/* why a task does not run or a project is not asked, as the caller says: VCS_WAIT_* */
#define VCS_REASON_BY_USER 42u
#define VCS_REASON_MASTER_FILE 43u
#define VCS_REASON_DOWNLOAD_STALLED 44u
#define VCS_REASON_UPLOADS_WAIT 45u
/* why a task does not run, again (rules 5.6, 5.7) */
#define VCS_REASON_OWN_DEVICES 46u
#define VCS_REASON_HELD 47u
/* why a project is not asked, as the caller says, again: VCS_WAIT_TASK */
#define VCS_REASON_TASK_BY_USER 49u
/* why a project is asked for work for a resource (rule 6.9) */
#define VCS_REASON_ASKED 50u
#define VCS_REASON_ASKED_ALONG 51u
#define VCS_REASON_ASKED_LITTLE 52u
/* why it is not; also the two reasons of suspension, and VCS_REASON_EXCLUDED */
#define VCS_REASON_NO_NEW_WORK 60u
#define VCS_REASON_NOT_WANTED 61u
#define VCS_REASON_NO_APPS 62u
#define VCS_REASON_DEFERRED 63u
#define VCS_REASON_BACKED_OFF 64u
#define VCS_REASON_TOO_MANY_TASKS 65u
#define VCS_REASON_UPLOADS 66u
#define VCS_REASON_FULL 67u
#define VCS_REASON_ENOUGH 68u
#define VCS_REASON_AT_LIMIT 69u
#define VCS_REASON_BETTER_PROJECT 70u
#define VCS_REASON_BACKUP 71u
#define VCS_REASON_OVERWORKED 72u
#define VCS_REASON_MISSES 73u
#define VCS_REASON_NO_SHARE_LEFT 74u
#define VCS_REASON_NO_PROJECT 75u
#define VCS_REASON_WAITS_FOR_FIT 76u
#define VCS_REASON_LITTLE_MISSING 77u
#define VCS_REASON_TASK_DEFERRED 78u
#define VCS_REASON_SERVER_LIMIT 79u
/* of events of a work unit (rules 8.2, 8.5) */
#define VCS_REASON_UNIT_CREATED 100u
#define VCS_REASON_SENT 101u
#define VCS_REASON_REPORTED_SUCCESS 102u
#define VCS_REASON_REPORTED_ERROR 103u
#define VCS_REASON_CANCELLED_BY_USER 104u
#define VCS_REASON_DETACHED 105u
#define VCS_REASON_REPORT_REFUSED 106u
#define VCS_REASON_LATE_SUCCESS 107u
#define VCS_REASON_LATE_REPORT 108u
#define VCS_REASON_UNSENDABLE 109u
#define VCS_REASON_UNIT_CANCELLED 110u
/* of a transition (rule 8.3) */
#define VCS_REASON_OVERDUE 111u
#define VCS_REASON_QUORUM 112u
#define VCS_REASON_COULDNT_SEND 113u
#define VCS_REASON_TOO_MANY_ERRORS 114u
#define VCS_REASON_TOO_MANY_TOTAL 115u
#define VCS_REASON_COPIES_MISSING 116u
#define VCS_REASON_QUORUM_OUT_OF_REACH 117u
#define VCS_REASON_CLASS_FIXED 118u
#define VCS_REASON_CLASS_FREE 119u
#define VCS_REASON_UNIT_FAILED 120u
#define VCS_REASON_FILES_NOT_NEEDED 121u
#define VCS_REASON_CANONICAL_GONE 122u
#define VCS_REASON_NEXT_DEADLINE 123u
#define VCS_REASON_DELETE_DELAY 124u
#define VCS_REASON_WAITS_FOR_EVENT 125u
#define VCS_REASON_SAFETY_NET 126u
#define VCS_REASON_LAGS 127u
/* of validation (rule 8.4) */
#define VCS_REASON_CANONICAL 128u
#define VCS_REASON_AGREES 129u
#define VCS_REASON_DIFFERS 130u
#define VCS_REASON_WRONG 131u
#define VCS_REASON_NOT_COMPARABLE 132u
#define VCS_REASON_NO_CONSENSUS 133u
#define VCS_REASON_TOO_MANY_SUCCESSES 134u
#define VCS_REASON_JUDGED 135u
/* of more events of a work unit (rules 8.2, 8.5) */
#define VCS_REASON_CANONICAL_LOST 136u
#define VCS_REASON_ASSIMILATED 137u
#define VCS_REASON_FILES_DELETED 138u
#define VCS_REASON_FILES_NOT_DELETED 139u
/* why a result is accepted, checked or rejected (rule 11.1) */
#define VCS_REASON_UNCHECKED 140u
#define VCS_REASON_TO_BE_EXAMINED 141u
#define VCS_REASON_TO_BE_INVERTED 142u
#define VCS_REASON_TO_BE_VOTED 143u
#define VCS_REASON_CHECK_PASSED 144u
#define VCS_REASON_CHECK_FAILED 145u
#define VCS_REASON_INVERSE_FAILED 146u
#define VCS_REASON_BLACKLISTED 147u
/* how a vote ended (rules 11.2 and 11.3) */
#define VCS_REASON_MOST_VOTES 148u
#define VCS_REASON_CREDIBLE 149u
#define VCS_REASON_DECIDED_BEFORE 150u
#define VCS_REASON_OUTVOTED 151u
#define VCS_REASON_TOO_FEW_COPIES 152u
#define VCS_REASON_TIED 153u
#define VCS_REASON_DOUBTED 154u
/* why a result needs a copy at another client, or none (rule 11.3) */
#define VCS_REASON_NOT_TRUSTED_YET 155u
#define VCS_REASON_DRAWN 156u
#define VCS_REASON_TRUSTED 157u
/* why a client gets a job, or none (rule 10.3) */
#define VCS_REASON_FRESH 158u
#define VCS_REASON_HEAD_OF_QUEUE 159u
#define VCS_REASON_WINDOW_OVER 160u
#define VCS_REASON_CLIENT_DEAD 161u
#define VCS_REASON_OLDEST 162u
#define VCS_REASON_NO_JOB 163u
#define VCS_REASON_CLIENT_BLACKLISTED 164u
/* why a job is sent, or not (rules 9.1 and 9.2); also VCS_REASON_BLACKLISTED and the reasons of an admission */
#define VCS_REASON_JOB_SENT 180u
#define VCS_REASON_NOT_ASKED_FOR 181u
#define VCS_REASON_ENOUGH_SENT 182u
#define VCS_REASON_REPLY_FULL 183u
#define VCS_REASON_REPLY_ENDED 184u
#define VCS_REASON_QUOTA 185u
#define VCS_REASON_HOST_LIMIT 186u
#define VCS_REASON_HOST_HAS_COPY 187u
#define VCS_REASON_USER_HAS_COPY 188u
#define VCS_REASON_OTHER_CLASS 189u
#define VCS_REASON_APP_HOST_LIMIT 190u
#define VCS_REASON_HOST_MEMORY 191u
#define VCS_REASON_HOST_DISK 192u
#define VCS_REASON_BUSY_PAST_DEADLINE 193u
#define VCS_REASON_BOUND_TOO_SHORT 194u
/* how long a host waits before its next request (rule 8.9); also VCS_REASON_QUOTA */
#define VCS_REASON_LEAST_DELAY 200u
#define VCS_REASON_NO_WORK 201u
#define VCS_REASON_DEADLINES_NOT_MET 202u
/* of replies that were lost and hosts that were caught (rule 8.9) */
#define VCS_REASON_RESENT 210u
#define VCS_REASON_RESEND_NOT_NEEDED 211u
#define VCS_REASON_RESEND_TOO_LATE 212u
#define VCS_REASON_WITHDRAWN 213u
#define VCS_REASON_WITHDRAWN_NOTED 214u
#define VCS_REASON_CHOSEN_ANEW 215u
/* whether a copy is still needed (rule 8.9); also VCS_REASON_UNIT_FAILED */
#define VCS_REASON_STILL_NEEDED 220u
#define VCS_REASON_HAS_CANONICAL 221u
#define VCS_REASON_REPORT_USELESS 222u
/* why nothing is learned from a change (rule 8.9) */
#define VCS_REASON_NOTHING_TO_LEARN 230u
#define VCS_REASON_LEARNED_BEFORE 231u
/* why a task is given up, or kept (rule 15.3) */
#define VCS_REASON_DEADLINE_OVER 240u
#define VCS_REASON_TIME_TOO_SHORT 241u
#define VCS_REASON_UNLIKELY 242u
#define VCS_REASON_NEW_JOB_BETTER 243u
#define VCS_REASON_KEPT 244u
#define VCS_REASON_KEPT_FOR_PROJECT 245u
/* of an admission by chance (rule 15.5) */
#define VCS_REASON_LIKELY 250u
#define VCS_REASON_FOR_IDLE 251u
#define VCS_REASON_SMALL_CHANCE 252u
#define VCS_REASON_SMALLER_CHANCE 253u
#define VCS_REASON_WAIT_COSTS 254u
#define VCS_REASON_TAKES_MARGIN 255u
/* of what a project does itself with a unit, and failed at (rules 8.4 and 8.5) */
#define VCS_REASON_COMPARISON_FAILED 260u
#define VCS_REASON_TRIED_AGAIN 261u
#define VCS_REASON_WAITS_FOR_PERSON 262u
#define VCS_REASON_WORK_GOES_ON 263u

/* One row of the table of reasons. */
typedef struct vcs_reason_info {
    uint32_t struct_size;  /* bytes; set by the caller */
    uint32_t code;         /* VCS_REASON_* */
    char name[40];         /* short, for logs and JSON, such as "own_deadline" */
    char sentence[160];    /* for a person */
} vcs_reason_info;

/* How many reasons there are: the rows of the table. Thread-safe. O(1). */
VCS_API uint32_t vcs_reason_count(void);

/*
 * Row `index` of the table of reasons, in order of code.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER or VCS_ERR_INDEX. Thread-safe. O(1).
 */
VCS_API int vcs_reason_at(uint32_t index, vcs_reason_info *info);

/* Short name of a reason; "unknown" for a code that does not exist. Never NULL. Thread-safe. O(reasons). */
VCS_API const char *vcs_reason_name(uint32_t code);

/* Sentence of a reason; "" for a code that does not exist. Never NULL. Thread-safe. O(reasons). */
VCS_API const char *vcs_reason_sentence(uint32_t code);

#ifdef __cplusplus
}
#endif

#endif

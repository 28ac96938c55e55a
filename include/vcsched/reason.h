/*
 * Reasons: why a decision came out as it did, as a code for programs and a sentence for people.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_REASON_H
#define VCSCHED_REASON_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The reasons. Values are never reused; gaps leave room. vcs_reason_at() has the sentences. */
#define VCS_REASON_NONE 0u
/* of an admission (rule 4.5) */
#define VCS_REASON_ADMITTED 1u
#define VCS_REASON_OWN_DEADLINE 2u
#define VCS_REASON_HARMS_TIMELY 3u
#define VCS_REASON_DELAYS_LATE 4u
#define VCS_REASON_CANNOT_RUN 5u
#define VCS_REASON_BUDGET 6u

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

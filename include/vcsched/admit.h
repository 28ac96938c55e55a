/*
 * Admission by earliest deadline first: may a task join the queue without harming those already in it (rule 4.5)?
 *
 * Both sides of a grid ask this: a server before it sends a task, a client before it accepts one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_ADMIT_H
#define VCSCHED_ADMIT_H

#include <vcsched/edf.h>
#include <vcsched/reason.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The answer for one candidate. 40 bytes. Since 0.1. */
typedef struct vcs_admission {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: 0 */
    uint32_t admitted;    /* out: 1 = it joins the queue, 0 = it is refused */
    uint32_t reason;      /* out: why: VCS_REASON_* */
    double finish;        /* out: when it would finish, s from now; +infinity if it cannot run or was not placed */
    uint32_t harmed;      /* out: the task of the snapshot that it would harm; VCS_NONE if none of them */
    uint32_t harmed_candidate; /* out: the admitted candidate that it would harm; VCS_NONE if none of them */
    uint64_t reserved[1]; /* out: 0 */
} vcs_admission;

/*
 * Decides whether a candidate may join the tasks of the host. If it may, it is in the queue for later candidates.
 *
 * state       prepared, with the candidates in vcs_snapshot.candidates. Candidates already admitted count as queued
 * candidate   index of the candidate; VCS_ERR_DUPLICATE if it was admitted before
 * admission   the answer
 *
 * The tasks that may run are placed by earliest deadline as in vcs_edf(), and judged by their computation deadlines,
 * which are the report deadlines less the minimum buffer. The candidate is admitted if and only if it meets its own, no
 * task that met its own now misses it, and no task that missed finishes later than before. The candidate counts as the
 * latest arrival. Limits on concurrent tasks hold for the queue and for the candidate.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_INDEX, VCS_ERR_DUPLICATE or a VCS_ERR_ABI_* of the answer. Thread-safe, one
 * thread per state. The first call places all tasks. Where all tasks and candidates take one whole CPU, a candidate
 * costs O(log(tasks)) if it would miss its own deadline, else the placing of the tasks after it up to the first that is
 * harmed. Elsewhere, and if any project or application has a limit, the tasks before it are placed again, too. Placing
 * costs what it does in vcs_edf(). All candidates of a state together may take vcs_parameters.placement_effort: the one
 * that goes beyond, and each later one, is refused with VCS_REASON_BUDGET, since what would come of it is unknown.
 */
VCS_API int vcs_admit(vcs_state *state, uint32_t candidate, vcs_admission *admission);

#ifdef __cplusplus
}
#endif

#endif

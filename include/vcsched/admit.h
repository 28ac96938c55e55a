/*
 * Admission by earliest deadline first: may this task join the queue without harm to those that are in it?
 *
 * Both sides of a grid ask it: a server before it sends a task (rule 4.5), a client before it accepts one.
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
    uint32_t admitted;    /* out: 1 = it joins the queue, 0 = it does not */
    uint32_t reason;      /* out: VCS_REASON_*: why */
    double finish;        /* out: when it would finish, s from now; +infinity if it cannot run or was not placed */
    uint32_t harmed;      /* out: the task of the snapshot that it would harm; VCS_NONE if it is none of those */
    uint32_t harmed_candidate; /* out: the admitted candidate that it would harm; VCS_NONE if it is none of those */
    uint64_t reserved[1]; /* out: 0 */
} vcs_admission;

/*
 * Decides whether a candidate may join the tasks of the host, and if so lets it join for the candidates that follow.
 *
 * state       prepared, with the candidates in vcs_snapshot.candidates. Candidates already admitted count as queued
 * candidate   index of the candidate; one that was admitted before is VCS_ERR_DUPLICATE
 * admission   the answer
 *
 * The tasks that may run are placed by earliest deadline as in vcs_edf(), each against its computation deadline, which
 * is its report deadline less the minimum buffer. The candidate is admitted if and only if it meets its own, no task
 * that met its own now misses it, and no task that missed finishes later than before. The candidate counts as the
 * latest arrival.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_INDEX, VCS_ERR_DUPLICATE or a VCS_ERR_ABI_* of the answer. Thread-safe, one
 * thread per state. The first call places all tasks. Where all tasks and candidates take one whole CPU, a candidate
 * costs O(log(tasks)) if its own deadline refuses it, else the placing of the tasks after it up to the first that is
 * harmed. Elsewhere the tasks before it are placed once more, too. Placing costs what it does in vcs_edf().
 */
VCS_API int vcs_admit(vcs_state *state, uint32_t candidate, vcs_admission *admission);

#ifdef __cplusplus
}
#endif

#endif

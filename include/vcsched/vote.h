/*
 * Voting: which of several results of the same job is right, by how many clients found it (rule 11.2, source S3).
 *
 * The library compares no results. The caller sorts them into classes of equal ones and numbers the classes as it
 * likes; the library votes over these numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VOTE_H
#define VCSCHED_VOTE_H

#include <vcsched/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The greatest credibility: nobody is beyond all doubt. */
#define VCS_MAX_CREDIBILITY (1.0 - 1.0 / 9007199254740992.0)

/* vcs_ballot.flags */
#define VCS_BALLOT_BLACKLISTED 0x1u /* its client is on the blacklist: the result is refused and has no vote */

/* One result that is put to the vote. 40 bytes. Since 0.1. */
typedef struct vcs_ballot {
    uint64_t id;           /* the caller's number, distinct; breaks ties, lower first */
    uint32_t result_class; /* the class that the result belongs to; any number */
    uint32_t flags;        /* VCS_BALLOT_* */
    double credibility;    /* of its client, 0 ... VCS_MAX_CREDIBILITY; vcs_vote() does not look at it */
    uint64_t reserved[2];  /* 0 */
} vcs_ballot;

/* vcs_vote_terms.flags */
#define VCS_VOTE_DECIDED 0x1u /* an earlier vote decided: these results came late and are measured by `winner` */

/* On what terms a vote is held. Zero it, set struct_size, then what you know. 32 bytes. Since 0.1. */
typedef struct vcs_vote_terms {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_VOTE_DECIDED or 0 */
    uint32_t copies;      /* results wanted before anything is decided, 1 or more: see vcs_copies() */
    uint32_t winner;      /* the class that won, if VCS_VOTE_DECIDED; else 0 */
    double tolerance;     /* greatest doubt with which vcs_vote_by_credibility() decides, 0 < tolerance < 0.5;
                             vcs_vote() does not look at it */
    uint64_t reserved[1]; /* 0 */
} vcs_vote_terms;

/* vcs_vote_summary.flags */
#define VCS_VOTE_WON 0x1u /* there is a winner */

/* How a vote ended. 56 bytes. Since 0.1. */
typedef struct vcs_vote_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_VOTE_WON or 0 */
    uint32_t winner;      /* the class that won; 0 without VCS_VOTE_WON */
    uint32_t reason;      /* VCS_REASON_*: why there is a winner, or none */
    uint32_t further;     /* copies to be sent out besides those whose results are here */
    uint32_t refused;     /* results without a vote */
    uint32_t votes;       /* results of the leading class, or of each of those that lead together */
    uint32_t ballot;      /* index of the result of the leading class that has the lowest id; VCS_NONE if there is none,
                             or several classes lead together */
    double doubt;         /* 1 - credibility of the leading class; 0 from vcs_vote(), which does not know it */
    uint64_t reserved[2]; /* 0 */
} vcs_vote_summary;

/* What the vote says of one result */
#define VCS_BALLOT_OPEN 0u    /* nothing yet */
#define VCS_BALLOT_VALID 1u   /* it is right */
#define VCS_BALLOT_WRONG 2u   /* it is wrong: its client goes on the blacklist */
#define VCS_BALLOT_REFUSED 3u /* it had no vote */

/* The same with its reason. 24 bytes. Since 0.1. */
typedef struct vcs_ballot_verdict {
    uint32_t verdict;     /* VCS_BALLOT_* */
    uint32_t reason;      /* VCS_REASON_* */
    uint64_t reserved[2]; /* 0 */
} vcs_ballot_verdict;

/*
 * Holds a vote: the class that more results belong to than to any other wins.
 *
 * terms          how many copies are wanted, and whether it was decided before
 * ballots        vcs_ballot: the results that have come
 * order          out: as many numbers as ballots: their indices by class, then id; may be NULL if there is none
 * verdicts       out: one for each ballot; may be NULL if there is none
 * verdict_size   sizeof(vcs_ballot_verdict) of the caller
 * summary        out
 * error          what was refused, and where; may be NULL
 *
 * Nothing is decided before as many results have a vote as copies are wanted: the summary asks for the rest. If two
 * classes or more lead together, it asks for one more copy; hold the vote again when its result has come, with the same
 * terms. A vote that was decided before asks for nothing.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * Thread-safe. O(n * log(n)) for n ballots.
 */
VCS_API int vcs_vote(const vcs_vote_terms *terms, const vcs_array *ballots, uint32_t *order,
                     vcs_ballot_verdict *verdicts, uint32_t verdict_size, vcs_vote_summary *summary, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

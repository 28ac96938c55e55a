/*
 * Voting: which of several results of the same job is right (rules 11.2 and 11.3, source S3).
 *
 * The library does not compare results. The caller sorts them into classes of equal results and numbers the classes as
 * it likes; the library votes on these numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VOTE_H
#define VCSCHED_VOTE_H

#include <vcsched/trust.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One result that is put to the vote. 40 bytes. Since 0.1. */
typedef struct vcs_ballot {
    uint64_t id;           /* the caller's number, unique; breaks ties, lower first */
    uint32_t result_class; /* the class that the result belongs to; any number */
    uint32_t flags;        /* VCS_BLACKLISTED: the result is refused and has no vote; else 0 */
    double credibility;    /* of its client, 0 ... VCS_MAX_CREDIBILITY; read only by VCS_VOTE_BY_CREDIBILITY */
    uint64_t reserved[2];  /* 0 */
} vcs_ballot;

/* vcs_vote_terms.flags */
#define VCS_VOTE_DECIDED 0x1u /* an earlier vote decided: these results are late and are judged by `winner` */

/* vcs_vote_terms.rule: who wins */
#define VCS_VOTE_BY_COUNT 0u       /* the class with more results than any other */
#define VCS_VOTE_BY_CREDIBILITY 1u /* the most credible class, if its doubt is small enough */

/* The terms of a vote. Zero it, set struct_size, then what you know. 32 bytes. Since 0.1. */
typedef struct vcs_vote_terms {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_VOTE_DECIDED or 0 */
    uint32_t copies;      /* results needed before anything is decided, 1 or more: see vcs_copies() */
    uint32_t winner;      /* the class that won, if VCS_VOTE_DECIDED; else 0 */
    double tolerance;     /* by credibility: the greatest doubt with which a class wins, 0 < tolerance < 0.5; else
                             0 ... 0.5 and ignored */
    uint32_t rule;        /* VCS_VOTE_BY_COUNT or VCS_VOTE_BY_CREDIBILITY */
    uint32_t reserved0;   /* 0 */
} vcs_vote_terms;

/* vcs_vote_summary.flags */
#define VCS_VOTE_WON 0x1u /* there is a winner */

/* How a vote ended. 56 bytes. Since 0.1. */
typedef struct vcs_vote_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_VOTE_WON or 0 */
    uint32_t winner;      /* the class that won; 0 without VCS_VOTE_WON */
    uint32_t reason;      /* VCS_REASON_*: why there is a winner, or none */
    uint32_t further;     /* copies to be sent out in addition to those whose results are here */
    uint32_t refused;     /* results without a vote */
    uint32_t votes;       /* results in the leading class, or in each of those that are tied */
    uint32_t ballot;      /* index of the result with the lowest id in the leading class; VCS_NONE if there is none, or
                             several classes are tied */
    double doubt;         /* by credibility: 1 - the credibility of the leading class; else 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_vote_summary;

/* What the vote says about one result */
#define VCS_BALLOT_OPEN 0u    /* undecided */
#define VCS_BALLOT_VALID 1u   /* it is right */
#define VCS_BALLOT_WRONG 2u   /* it is wrong: its client goes on the blacklist */
#define VCS_BALLOT_REFUSED 3u /* it had no vote */

/* The verdict on one result, with its reason. 24 bytes. Since 0.1. */
typedef struct vcs_ballot_verdict {
    uint32_t verdict;     /* VCS_BALLOT_* */
    uint32_t reason;      /* VCS_REASON_* */
    uint64_t reserved[2]; /* 0 */
} vcs_ballot_verdict;

/*
 * Holds a vote.
 *
 * ballots        the results that have arrived
 * ballot_size    sizeof(vcs_ballot) of the caller
 * ballot_count   how many ballots
 * terms          how many copies are wanted, who wins, and whether it was decided before
 * order          out: as many numbers as ballots: their indices by class, then id; may be NULL if there is none
 * verdicts       out: one for each ballot; may be NULL if there is none
 * verdict_size   sizeof(vcs_ballot_verdict) of the caller
 * summary        out
 * error          what was refused; may be NULL
 *
 * Nothing is decided before as many results have a vote as copies are wanted: the summary asks for the missing ones.
 *
 * VCS_VOTE_BY_COUNT: the class with more results than any other wins. On a tie one more copy is asked for; hold the
 * vote again, on the same terms, when its result has arrived.
 *
 * VCS_VOTE_BY_CREDIBILITY: let c be the credibilities of the clients. The weight of a class is the product of c over
 * its results times the product of 1 - c over all others. Its credibility is its weight divided by the sum of the
 * weights of all classes and of the product of 1 - c over all results, which stands for no result being right. The most
 * credible class wins if its doubt, 1 - credibility, is at most terms.tolerance; else one more copy is asked for. Of
 * equally credible classes, the one with the lowest id leads. Products are taken in order of id, and sums in order of
 * class; none overflows or vanishes, however many results there are.
 *
 * A vote that was decided before asks for nothing.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_OVERFLOW.
 * Thread-safe. O(n * log(n)) for n ballots.
 */
VCS_API int vcs_vote(const vcs_ballot *ballots, uint32_t ballot_size, uint32_t ballot_count,
                     const vcs_vote_terms *terms, uint32_t *order, vcs_ballot_verdict *verdicts, uint32_t verdict_size,
                     vcs_vote_summary *summary, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

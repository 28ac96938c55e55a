/*
 * What every way of counting votes has in common: the ballots by class, and telling what came out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_VERIFY_POLL_H
#define VCS_VERIFY_POLL_H

#include <stdbool.h>
#include <vcsched/vote.h>

/* The ballots of a vote, by class, then id. */
typedef struct vcs_poll {
    vcs_vote_terms terms;
    vcs_array ballots;
    const uint32_t *order;
    uint32_t voters; /* ballots that are not refused */
} vcs_poll;

/* A class of equal results: those in order[begin] ... order[end - 1]. */
typedef struct vcs_faction {
    uint32_t begin, end;
    uint32_t voters;
    uint32_t first; /* index of the voter of the lowest id; VCS_NONE without a voter */
} vcs_faction;

/* What came out. */
typedef struct vcs_outcome {
    bool is_won;
    uint32_t reason;
    uint32_t votes, ballot, further; /* as in vcs_vote_summary */
    double doubt;
} vcs_outcome;

/* Checks all arguments of a vote; takes over the terms and the ballots. VCS_OK or the error. */
int vcs_poll_open(vcs_poll *poll, const vcs_vote_terms *terms, const vcs_array *ballots, const uint32_t *order,
                  const vcs_ballot_verdict *verdicts, uint32_t verdict_size, const vcs_vote_summary *summary,
                  vcs_error *error);

/* Sorts the ballots. O(n * log(n)). */
void vcs_poll_sort(vcs_poll *poll, uint32_t *order);

const vcs_ballot *vcs_poll_ballot(const vcs_poll *poll, uint32_t index);

/* Whether the ballot has a vote. */
bool vcs_poll_counts(const vcs_poll *poll, uint32_t index);

/* The next class after `faction`, the first one after {0}; false if there is none. O(its ballots). */
bool vcs_poll_next(const vcs_poll *poll, vcs_faction *faction);

/* How many copies are to come before anything is decided. */
uint32_t vcs_poll_missing(const vcs_poll *poll);

/* What comes out if an earlier vote decided: its winner, as far as it is among these results. */
bool vcs_poll_is_decided(const vcs_poll *poll);
vcs_outcome vcs_poll_decision(const vcs_poll *poll);

/* Whether a of two voters has the lower id. */
bool vcs_poll_goes_before(const vcs_poll *poll, uint32_t a, uint32_t b);

/* Hands out the verdict on every ballot, and the summary. */
void vcs_poll_close(const vcs_poll *poll, const vcs_outcome *outcome, vcs_ballot_verdict *verdicts,
                    uint32_t verdict_size, vcs_vote_summary *summary);

#endif

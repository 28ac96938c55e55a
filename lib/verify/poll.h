/*
 * A vote under way: the ballots by class.
 *
 * Rule 11.2; worked by hand in tests/verify/test_vote.c. Which class wins is decided in vote.c, by the number of votes,
 * or in credibility.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_VERIFY_POLL_H
#define VCS_VERIFY_POLL_H

#include <stdbool.h>
#include <vcsched/record.h>
#include <vcsched/vote.h>

typedef struct vcs_poll {
    vcs_vote_terms terms;
    vcs_array ballots;
    uint32_t *order;          /* of the ballots: by class, then id */
    uint32_t voters, missing; /* ballots that are not refused; how many more are needed before anything is decided */
} vcs_poll;

/* A class of equal results: those in order[begin] ... order[end - 1]. */
typedef struct vcs_poll_class {
    uint32_t begin, end;
    uint32_t voters;
    uint32_t first; /* index of the voter with the lowest id; VCS_NONE without a voter */
} vcs_poll_class;

/* Sorts the ballots, and counts the voters. O(n * log(n)). */
void vcs_poll_sort(vcs_poll *poll);

/* The next class after the given one, the first after {0}; false if there is none. O(its ballots). */
bool vcs_poll_next(const vcs_poll *poll, vcs_poll_class *next);

/* Whether voter a has the lower id of two. */
bool vcs_poll_goes_before(const vcs_poll *poll, uint32_t a, uint32_t b);

/* The ballots were checked: bytes that this version does not know are 0. */
static inline const vcs_ballot *vcs_poll_ballot(const vcs_poll *poll, uint32_t index) {
    const unsigned char *first = poll->ballots.base;
    return (const vcs_ballot *)(const void *)(first + (size_t)index * poll->ballots.element_size);
}

/* Whether the ballot has a vote. */
static inline bool vcs_poll_counts(const vcs_poll *poll, uint32_t index) {
    return (vcs_poll_ballot(poll, index)->flags & VCS_BALLOT_BLACKLISTED) == 0;
}

/* Rule 11.3: the most credible class, and whether its doubt is small enough to win. O(ballots). */
void vcs_most_credible(const vcs_poll *poll, vcs_vote_summary *summary);

#endif

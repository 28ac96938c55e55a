/*
 * What the tests of voting share: a vote over a few ballots, held and checked, and bad arguments.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POLL_H
#define POLL_H

#include "support/array.h"
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/verify.h>

#define MOST_BALLOTS 1024

/* A vote and how it ended. */
typedef struct test_poll {
    vcs_vote_terms terms;
    uint32_t count;
    vcs_ballot ballots[MOST_BALLOTS];
    uint32_t order[MOST_BALLOTS];
    vcs_ballot_verdict verdicts[MOST_BALLOTS];
    vcs_vote_summary summary;
} test_poll;

static inline void poll_begin(test_poll *poll, uint32_t copies) {
    memset(poll, 0, sizeof *poll);
    poll->terms = (vcs_vote_terms){.struct_size = sizeof poll->terms, .copies = copies, .tolerance = 0.01};
    poll->summary.struct_size = sizeof poll->summary;
}

/* Ids count up from 1. */
static inline vcs_ballot *poll_add(test_poll *poll, uint32_t result_class, double credibility) {
    vcs_ballot *ballot = &poll->ballots[poll->count++];
    *ballot = (vcs_ballot){.id = poll->count, .result_class = result_class, .credibility = credibility};
    return ballot;
}

/* The vote of a poll, on `ballots` of this element size. */
#define VOTE(poll, ballots, ballot_size, error)                                                                        \
    vcs_vote(ARRAY_OF(ballots, ballot_size, (poll)->count), &(poll)->terms, (poll)->order,                             \
             ARRAY((poll)->verdicts, (poll)->count), &(poll)->summary, error)

/* Holds the vote by a rule VCS_VOTE_BY_*. */
static inline void poll_hold(test_poll *poll, uint32_t rule) {
    poll->terms.rule = rule;
    assert_int_equal(VOTE(poll, poll->ballots, sizeof *poll->ballots, NULL), VCS_OK);
}

/* Nothing may be written when a vote is refused. */
static inline void poll_refuse(test_poll *poll, uint32_t rule, int code, uint32_t type, uint32_t offset) {
    poll->terms.rule = rule;
    test_poll copy = *poll;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(VOTE(&copy, copy.ballots, sizeof *copy.ballots, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_int_equal(error.offset, offset);
    assert_memory_equal(&copy, poll, sizeof copy);
}

/* What both ways of voting refuse. */
static inline void poll_refuse_bad_arguments(uint32_t rule) {
    static const bad_field bad_ballots[] = {
        BAD_WORD(vcs_ballot, flags, 2, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_ballot, credibility),
        BAD_NUMBER(vcs_ballot, credibility, -0.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_ballot, credibility, 1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_ballot, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    static const bad_field bad_terms[] = {
        BAD_WORD(vcs_vote_terms, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_vote_terms, struct_size, sizeof(vcs_vote_terms) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_vote_terms, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_vote_terms, copies, 0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_vote_terms, tolerance),
        BAD_NUMBER(vcs_vote_terms, tolerance, -0.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_vote_terms, tolerance, 0.6, VCS_ERR_RANGE),
        BAD_WORD(vcs_vote_terms, reserved0, 1, VCS_ERR_ABI_NEWER),
    };
    static test_poll poll;
    for (size_t i = 0; i < COUNT_OF(bad_ballots) + COUNT_OF(bad_terms); i++) {
        poll_begin(&poll, 2);
        poll_add(&poll, 5, 0.5);
        poll_add(&poll, 4, 0.5);
        if (i < COUNT_OF(bad_ballots)) {
            spoil(&poll.ballots[1], &bad_ballots[i]);
            poll_refuse(&poll, rule, bad_ballots[i].code, VCS_TYPE_BALLOT, (uint32_t)bad_ballots[i].offset);
        } else {
            const bad_field *bad = &bad_terms[i - COUNT_OF(bad_ballots)];
            spoil(&poll.terms, bad);
            poll_refuse(&poll, rule, bad->code, VCS_TYPE_VOTE_TERMS, (uint32_t)bad->offset);
        }
    }
    poll_begin(&poll, 1);
    poll_add(&poll, 5, 0.5);
    poll.terms.rule = rule;
    vcs_vote_summary summary = {.struct_size = sizeof summary, .further = 77}, small = {.struct_size = 8};
    vcs_ballot_verdict verdict = {.verdict = 77};
    vcs_error error = {.struct_size = 8};
    uint32_t order = 77;
    const vcs_ballot *ballots = poll.ballots;
    const vcs_vote_terms *terms = &poll.terms;
    const uint32_t each = sizeof *ballots, size = sizeof verdict;
    assert_int_equal(vcs_vote(ARRAY_OF(ballots, each, 1), NULL, &order, ARRAY_OF(&verdict, size, 1), &summary, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_vote(ARRAY_OF(NULL, each, 1), terms, &order, ARRAY_OF(&verdict, size, 1), &summary, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(
        vcs_vote(ARRAY_OF(ballots, each - 4, 1), terms, &order, ARRAY_OF(&verdict, size, 1), &summary, NULL),
        VCS_ERR_ABI_SIZE);
    assert_int_equal(
        vcs_vote(ARRAY_OF(ballots, each - 8, 1), terms, &order, ARRAY_OF(&verdict, size, 1), &summary, NULL),
        VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_vote(ARRAY_OF(ballots, each, 1), terms, NULL, ARRAY_OF(&verdict, size, 1), &summary, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_vote(ARRAY_OF(ballots, each, 1), terms, &order, ARRAY_OF(NULL, size, 1), &summary, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(
        vcs_vote(ARRAY_OF(ballots, each, 1), terms, &order, ARRAY_OF(&verdict, size - 8, 1), &summary, NULL),
        VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_vote(ARRAY_OF(ballots, each, 1), terms, &order, ARRAY_OF(&verdict, size, 1), NULL, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_vote(ARRAY_OF(ballots, each, 1), terms, &order, ARRAY_OF(&verdict, size, 1), &small, NULL),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_vote(ARRAY_OF(ballots, each, 1), terms, &order, ARRAY_OF(&verdict, size, 1), &summary, &error),
                     VCS_ERR_ABI_OLDER);
    poll.terms.rule = 2;
    assert_int_equal(vcs_vote(ARRAY_OF(ballots, each, 1), terms, &order, ARRAY_OF(&verdict, size, 1), &summary, NULL),
                     VCS_ERR_FLAGS);
    assert_int_equal(order, 77);
    assert_int_equal(verdict.verdict, 77);
    assert_int_equal(summary.further, 77);
}

#endif

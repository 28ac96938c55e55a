/*
 * A vote: by the number of results in a class, or by the credibility of their clients.
 *
 * Rule 11.2; worked by hand in tests/verify/test_vote.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/argument.h"
#include "interface/check.h"
#include "verify/credibility.h"
#include "verify/poll.h"

#include <string.h>
#include <vcsched/reason.h>

/* ---- Checks ---- */

static int refuse_null(uint32_t type, const char *why, vcs_error *error) {
    return vcs_fail(error, VCS_ERR_NULL, type, 0, VCS_WHOLE_RECORD, why);
}

static int check_outputs(const vcs_array *ballots, const uint32_t *order, const vcs_ballot_verdict *verdicts,
                         uint32_t verdict_size, const vcs_vote_summary *summary, vcs_error *error) {
    if (ballots->count > 0 && order == NULL) {
        return refuse_null(VCS_TYPE_NONE, "order is NULL", error);
    }
    int code = vcs_check_output(verdicts, verdict_size, sizeof *verdicts, ballots->count, ballots->count);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_BALLOT_VERDICT, 0, VCS_WHOLE_RECORD,
                        code == VCS_ERR_NULL ? "array is NULL" : "has a size that no version has");
    }
    if (summary == NULL) {
        return refuse_null(VCS_TYPE_VOTE_SUMMARY, "is NULL", error);
    }
    code = vcs_check_size(summary->struct_size, sizeof *summary);
    return code == VCS_OK ? VCS_OK
                          : vcs_fail(error, code, VCS_TYPE_VOTE_SUMMARY, 0, VCS_FIELD(vcs_vote_summary, struct_size),
                                     "matches no known version of this struct");
}

static int take_inputs(vcs_poll *poll, const vcs_vote_terms *terms, vcs_error *error) {
    int code = vcs_take_input(&poll->terms, terms, VCS_TYPE_VOTE_TERMS, error);
    if (code == VCS_OK) {
        code = vcs_check_records(&poll->ballots, VCS_TYPE_BALLOT, error);
    }
    bool is_tolerance_read = poll->terms.rule == VCS_VOTE_BY_CREDIBILITY;
    if (code == VCS_OK && is_tolerance_read && !(poll->terms.tolerance > 0.0 && poll->terms.tolerance < 0.5)) {
        return vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_VOTE_TERMS, 0, VCS_FIELD(vcs_vote_terms, tolerance),
                        "must lie between 0 and 0.5");
    }
    return code;
}

/* ---- Who wins ---- */

/* The class with most voters; none if several have equally many. */
static vcs_poll_result most_votes(const vcs_poll *poll) {
    vcs_poll_result result = {false, VCS_REASON_TIED, 0, VCS_NONE, 0, 0.0};
    for (vcs_poll_class next = {0}; vcs_poll_next(poll, &next);) {
        if (next.voters > result.votes) {
            result.votes = next.voters;
            result.ballot = next.first;
        } else if (next.voters == result.votes) {
            result.ballot = VCS_NONE;
        }
    }
    if (vcs_poll_missing(poll) > 0) {
        result.reason = VCS_REASON_TOO_FEW_COPIES;
        result.further = vcs_poll_missing(poll);
    } else if (result.ballot == VCS_NONE) {
        result.further = 1;
    } else {
        result.reason = VCS_REASON_MOST_VOTES;
        result.is_won = true;
    }
    return result;
}

static bool is_decided(const vcs_poll *poll) {
    return (poll->terms.flags & VCS_VOTE_DECIDED) != 0;
}

/* The winner of an earlier vote, as far as it has votes among these results. */
static vcs_poll_result earlier_decision(const vcs_poll *poll) {
    vcs_poll_result result = {true, VCS_REASON_DECIDED_BEFORE, 0, VCS_NONE, 0, 0.0};
    for (vcs_poll_class next = {0}; vcs_poll_next(poll, &next);) {
        if (vcs_poll_ballot(poll, poll->order[next.begin])->result_class == poll->terms.winner) {
            result.votes = next.voters;
            result.ballot = next.first;
        }
    }
    return result;
}

static vcs_poll_result result_of(const vcs_poll *poll) {
    if (is_decided(poll)) {
        return earlier_decision(poll);
    }
    return poll->terms.rule == VCS_VOTE_BY_CREDIBILITY ? vcs_most_credible(poll) : most_votes(poll);
}

/* ---- The answer ---- */

static vcs_vote_summary summary_of(const vcs_poll *poll, const vcs_poll_result *result, uint32_t struct_size) {
    vcs_vote_summary summary;
    memset(&summary, 0, sizeof summary);
    summary.struct_size = struct_size;
    summary.reason = result->reason;
    summary.further = result->further;
    summary.refused = poll->ballots.count - poll->voters;
    summary.votes = result->votes;
    summary.ballot = result->ballot;
    summary.doubt = result->doubt;
    if (result->is_won) {
        summary.flags = VCS_VOTE_WON;
        summary.winner = is_decided(poll) ? poll->terms.winner : vcs_poll_ballot(poll, result->ballot)->result_class;
    }
    return summary;
}

static vcs_ballot_verdict verdict_on(const vcs_poll *poll, const vcs_vote_summary *summary, uint32_t index) {
    vcs_ballot_verdict verdict;
    memset(&verdict, 0, sizeof verdict);
    verdict.reason = summary->reason;
    if (!vcs_poll_counts(poll, index)) {
        verdict.verdict = VCS_BALLOT_REFUSED;
        verdict.reason = VCS_REASON_BLACKLISTED;
    } else if ((summary->flags & VCS_VOTE_WON) == 0) {
        verdict.verdict = VCS_BALLOT_OPEN;
    } else if (vcs_poll_ballot(poll, index)->result_class == summary->winner) {
        verdict.verdict = VCS_BALLOT_VALID;
    } else {
        verdict.verdict = VCS_BALLOT_WRONG;
        verdict.reason = VCS_REASON_OUTVOTED;
    }
    return verdict;
}

int vcs_vote(const vcs_ballot *ballots, uint32_t ballot_size, uint32_t ballot_count, const vcs_vote_terms *terms,
             uint32_t *order, vcs_ballot_verdict *verdicts, uint32_t verdict_size, vcs_vote_summary *summary,
             vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    vcs_poll poll = {.ballots = {.base = ballots, .element_size = ballot_size, .count = ballot_count}};
    code = check_outputs(&poll.ballots, order, verdicts, verdict_size, summary, error);
    if (code == VCS_OK) {
        code = take_inputs(&poll, terms, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    vcs_poll_sort(&poll, order);
    const vcs_poll_result result = result_of(&poll);
    const vcs_vote_summary totals = summary_of(&poll, &result, summary->struct_size);
    for (uint32_t i = 0; i < ballot_count; i++) {
        vcs_ballot_verdict verdict = verdict_on(&poll, &totals, i);
        vcs_hand_out((unsigned char *)verdicts + (size_t)i * verdict_size, verdict_size, &verdict, sizeof verdict);
    }
    vcs_hand_out(summary, summary->struct_size, &totals, sizeof totals);
    return VCS_OK;
}

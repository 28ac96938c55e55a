/*
 * A vote: by the number of results in a class, or by the credibility of their clients.
 *
 * Rule 11.2; worked by hand in tests/verify/test_vote.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/argument.h"
#include "interface/check.h"
#include "verify/poll.h"

#include <string.h>
#include <vcsched/reason.h>

static int check_arguments(vcs_poll *poll, const vcs_vote_terms *terms, const vcs_ballot_verdict *verdicts,
                           uint32_t verdict_size, const vcs_vote_summary *summary, vcs_error *error) {
    if (poll->ballots.count > 0 && poll->order == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "order is NULL");
    }
    int code = vcs_check_rows(verdicts, verdict_size, poll->ballots.count, VCS_TYPE_BALLOT_VERDICT, error);
    if (code == VCS_OK) {
        code = vcs_check_struct(summary, VCS_TYPE_VOTE_SUMMARY, error);
    }
    if (code == VCS_OK) {
        code = vcs_take_input(&poll->terms, terms, VCS_TYPE_VOTE_TERMS, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_records(&poll->ballots, VCS_TYPE_BALLOT, error);
    }
    bool is_tolerance_read = poll->terms.rule == VCS_VOTE_BY_CREDIBILITY;
    if (code == VCS_OK && is_tolerance_read && !(poll->terms.tolerance > 0.0 && poll->terms.tolerance < 0.5)) {
        code = vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_VOTE_TERMS, 0, VCS_FIELD(vcs_vote_terms, tolerance),
                        "must lie between 0 and 0.5");
    }
    return code;
}

/* ---- Who wins ---- */

/* The class with most voters; none if several have equally many. */
static void most_votes(const vcs_poll *poll, vcs_vote_summary *summary) {
    for (vcs_poll_class next = {0}; vcs_poll_next(poll, &next);) {
        if (next.voters > summary->votes) {
            summary->votes = next.voters;
            summary->ballot = next.first;
        } else if (next.voters == summary->votes) {
            summary->ballot = VCS_NONE;
        }
    }
    if (poll->missing > 0) {
        summary->reason = VCS_REASON_TOO_FEW_COPIES;
        summary->further = poll->missing;
    } else if (summary->ballot == VCS_NONE) {
        summary->reason = VCS_REASON_TIED;
        summary->further = 1;
    } else {
        summary->reason = VCS_REASON_MOST_VOTES;
        summary->flags = VCS_VOTE_WON;
    }
}

/* The winner of an earlier vote, as far as it has votes among these results. */
static void earlier_decision(const vcs_poll *poll, vcs_vote_summary *summary) {
    summary->flags = VCS_VOTE_WON;
    summary->reason = VCS_REASON_DECIDED_BEFORE;
    for (vcs_poll_class next = {0}; vcs_poll_next(poll, &next);) {
        if (vcs_poll_ballot(poll, poll->order[next.begin])->result_class == poll->terms.winner) {
            summary->votes = next.voters;
            summary->ballot = next.first;
        }
    }
}

/* ---- The answer ---- */

static void fill_summary(const vcs_poll *poll, vcs_vote_summary *summary, uint32_t struct_size) {
    const bool is_decided = (poll->terms.flags & VCS_VOTE_DECIDED) != 0;
    memset(summary, 0, sizeof *summary);
    summary->struct_size = struct_size;
    summary->refused = poll->ballots.count - poll->voters;
    summary->ballot = VCS_NONE;
    if (is_decided) {
        earlier_decision(poll, summary);
    } else if (poll->terms.rule == VCS_VOTE_BY_CREDIBILITY) {
        vcs_most_credible(poll, summary);
    } else {
        most_votes(poll, summary);
    }
    if ((summary->flags & VCS_VOTE_WON) != 0) {
        summary->winner = is_decided ? poll->terms.winner : vcs_poll_ballot(poll, summary->ballot)->result_class;
    }
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
    vcs_poll poll = {.ballots = {{ballots}, ballot_size, ballot_count}, .order = order};
    int code = vcs_check_error(error);
    if (code == VCS_OK) {
        code = check_arguments(&poll, terms, verdicts, verdict_size, summary, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    vcs_vote_summary totals;
    vcs_poll_sort(&poll);
    fill_summary(&poll, &totals, summary->struct_size);
    for (uint32_t i = 0; i < ballot_count; i++) {
        vcs_ballot_verdict verdict = verdict_on(&poll, &totals, i);
        vcs_hand_out((unsigned char *)verdicts + (size_t)i * verdict_size, verdict_size, &verdict, sizeof verdict);
    }
    vcs_hand_out(summary, summary->struct_size, &totals, sizeof totals);
    return VCS_OK;
}

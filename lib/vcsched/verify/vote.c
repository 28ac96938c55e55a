/*
 * Votes: by the number of results in a class, or by the credibility of their clients.
 *
 * Rules 11.2 and 11.3; worked by hand in tests/vcsched/verify/test_vote.c and tests/vcsched/verify/test_credibility.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/index_sort.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/verify_fields.h"
#include "vcsched/verify/scaled.h"

#include <stdbool.h>
#include <string.h>

/* ---- The ballots by class ---- */

typedef struct poll {
    vcs_vote_terms terms;
    const vcs_array *ballots;
    uint32_t *order;          /* the ballots by class, then id */
    uint32_t voters, missing; /* ballots with a vote, and how many more a decision needs */
} poll;

/* A class of equal results: order[begin] ... order[end - 1]. */
typedef struct vote_class {
    uint32_t begin, end;
    uint32_t voters;
    uint32_t first; /* the voter with the lowest id; VCS_NONE = no voter */
} vote_class;

static const vcs_ballot *ballot_at(const poll *poll, uint32_t index) {
    return vcs_element(poll->ballots, index);
}

static bool has_vote(const poll *poll, uint32_t index) {
    return (ballot_at(poll, index)->flags & VCS_BLACKLISTED) == 0;
}

static bool has_lower_id(const poll *poll, uint32_t a, uint32_t b) {
    return ballot_at(poll, a)->id < ballot_at(poll, b)->id;
}

static bool goes_before(const void *records, uint32_t a, uint32_t b) {
    const poll *poll = records;
    uint32_t class_a = ballot_at(poll, a)->result_class, class_b = ballot_at(poll, b)->result_class;
    return class_a != class_b ? class_a < class_b : has_lower_id(poll, a, b);
}

/* Sorts the ballots, and counts the voters. O(n * log(n)). */
static void sort_ballots(poll *poll) {
    poll->voters = 0;
    for (uint32_t i = 0; i < poll->ballots->count; i++) {
        poll->voters += has_vote(poll, i);
    }
    poll->missing = poll->voters < poll->terms.copies ? poll->terms.copies - poll->voters : 0;
    vcs_sort_indices(poll->order, poll->ballots->count, goes_before, poll);
}

/* Moves on to the next class, from {0} to the first; false behind the last. O(its ballots). */
static bool next_class(const poll *poll, vote_class *next) {
    if (next->end == poll->ballots->count) {
        return false;
    }
    *next = (vote_class){next->end, next->end, 0, VCS_NONE};
    const uint32_t shared = ballot_at(poll, poll->order[next->begin])->result_class;
    while (next->end < poll->ballots->count && ballot_at(poll, poll->order[next->end])->result_class == shared) {
        uint32_t index = poll->order[next->end++];
        if (has_vote(poll, index)) {
            next->first = next->voters == 0 ? index : next->first;
            next->voters++;
        }
    }
    return true;
}

/* ---- Who wins ---- */

/* Rule 11.2: the class with the most voters wins, unless several classes tie. O(ballots). */
static void most_votes(const poll *poll, vcs_vote_summary *summary) {
    for (vote_class next = {0}; next_class(poll, &next);) {
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

/*
 * The weight of a class, divided by the weight of nobody being right, the product of 1 - c over all voters. Each voter
 * of the class then counts c / (1 - c) and all others nothing, so no product runs over all voters.
 */
static vcs_scaled weight_of(const poll *poll, const vote_class *rival) {
    vcs_scaled weight = vcs_scaled_of(1.0);
    for (uint32_t i = rival->begin; i < rival->end; i++) {
        if (has_vote(poll, poll->order[i])) {
            double sure = ballot_at(poll, poll->order[i])->credibility;
            weight = vcs_scaled_times(weight, vcs_scaled_of(sure / (1.0 - sure)));
        }
    }
    return weight;
}

/* Rule 11.3: the most credible class wins if its doubt is small enough. O(ballots). */
static void most_credible(const poll *poll, vcs_vote_summary *summary) {
    vote_class leader = {.first = VCS_NONE};
    vcs_scaled greatest = vcs_scaled_of(0.0), others = vcs_scaled_of(1.0); /* weights of the leader, and against it */
    for (vote_class next = {0}; next_class(poll, &next);) {
        if (next.voters == 0) {
            continue;
        }
        const vcs_scaled weight = weight_of(poll, &next);
        bool is_more = vcs_scaled_is_less(greatest, weight), is_less = vcs_scaled_is_less(weight, greatest);
        if (leader.voters == 0 || is_more || (!is_less && has_lower_id(poll, next.first, leader.first))) {
            others = vcs_scaled_plus(others, greatest);
            greatest = weight;
            leader = next;
        } else {
            others = vcs_scaled_plus(others, weight);
        }
    }
    summary->votes = leader.voters;
    summary->ballot = leader.first;
    summary->doubt = vcs_scaled_ratio(others, vcs_scaled_plus(others, greatest));
    summary->further = (uint32_t)vcs_max_u64(poll->missing, 1);
    summary->reason = poll->missing > 0 ? VCS_REASON_TOO_FEW_COPIES : VCS_REASON_DOUBTED;
    if (poll->missing == 0 && summary->doubt <= poll->terms.tolerance) {
        summary->flags = VCS_VOTE_WON;
        summary->reason = VCS_REASON_CREDIBLE;
        summary->further = 0;
    }
}

/* The winner of an earlier vote, with its votes among these results. */
static void earlier_decision(const poll *poll, vcs_vote_summary *summary) {
    summary->flags = VCS_VOTE_WON;
    summary->reason = VCS_REASON_DECIDED_BEFORE;
    for (vote_class next = {0}; next_class(poll, &next);) {
        if (ballot_at(poll, poll->order[next.begin])->result_class == poll->terms.winner) {
            summary->votes = next.voters;
            summary->ballot = next.first;
        }
    }
}

/* ---- The answer ---- */

static void fill_summary(const poll *poll, vcs_vote_summary *summary, uint32_t struct_size) {
    const bool is_decided = (poll->terms.flags & VCS_VOTE_DECIDED) != 0;
    memset(summary, 0, sizeof *summary);
    summary->struct_size = struct_size;
    summary->refused = poll->ballots->count - poll->voters;
    summary->ballot = VCS_NONE;
    if (is_decided) {
        earlier_decision(poll, summary);
    } else if (poll->terms.rule == VCS_VOTE_BY_CREDIBILITY) {
        most_credible(poll, summary);
    } else {
        most_votes(poll, summary);
    }
    if ((summary->flags & VCS_VOTE_WON) != 0) {
        summary->winner = is_decided ? poll->terms.winner : ballot_at(poll, summary->ballot)->result_class;
    }
}

static vcs_ballot_verdict verdict_on(const poll *poll, const vcs_vote_summary *summary, uint32_t index) {
    vcs_ballot_verdict verdict;
    memset(&verdict, 0, sizeof verdict);
    verdict.reason = summary->reason;
    if (!has_vote(poll, index)) {
        verdict.verdict = VCS_BALLOT_REFUSED;
        verdict.reason = VCS_REASON_BLACKLISTED;
    } else if ((summary->flags & VCS_VOTE_WON) == 0) {
        verdict.verdict = VCS_BALLOT_OPEN;
    } else if (ballot_at(poll, index)->result_class == summary->winner) {
        verdict.verdict = VCS_BALLOT_VALID;
    } else {
        verdict.verdict = VCS_BALLOT_WRONG;
        verdict.reason = VCS_REASON_OUTVOTED;
    }
    return verdict;
}

static int check_arguments(poll *poll, const vcs_vote_terms *terms, const vcs_array *verdicts,
                           const vcs_vote_summary *summary, vcs_error *error) {
    int code = vcs_check_struct(summary, &vcs_vote_summary_layout, error);
    code = code == VCS_OK ? vcs_copy_input(&poll->terms, terms, &vcs_vote_terms_layout, error) : code;
    code = code == VCS_OK ? vcs_check_records(poll->ballots, &vcs_ballot_layout, error) : code;
    code = code == VCS_OK ? vcs_check_rows(verdicts, &vcs_ballot_verdict_layout, poll->ballots->count,
                                           "array does not have one element for each ballot", error)
                          : code;
    code = code == VCS_OK && poll->ballots->count > 0 ? vcs_check_place(poll->order, "order is NULL", error) : code;
    const bool is_between = poll->terms.tolerance > 0.0 && poll->terms.tolerance < 0.5;
    if (code == VCS_OK && poll->terms.rule == VCS_VOTE_BY_CREDIBILITY && !is_between) {
        code = vcs_fail(error, VCS_ERR_RANGE, &vcs_vote_terms_layout, 0, VCS_FIELD(vcs_vote_terms, tolerance),
                        "must lie between 0 and 0.5");
    }
    return code;
}

int vcs_vote(const vcs_array *ballots, const vcs_vote_terms *terms, uint32_t *order, const vcs_array *verdicts,
             vcs_vote_summary *summary, vcs_error *error) {
    poll poll = {.ballots = ballots, .order = order};
    int code = vcs_check_error(error);
    code = code == VCS_OK ? check_arguments(&poll, terms, verdicts, summary, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_vote_summary totals;
    sort_ballots(&poll);
    fill_summary(&poll, &totals, summary->struct_size);
    for (uint32_t i = 0; i < ballots->count; i++) {
        const vcs_ballot_verdict verdict = verdict_on(&poll, &totals, i);
        vcs_hand_out_element(verdicts, i, &verdict, sizeof verdict);
    }
    vcs_hand_out(summary, summary->struct_size, &totals, sizeof totals);
    return VCS_OK;
}

/* SPDX-License-Identifier: MIT */
#include "interface/argument.h"
#include "interface/check.h"
#include "verify/poll.h"
#include "core/scaled.h"

#include <vcsched/credibility.h>
#include <vcsched/reason.h>

int vcs_credibility(uint64_t passed, double error_bound, double *credibility) {
    if (credibility == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_number(error_bound, 0.0, 1.0);
    if (code == VCS_OK) {
        double sure = 1.0 - error_bound / (double)(passed > 0 ? passed : 1);
        *credibility = sure < VCS_MAX_CREDIBILITY ? sure : VCS_MAX_CREDIBILITY;
    }
    return code;
}

/*
 * Weight of a class over the product of 1 - c over all voters, which is the weight of nobody being right. In this
 * proportion each voter of the class counts c / (1 - c) and all others nothing, so no product runs over all voters.
 */
static vcs_scaled weight_of(const vcs_poll *poll, const vcs_faction *faction) {
    vcs_scaled weight = vcs_scaled_of(1.0);
    for (uint32_t i = faction->begin; i < faction->end; i++) {
        if (vcs_poll_counts(poll, poll->order[i])) {
            double sure = vcs_poll_ballot(poll, poll->order[i])->credibility;
            weight = vcs_scaled_times(weight, vcs_scaled_of(sure / (1.0 - sure)));
        }
    }
    return weight;
}

/* The most credible class so far, and the weight of all that speaks against it. */
typedef struct entry {
    vcs_faction leader;
    vcs_scaled weight, others;
} entry;

static void add_faction(const vcs_poll *poll, entry *entry, const vcs_faction *faction) {
    vcs_scaled weight = weight_of(poll, faction);
    bool is_more = vcs_scaled_is_less(entry->weight, weight);
    bool is_less = vcs_scaled_is_less(weight, entry->weight);
    bool leads = entry->leader.voters == 0 || is_more ||
                 (!is_less && vcs_poll_goes_before(poll, faction->first, entry->leader.first));
    if (!leads) {
        entry->others = vcs_scaled_plus(entry->others, weight);
        return;
    }
    entry->others = vcs_scaled_plus(entry->others, entry->weight);
    entry->weight = weight;
    entry->leader = *faction;
}

static entry stand(const vcs_poll *poll) {
    entry entry = {{0, 0, 0, VCS_NONE}, vcs_scaled_of(0.0), vcs_scaled_of(1.0)};
    for (vcs_faction faction = {0}; vcs_poll_next(poll, &faction);) {
        if (faction.voters > 0) {
            add_faction(poll, &entry, &faction);
        }
    }
    return entry;
}

static vcs_outcome outcome_of(const vcs_poll *poll) {
    const entry entry = stand(poll);
    const uint32_t missing = vcs_poll_missing(poll);
    vcs_scaled all = vcs_scaled_plus(entry.others, entry.weight);
    vcs_outcome outcome = {false, VCS_REASON_DOUBTED, entry.leader.voters, entry.leader.first,
                           missing > 1 ? missing : 1, vcs_scaled_ratio(entry.others, all)};
    if (missing > 0) {
        outcome.reason = VCS_REASON_TOO_FEW_COPIES;
    } else if (outcome.doubt <= poll->terms.tolerance) {
        outcome.is_won = true;
        outcome.reason = VCS_REASON_CREDIBLE;
        outcome.further = 0;
    }
    return outcome;
}

int vcs_vote_by_credibility(const vcs_vote_terms *terms, const vcs_array *ballots, uint32_t *order,
                            vcs_ballot_verdict *verdicts, uint32_t verdict_size, vcs_vote_summary *summary,
                            vcs_error *error) {
    vcs_poll poll;
    int code = vcs_poll_open(&poll, terms, ballots, order, verdicts, verdict_size, summary, error);
    if (code != VCS_OK) {
        return code;
    }
    if (!(poll.terms.tolerance > 0.0 && poll.terms.tolerance < 0.5)) {
        return vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_VOTE_TERMS, 0, VCS_FIELD(vcs_vote_terms, tolerance),
                        "must lie between 0 and 0.5");
    }
    vcs_poll_sort(&poll, order);
    vcs_outcome outcome = vcs_poll_is_decided(&poll) ? vcs_poll_decision(&poll) : outcome_of(&poll);
    vcs_poll_close(&poll, &outcome, verdicts, verdict_size, summary);
    return VCS_OK;
}

/* SPDX-License-Identifier: MIT */
#include "verify/poll.h"

#include <vcsched/reason.h>

/* The class of most voters; no ballot if several have as many. */
static vcs_outcome plurality(const vcs_poll *poll) {
    vcs_outcome outcome = {false, VCS_REASON_TIED, 0, VCS_NONE, 0, 0.0};
    for (vcs_faction faction = {0}; vcs_poll_next(poll, &faction);) {
        if (faction.voters > outcome.votes) {
            outcome.votes = faction.voters;
            outcome.ballot = faction.first;
        } else if (faction.voters == outcome.votes) {
            outcome.ballot = VCS_NONE;
        }
    }
    if (vcs_poll_missing(poll) > 0) {
        outcome.reason = VCS_REASON_TOO_FEW_COPIES;
        outcome.further = vcs_poll_missing(poll);
    } else if (outcome.ballot == VCS_NONE) {
        outcome.further = 1;
    } else {
        outcome.reason = VCS_REASON_MOST_VOTES;
        outcome.is_won = true;
    }
    return outcome;
}

int vcs_vote(const vcs_vote_terms *terms, const vcs_array *ballots, uint32_t *order, vcs_ballot_verdict *verdicts,
             uint32_t verdict_size, vcs_vote_summary *summary, vcs_error *error) {
    vcs_poll poll;
    int code = vcs_poll_open(&poll, terms, ballots, order, verdicts, verdict_size, summary, error);
    if (code == VCS_OK) {
        vcs_poll_sort(&poll, order);
        vcs_outcome outcome = vcs_poll_is_decided(&poll) ? vcs_poll_decision(&poll) : plurality(&poll);
        vcs_poll_close(&poll, &outcome, verdicts, verdict_size, summary);
    }
    return code;
}

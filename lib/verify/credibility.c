/*
 * The vote in which results weigh by the credibility of their clients.
 *
 * Rule 11.3; worked by hand in tests/verify/test_credibility.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core/number.h"
#include "verify/poll.h"
#include "verify/scaled.h"

#include <vcsched/reason.h>

/*
 * The weight of a class, divided by the product of 1 - c over all voters, which is the weight of nobody being right.
 * Then each voter of the class counts c / (1 - c) and all others nothing, so no product runs over all voters.
 */
static vcs_scaled weight_of(const vcs_poll *poll, const vcs_poll_class *rival) {
    vcs_scaled weight = vcs_scaled_of(1.0);
    for (uint32_t i = rival->begin; i < rival->end; i++) {
        if (vcs_poll_counts(poll, poll->order[i])) {
            double sure = vcs_poll_ballot(poll, poll->order[i])->credibility;
            weight = vcs_scaled_times(weight, vcs_scaled_of(sure / (1.0 - sure)));
        }
    }
    return weight;
}

void vcs_most_credible(const vcs_poll *poll, vcs_vote_summary *summary) {
    vcs_poll_class leader = {.first = VCS_NONE};
    vcs_scaled greatest = vcs_scaled_of(0.0), others = vcs_scaled_of(1.0); /* its weight, and all that is against it */
    for (vcs_poll_class next = {0}; vcs_poll_next(poll, &next);) {
        if (next.voters == 0) {
            continue;
        }
        const vcs_scaled weight = weight_of(poll, &next);
        bool is_more = vcs_scaled_is_less(greatest, weight), is_less = vcs_scaled_is_less(weight, greatest);
        if (leader.voters == 0 || is_more || (!is_less && vcs_poll_goes_before(poll, next.first, leader.first))) {
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

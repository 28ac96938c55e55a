/* SPDX-License-Identifier: MIT */
#include "core/number.h"
#include "verify/credibility.h"
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

/* The most credible class so far, and the weight of everything against it. */
typedef struct entry {
    vcs_poll_class leader;
    vcs_scaled weight, others;
} entry;

static void add_class(const vcs_poll *poll, entry *entry, const vcs_poll_class *rival) {
    vcs_scaled weight = weight_of(poll, rival);
    bool is_more = vcs_scaled_is_less(entry->weight, weight);
    bool is_less = vcs_scaled_is_less(weight, entry->weight);
    bool leads = entry->leader.voters == 0 || is_more ||
                 (!is_less && vcs_poll_goes_before(poll, rival->first, entry->leader.first));
    if (!leads) {
        entry->others = vcs_scaled_plus(entry->others, weight);
        return;
    }
    entry->others = vcs_scaled_plus(entry->others, entry->weight);
    entry->weight = weight;
    entry->leader = *rival;
}

static entry find_leader(const vcs_poll *poll) {
    entry entry = {{0, 0, 0, VCS_NONE}, vcs_scaled_of(0.0), vcs_scaled_of(1.0)};
    for (vcs_poll_class next = {0}; vcs_poll_next(poll, &next);) {
        if (next.voters > 0) {
            add_class(poll, &entry, &next);
        }
    }
    return entry;
}

vcs_poll_result vcs_most_credible(const vcs_poll *poll) {
    const entry entry = find_leader(poll);
    const uint32_t missing = vcs_poll_missing(poll);
    vcs_scaled all = vcs_scaled_plus(entry.others, entry.weight);
    vcs_poll_result result = {false, VCS_REASON_DOUBTED, entry.leader.voters, entry.leader.first,
                              (uint32_t)vcs_max_u64(missing, 1), vcs_scaled_ratio(entry.others, all)};
    if (missing > 0) {
        result.reason = VCS_REASON_TOO_FEW_COPIES;
    } else if (result.doubt <= poll->terms.tolerance) {
        result.is_won = true;
        result.reason = VCS_REASON_CREDIBLE;
        result.further = 0;
    }
    return result;
}

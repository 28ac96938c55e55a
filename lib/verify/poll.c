/* SPDX-License-Identifier: MIT */
#include "verify/poll.h"

#include "interface/argument.h"
#include "interface/check.h"
#include "core/index_sort.h"

#include <string.h>
#include <vcsched/reason.h>

const vcs_ballot *vcs_poll_ballot(const vcs_poll *poll, uint32_t index) {
    const unsigned char *first = poll->ballots.base;
    return (const vcs_ballot *)(const void *)(first + (size_t)index * poll->ballots.element_size);
}

bool vcs_poll_counts(const vcs_poll *poll, uint32_t index) {
    return (vcs_poll_ballot(poll, index)->flags & VCS_BALLOT_BLACKLISTED) == 0;
}

bool vcs_poll_goes_before(const vcs_poll *poll, uint32_t a, uint32_t b) {
    uint64_t id_a = vcs_poll_ballot(poll, a)->id, id_b = vcs_poll_ballot(poll, b)->id;
    return id_a != id_b ? id_a < id_b : a < b;
}

static bool goes_before(const void *records, uint32_t a, uint32_t b) {
    const vcs_poll *poll = records;
    uint32_t class_a = vcs_poll_ballot(poll, a)->result_class, class_b = vcs_poll_ballot(poll, b)->result_class;
    return class_a != class_b ? class_a < class_b : vcs_poll_goes_before(poll, a, b);
}

static int check_outputs(const vcs_array *ballots, const uint32_t *order, const vcs_ballot_verdict *verdicts,
                         uint32_t verdict_size, const vcs_vote_summary *summary, vcs_error *error) {
    if (ballots->count > 0 && order == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "order is NULL");
    }
    int code = vcs_check_output(verdicts, verdict_size, sizeof *verdicts, ballots->count, ballots->count);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_BALLOT_VERDICT, 0, VCS_WHOLE_RECORD,
                        code == VCS_ERR_NULL ? "array is NULL" : "never had this size");
    }
    if (summary == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_VOTE_SUMMARY, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    code = vcs_check_size(summary->struct_size, sizeof *summary);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_VOTE_SUMMARY, 0, 0, "matches no known version of this struct");
    }
    return VCS_OK;
}

int vcs_poll_open(vcs_poll *poll, const vcs_vote_terms *terms, const vcs_array *ballots, const uint32_t *order,
                  const vcs_ballot_verdict *verdicts, uint32_t verdict_size, const vcs_vote_summary *summary,
                  vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (ballots == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_BALLOT, 0, VCS_WHOLE_RECORD, "array is NULL");
    }
    code = check_outputs(ballots, order, verdicts, verdict_size, summary, error);
    if (code == VCS_OK) {
        code = vcs_take_input(&poll->terms, terms, VCS_TYPE_VOTE_TERMS, error);
    }
    if (code == VCS_OK) {
        code = vcs_check_records(ballots, VCS_TYPE_BALLOT, error);
    }
    poll->ballots = *ballots;
    return code;
}

void vcs_poll_sort(vcs_poll *poll, uint32_t *order) {
    poll->voters = 0;
    for (uint32_t i = 0; i < poll->ballots.count; i++) {
        poll->voters += vcs_poll_counts(poll, i);
    }
    vcs_sort_indices(order, poll->ballots.count, goes_before, poll);
    poll->order = order;
}

bool vcs_poll_next(const vcs_poll *poll, vcs_faction *faction) {
    if (faction->end == poll->ballots.count) {
        return false;
    }
    *faction = (vcs_faction){faction->end, faction->end, 0, VCS_NONE};
    const uint32_t shared = vcs_poll_ballot(poll, poll->order[faction->begin])->result_class;
    while (faction->end < poll->ballots.count &&
           vcs_poll_ballot(poll, poll->order[faction->end])->result_class == shared) {
        uint32_t index = poll->order[faction->end++];
        if (vcs_poll_counts(poll, index)) {
            faction->first = faction->voters == 0 ? index : faction->first;
            faction->voters++;
        }
    }
    return true;
}

uint32_t vcs_poll_missing(const vcs_poll *poll) {
    return poll->voters < poll->terms.copies ? poll->terms.copies - poll->voters : 0;
}

bool vcs_poll_is_decided(const vcs_poll *poll) {
    return (poll->terms.flags & VCS_VOTE_DECIDED) != 0;
}

vcs_outcome vcs_poll_decision(const vcs_poll *poll) {
    vcs_outcome outcome = {true, VCS_REASON_DECIDED_BEFORE, 0, VCS_NONE, 0, 0.0};
    for (vcs_faction faction = {0}; vcs_poll_next(poll, &faction);) {
        if (vcs_poll_ballot(poll, poll->order[faction.begin])->result_class == poll->terms.winner) {
            outcome.votes = faction.voters;
            outcome.ballot = faction.first;
        }
    }
    return outcome;
}

static vcs_ballot_verdict verdict_on(const vcs_poll *poll, const vcs_vote_summary *summary, uint32_t index) {
    vcs_ballot_verdict told;
    memset(&told, 0, sizeof told);
    if (!vcs_poll_counts(poll, index)) {
        told.verdict = VCS_BALLOT_REFUSED;
        told.reason = VCS_REASON_BLACKLISTED;
    } else if ((summary->flags & VCS_VOTE_WON) == 0) {
        told.verdict = VCS_BALLOT_OPEN;
        told.reason = summary->reason;
    } else if (vcs_poll_ballot(poll, index)->result_class == summary->winner) {
        told.verdict = VCS_BALLOT_VALID;
        told.reason = summary->reason;
    } else {
        told.verdict = VCS_BALLOT_WRONG;
        told.reason = VCS_REASON_OUTVOTED;
    }
    return told;
}

void vcs_poll_close(const vcs_poll *poll, const vcs_outcome *outcome, vcs_ballot_verdict *verdicts,
                    uint32_t verdict_size, vcs_vote_summary *summary) {
    vcs_vote_summary told;
    memset(&told, 0, sizeof told);
    told.struct_size = summary->struct_size;
    told.reason = outcome->reason;
    told.further = outcome->further;
    told.refused = poll->ballots.count - poll->voters;
    told.votes = outcome->votes;
    told.ballot = outcome->ballot;
    told.doubt = outcome->doubt;
    if (outcome->is_won) {
        told.flags = VCS_VOTE_WON;
        told.winner = vcs_poll_is_decided(poll) ? poll->terms.winner
                                                : vcs_poll_ballot(poll, outcome->ballot)->result_class;
    }
    for (uint32_t i = 0; i < poll->ballots.count; i++) {
        vcs_ballot_verdict verdict = verdict_on(poll, &told, i);
        vcs_hand_out((unsigned char *)verdicts + (size_t)i * verdict_size, verdict_size, &verdict, sizeof verdict);
    }
    vcs_hand_out(summary, summary->struct_size, &told, sizeof told);
}

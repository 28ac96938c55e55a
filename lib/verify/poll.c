/* SPDX-License-Identifier: MIT */
#include "verify/poll.h"

#include "core/index_sort.h"

bool vcs_poll_goes_before(const vcs_poll *poll, uint32_t a, uint32_t b) {
    uint64_t id_a = vcs_poll_ballot(poll, a)->id, id_b = vcs_poll_ballot(poll, b)->id;
    return id_a != id_b ? id_a < id_b : a < b;
}

static bool goes_before(const void *records, uint32_t a, uint32_t b) {
    const vcs_poll *poll = records;
    uint32_t class_a = vcs_poll_ballot(poll, a)->result_class, class_b = vcs_poll_ballot(poll, b)->result_class;
    return class_a != class_b ? class_a < class_b : vcs_poll_goes_before(poll, a, b);
}

void vcs_poll_sort(vcs_poll *poll) {
    poll->voters = 0;
    for (uint32_t i = 0; i < poll->ballots.count; i++) {
        poll->voters += vcs_poll_counts(poll, i);
    }
    poll->missing = poll->voters < poll->terms.copies ? poll->terms.copies - poll->voters : 0;
    vcs_sort_indices(poll->order, poll->ballots.count, goes_before, poll);
}

bool vcs_poll_next(const vcs_poll *poll, vcs_poll_class *next) {
    if (next->end == poll->ballots.count) {
        return false;
    }
    *next = (vcs_poll_class){next->end, next->end, 0, VCS_NONE};
    const uint32_t shared = vcs_poll_ballot(poll, poll->order[next->begin])->result_class;
    while (next->end < poll->ballots.count && vcs_poll_ballot(poll, poll->order[next->end])->result_class == shared) {
        uint32_t index = poll->order[next->end++];
        if (vcs_poll_counts(poll, index)) {
            next->first = next->voters == 0 ? index : next->first;
            next->voters++;
        }
    }
    return true;
}

/*
 * Which job a client gets next.
 *
 * Rule 10.3; the plain reference is tests/oracle/oracle_dispatch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "vcsched/dispatch/copies.h"
#include "vcsched/dispatch/queue.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/dispatch_fields.h"

#include <stdbool.h>
#include <string.h>
#include <vcsched/reason.h>

#define AT_ANY_TIME UINT64_MAX

/* The first job of a queue that the client has no copy of, up to `latest_key` of `last_rank`; VCS_NONE = none. */
static uint32_t first_for(const vcs_dispatch *index, uint32_t queue, uint32_t client, uint32_t last_rank,
                          uint64_t latest_key) {
    const vcs_search_tree tree = vcs_queue_tree(index);
    uint32_t number = index->firsts[queue];
    while (number != VCS_NO_NODE) {
        const vcs_job_entry *job = vcs_job_at(index, number);
        if (job->rank > last_rank || (job->rank == last_rank && job->key > latest_key)) {
            return VCS_NONE;
        }
        if (!vcs_copies_have(index, number, client)) {
            return number;
        }
        number = vcs_search_next(&tree, number);
    }
    return VCS_NONE;
}

static bool choose_fresh(const vcs_dispatch *index, uint32_t client, vcs_dispatch_decision *decision) {
    decision->job = first_for(index, VCS_QUEUE_FRESH, client, VCS_RANK_IN_LINE, AT_ANY_TIME);
    if (decision->job == VCS_NONE) {
        return false;
    }
    decision->reason =
        vcs_job_at(index, decision->job)->rank == VCS_RANK_AT_HEAD ? VCS_REASON_HEAD_OF_QUEUE : VCS_REASON_FRESH;
    return true;
}

static bool choose_copy(const vcs_dispatch *index, uint32_t client, uint32_t last_rank, uint64_t latest_key,
                        uint32_t reason, vcs_dispatch_decision *decision) {
    decision->job = first_for(index, VCS_QUEUE_STARTED, client, last_rank, latest_key);
    if (decision->job == VCS_NONE) {
        return false;
    }
    decision->reason = reason;
    decision->is_copy = 1;
    return true;
}

static bool choose(const vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision) {
    if (choose_copy(index, client, VCS_RANK_OF_BLACKLISTED, AT_ANY_TIME, VCS_REASON_CLIENT_BLACKLISTED, decision)) {
        return true;
    }
    if (index->order == VCS_OVERDUE_FIRST) {
        return choose_copy(index, client, VCS_RANK_OF_ANY_CLIENT, vcs_order_key(now), VCS_REASON_WINDOW_OVER,
                           decision) ||
               choose_fresh(index, client, decision);
    }
    const uint32_t reason = index->order == VCS_DRAIN_THEN_DEAD ? VCS_REASON_CLIENT_DEAD : VCS_REASON_OLDEST;
    return choose_fresh(index, client, decision) ||
           choose_copy(index, client, VCS_RANK_OF_ANY_CLIENT, AT_ANY_TIME, reason, decision);
}

/* The inverse of vcs_order_key(). */
static double time_of(uint64_t key) {
    uint64_t bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
    double time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

/* How long until the end of a window gives the client a job; infinity if no window does. */
static double next_window(const vcs_dispatch *index, uint32_t client, double now) {
    uint32_t job = index->order == VCS_OVERDUE_FIRST
                       ? first_for(index, VCS_QUEUE_STARTED, client, VCS_RANK_OF_ANY_CLIENT, AT_ANY_TIME)
                       : VCS_NONE;
    return job == VCS_NONE ? VCS_INFINITY : time_of(vcs_job_at(index, job)->key) - now;
}

int vcs_dispatch_next(const vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision) {
    if (index == NULL || decision == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_first_error(vcs_check_size(VCS_FIRST_dispatch_decision, decision->struct_size), vcs_check_time(now));
    if (code != VCS_OK || client >= index->clients) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    vcs_dispatch_decision answer;
    memset(&answer, 0, sizeof answer);
    answer.struct_size = decision->struct_size;
    answer.job = VCS_NONE;
    answer.next_check = VCS_INFINITY;
    const vcs_client_entry *asks = vcs_client_at(index, client);
    if ((asks->flags & VCS_BLACKLISTED) != 0) {
        answer.reason = VCS_REASON_BLACKLISTED;
    } else if (index->max_per_client != 0 && asks->jobs >= index->max_per_client) {
        answer.reason = VCS_REASON_HOST_LIMIT;
    } else if (choose(index, client, now, &answer)) {
        answer.next_check = 0.0;
    } else {
        answer.reason = VCS_REASON_NO_JOB;
        answer.next_check = next_window(index, client, now);
    }
    vcs_hand_out(decision, decision->struct_size, &answer, sizeof answer);
    return VCS_OK;
}

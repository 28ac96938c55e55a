/*
 * Rule 4.5: admission, as plain as it can be.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/oracle_admit.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/oracle_place.h"

typedef struct queue {
    oracle_queued *members;
    uint32_t count;
} queue;

/* The tasks that take part and the candidates admitted before. There is space for one more. */
static queue new_queue(const vcs_snapshot *snapshot, const uint32_t *admitted, uint32_t admitted_count) {
    queue q = {.members = oracle_allocate((uint64_t)snapshot->tasks.count + admitted_count + 1, sizeof(oracle_queued))};
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        if (oracle_takes_part(snapshot, oracle_task(snapshot, i))) {
            q.members[q.count++] = (oracle_queued){.task = oracle_task(snapshot, i), .index = i};
        }
    }
    for (uint32_t k = 0; k < admitted_count; k++) {
        uint32_t i = admitted[k];
        q.members[q.count++] = (oracle_queued){.task = oracle_candidate(snapshot, i), .index = i, .turn = k + 1};
    }
    return q;
}

/* Whether a placed task finishes after its computation deadline. */
static bool is_late(const oracle_queued *q, const vcs_parameters *parameters, double now) {
    double origin = parameters->deadline_origin == VCS_ORIGIN_START ? 0 : now;
    return q->finish > oracle_limit(q->task, origin, oracle_admission_cushion(parameters));
}

/* The member of the queue for the same task; NULL if there is none. */
static const oracle_queued *find(const queue *q, const oracle_queued *wanted) {
    for (uint32_t i = 0; i < q->count; i++) {
        if (q->members[i].turn == wanted->turn && q->members[i].index == wanted->index) {
            return &q->members[i];
        }
    }
    return NULL;
}

/* What the candidate does to one member of the queue: VCS_REASON_NONE if it does no harm. */
static uint32_t harm(const oracle_queued *before, const oracle_queued *after, const vcs_parameters *parameters,
                     double now) {
    if (before->placing != PLACING_DONE || after->placing != PLACING_DONE) {
        return VCS_REASON_NONE;
    }
    if (!is_late(before, parameters, now)) {
        return is_late(after, parameters, now) ? VCS_REASON_HARMS_TIMELY : VCS_REASON_NONE;
    }
    return after->finish > before->finish ? VCS_REASON_DELAYS_LATE : VCS_REASON_NONE;
}

/* Looks for the first member in order of placing that the candidate harms. */
static void judge_others(const queue *before, const queue *after, const vcs_parameters *parameters, double now,
                         vcs_admission *admission) {
    admission->admitted = 1;
    admission->reason = VCS_REASON_ADMITTED;
    for (uint32_t i = 0; i < after->count; i++) {
        const oracle_queued *member = &after->members[i];
        const oracle_queued *earlier = find(before, member);
        uint32_t reason = earlier == NULL ? VCS_REASON_NONE : harm(earlier, member, parameters, now);
        if (reason != VCS_REASON_NONE) {
            admission->admitted = 0;
            admission->reason = reason;
            admission->harmed = member->turn == 0 ? member->index : VCS_NONE;
            admission->harmed_candidate = member->turn == 0 ? VCS_NONE : member->index;
            return;
        }
    }
}

static void judge(const queue *before, const queue *after, const oracle_queued *candidate,
                  const vcs_parameters *parameters, double now, vcs_admission *admission) {
    const oracle_queued *own = find(after, candidate);
    if (own->placing == PLACING_STUCK) {
        admission->reason = VCS_REASON_CANNOT_RUN;
        return;
    }
    if (own->placing == PLACING_UNKNOWN) {
        admission->reason = VCS_REASON_BUDGET;
        return;
    }
    admission->finish = oracle_seconds(own->finish);
    if (is_late(own, parameters, now)) {
        admission->reason = VCS_REASON_OWN_DEADLINE;
        return;
    }
    judge_others(before, after, parameters, now, admission);
}

vcs_admission oracle_admit(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                           const uint32_t *admitted, uint32_t admitted_count, uint32_t candidate) {
    vcs_admission admission = {
        .struct_size = sizeof admission,
        .finish = INFINITY,
        .harmed = VCS_NONE,
        .harmed_candidate = VCS_NONE,
    };
    oracle_queued added = {
        .task = oracle_candidate(snapshot, candidate), .index = candidate, .turn = admitted_count + 1};
    if (!oracle_takes_part(snapshot, added.task)) {
        admission.reason = VCS_REASON_CANNOT_RUN;
        return admission;
    }
    queue before = new_queue(snapshot, admitted, admitted_count);
    queue after = new_queue(snapshot, admitted, admitted_count);
    after.members[after.count++] = added;
    oracle_plan plan_before = oracle_place(snapshot, parameters, before.members, before.count);
    oracle_plan plan_after = oracle_place(snapshot, parameters, after.members, after.count);
    judge(&before, &after, &added, parameters, now, &admission);
    oracle_plan_free(&plan_before);
    oracle_plan_free(&plan_after);
    free(before.members);
    free(after.members);
    return admission;
}

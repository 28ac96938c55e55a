/*
 * What becomes of an answer: verification, votes and the blacklist (rule 11).
 *
 * SPDX-License-Identifier: MIT
 */
#include "judge.h"

#include <stdlib.h>

static void distrust(uint32_t client, uint32_t reason) {
    must(vcs_trust_update(&d.trust[client], VCS_TRUST_WRONG, reason));
    d.clients[client].flags |= d.trust[client].flags & VCS_BLACKLISTED;
    set_client(client);
    APPEND(d.suspects, d.suspect_count, client);
}

static void forget_answers(portion *p) {
    while (p->answer_count > 0) {
        free(p->answers[--p->answer_count].values.at);
    }
}

/* As if the answer had never come: the original is fresh again. */
static void lose(portion *p, const vcs_verdict *verdict) {
    drop(p, 1);
    forget_answers(p);
    d.jobs[p->jobs[0]].flags = (verdict->flags & VCS_QUEUE_HEAD) != 0 ? VCS_JOB_AT_HEAD : 0;
    change(p->jobs[0], VCS_JOB_FRESH);
    d.lost++;
}

/* The other copies are over; the inverse job waits for another client. */
static void send_check(portion *p, uint32_t answered, double now, const vcs_verdict *verdict) {
    for (uint32_t i = 0; i < p->job_count; i++) {
        if (p->jobs[i] != answered) {
            end_job(p->jobs[i]);
        }
    }
    add_job(p, INVERT, now, (verdict->flags & VCS_QUEUE_HEAD) != 0 ? VCS_JOB_AT_HEAD : 0);
    d.checks++;
}

/* The application gets its answers in order. */
static void deliver(double now) {
    while (d.delivered < d.drawn && (*open_at(d.delivered))->is_finished) {
        portion *p = *open_at(d.delivered);
        if (p->number >= d.output_from) {
            print(&d.output, "%u", p->number);
            print_values(&d.output, p->result);
            print(&d.output, "\n");
        }
        d.waited += now - p->drawn;
        d.delivered++;
        free(p->values.at);
        free(p->result.at);
        free(p->answers);
        free(p->jobs);
        free(p);
    }
}

static void accept_answer(portion *p, values result, double now) {
    p->result = copy_of(result);
    p->is_finished = true;
    drop(p, 0);
    forget_answers(p);
    deliver(now);
}

/* Results are compared here: equal ones are of one class, whose number is that of its first result. */
static uint32_t class_of(const portion *p, uint32_t i) {
    uint32_t first = 0;
    while (!equal(p->answers[first].values, p->answers[i].values)) {
        first++;
    }
    return first;
}

static void hold_vote(portion *p, double now) {
    vcs_ballot ballots[VCS_MAX_COPIES + 1];
    vcs_ballot_verdict verdicts[VCS_MAX_COPIES + 1];
    uint32_t order[VCS_MAX_COPIES + 1];
    const uint32_t count = p->answer_count <= VCS_MAX_COPIES ? p->answer_count : VCS_MAX_COPIES + 1;
    for (uint32_t i = 0; i < count; i++) {
        const vcs_dispatch_job *job = &d.jobs[p->answers[i].job];
        ballots[i] = (vcs_ballot){
            .id = job->id, .result_class = class_of(p, i), .flags = d.clients[job->client].flags & VCS_BLACKLISTED};
    }
    const vcs_array of_ballots = {.base = ballots, .element_size = sizeof *ballots, .count = count};
    const vcs_array of_verdicts = {.out = verdicts, .element_size = sizeof *verdicts, .count = count};
    const vcs_vote_terms terms = {.struct_size = sizeof terms, .copies = p->copies};
    vcs_vote_summary summary = {.struct_size = sizeof summary};
    must(vcs_vote(&of_ballots, &terms, order, &of_verdicts, &summary, &error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t voter = d.jobs[p->answers[i].job].client;
        if (verdicts[i].verdict == VCS_BALLOT_WRONG) {
            distrust(voter, verdicts[i].reason);
        } else if (verdicts[i].verdict == VCS_BALLOT_VALID) {
            must(vcs_trust_update(&d.trust[voter], VCS_TRUST_VALID, 0));
        }
    }
    if ((summary.flags & VCS_VOTE_WON) != 0) {
        accept_answer(p, p->answers[summary.winner].values, now);
        return;
    }
    uint32_t expected = 0;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const uint32_t state = d.jobs[p->jobs[i]].state;
        expected += state == VCS_JOB_FRESH || state == VCS_JOB_IN_PROGRESS;
    }
    for (; expected < summary.further; expected++) {
        add_job(p, COMPUTE, now, VCS_JOB_AT_HEAD);
    }
}

void judge(portion *p, uint32_t number, double now, uint32_t outcome, uint32_t checker) {
    const uint32_t client = d.jobs[number].client;
    const vcs_check check = {.struct_size = sizeof check,
                             .flags = d.clients[client].flags & VCS_BLACKLISTED,
                             .method = d.method,
                             .outcome = outcome};
    vcs_verdict verdict = {.struct_size = sizeof verdict};
    must(vcs_verify(&check, &verdict, &error));
    if ((verdict.flags & VCS_BLACKLIST_CLIENT) != 0) {
        distrust(client, verdict.reason);
    }
    if ((verdict.flags & VCS_BLACKLIST_CHECKER) != 0) {
        distrust(checker, verdict.reason);
    }
    if (verdict.action == VCS_ACTION_EXAMINE) {
        const bool right = is_right(p->values, p->answers[0].values);
        judge(p, number, now, right ? VCS_CHECK_PASSED : VCS_CHECK_FAILED, VCS_NONE);
    } else if (verdict.action == VCS_ACTION_SEND_CHECK) {
        send_check(p, number, now, &verdict);
    } else if (verdict.action == VCS_ACTION_VOTE) {
        hold_vote(p, now);
    } else if (verdict.action == VCS_ACTION_DISCARD) {
        lose(p, &verdict);
    } else {
        if (outcome == VCS_CHECK_PASSED) {
            must(vcs_trust_update(&d.trust[client], VCS_TRUST_PASSED, 0));
        }
        accept_answer(p, p->answers[0].values, now);
    }
}

/* Whether a client gave an answer on which nothing is decided yet. Then `job` is its job. */
static bool has_answered(const portion *p, uint32_t client, uint32_t *job) {
    for (uint32_t i = 0; i < p->answer_count; i++) {
        *job = p->answers[i].job;
        if (d.jobs[*job].client == client) {
            return true;
        }
    }
    return false;
}

/* Answers of clients that have just come on the blacklist, and on which nothing is decided yet, are lost. */
void withdraw(double now) {
    while (d.suspect_count > 0) {
        const uint32_t suspect = d.suspects[--d.suspect_count];
        for (uint32_t number = d.delivered; number < d.drawn; number++) {
            portion *p = number >= d.delivered ? *open_at(number) : NULL; /* a vote may end, and deliver it */
            uint32_t job;
            if (p == NULL || p->is_finished || !has_answered(p, suspect, &job)) {
                continue;
            }
            if (d.method == VCS_VERIFY_RECOMPUTATION) {
                hold_vote(p, now);
            } else {
                judge(p, job, now, VCS_CHECK_NOT_MADE, VCS_NONE);
            }
        }
    }
}

/*
 * The fingerprint of what a server decides: lives of work units, dispatch to a pool of clients, verification.
 *
 * SPDX-License-Identifier: MIT
 */
#include "assurance/hygiene/fingerprint.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>
#include <vcsched/vcsched.h>

/* ---- work units: transition, validation, events ---- */

#define UNITS 1000
#define MOST_RESULTS 24
#define MOST_CHANGES (VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * MOST_RESULTS)

typedef struct unit_life {
    vcs_unit unit;
    vcs_result results[MOST_RESULTS];
    uint32_t count;
    vcs_change changes[MOST_CHANGES];
    uint32_t change_count;
} unit_life;

/* Carries out an answer. */
static void apply(fingerprint *print, unit_life *life, int code) {
    require(code == VCS_OK, "an event of a unit was refused");
    add_records(print, VCS_TYPE_CHANGE, life->changes, life->change_count);
    for (uint32_t i = 0; i < life->change_count; i++) {
        const vcs_change *change = &life->changes[i];
        vcs_lesson lesson = {.struct_size = sizeof lesson};
        require(vcs_change_lesson(change, ARRAY(life->results, life->count), &lesson, NULL) == VCS_OK,
                "a change was refused");
        add_record(print, VCS_TYPE_LESSON, &lesson);
        if (change->kind != VCS_CHANGE_CREATE) {
            require(vcs_change_apply(change, &life->unit, ARRAY(life->results, life->count), NULL) == VCS_OK,
                    "a change was refused");
        }
        for (uint64_t made = 0; change->kind == VCS_CHANGE_CREATE && made < change->integer; made++) {
            require(life->count < MOST_RESULTS, "there are too many results");
            require(vcs_result_init(&life->results[life->count], life->count + 1) == VCS_OK, "no result");
            life->results[life->count++].server_state = VCS_RESULT_UNSENT;
        }
    }
}

static void happen(fingerprint *print, unit_life *life, vcs_unit_event event, double now) {
    event.struct_size = sizeof event;
    apply(print, life,
          vcs_unit_handle_event(&life->unit, ARRAY(life->results, life->count), &event, now,
                                ARRAY(life->changes, MOST_CHANGES), &life->change_count, NULL));
}

/* What the host of a result, and the server, do next; `fate` is 0 ... 1. */
static void work_on_result(fingerprint *print, unit_life *life, uint32_t i, double fate, double now) {
    const vcs_result *result = &life->results[i];
    if (result->server_state == VCS_RESULT_UNSENT) {
        happen(print, life, (vcs_unit_event){.kind = VCS_UNIT_EVENT_SENT, .result = i, .host = i + 1}, now);
    } else if (result->server_state != VCS_RESULT_INACTIVE && fate > 0.97) {
        happen(print, life, (vcs_unit_event){.kind = VCS_UNIT_EVENT_WITHDRAWN, .result = i}, now);
    } else if (result->server_state == VCS_RESULT_IN_PROGRESS && fate > 0.9) {
        happen(print, life,
               (vcs_unit_event){.kind = VCS_UNIT_EVENT_RESENT, .result = i, .estimate = 1e6 * (fate - 0.9)}, now);
    } else if (result->server_state == VCS_RESULT_IN_PROGRESS && fate < 0.8) {
        const uint32_t how = fate < 0.6 ? VCS_REPORT_SUCCESS : VCS_REPORT_CLIENT_ERROR;
        const double claimed = 100 * fate;
        happen(print, life,
               (vcs_unit_event){.kind = VCS_UNIT_EVENT_RECEIVED, .result = i, .report = how, .claimed = claimed}, now);
    } else if (result->file_delete_state == VCS_FILES_READY) {
        happen(print, life,
               (vcs_unit_event){.kind = VCS_UNIT_EVENT_OUTPUTS_DELETED, .result = i, .deletion = VCS_DELETED}, now);
    }
}

static void work_on_unit(fingerprint *print, unit_life *life, int number, double now) {
    if (life->unit.need_validate) {
        uint32_t classes[MOST_RESULTS];
        for (uint32_t i = 0; i < life->count; i++) {
            const int wrong = spread(number + 11 * (int)i) < 0.3 && life->results[i].id != life->unit.canonical;
            classes[i] = wrong ? 2 + i % 2 : 1;
        }
        apply(print, life,
              vcs_validate(&life->unit, ARRAY(life->results, life->count), classes, now,
                           ARRAY(life->changes, MOST_CHANGES), &life->change_count, NULL));
    } else if (life->unit.assimilate_state == VCS_ASSIMILATE_READY) {
        happen(print, life, (vcs_unit_event){.kind = VCS_UNIT_EVENT_ASSIMILATED, .result = VCS_NONE}, now);
    } else if (life->unit.file_delete_state == VCS_FILES_READY) {
        happen(print, life,
               (vcs_unit_event){.kind = VCS_UNIT_EVENT_INPUTS_DELETED, .result = VCS_NONE, .deletion = VCS_DELETED},
               now);
    }
}

static void add_unit(fingerprint *print, int number) {
    unit_life life;
    memset(&life, 0, sizeof life);
    require(vcs_unit_init(&life.unit, (uint64_t)number + 1) == VCS_OK, "no unit");
    life.unit.min_quorum = 1 + (uint32_t)number % 3;
    life.unit.target_nresults = life.unit.min_quorum + (uint32_t)number % 2;
    life.unit.max_error = 3;
    life.unit.max_total = 8;
    life.unit.max_success = 6;
    life.unit.delay_bound = 1e5 * (1 + spread(number));
    life.unit.credit_rule = (uint32_t)number % 5 == 0 ? VCS_CREDIT_FIXED : VCS_CREDIT_CLAIMS;
    life.unit.fixed_credit = 10;
    life.unit.max_single_claim = 50;
    double now = 1000;
    happen(print, &life, (vcs_unit_event){.kind = VCS_UNIT_EVENT_CREATED, .result = VCS_NONE}, now);
    for (int step = 0; step < 40; step++) {
        now += 2e4 * spread(number + step);
        for (uint32_t i = 0; i < life.count; i++) {
            work_on_result(print, &life, i, spread(31 * number + 7 * step + (int)i), now);
        }
        work_on_unit(print, &life, number, now);
        apply(print, &life,
              vcs_transition(&life.unit, ARRAY(life.results, life.count), now, ARRAY(life.changes, MOST_CHANGES),
                             &life.change_count, NULL));
    }
    for (uint32_t i = 0; i < life.count; i++) {
        uint32_t needed = 0, reason = 0;
        require(vcs_result_needed(&life.unit, ARRAY(life.results, life.count), i, &needed, &reason, NULL) == VCS_OK,
                "a unit was refused");
        add_integer(print, needed);
        add_integer(print, reason);
    }
    uint32_t finished = 0;
    require(vcs_unit_finished(&life.unit, ARRAY(life.results, life.count), &finished, NULL) == VCS_OK,
            "a unit was refused");
    add_integer(print, finished);
    add_record(print, VCS_TYPE_UNIT, &life.unit);
    add_records(print, VCS_TYPE_RESULT, life.results, life.count);
}

static void report_units(void) {
    fingerprint print = nothing_yet;
    for (int number = 0; number < UNITS; number++) {
        add_unit(&print, number);
    }
    report("units", print);
}

/* ---- dispatch ---- */

#define CLIENTS 40
#define JOBS 300
#define REPLIES 3000

/* Clients ask in turn, compute, and reply or fall silent. */
static void report_dispatch(uint32_t order) {
    static const char names[][16] = {"to the dead", "to the oldest", "overdue"};
    fingerprint print = nothing_yet;
    vcs_client clients[CLIENTS];
    vcs_dispatch_job jobs[JOBS];
    vcs_pace pool;
    vcs_dispatch_rules rules;
    size_t size;
    memset(clients, 0, sizeof clients);
    memset(jobs, 0, sizeof jobs);
    memset(&pool, 0, sizeof pool);
    require(vcs_dispatch_rules_init(&rules, sizeof rules) == VCS_OK, "no rules");
    rules.order = order;
    for (int i = 0; i < CLIENTS; i++) {
        clients[i].id = (uint64_t)i;
    }
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (vcs_dispatch_job){.id = (uint64_t)i,
                                     .size = 1e6 * spread(i),
                                     .complexity = 1 + 10 * spread(3 * i),
                                     .client = VCS_NONE,
                                     .copy_of = VCS_NONE};
    }
    require(vcs_dispatch_size(CLIENTS, JOBS, &size) == VCS_OK, "no size");
    vcs_dispatch *index = malloc(size);
    require(index != NULL, "out of memory");
    require(vcs_dispatch_build(index, size, ARRAY(clients, CLIENTS), ARRAY(jobs, JOBS), &rules, CLIENTS, JOBS, NULL) ==
                VCS_OK,
            "an index was refused");
    for (int i = 0; i < REPLIES; i++) {
        const uint32_t client = (uint32_t)(CLIENTS * spread(i));
        const double now = 50.0 * i;
        vcs_dispatch_decision decision = {.struct_size = sizeof decision};
        require(vcs_dispatch_next(index, client, now, &decision) == VCS_OK, "a client was refused");
        add_record(&print, VCS_TYPE_DISPATCH_DECISION, &decision);
        if (decision.job == VCS_NONE || decision.is_copy) {
            continue;
        }
        vcs_dispatch_job *job = &jobs[decision.job];
        require(vcs_job_send(job, client, &clients[client], &pool, &rules, now, NULL) == VCS_OK, "a job was refused");
        add_record(&print, VCS_TYPE_DISPATCH_JOB, job);
        if (spread(7 * i) < 0.7) {
            const vcs_reply_times times = {.struct_size = sizeof times,
                                           .bytes = job->size,
                                           .transfer_seconds = 10 * spread(5 * i),
                                           .complexity = job->complexity,
                                           .compute_seconds = 1000 * spread(11 * i)};
            uint32_t refused;
            require(vcs_client_reply(&clients[client], &pool, &times, &rules, now, &refused, NULL) == VCS_OK,
                    "a reply was refused");
            add_record(&print, VCS_TYPE_CLIENT, &clients[client]);
            add_record(&print, VCS_TYPE_PACE, &pool);
            job->state = i % 3 == 0 ? VCS_JOB_FRESH : VCS_JOB_REPLIED;
            job->client = i % 3 == 0 ? VCS_NONE : job->client;
        }
        require(vcs_dispatch_set_client(index, client, &clients[client], NULL) == VCS_OK &&
                    vcs_dispatch_set_job(index, decision.job, job, NULL) == VCS_OK,
                "an update was refused");
    }
    uint32_t survey_order[CLIENTS], job_order[JOBS];
    vcs_pool_client rows[CLIENTS];
    vcs_pool_summary summary = {.struct_size = sizeof summary};
    require(vcs_pool_survey(ARRAY(clients, CLIENTS), ARRAY(jobs, JOBS), &pool, &rules, 50.0 * REPLIES,
                            ARRAY(rows, CLIENTS), NULL) == VCS_OK &&
                vcs_pool_sum(ARRAY(clients, CLIENTS), ARRAY(jobs, JOBS), ARRAY(rows, CLIENTS), survey_order, job_order,
                             &summary, NULL) == VCS_OK,
            "a survey was refused");
    add_records(&print, VCS_TYPE_POOL_CLIENT, rows, CLIENTS);
    add_record(&print, VCS_TYPE_POOL_SUMMARY, &summary);
    free(index);
    report(names[order], print);
}

/* ---- verification ---- */

#define BALLOTS 9

static void add_vote(fingerprint *print, int number) {
    vcs_ballot ballots[BALLOTS];
    vcs_ballot_verdict verdicts[BALLOTS];
    uint32_t order[BALLOTS], copies;
    vcs_vote_summary summary = {.struct_size = sizeof summary};
    vcs_vote_terms terms = {.struct_size = sizeof terms, .tolerance = 0.01, .rule = (uint32_t)number % 2};
    const uint32_t count = 1 + (uint32_t)number % BALLOTS;
    require(vcs_copies(1 + 4 * spread(number), spread(3 * number), &copies) == VCS_OK, "a factor was refused");
    terms.copies = copies;
    memset(ballots, 0, sizeof ballots);
    for (uint32_t i = 0; i < count; i++) {
        ballots[i].id = (i * 5 + (uint32_t)number) % 97;
        ballots[i].result_class = spread(number + 13 * (int)i) < 0.6 ? 1 : 2 + i % 2;
        require(vcs_credibility((uint64_t)(200 * spread(number + (int)i)), 0.3, &ballots[i].credibility) == VCS_OK,
                "no credibility");
    }
    require(vcs_vote(ARRAY(ballots, count), &terms, order, ARRAY(verdicts, count), &summary, NULL) == VCS_OK,
            "a vote was refused");
    add_record(print, VCS_TYPE_VOTE_SUMMARY, &summary);
    add_records(print, VCS_TYPE_BALLOT_VERDICT, verdicts, count);
}

static void add_trust(fingerprint *print, vcs_trust *trust, vcs_quota *quota, int number) {
    const double now = 3000.0 * number;
    uint32_t needed = 0, reason = 0, left = 0;
    vcs_verdict verdict = {.struct_size = sizeof verdict};
    const vcs_check check = {.struct_size = sizeof check,
                             .method = (uint32_t)number % 4,
                             .outcome = number % 4 % 3 == 0 ? 0 : (uint32_t)number / 4 % 3};
    require(vcs_verify(&check, &verdict, NULL) == VCS_OK, "a check was refused");
    add_record(print, VCS_TYPE_VERDICT, &verdict);
    require(vcs_trust_update(trust, number % 40 == 39 ? VCS_TRUST_ERROR : VCS_TRUST_VALID, 0) == VCS_OK &&
                vcs_trust_needs_copy(trust, spread(number), &needed, &reason) == VCS_OK,
            "trust was refused");
    add_integer(print, needed);
    add_integer(print, reason);
    require(vcs_quota_left(quota, now, &left) == VCS_OK && vcs_quota_take(quota, now, left > 2 ? 2 : left) == VCS_OK &&
                vcs_quota_judge(quota, number % 5 != 0) == VCS_OK,
            "a quota was refused");
    vcs_next_request request;
    double seconds;
    require(vcs_next_request_init(&request, sizeof request) == VCS_OK, "no request");
    request.flags = number % 7 == 0 ? VCS_REQUEST_WITHOUT_WORK : 0;
    request.sent = (uint32_t)number % 3;
    request.late = (uint32_t)number / 3 % 2;
    request.quota_left = left;
    request.report_by = number % 5 == 0 ? now + 1e5 * spread(number) : request.report_by;
    require(vcs_next_request_delay(&request, now, spread(3 * number), &seconds, &reason, NULL) == VCS_OK,
            "a reply was refused");
    add_number(print, seconds);
    add_integer(print, reason);
    add_record(print, VCS_TYPE_TRUST, trust);
    add_record(print, VCS_TYPE_QUOTA, quota);
}

static void report_verification(void) {
    fingerprint votes = nothing_yet, trusts = nothing_yet;
    vcs_trust trust = {.id = 1};
    vcs_quota quota = {.id = 1, .max_quota = 100, .quota = 100};
    for (int number = 0; number < 5000; number++) {
        add_vote(&votes, number);
        add_trust(&trusts, &trust, &quota, number);
    }
    report("votes", votes);
    report("trust", trusts);
}

void report_server(void) {
    report_units();
    for (uint32_t order = VCS_DRAIN_THEN_DEAD; order <= VCS_OVERDUE_FIRST; order++) {
        report_dispatch(order);
    }
    report_verification();
}

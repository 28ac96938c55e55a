/*
 * Sending (rules 9.1, 9.2, 13.6) against its oracle, to the last bit, on random offers to random hosts; and properties
 * of every reply.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <stdio.h>

#include "oracle/cases.h"
#include "oracle/oracle_records.h"
#include "oracle/oracle_send.h"

#include <vcsched/simulation.h>

/* A random offer. Its snapshot points to the state beside it, so it must not be moved. */
typedef struct random_offer {
    random_state state;
    vcs_send_request requests[RANDOM_MOST_RESOURCES];
    vcs_send_job jobs[RANDOM_MOST_CANDIDATES];
    vcs_send_limits limits;
} random_offer;

typedef struct reply {
    vcs_send_decision decisions[RANDOM_MOST_CANDIDATES];
    vcs_send_summary summary;
} reply;

/* ---- Random offers ---- */

static bool chance(random_stream *r, double probability) {
    return random_draw(r) < probability;
}

static void fill_request(random_stream *r, const random_state *s, uint32_t resource, vcs_send_request *request) {
    memset(request, 0, sizeof *request);
    if (chance(r, 0.05)) {
        return;
    }
    request->seconds = chance(r, 0.1) ? 0 : random_magnitude(r, 10, 1e8);
    request->instances = chance(r, 0.5) ? random_below(r, s->resources[resource].instances + 1) : 0;
    request->instances /= chance(r, 0.2) ? 4 : 1;
    request->busy = chance(r, 0.5) ? 0 : random_magnitude(r, 1, 1e5);
    request->latency_bound = chance(r, 0.7) ? 0 : random_magnitude(r, 1e3, 1e6);
    request->jobs = chance(r, 0.7) ? 0 : 1 + random_below(r, 4);
}

/* Some bounds end at the deadline of a task; others are just the time the job needs, or little more. */
static double draw_bound(random_stream *r, const random_state *s, const vcs_task *candidate) {
    const double run_time = candidate->remaining / s->resources[candidate->gpu].usable;
    switch (random_below(r, 6)) {
    case 0:
        return chance(r, 0.5) ? INFINITY : 0;
    case 1:
        return run_time < VCS_MAX_SECONDS ? run_time : VCS_MAX_SECONDS;
    case 2:
        return fmin(s->parameters.min_buffer + run_time * (1 + 3 * random_draw(r)), VCS_MAX_SECONDS);
    case 3:
        if (s->snapshot.tasks.count > 0) {
            return fmax(s->tasks[random_below(r, s->snapshot.tasks.count)].deadline - s->now, 0);
        }
        return 1e5;
    default:
        return random_magnitude(r, 1e4, 1e8);
    }
}

static void fill_job(random_stream *r, const random_state *s, uint32_t index, vcs_send_job *job) {
    const vcs_task *candidate = &s->candidates[index];
    *job = (vcs_send_job){
        .unit = chance(r, 0.3) ? random_below(r, 4) : 100 + index,
        .hr_class = chance(r, 0.1) ? random_below(r, 3) : 0,
        .latency_bound = draw_bound(r, s, candidate),
        .seconds = chance(r, 0.2) ? random_magnitude(r, 1, 1e5) : 0,
        .disk = chance(r, 0.3) ? random_below(r, 10) : 0,
        .max_per_host = candidate->app != VCS_NONE && chance(r, 0.4) ? 1 + random_below(r, 5) : 0,
        .flags = chance(r, 0.05)  ? VCS_SEND_HOST_HAS_COPY
                 : chance(r, 0.1) ? VCS_SEND_USER_HAS_COPY
                                  : 0,
    };
}

static void fill_limits(random_stream *r, vcs_send_limits *limits) {
    assert_int_equal(vcs_send_limits_init(limits, sizeof *limits), VCS_OK);
    limits->flags |= chance(r, 0.2) ? VCS_SEND_STUDY_RULES : 0;
    if (chance(r, 0.6)) {
        return;
    }
    limits->flags |= chance(r, 0.5) ? VCS_SEND_ONE_PER_USER : chance(r, 0.1) ? VCS_BLACKLISTED : 0;
    limits->hr_class = random_below(r, 3);
    limits->disk = chance(r, 0.3) ? (double)random_below(r, 20) : (double)INFINITY;
    limits->max_jobs = chance(r, 0.2) ? random_below(r, 5) : UINT32_MAX;
    limits->quota_left = chance(r, 0.2) ? random_below(r, 5) : UINT32_MAX;
    limits->max_in_progress = chance(r, 0.2) ? random_below(r, 40) : UINT32_MAX;
    limits->in_progress = random_below(r, 40);
}

static void offer_fill(random_offer *o, uint64_t seed) {
    random_stream r = {seed};
    random_state *s = &o->state;
    random_state_fill(s, RANDOM_ANY, seed);
    s->resources[0].reserve = seed % 4 == 0 && s->resources[0].instances > 1 ? 0.75 : 0;
    s->parameters.work_send = chance(&r, 0.3) ? VCS_WORK_SEND_WS1 : VCS_WORK_SEND_WS2;
    s->host.ram = chance(&r, 0.3) ? random_magnitude(&r, 1e6, 1e11) : 0;
    for (uint32_t i = 0; i < s->snapshot.resources.count; i++) {
        fill_request(&r, s, i, &o->requests[i]);
    }
    for (uint32_t i = 0; i < s->snapshot.candidates.count; i++) {
        s->candidates[i].ram = random_magnitude(&r, 1e5, 1e10);
        fill_job(&r, s, i, &o->jobs[i]);
    }
    fill_limits(&r, &o->limits);
}

/* ---- Replies ---- */

static reply ask_library(const random_offer *o, vcs_state *state) {
    const uint32_t count = o->state.snapshot.candidates.count;
    reply found;
    memset(&found, 0, sizeof found);
    memset(found.decisions, 0xa5, count * sizeof *found.decisions);
    found.summary.struct_size = sizeof found.summary;
    assert_int_equal(vcs_send(state, ARRAY(o->requests, o->state.snapshot.resources.count), ARRAY(o->jobs, count),
                              &o->limits, ARRAY(found.decisions, count), &found.summary, NULL),
                     VCS_OK);
    return found;
}

static reply ask_afresh(const random_offer *o) {
    vcs_state *state = prepare_case(&o->state);
    reply found = ask_library(o, state);
    free_case(state);
    return found;
}

static reply ask_oracle(const random_offer *o, double *doubt) {
    const oracle_offer offer = {
        &o->state.snapshot, &o->state.parameters, o->state.now, o->requests, o->jobs, o->limits, doubt};
    reply expected;
    memset(&expected, 0, sizeof expected);
    expected.summary = oracle_send(&offer, expected.decisions);
    return expected;
}

static bool same_decision(const vcs_send_decision *a, const vcs_send_decision *b, uint32_t index, const char *what,
                          uint64_t seed) {
    return same_field(a->reason == b->reason, what, seed, "job", index, "reason", a->reason, b->reason) &&
           same_field(a->sent == b->sent, what, seed, "job", index, "sent", a->sent, b->sent) &&
           same_field(same_double(a->finish, b->finish), what, seed, "job", index, "finish", a->finish, b->finish) &&
           same_field(a->harmed == b->harmed, what, seed, "job", index, "harmed", a->harmed, b->harmed) &&
           same_field(a->harmed_candidate == b->harmed_candidate, what, seed, "job", index, "harmed_candidate",
                      a->harmed_candidate, b->harmed_candidate) &&
           same_field(memcmp(a, b, sizeof *a) == 0, what, seed, "job", index, "reserved bytes", 0, 1);
}

static void assert_same_decisions(const reply *a, const reply *b, uint32_t count, const char *what, uint64_t seed) {
    for (uint32_t i = 0; i < count; i++) {
        assert_true(same_decision(&a->decisions[i], &b->decisions[i], i, what, seed));
    }
}

/* ---- Against the oracle ---- */

#define MOST_REASONS 256

/* Every reason has to come up, and most of them often. */
static void check_reasons_seen(const uint32_t *seen) {
    static const uint32_t reasons[] = {
        VCS_REASON_JOB_SENT,     VCS_REASON_NOT_ASKED_FOR,  VCS_REASON_ENOUGH_SENT,
        VCS_REASON_REPLY_FULL,   VCS_REASON_REPLY_ENDED,    VCS_REASON_QUOTA,
        VCS_REASON_HOST_LIMIT,   VCS_REASON_HOST_HAS_COPY,  VCS_REASON_USER_HAS_COPY,
        VCS_REASON_OTHER_CLASS,  VCS_REASON_APP_HOST_LIMIT, VCS_REASON_HOST_MEMORY,
        VCS_REASON_HOST_DISK,    VCS_REASON_CANNOT_RUN,     VCS_REASON_BUSY_PAST_DEADLINE,
        VCS_REASON_OWN_DEADLINE, VCS_REASON_HARMS_TIMELY,   VCS_REASON_DELAYS_LATE,
        VCS_REASON_BUDGET,       VCS_REASON_BOUND_TOO_SHORT,
    };
    for (size_t i = 0; i < COUNT_OF(reasons); i++) {
        if (seen[reasons[i]] < 50) {
            print_error("%s came up %u times\n", vcs_reason_name(reasons[i]), seen[reasons[i]]);
        }
        assert_true(seen[reasons[i]] >= 50);
    }
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    const uint64_t usual = 20000;
    seeds cases = seeds_of_test(91, usual);
    static random_offer o;
    uint32_t seen[MOST_REASONS] = {0};
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        offer_fill(&o, seed);
        const uint32_t count = o.state.snapshot.candidates.count;
        reply expected = ask_oracle(&o, NULL), found = ask_afresh(&o);
        assert_same_decisions(&expected, &found, count, "sending against oracle", seed);
        assert_memory_equal(&expected.summary, &found.summary, sizeof found.summary);
        for (uint32_t i = 0; i < count; i++) {
            seen[found.decisions[i].reason]++;
        }
    }
    if (cases.count >= usual) {
        check_reasons_seen(seen);
    }
}

/* By chance: differences that rounding may decide are left out, and `finish` may differ by rounding. */
static void by_chance_equals_the_oracle(void **unused) {
    (void)unused;
    const uint64_t usual = 5000;
    seeds cases = seeds_of_test(92, usual);
    static random_offer o;
    uint32_t seen[MOST_REASONS] = {0};
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        offer_fill(&o, seed);
        random_stream r = {seed};
        o.state.parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
        o.state.host.on_spell = random_magnitude(&r, 600, 1e6);
        o.state.host.off_spell = random_magnitude(&r, 600, 1e6);
        for (uint32_t i = 0; i < o.state.snapshot.candidates.count; i++) {
            o.jobs[i].latency_bound = o.state.candidates[i].remaining * random_magnitude(&r, 0.9, 30);
        }
        double doubt;
        reply expected = ask_oracle(&o, &doubt), found = ask_afresh(&o);
        for (uint32_t i = 0; doubt > 1e-9 && i < o.state.snapshot.candidates.count; i++) {
            vcs_send_decision *decision = &found.decisions[i];
            const double finish = expected.decisions[i].finish;
            assert_true(decision->finish == finish || fabs(decision->finish - finish) <= 1e-12 * finish);
            decision->finish = finish;
            assert_true(same_decision(&expected.decisions[i], decision, i, "sending by chance against oracle", seed));
            seen[decision->reason]++;
        }
        if (doubt > 1e-9) {
            assert_memory_equal(&expected.summary, &found.summary, sizeof found.summary);
        }
    }
    for (uint32_t reason = VCS_REASON_SMALL_CHANCE; reason <= VCS_REASON_TAKES_MARGIN; reason++) {
        assert_true(cases.count < usual || reason == VCS_REASON_SMALLER_CHANCE || seen[reason] > 20);
    }
    assert_true(cases.count < usual || seen[VCS_REASON_JOB_SENT] > 1000);
    assert_int_equal(seen[VCS_REASON_BUSY_PAST_DEADLINE], 0);
}

/* ---- Properties of every reply ---- */

/* Of each resource no more jobs than were asked for, and none that is due sooner. */
static void check_wishes(const random_offer *o, const reply *found) {
    uint32_t sent[RANDOM_MOST_RESOURCES] = {0};
    for (uint32_t i = 0; i < o->state.snapshot.candidates.count; i++) {
        const vcs_send_request *request = &o->requests[oracle_resource_of(&o->state.candidates[i])];
        if (found->decisions[i].sent) {
            sent[request - o->requests]++;
            assert_true(o->jobs[i].latency_bound >= request->latency_bound);
            assert_true(request->jobs == 0 || sent[request - o->requests] <= request->jobs);
        }
    }
}

static void check_limits(const random_offer *o, const reply *found) {
    const vcs_send_limits *limits = &o->limits;
    double disk = 0;
    assert_true(found->summary.sent <= limits->max_jobs && found->summary.sent <= limits->quota_left);
    if (limits->max_in_progress != UINT32_MAX && found->summary.sent > 0) {
        assert_true(limits->in_progress + found->summary.sent <= limits->max_in_progress);
    }
    for (uint32_t i = 0; i < o->state.snapshot.candidates.count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            assert_false(found->decisions[i].sent && found->decisions[k].sent && o->jobs[i].unit != 0 &&
                         o->jobs[i].unit == o->jobs[k].unit);
        }
        disk += found->decisions[i].sent ? o->jobs[i].disk : 0;
    }
    assert_true(disk <= limits->disk);
}

/* Jobs are no longer late, one by one or together, than their bounds allow: neither behind the busy time nor in EDF. */
static void check_bounds(const random_offer *o, const reply *found) {
    const bool is_ws2 = o->state.parameters.work_send == VCS_WORK_SEND_WS2;
    const double buffer = is_ws2 && !(o->limits.flags & VCS_SEND_STUDY_RULES) ? o->state.parameters.min_buffer : 0;
    for (uint32_t i = 0; i < o->state.snapshot.candidates.count; i++) {
        if (found->decisions[i].sent && o->state.parameters.deadline_origin == VCS_ORIGIN_NOW) {
            /* times are whole microseconds, and deadlines far from the epoch are not as fine */
            assert_true(found->decisions[i].finish <= o->jobs[i].latency_bound - buffer + 2e-6);
        }
    }
}

/* Without the last job sent, something requested would be missing. */
static void check_that_all_were_needed(const random_offer *o, const reply *found) {
    for (uint32_t resource = 0; resource < o->state.snapshot.resources.count; resource++) {
        double seconds = 0;
        int64_t units = 0;
        bool is_filled = false;
        for (uint32_t i = 0; i < o->state.snapshot.candidates.count; i++) {
            const vcs_task *task = &o->state.candidates[i];
            if (!found->decisions[i].sent || oracle_resource_of(task) != resource) {
                continue;
            }
            assert_false(is_filled);
            const int64_t use = oracle_use(task, resource);
            const double run_time = oracle_seconds(oracle_run_time(&o->state.snapshot, task));
            seconds += o->jobs[i].seconds > 0 ? o->jobs[i].seconds : run_time * (double)use / (double)ORACLE_ONE;
            units += use;
            is_filled = seconds > o->requests[resource].seconds * (1 + 1e-12) &&
                        units >= oracle_units(o->requests[resource].instances);
        }
    }
}

static void replies_keep_to_the_request(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(92, 10000);
    static random_offer o;
    uint64_t sent = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        offer_fill(&o, seed);
        reply found = ask_afresh(&o);
        check_limits(&o, &found);
        check_wishes(&o, &found);
        check_bounds(&o, &found);
        check_that_all_were_needed(&o, &found);
        sent += found.summary.sent;
    }
    assert_true(sent >= cases.count / 2);
}

/* Asked again, and after other decisions, the state gives the same reply. */
static void the_same_question_has_the_same_answer(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(93, 3000);
    static random_offer o;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        offer_fill(&o, seed);
        vcs_state *state = prepare_case(&o.state);
        reply first = ask_library(&o, state);
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
        for (uint32_t i = 0; i < o.state.snapshot.candidates.count; i++) {
            vcs_admission admission = {.struct_size = sizeof admission};
            int code = vcs_admit(state, i, &admission); /* an error for jobs already sent */
            assert_true(code == VCS_OK || (code == VCS_ERR_DUPLICATE && first.decisions[i].sent));
        }
        reply second = ask_library(&o, state);
        assert_memory_equal(&first, &second, sizeof first);
        free_case(state);
    }
}

/* What a job gets does not depend on the jobs behind it. */
static void jobs_behind_do_not_matter(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(94, 3000);
    static random_offer o;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        offer_fill(&o, seed);
        reply whole = ask_afresh(&o);
        o.state.snapshot.candidates.count /= 2;
        reply part = ask_afresh(&o);
        assert_same_decisions(&whole, &part, o.state.snapshot.candidates.count, "first half of an offer", seed);
    }
}

/* The order of records decides nothing, except that jobs on offer are in order of sending, which is put back. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(95, 5000);
    static random_offer original, copy;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_places places;
        vcs_task candidates[RANDOM_MOST_CANDIDATES];
        offer_fill(&original, seed);
        const uint32_t count = original.state.snapshot.candidates.count;
        copy = original;
        random_state_shuffle(&copy.state, &original.state, seed, &places);
        memcpy(candidates, copy.state.candidates, sizeof candidates);
        for (uint32_t i = 0; i < count; i++) {
            copy.state.candidates[i] = candidates[places.candidates[i]];
        }
        reply expected = ask_afresh(&original), found = ask_afresh(&copy);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t *harmed = &expected.decisions[i].harmed;
            *harmed = *harmed == VCS_NONE ? VCS_NONE : places.tasks[*harmed];
        }
        assert_same_decisions(&expected, &found, count, "sending, shuffled", seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),           cmocka_unit_test(by_chance_equals_the_oracle),
        cmocka_unit_test(replies_keep_to_the_request), cmocka_unit_test(the_same_question_has_the_same_answer),
        cmocka_unit_test(jobs_behind_do_not_matter),   cmocka_unit_test(order_of_records_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

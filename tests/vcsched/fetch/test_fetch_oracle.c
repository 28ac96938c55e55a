/*
 * Fetching against its oracle, to the last bit, on random states; and what holds of every decision.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "oracle/cases.h"
#include "oracle/oracle_fetch.h"
#include "oracle/oracle_records.h"
#include "support/array.h"

#define CASES 10000

/* ---- The library's answers ---- */

static oracle_fetch_outcome library_fetch(vcs_state *state, const vcs_snapshot *snapshot, uint32_t called) {
    oracle_fetch_outcome found = oracle_fetch_new(snapshot);
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = called == VCS_NONE ? VCS_FETCH_CHOOSE : VCS_FETCH_PIGGYBACK,
        .project = called,
    };
    const uint32_t project_resources = snapshot->projects.count * snapshot->resources.count;
    assert_int_equal(vcs_fetch(state, &question, &found.summary), VCS_OK);
    assert_int_equal(vcs_fetch_decisions(state, ARRAY(found.project_resources, project_resources)), VCS_OK);
    return found;
}

#define SAME_DOUBLE(record, index, a, b, field)                                                                        \
    same_field(same_double((a)->field, (b)->field), what, seed, record, index, #field, (a)->field, (b)->field)
#define SAME_NUMBER(record, index, a, b, field)                                                                        \
    same_field((a)->field == (b)->field, what, seed, record, index, #field, (a)->field, (b)->field)

static bool same_fetch(const oracle_fetch_outcome *expected, const oracle_fetch_outcome *found,
                       const vcs_snapshot *snapshot, const char *what, uint64_t seed) {
    const vcs_fetch_summary *a = &expected->summary, *b = &found->summary;
    for (uint32_t i = 0; i < snapshot->projects.count * snapshot->resources.count; i++) {
        const vcs_fetch_decision *c = &expected->project_resources[i], *d = &found->project_resources[i];
        if (!SAME_NUMBER("pair", i, c, d, reason) || !SAME_DOUBLE("pair", i, c, d, seconds) ||
            !SAME_DOUBLE("pair", i, c, d, instances) || !SAME_DOUBLE("pair", i, c, d, priority) ||
            !SAME_DOUBLE("pair", i, c, d, wait) || !SAME_DOUBLE("pair", i, c, d, also_wait) ||
            !SAME_NUMBER("pair", i, c, d, also) || !SAME_NUMBER("pair", i, c, d, better) ||
            !same_field(memcmp(c, d, sizeof *c) == 0, what, seed, "pair", i, "reserved bytes", 0, 1)) {
            return false;
        }
    }
    return SAME_NUMBER("summary", 0, a, b, project) && SAME_NUMBER("summary", 0, a, b, reason) &&
           SAME_DOUBLE("summary", 0, a, b, next_check) &&
           same_field(memcmp(a, b, sizeof *a) == 0, what, seed, "summary", 0, "reserved bytes", 0, 1);
}

/* ---- Cases ---- */

/* Whom a case calls: nobody, so that one is to be chosen, or a project. */
static uint32_t called_in(const random_state *s, uint64_t seed) {
    const uint32_t projects = s->snapshot.projects.count;
    return projects == 0 || seed % 3 != 0 ? VCS_NONE : (uint32_t)(seed / 3 % projects);
}

static random_kind kind_of(uint64_t seed) {
    return seed % 4 == 3 ? RANDOM_FLUID : RANDOM_ANY;
}

/* Whether it is known which tasks run. */
static bool knows_choice(uint64_t seed) {
    return seed / 2 % 2 == 0;
}

/* How much of the choice is explained must not matter. */
static void choose_tasks(vcs_state *state, uint64_t seed) {
    const uint32_t detail = seed / 4 % 2 == 0 ? VCS_SCHEDULE_EXPLAIN : VCS_SCHEDULE_RUNNING;
    if (knows_choice(seed)) {
        assert_int_equal(vcs_schedule(state, detail, NULL), VCS_OK);
    }
}

typedef void checker(const random_state *s, const oracle_wrr *forecast, const oracle_fetch_outcome *found,
                     uint32_t called, uint64_t seed);

/* Sometimes a part of the CPUs is kept for others, whole ones or not. */
static void fill(random_state *s, uint64_t seed) {
    static const double reserves[] = {0, 0, 0.25, 1, 1.75};
    random_state_fill(s, kind_of(seed), seed);
    if (kind_of(seed) == RANDOM_ANY && seed % 5 == 1) {
        random_state_restrict(s, seed);
    }
    const double reserve = reserves[seed % 5];
    s->resources[0].reserve = reserve < s->resources[0].instances ? reserve : 0;
}

static void check_cases(checker *check) {
    const seeds cases = seeds_of_test(61, CASES);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        fill(&s, seed);
        const uint32_t called = called_in(&s, seed);
        vcs_state *state = prepare_case(&s);
        oracle_wrr forecast = library_wrr(state, &s.snapshot);
        choose_tasks(state, seed);
        oracle_fetch_outcome found = library_fetch(state, &s.snapshot, called);
        check(&s, &forecast, &found, called, seed);
        oracle_wrr_free(&forecast);
        oracle_fetch_free(&found);
        free_case(state);
    }
}

static void check_against_oracle(const random_state *s, const oracle_wrr *forecast, const oracle_fetch_outcome *found,
                                 uint32_t called, uint64_t seed) {
    oracle_schedule_outcome choice;
    if (knows_choice(seed)) {
        choice = oracle_schedule(&s->snapshot, &s->parameters, s->now, forecast->tasks);
    }
    oracle_fetch_outcome expected =
        oracle_fetch(&s->snapshot, &s->parameters, s->now, forecast, knows_choice(seed) ? &choice : NULL, called);
    assert_true(same_fetch(&expected, found, &s->snapshot, "fetch against oracle", seed));
    oracle_fetch_free(&expected);
    if (knows_choice(seed)) {
        oracle_schedule_free(&choice);
    }
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    check_cases(check_against_oracle);
}

/* ---- The order of the records decides nothing ---- */

static uint32_t moved(uint32_t project, const random_places *places) {
    return project == VCS_NONE ? VCS_NONE : places->projects[project];
}

/* What the shuffled state should say, from what the original one says. */
static oracle_fetch_outcome shuffled_outcome(const oracle_fetch_outcome *original, const vcs_snapshot *snapshot,
                                             const random_places *places) {
    oracle_fetch_outcome to = oracle_fetch_new(snapshot);
    const uint32_t resources = snapshot->resources.count;
    to.summary = original->summary;
    to.summary.project = moved(original->summary.project, places);
    for (uint32_t p = 0; p < snapshot->projects.count; p++) {
        for (uint32_t r = 0; r < resources; r++) {
            vcs_fetch_decision *pair = &to.project_resources[places->projects[p] * resources + r];
            *pair = original->project_resources[p * resources + r];
            pair->better = moved(pair->better, places);
        }
    }
    return to;
}

static void check_shuffled(const random_state *s, const oracle_wrr *forecast, const oracle_fetch_outcome *found,
                           uint32_t called, uint64_t seed) {
    (void)forecast;
    static random_state copy;
    random_places places;
    random_state_shuffle(&copy, s, seed, &places);
    vcs_state *state = prepare_case(&copy);
    oracle_wrr copied = library_wrr(state, &copy.snapshot);
    choose_tasks(state, seed);
    oracle_fetch_outcome again = library_fetch(state, &copy.snapshot, moved(called, &places));
    oracle_fetch_outcome expected = shuffled_outcome(found, &s->snapshot, &places);
    assert_true(same_fetch(&expected, &again, &s->snapshot, "fetch, shuffled", seed));
    oracle_wrr_free(&copied);
    oracle_fetch_free(&again);
    oracle_fetch_free(&expected);
    free_case(state);
}

static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    check_cases(check_shuffled);
}

/* ---- Asked briefly, the library says the same, without reasons where it asks nobody ---- */

static void check_brief(const random_state *s, const oracle_wrr *forecast, const oracle_fetch_outcome *found,
                        uint32_t called, uint64_t seed) {
    (void)forecast;
    const uint32_t project_resources = s->snapshot.projects.count * s->snapshot.resources.count;
    oracle_fetch_outcome brief = oracle_fetch_new(&s->snapshot);
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .flags = VCS_FETCH_BRIEF,
        .purpose = called == VCS_NONE ? VCS_FETCH_CHOOSE : VCS_FETCH_PIGGYBACK,
        .project = called,
    };
    vcs_state *state = prepare_case(s);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    choose_tasks(state, seed);
    assert_int_equal(vcs_fetch(state, NULL, NULL), VCS_OK); /* what this decided is not there any more */
    assert_int_equal(vcs_fetch(state, &question, &brief.summary), VCS_OK);
    const int code = vcs_fetch_decisions(state, ARRAY(brief.project_resources, project_resources));
    if (found->summary.project == VCS_NONE) {
        assert_int_equal(brief.summary.project, VCS_NONE);
        assert_int_equal(brief.summary.reason, VCS_REASON_NONE);
        assert_true(brief.summary.next_check == found->summary.next_check);
        assert_int_equal(code, VCS_ERR_SEQUENCE);
    } else {
        assert_int_equal(code, VCS_OK);
        assert_true(same_fetch(found, &brief, &s->snapshot, "fetch, briefly", seed));
    }
    oracle_fetch_free(&brief);
    free_case(state);
}

static void a_brief_answer_is_the_same(void **unused) {
    (void)unused;
    check_cases(check_brief);
}

/* ---- What holds of every request ---- */

static bool is_asked(uint32_t reason) {
    return reason == VCS_REASON_ASKED || reason == VCS_REASON_ASKED_ALONG || reason == VCS_REASON_ASKED_LITTLE;
}

/* Nothing stands in the way of asking, but perhaps a backoff for this resource beside another one that is asked. */
static void check_no_obstacle(const random_state *s, uint32_t p, uint32_t r, uint32_t called, uint32_t reason) {
    const vcs_project *project = oracle_project(&s->snapshot, p);
    const vcs_project_resource *pair = oracle_project_resource(&s->snapshot, p, r);
    assert_int_equal(project->flags & ~VCS_PROJECT_APPS_LISTED, 0);
    assert_int_equal(project->wait, VCS_WAIT_NONE);
    assert_int_equal(oracle_resource(&s->snapshot, r)->flags, 0);
    assert_true(called == p || project->min_rpc_time == 0 || project->min_rpc_time <= s->now);
    assert_true(oracle_allowed_count(&s->snapshot, p, r) > 0);
    if (pair != NULL) {
        assert_int_equal(pair->flags & ~VCS_PROJECT_RESOURCE_SERVER_LIMIT, 0);
        assert_true(pair->backoff_until == 0 || pair->backoff_until <= s->now || reason != VCS_REASON_ASKED);
    }
}

static void check_request(const random_state *s, const oracle_wrr *forecast, const oracle_fetch_outcome *found,
                          uint32_t p, uint32_t r, uint64_t seed) {
    const uint32_t index = p * s->snapshot.resources.count + r;
    const vcs_fetch_decision *pair = &found->project_resources[index];
    const vcs_resource_forecast *lack = &forecast->resources[r];
    const bool is_wf1 = s->parameters.work_fetch == VCS_WORK_FETCH_WF1;
    /* a task for each instance that the choice of tasks leaves idle */
    const bool is_for_left = knows_choice(seed) && pair->instances > 0 && pair->seconds <= fmax(pair->instances, 1);
    /* never without a lack, or work that ends with the buffer; WF1 alone does not look at what the simulation finds */
    assert_true(
        lack->shortfall > 0 || lack->idle_now > 0 || is_wf1 || is_for_left ||
        (s->parameters.work_fetch == VCS_WORK_FETCH_WF2 && forecast->project_resources[index].shortfall > 0) ||
        (pair->seconds <= fmax(pair->instances, 1) && fabs(lack->saturated - oracle_buffer(&s->parameters)) < 1e-6));
    /* never more than limits can run in the buffer */
    assert_true(pair->seconds <= oracle_fetch_capacity(&s->snapshot, &s->parameters, p, r));
    assert_true(pair->instances <= oracle_allowed_count(&s->snapshot, p, r));
    assert_true(pair->reason != VCS_REASON_ASKED_LITTLE || pair->seconds <= 1);
}

static void check_requests(const random_state *s, const oracle_wrr *forecast, const oracle_fetch_outcome *found,
                           uint32_t called, uint64_t seed) {
    (void)seed;
    uint32_t requests = 0;
    for (uint32_t p = 0; p < s->snapshot.projects.count; p++) {
        for (uint32_t r = 0; r < s->snapshot.resources.count; r++) {
            const vcs_fetch_decision *pair = &found->project_resources[p * s->snapshot.resources.count + r];
            assert_int_equal(is_asked(pair->reason), pair->seconds > 0); /* a request of 0 s is never sent */
            assert_true(pair->instances == 0 || pair->seconds > 0);
            assert_int_equal(pair->reason == VCS_REASON_BETTER_PROJECT, pair->better != VCS_NONE);
            assert_true(pair->better != p);
            if (is_asked(pair->reason)) {
                requests++;
                assert_int_equal(p, found->summary.project);
                check_no_obstacle(s, p, r, called, pair->reason);
                check_request(s, forecast, found, p, r, seed);
            }
        }
    }
    assert_int_equal(requests > 0, found->summary.project != VCS_NONE);
    assert_int_equal(found->summary.reason == VCS_REASON_ASKED, found->summary.project != VCS_NONE);
    assert_true(found->summary.next_check > 0);
    assert_true(called == VCS_NONE || found->summary.project == VCS_NONE || found->summary.project == called);
}

static void requests_keep_the_rules(void **unused) {
    (void)unused;
    check_cases(check_requests);
}

/* ---- A greater share never does a project harm ---- */

static uint32_t place_in_line(const oracle_fetch_outcome *found, const random_state *s, uint32_t project) {
    uint32_t before = 0;
    const uint32_t resources = s->snapshot.resources.count;
    const int32_t class_of = oracle_project(&s->snapshot, project)->priority_class;
    for (uint32_t p = 0; p < s->snapshot.projects.count; p++) {
        const vcs_project *other = oracle_project(&s->snapshot, p);
        before +=
            other->priority_class == class_of && other->share > 0 &&
            found->project_resources[p * resources].priority > found->project_resources[project * resources].priority;
    }
    return before;
}

/*
 * Without backoffs, which are not looked at where a project is asked along, every priority can be read. The rules of
 * the study rank by what is owed, not by share.
 */
static uint32_t place_with_share(random_state *s, uint32_t project, double share) {
    for (uint32_t i = 0; i < s->snapshot.project_resources.count; i++) {
        s->project_resources[i].backoff_until = 0;
    }
    s->projects[project].share = share;
    vcs_state *state = prepare_case(s);
    oracle_wrr forecast = library_wrr(state, &s->snapshot);
    oracle_fetch_outcome found = library_fetch(state, &s->snapshot, VCS_NONE);
    const uint32_t place = place_in_line(&found, s, project);
    oracle_wrr_free(&forecast);
    oracle_fetch_free(&found);
    free_case(state);
    return place;
}

static void a_greater_share_never_ranks_lower(void **unused) {
    (void)unused;
    const seeds cases = seeds_of_test(61, CASES / 2);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, kind_of(seed), seed);
        s.parameters.work_fetch = seed % 2 == 0 ? VCS_WORK_FETCH_CURRENT : VCS_WORK_FETCH_ORIGINAL;
        if (s.snapshot.projects.count == 0) {
            continue;
        }
        const uint32_t project = (uint32_t)(seed / 7 % s.snapshot.projects.count);
        const double share = s.projects[project].share;
        if (share > 0 && share < 1e20) {
            const uint32_t before = place_with_share(&s, project, share);
            assert_true(place_with_share(&s, project, 3 * share) <= before);
        }
    }
}

/* ---- The cases reach everything ---- */

static uint64_t times[256];

static void count_reasons(const random_state *s, const oracle_wrr *forecast, const oracle_fetch_outcome *found,
                          uint32_t called, uint64_t seed) {
    (void)forecast;
    (void)called;
    (void)seed;
    for (uint32_t i = 0; i < s->snapshot.projects.count * s->snapshot.resources.count; i++) {
        times[found->project_resources[i].reason]++;
    }
    times[found->summary.reason] += found->summary.reason == VCS_REASON_NO_PROJECT;
}

static void every_reason_occurs(void **unused) {
    (void)unused;
    static const uint32_t reasons[] = {
        VCS_REASON_PROJECT_SUSPENDED,
        VCS_REASON_RESOURCE_SUSPENDED,
        VCS_REASON_EXCLUDED,
        VCS_REASON_ASKED,
        VCS_REASON_ASKED_ALONG,
        VCS_REASON_ASKED_LITTLE,
        VCS_REASON_NO_NEW_WORK,
        VCS_REASON_NOT_WANTED,
        VCS_REASON_NO_APPS,
        VCS_REASON_DEFERRED,
        VCS_REASON_BACKED_OFF,
        VCS_REASON_TOO_MANY_TASKS,
        VCS_REASON_UPLOADS,
        VCS_REASON_FULL,
        VCS_REASON_ENOUGH,
        VCS_REASON_AT_LIMIT,
        VCS_REASON_BETTER_PROJECT,
        VCS_REASON_BACKUP,
        VCS_REASON_OVERWORKED,
        VCS_REASON_MISSES,
        VCS_REASON_NO_SHARE_LEFT,
        VCS_REASON_NO_PROJECT,
    };
    check_cases(count_reasons);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (times[reasons[i]] == 0 && seeds_of_test(61, CASES).count >= CASES) {
            fail_msg("%s never occurs", vcs_reason_name(reasons[i]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(order_of_records_does_not_matter),
        cmocka_unit_test(a_brief_answer_is_the_same),
        cmocka_unit_test(requests_keep_the_rules),
        cmocka_unit_test(a_greater_share_never_ranks_lower),
        cmocka_unit_test(every_reason_occurs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

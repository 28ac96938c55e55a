/*
 * The fluid simulation against its oracle on random states.
 *
 * Both compute in doubles, each in its own way, so times and amounts may differ in their last digits: 1e-9 of their
 * size is allowed. Where a decision hangs on such a difference - a finish on the very moment of the deadline, of the
 * horizon, of another finish - either side of it is right.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/cases.h"
#include "oracle/oracle_fluid.h"

#define TOLERANCE 1e-9

/* Nothing but infinity is near to infinity. */
static bool near_to(double a, double b) {
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= TOLERANCE * fmax(fabs(a), fabs(b)));
}

#define NEAR(record, index, a, b, field)                                                                               \
    same_field(near_to((a)->field, (b)->field), what, seed, record, index, #field, (a)->field, (b)->field)
#define SAME(record, index, a, b, field)                                                                               \
    same_field((a)->field == (b)->field, what, seed, record, index, #field, (double)(a)->field, (double)(b)->field)

/* The latest finish in time, by rule 13.2. */
static double latest_finish(const random_state *s, uint32_t task) {
    const vcs_parameters *p = &s->parameters;
    return p->miss_fraction * (s->tasks[task].deadline - p->min_buffer - p->period - s->now);
}

static bool same_tasks(const oracle_wrr *expected, const oracle_wrr *found, const random_state *s, const char *what,
                       uint64_t seed) {
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        const vcs_task_forecast *a = &expected->tasks[i], *b = &found->tasks[i];
        bool on_the_deadline = near_to(a->finish, latest_finish(s, i)) && b->verdict != VCS_VERDICT_UNKNOWN;
        if (!NEAR("task", i, a, b, finish) || (!on_the_deadline && !SAME("task", i, a, b, verdict))) {
            return false;
        }
    }
    return true;
}

/* Finishes that are clearly apart come in the same order. */
static bool same_order(const oracle_wrr *expected, const oracle_wrr *found, const random_state *s, const char *what,
                       uint64_t seed) {
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        for (uint32_t j = 0; j < s->snapshot.tasks.count; j++) {
            double first = expected->tasks[i].finish, second = expected->tasks[j].finish;
            bool apart = first < second && !near_to(first, second);
            if (!same_field(!apart || found->tasks[i].finish < found->tasks[j].finish, what, seed, "task", i,
                            "finish, not before that of a later one", first, found->tasks[i].finish)) {
                return false;
            }
        }
    }
    return true;
}

static bool same_resources(const oracle_wrr *expected, const oracle_wrr *found, const vcs_snapshot *snapshot,
                           const char *what, uint64_t seed) {
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        const vcs_resource_forecast *a = &expected->resources[i], *b = &found->resources[i];
        if (!NEAR("resource", i, a, b, saturated) || !NEAR("resource", i, a, b, idle_now) ||
            !NEAR("resource", i, a, b, shortfall)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < snapshot->projects.count * snapshot->resources.count; i++) {
        const vcs_project_resource_forecast *a = &expected->project_resources[i], *b = &found->project_resources[i];
        if (!SAME("pair", i, a, b, tasks) || !NEAR("pair", i, a, b, used_now) || !NEAR("pair", i, a, b, shortfall)) {
            return false;
        }
    }
    return true;
}

/* Every finished task ends in a step of its own, unless several end together. */
static uint64_t count_finished(const oracle_wrr *outcome, const vcs_snapshot *snapshot, bool *together) {
    uint64_t finished = 0;
    *together = false;
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        finished += !isinf(outcome->tasks[i].finish);
        for (uint32_t j = 0; j < i; j++) {
            double a = outcome->tasks[i].finish, b = outcome->tasks[j].finish;
            *together |= !isinf(a) && near_to(a, b);
        }
    }
    return finished;
}

static bool same_summary(const oracle_wrr *expected, const oracle_wrr *found, const vcs_snapshot *snapshot,
                         const char *what, uint64_t seed) {
    const vcs_wrr_summary *a = &expected->summary, *b = &found->summary;
    bool together;
    uint64_t finished = count_finished(expected, snapshot, &together);
    bool cut = (b->flags & VCS_SIMULATION_STOPPED) != 0;
    return SAME("summary", 0, a, b, flags) && NEAR("summary", 0, a, b, simulated_until) &&
           SAME("summary", 0, a, b, unknown) &&
           same_field(together || b->steps == finished + cut, what, seed, "summary", 0, "steps",
                      (double)(finished + cut), (double)b->steps);
}

/* The misses are counted from the verdicts. */
static bool counts_its_misses(const oracle_wrr *found, const vcs_snapshot *snapshot, const char *what, uint64_t seed) {
    uint32_t by_verdict = 0, by_pair = 0;
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        by_verdict += found->tasks[i].verdict == VCS_VERDICT_MISSES;
    }
    for (uint32_t i = 0; i < snapshot->projects.count * snapshot->resources.count; i++) {
        by_pair += found->project_resources[i].misses;
    }
    return same_field(found->summary.misses == by_verdict, what, seed, "summary", 0, "misses", by_verdict,
                      found->summary.misses) &&
           same_field(by_pair == by_verdict, what, seed, "project_resources", 0, "misses", by_verdict, by_pair);
}

/* Some task ends so near the horizon that it is open on which side. */
static bool ends_on_horizon(const random_state *s) {
    vcs_parameters without = s->parameters;
    without.horizon = 0;
    oracle_wrr outcome = oracle_fluid(&s->snapshot, &without, s->now);
    bool any = false;
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        any |= near_to(outcome.tasks[i].finish, s->parameters.horizon);
    }
    oracle_wrr_free(&outcome);
    return any;
}

static void fill(random_state *s, uint64_t seed) {
    random_state_fill(s, RANDOM_FLUID, seed);
    s->parameters.step_budget = 0; /* it has a test of its own */
    while (s->parameters.horizon > 0 && ends_on_horizon(s)) {
        s->parameters.horizon *= 1.01;
    }
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    const char *what = "fluid against oracle";
    seeds cases = seeds_of_test(42, 10000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        fill(&s, seed);
        vcs_state *state = prepare_case(&s);
        oracle_wrr expected = oracle_fluid(&s.snapshot, &s.parameters, s.now);
        oracle_wrr found = library_wrr(state, &s.snapshot);
        assert_true(same_tasks(&expected, &found, &s, what, seed));
        assert_true(same_order(&expected, &found, &s, what, seed));
        assert_true(same_summary(&expected, &found, &s.snapshot, what, seed));
        assert_true(same_resources(&expected, &found, &s.snapshot, what, seed));
        assert_true(counts_its_misses(&found, &s.snapshot, what, seed));
        oracle_wrr_free(&expected);
        oracle_wrr_free(&found);
        free_case(state);
    }
}

/* Results known under a budget are the same as without; later ones are unknown. */
static bool is_cut_off(const oracle_wrr *whole, const oracle_wrr *found, const vcs_snapshot *snapshot, const char *what,
                       uint64_t seed) {
    bool stopped = (found->summary.flags & VCS_SIMULATION_STOPPED) != 0;
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task_forecast *a = &whole->tasks[i], *b = &found->tasks[i];
        bool unknown = b->verdict == VCS_VERDICT_UNKNOWN;
        bool later = stopped && a->finish > found->summary.simulated_until;
        bool on_the_edge = near_to(a->finish, found->summary.simulated_until);
        if (a->verdict == VCS_VERDICT_SUSPENDED) {
            continue;
        }
        if (!same_field(on_the_edge || unknown == later, what, seed, "task", i, "unknown", later, unknown) ||
            (!unknown && !NEAR("task", i, a, b, finish))) {
            return false;
        }
    }
    return true;
}

static void a_budget_cuts_it_off(void **unused) {
    (void)unused;
    const char *what = "fluid with a budget";
    seeds cases = seeds_of_test(42, 2000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        fill(&s, seed);
        s.parameters.horizon = 0;
        oracle_wrr whole = oracle_fluid(&s.snapshot, &s.parameters, s.now);
        s.parameters.step_budget = (uint32_t)(1 + seed % 20);
        vcs_state *state = prepare_case(&s);
        oracle_wrr found = library_wrr(state, &s.snapshot);
        bool stopped = (found.summary.flags & VCS_SIMULATION_STOPPED) != 0;
        assert_true(is_cut_off(&whole, &found, &s.snapshot, what, seed));
        assert_true(same_field(found.summary.steps <= s.parameters.step_budget, what, seed, "summary", 0, "steps",
                               s.parameters.step_budget, (double)found.summary.steps));
        assert_true(same_field(!stopped || found.summary.steps == s.parameters.step_budget, what, seed, "summary", 0,
                               "steps", s.parameters.step_budget, (double)found.summary.steps));
        oracle_wrr_free(&whole);
        oracle_wrr_free(&found);
        free_case(state);
    }
}

/* A simulation that has cost too much stops as at a budget of as many steps, one at least (rule 4.6). */
static void costs_too_much(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(54, 3000);
    static random_state s;
    uint64_t stopped = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_FLUID, seed);
        s.parameters.step_budget = 0;
        s.parameters.horizon = 0;
        s.parameters.simulation_effort = 1 + (uint32_t)(seed % 30);
        vcs_state *state = prepare_case(&s);
        oracle_wrr found = library_wrr(state, &s.snapshot);
        free_case(state);
        if ((found.summary.flags & VCS_SIMULATION_STOPPED) != 0) {
            stopped++;
            assert_true(found.summary.effort > s.parameters.simulation_effort && found.summary.steps > 0);
            s.parameters.step_budget = (uint32_t)found.summary.steps;
        }
        s.parameters.simulation_effort = 0;
        state = prepare_case(&s);
        oracle_wrr expected = library_wrr(state, &s.snapshot);
        assert_true(same_wrr(&expected, &found, &s.snapshot, "fluid, stopped by what it costs", seed));
        oracle_wrr_free(&expected);
        oracle_wrr_free(&found);
        free_case(state);
    }
    assert_true(cases.count < 100 || (stopped > cases.count / 10 && stopped < cases.count));
}

/* The order of the records decides nothing: the outcome is the same to the last bit. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(42, 10000);
    static random_state original;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&original, RANDOM_FLUID, seed);
        assert_true(same_wrr_shuffled(&original, "fluid, shuffled", seed));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(a_budget_cuts_it_off),
        cmocka_unit_test(costs_too_much),
        cmocka_unit_test(order_of_records_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

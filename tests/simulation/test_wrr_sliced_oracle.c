/*
 * The sliced simulation (rule 4.3) against its oracle, to the last bit, on random states.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/cases.h"
#include "oracle/oracle_sliced.h"

/* Compares both on a state, asking the library twice. */
static void compare(const random_state *s, uint64_t seed) {
    vcs_state *state = prepare_case(s);
    oracle_wrr expected = oracle_sliced(&s->snapshot, &s->parameters, s->now);
    oracle_wrr found = library_wrr(state, &s->snapshot);
    oracle_wrr again = library_wrr(state, &s->snapshot);
    assert_true(same_wrr(&expected, &found, &s->snapshot, "sliced against oracle", seed));
    assert_true(same_wrr(&expected, &again, &s->snapshot, "sliced a second time", seed));
    oracle_wrr_free(&expected);
    oracle_wrr_free(&found);
    oracle_wrr_free(&again);
    free_case(state);
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(43, 10000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        compare(&s, seed);
    }
}

/* Each project has done work in proportion to its share, so that nothing but rounding tells their priorities apart. */
static void where_rounding_decides(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(50, 3000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        for (uint32_t i = 0; i < s.snapshot.projects.count; i++) {
            s.projects[i].priority_class = 0;
            s.projects[i].share = 1 + (double)(s.projects[i].id % 50);
            s.projects[i].rec = s.projects[i].share * (1 + (double)(seed % 1000) / 7);
        }
        for (uint32_t i = 0; i < s.snapshot.project_resources.count; i++) {
            s.project_resources[i].rec = s.projects[s.project_resources[i].project].rec;
        }
        compare(&s, seed);
    }
}

/* A simulation that has cost too much stops as at a budget of as many steps, one at least (rule 4.6). */
static void costs_too_much(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(53, 3000);
    static random_state s;
    uint64_t stopped = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        s.parameters.step_budget = 0;
        s.parameters.horizon = 0;
        s.parameters.simulation_effort = 1 + (uint32_t)(seed * 7 % 300);
        vcs_state *state = prepare_case(&s);
        oracle_wrr found = library_wrr(state, &s.snapshot);
        if ((found.summary.flags & VCS_SIMULATION_STOPPED) != 0) {
            stopped++;
            assert_true(found.summary.effort > s.parameters.simulation_effort && found.summary.steps > 0);
            s.parameters.step_budget = (uint32_t)found.summary.steps;
        }
        oracle_wrr expected = oracle_sliced(&s.snapshot, &s.parameters, s.now);
        assert_true(same_wrr(&expected, &found, &s.snapshot, "sliced, stopped by what it costs", seed));
        oracle_wrr_free(&expected);
        oracle_wrr_free(&found);
        free_case(state);
    }
    assert_true(cases.count < 100 || (stopped > cases.count / 10 && stopped < cases.count));
}

/* The order of the records decides nothing. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(43, 10000);
    static random_state original;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&original, RANDOM_ANY, seed);
        random_state_enrich(&original, seed);
        assert_true(same_wrr_shuffled(&original, "sliced, shuffled", seed));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(where_rounding_decides),
        cmocka_unit_test(costs_too_much),
        cmocka_unit_test(order_of_records_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Earliest deadline first (rule 4.4) against its oracle, to the last bit, on random states.
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
#include "oracle/oracle_edf.h"

/* The tasks in danger may come from either discipline of round-robin. */
static random_kind kind_of(uint64_t seed) {
    return seed % 5 == 0 ? RANDOM_FLUID : RANDOM_ANY;
}

static void find_missed(const oracle_wrr *forecast, const vcs_snapshot *snapshot, unsigned char *missed) {
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        missed[i] = forecast->tasks[i].verdict == VCS_VERDICT_MISSES;
    }
}

static void compare(vcs_state *state, const random_state *s, uint32_t which, const unsigned char *looked_at,
                    const char *what, uint64_t seed) {
    oracle_edf_outcome expected = oracle_edf(&s->snapshot, &s->parameters, s->now, looked_at);
    oracle_edf_outcome found = library_edf(state, &s->snapshot, which);
    assert_true(same_edf(&expected, &found, &s->snapshot, what, seed));
    oracle_edf_free(&expected);
    oracle_edf_free(&found);
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(44, 10000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        unsigned char missed[RANDOM_MOST_TASKS];
        random_state_fill(&s, kind_of(seed), seed);
        vcs_state *state = prepare_case(&s);
        compare(state, &s, VCS_EDF_ALL, NULL, "all tasks against oracle", seed);
        oracle_wrr forecast = library_wrr(state, &s.snapshot);
        find_missed(&forecast, &s.snapshot, missed);
        compare(state, &s, VCS_EDF_MISSED, missed, "missed tasks against oracle", seed);
        compare(state, &s, VCS_EDF_ALL, NULL, "all tasks after missed ones against oracle", seed);
        oracle_wrr_free(&forecast);
        free_case(state);
    }
}

/* At each start, the tasks of the same project, or application, that run are no more than its limit. */
static bool keeps_limits(const random_state *s, const oracle_edf_outcome *found) {
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        const double moment = found->tasks[i].start;
        uint32_t of_project = 0, of_app = 0, app = s->tasks[i].app;
        for (uint32_t j = 0; j < s->snapshot.tasks.count && moment < INFINITY; j++) {
            const bool runs = found->tasks[j].start <= moment && moment < found->tasks[j].finish;
            of_project += runs && s->tasks[j].project == s->tasks[i].project;
            of_app += runs && app != VCS_NONE && s->tasks[j].app == app;
        }
        const uint32_t project_limit = s->projects[s->tasks[i].project].max_concurrent;
        const uint32_t app_limit = app == VCS_NONE ? 0 : s->apps[app].max_concurrent;
        if ((project_limit > 0 && of_project > project_limit) || (app_limit > 0 && of_app > app_limit)) {
            return false;
        }
    }
    return true;
}

/*
 * A simulation that has cost too much stops as at a budget of as many tasks, at least one (rule 4.6). A stuck task
 * takes nothing of that budget: whether it is still looked at is the only difference.
 */
static void costs_too_much(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(55, 6000);
    static random_state s;
    uint64_t stopped = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        if (seed % 2 == 0) {
            random_state_limit(&s, false, seed);
        }
        s.parameters.step_budget = 0;
        s.parameters.horizon = 0;
        s.parameters.placement_effort = 1 + (uint32_t)(seed * 7 % 200);
        vcs_state *state = prepare_case(&s);
        oracle_edf_outcome found = library_edf(state, &s.snapshot, VCS_EDF_ALL);
        if ((found.summary.flags & VCS_SIMULATION_STOPPED) != 0) {
            stopped++;
            assert_true(found.summary.effort > s.parameters.placement_effort && found.summary.tasks > 0);
            s.parameters.step_budget = found.summary.tasks;
        }
        oracle_edf_outcome expected = oracle_edf(&s.snapshot, &s.parameters, s.now, NULL);
        s.parameters.step_budget = 0;
        oracle_edf_outcome whole = oracle_edf(&s.snapshot, &s.parameters, s.now, NULL);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            if (found.tasks[i].verdict == VCS_VERDICT_STUCK && whole.tasks[i].verdict == VCS_VERDICT_STUCK) {
                expected.tasks[i].verdict = VCS_VERDICT_STUCK;
            }
        }
        oracle_edf_free(&whole);
        assert_true(same_edf(&expected, &found, &s.snapshot, "stopped by what it costs", seed));
        oracle_edf_free(&expected);
        oracle_edf_free(&found);
        free_case(state);
    }
    assert_true(cases.count < 100 || (stopped > cases.count / 20 && stopped < cases.count));
}

/* With limits on most projects and applications; where all tasks take one CPU, the library goes another way. */
static void equals_the_oracle_under_limits(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(47, 4000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_limit(&s, seed % 2 == 0, seed);
        random_state_enrich(&s, seed);
        if (seed / 2 % 2 == 0) {
            random_state_restrict(&s, seed);
        }
        vcs_state *state = prepare_case(&s);
        compare(state, &s, VCS_EDF_ALL, NULL, "all tasks under limits", seed);
        oracle_edf_outcome found = library_edf(state, &s.snapshot, VCS_EDF_ALL);
        assert_true(keeps_limits(&s, &found));
        oracle_edf_free(&found);
        free_case(state);
    }
}

/* The order of the records decides nothing. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(44, 10000);
    static random_state original;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&original, kind_of(seed), seed);
        assert_true(same_edf_shuffled(&original, "EDF, shuffled", seed));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(costs_too_much),
        cmocka_unit_test(equals_the_oracle_under_limits),
        cmocka_unit_test(order_of_records_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

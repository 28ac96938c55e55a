/*
 * The sliced simulation (rule 4.3) against its oracle, to the last bit, on random states.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/cases.h"
#include "oracle/oracle_sliced.h"
#include "support/kernel.h"

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
        if (seed % 3 == 0) {
            random_state_restrict(&s, seed);
        }
        compare(&s, seed);
    }
}

/*
 * Without turns (rule 15.4), with tasks that must not be interrupted or are nearly done, and with CPUs held for wide
 * tasks for various times.
 */
static void let_run_on(random_state *s, uint64_t seed) {
    random_stream stream = {seed};
    s->parameters.keep_running = 1;
    s->parameters.discipline = VCS_DISCIPLINE_SLICED;
    s->parameters.switch_cost = random_below(&stream, 2) * random_between(&stream, 0, 4000);
    s->parameters.hold = random_below(&stream, 3) == 0 ? 0 : random_between(&stream, 100, 40000);
    s->parameters.step_budget *= random_below(&stream, 2);
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        s->tasks[i].flags |= random_below(&stream, 6) == 0 ? VCS_TASK_UNINTERRUPTIBLE : 0;
        s->tasks[i].flags |= random_below(&stream, 3) == 0 ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
    }
}

static void equals_the_oracle_without_turns(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(96, 10000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        const bool is_plain = seed % 4 == 1; /* tasks of one CPU, to which a faster form is open */
        random_state_fill(&s, is_plain ? RANDOM_FLUID : RANDOM_ANY, seed);
        if (!is_plain) {
            random_state_enrich(&s, seed);
        }
        if (!is_plain && seed % 3 == 0) {
            random_state_restrict(&s, seed);
        }
        let_run_on(&s, seed);
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

/* So little work has been done that the weights of new work nearly overflow. */
static void next_to_nothing_was_done_before(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(54, 1000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        for (uint32_t i = 0; i < s.snapshot.projects.count; i++) {
            s.projects[i].rec *= 1e-305;
        }
        for (uint32_t i = 0; i < s.snapshot.project_resources.count; i++) {
            s.project_resources[i].rec *= 1e-305;
        }
        compare(&s, seed);
    }
}

/* Nearly equal, and so little that digits are lost beside new work, or that keys are denormal. */
static void where_lost_digits_decide(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(58, 3000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        random_stream stream = {seed};
        const double little = pow(10, -random_between(&stream, 5, seed % 2 ? 320 : 20));
        for (uint32_t i = 0; i < s.snapshot.projects.count; i++) {
            s.projects[i].priority_class = 0;
            s.projects[i].share = 1 + (double)(s.projects[i].id % 3);
            if (s.projects[i].id % 4 != 0) {
                s.projects[i].rec = little * s.projects[i].share * (1 + 1e-6 * (double)random_below(&stream, 3));
            }
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
        s.parameters.keep_running = seed % 4 == 0; /* without turns, too */
        vcs_state *state = prepare_case(&s);
        oracle_wrr found = library_wrr(state, &s.snapshot);
        if ((found.summary.flags & VCS_SIMULATION_STOPPED) != 0) {
            stopped++;
            const bool at_the_end_of_time = found.summary.simulated_until > 1e12;
            assert_true(at_the_end_of_time || found.summary.effort > s.parameters.simulation_effort);
            assert_true(found.summary.steps > 0);
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
        original.parameters.keep_running = seed % 4 == 0; /* without turns, too */
        assert_true(same_wrr_shuffled(&original, "sliced, shuffled", seed));
    }
}

/* More projects than the library compares in one row (lib/vcsched/simulation/sliced/uniform_pick.c): two rows, and part
   of a third. */
enum { CONTENDERS = 600 };

/*
 * So many projects, each with a task or two of one CPU, on a few CPUs. Where some are of a class that goes first, the
 * others do not begin where a row begins. Recent work is often equal, so that rounding and ids decide.
 */
static void fill_contenders(random_state *s, vcs_project *projects, vcs_task *tasks, random_stream *r) {
    const double steps = random_below(r, 2) == 0 ? 4 : 1e6;
    const uint32_t favoured = random_below(r, 2) == 0 ? 0 : random_below(r, 40);
    memset(s, 0, sizeof *s);
    assert_int_equal(vcs_parameters_init(&s->parameters, sizeof s->parameters, VCS_PROFILE_CURRENT), VCS_OK);
    s->parameters.step_budget = 30;
    s->resources[0] = (vcs_resource){.flops = 1e9, .usable = 1, .instances = 2 * favoured + 1 + random_below(r, 40)};
    for (uint32_t i = 0; i < CONTENDERS; i++) {
        projects[i] = (vcs_project){.id = random_bits(r)};
        projects[i].share = 1 + random_below(r, 3);
        projects[i].rec = (double)(int64_t)(random_draw(r) * steps) * 100;
        projects[i].priority_class = i < favoured;
    }
    for (uint32_t i = 0; i < 2 * CONTENDERS; i++) {
        tasks[i] = (vcs_task){.id = random_bits(r), .project = i % CONTENDERS, .app = VCS_NONE, .cpus = 1};
        tasks[i].remaining = random_between(r, 10, 20000);
        tasks[i].deadline = random_between(r, 1000, 1e6);
    }
    s->snapshot.struct_size = sizeof s->snapshot;
    s->snapshot.host = (vcs_array){{&s->host}, sizeof s->host, 1};
    s->snapshot.resources = (vcs_array){{s->resources}, sizeof *s->resources, 1};
    s->snapshot.projects = (vcs_array){{projects}, sizeof *projects, CONTENDERS};
    s->snapshot.tasks = (vcs_array){{tasks}, sizeof *tasks, CONTENDERS + random_below(r, CONTENDERS)};
}

/* A case takes as long as a hundred others. */
static void hundreds_of_projects_contend(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(57, 12);
    cases.count = cases.count > 1200 ? cases.count / 100 : cases.count < 12 ? cases.count : 12;
    static random_state s;
    static vcs_project projects[CONTENDERS];
    static vcs_task tasks[2 * CONTENDERS];
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_stream stream = {seed};
        fill_contenders(&s, projects, tasks, &stream);
        compare(&s, seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(equals_the_oracle_without_turns),
        cmocka_unit_test(where_rounding_decides),
        cmocka_unit_test(next_to_nothing_was_done_before),
        cmocka_unit_test(where_lost_digits_decide),
        cmocka_unit_test(costs_too_much),
        cmocka_unit_test(order_of_records_does_not_matter),
        cmocka_unit_test(hundreds_of_projects_contend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

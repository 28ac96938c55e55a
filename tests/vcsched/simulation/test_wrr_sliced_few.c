/*
 * The sliced simulation (rule 4.3) in its form for small uniform hosts, against the form for all uniform hosts, to the
 * last byte; and the hosts for which it gives up.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "oracle/cases.h"
#include "support/kernel.h"
#include "vcsched/host/prepared.h"
#include "vcsched/simulation/sliced/sliced_few.h"
#include "vcsched/simulation/sliced/sliced_uniform.h"

/* All that a simulation says. */
typedef struct outcome {
    vcs_wrr_summary summary;
    vcs_task_forecast tasks[RANDOM_MOST_TASKS];
    vcs_resource_forecast resources[RANDOM_MOST_RESOURCES];
    vcs_project_resource_forecast project_resources[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
} outcome;

static void keep(outcome *kept, const vcs_state *state) {
    const size_t resources = state->resource_count;
    memcpy(kept->tasks, vcs_forecasts(state), state->task_count * sizeof *kept->tasks);
    memcpy(kept->resources, vcs_resource_forecasts(state), resources * sizeof *kept->resources);
    memcpy(kept->project_resources, vcs_project_resource_forecasts(state),
           resources * state->project_count * sizeof *kept->project_resources);
}

/* Whether the form answers; then it says what the uniform form says, with the same number of steps and effort. */
static bool answers(const random_state *s) {
    static outcome few, uniform;
    memset(&few, 0, sizeof few);
    memset(&uniform, 0, sizeof uniform);
    vcs_state *state = prepare_case(s);
    const bool does = vcs_sliced_few(state, &few.summary);
    if (does) {
        keep(&few, state);
        assert_true(vcs_sliced_uniform(state, &uniform.summary));
        keep(&uniform, state);
        assert_memory_equal(&few, &uniform, sizeof few);
    }
    free_case(state);
    return does;
}

/* Whole CPUs, tasks of one of them, no limits and no classes. */
static void make_uniform(random_state *s) {
    s->parameters.discipline = VCS_DISCIPLINE_SLICED;
    for (uint32_t i = 0; i < s->snapshot.projects.count; i++) {
        s->projects[i].max_concurrent = 0;
        s->projects[i].priority_class = 0;
        s->projects[i].share += 1;
    }
    for (uint32_t i = 0; i < s->snapshot.apps.count; i++) {
        s->apps[i].max_concurrent = 0;
    }
}

/* Recent work without ties, and half-lives short enough that many tasks change places; some stop at a limit. */
static void make_busy(random_state *s, random_stream *stream) {
    for (uint32_t i = 0; i < s->snapshot.projects.count; i++) {
        s->projects[i].rec = random_between(stream, 1, 1000);
        s->projects[i].share = random_between(stream, 1, 10);
    }
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        s->tasks[i].remaining = random_between(stream, 0, random_below(stream, 20) == 0 ? 1e6 : 40000);
    }
    s->parameters.rec_half_life = random_between(stream, 60, random_below(stream, 2) == 0 ? 20000 : 1e6);
    s->parameters.horizon = random_below(stream, 4) == 0 ? random_between(stream, 1000, 200000) : 0;
    s->parameters.step_budget = random_below(stream, 4) == 0 ? 1 + random_below(stream, 40) : 0;
    s->parameters.simulation_effort = random_below(stream, 4) == 0 ? 1 + random_below(stream, 300) : 100000000;
    if (s->snapshot.tasks.count > 60) {
        s->snapshot.tasks.count = random_below(stream, 61);
    }
}

static void says_what_the_uniform_form_says(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(64, 10000);
    static random_state s;
    uint64_t answered = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_stream stream = {seed};
        random_state_fill(&s, RANDOM_FLUID, seed);
        make_uniform(&s);
        if (seed % 4 != 0) {
            make_busy(&s, &stream);
        }
        answered += answers(&s);
    }
    assert_true(cases.count < 100 || answered > cases.count / 2);
}

/* ---- For which hosts it gives up ---- */

/* Two projects with two tasks each, and a GPU, on one CPU. */
static void fill_plain(random_state *s, uint32_t projects, uint32_t tasks) {
    random_stream stream = {1};
    memset(s, 0, sizeof *s);
    assert_int_equal(vcs_parameters_init(&s->parameters, sizeof s->parameters, VCS_PROFILE_CURRENT), VCS_OK);
    s->host.id = 1;
    s->resources[0] = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 1};
    s->resources[1] = (vcs_resource){.id = 2, .flops = 1e11, .usable = 1, .instances = 1};
    for (uint32_t i = 0; i < projects; i++) {
        s->projects[i] = (vcs_project){.id = i + 1, .share = 1, .rec = random_between(&stream, 100, 200)};
    }
    for (uint32_t i = 0; i < tasks; i++) {
        s->tasks[i] = (vcs_task){.id = i + 1, .project = i % projects, .app = VCS_NONE, .cpus = 1};
        s->tasks[i].remaining = random_between(&stream, 1000, 20000);
        s->tasks[i].deadline = 1e6;
    }
    const vcs_snapshot counts = {
        .host = {.count = 1},
        .resources = {.count = 2},
        .projects = {.count = projects},
        .tasks = {.count = tasks},
    };
    random_state_point_snapshot(s, &counts);
}

static void answers_for_plain_hosts(void **unused) {
    (void)unused;
    static random_state s;
    fill_plain(&s, 2, 4);
    assert_true(answers(&s));
    fill_plain(&s, 16, 64);
    assert_true(answers(&s));
    s.parameters.freeze_rec = 1;
    assert_true(answers(&s));
    fill_plain(&s, 2, 4);
    s.resources[0].instances = 4; /* all run from the start */
    assert_true(answers(&s));
}

static void gives_up_for_many(void **unused) {
    (void)unused;
    static random_state s;
    fill_plain(&s, 17, 34);
    assert_false(answers(&s));
    fill_plain(&s, 2, 65);
    assert_false(answers(&s));
}

static void gives_up_for_other_tasks(void **unused) {
    (void)unused;
    static random_state s;
    fill_plain(&s, 2, 4);
    s.resources[0].reserve = 0.5;
    assert_false(answers(&s));
    fill_plain(&s, 2, 4);
    s.projects[1].max_concurrent = 1;
    assert_false(answers(&s));
    fill_plain(&s, 2, 4);
    s.tasks[3].cpus = 0.5;
    assert_false(answers(&s));
    s.tasks[3].flags = VCS_TASK_SUSPENDED;
    assert_true(answers(&s));
    fill_plain(&s, 2, 4);
    s.tasks[3].gpu = 1;
    s.tasks[3].gpus = 1;
    assert_false(answers(&s));
}

static void gives_up_for_several_groups(void **unused) {
    (void)unused;
    static random_state s;
    fill_plain(&s, 2, 4);
    s.projects[1].priority_class = 1;
    assert_false(answers(&s));
    fill_plain(&s, 2, 4);
    s.projects[1].share = 0;
    assert_false(answers(&s));
}

/* Where nothing but rounding or the id tells two projects apart, at once or after a while. */
static void gives_up_where_keys_are_close(void **unused) {
    (void)unused;
    static random_state s;
    fill_plain(&s, 2, 4);
    s.projects[1].rec = s.projects[0].rec;
    assert_false(answers(&s));
    s.projects[1].rec *= 1 + 1e-14;
    assert_false(answers(&s));
    s.projects[1].rec *= 1 + 1e-6;
    assert_true(answers(&s));
}

/* So long are the tasks, and so soon is recent work forgotten, that projects change places thousands of times. */
static void gives_up_after_many_picks(void **unused) {
    (void)unused;
    static random_state s;
    fill_plain(&s, 2, 64);
    for (uint32_t i = 0; i < 64; i++) {
        s.tasks[i].remaining *= 1e5;
    }
    s.parameters.rec_half_life = 1e7;
    assert_false(answers(&s));
    s.parameters.step_budget = 1000;
    assert_true(answers(&s));
}

/* Keys that would overflow, or vanish beside others. */
static void gives_up_for_extreme_numbers(void **unused) {
    (void)unused;
    static random_state s;
    fill_plain(&s, 2, 4);
    s.parameters.bump = 0; /* no load */
    assert_false(answers(&s));
    fill_plain(&s, 2, 4);
    s.projects[0].rec = s.projects[1].rec = 1e-250; /* the greatest weight */
    assert_false(answers(&s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_the_uniform_form_says),
        cmocka_unit_test(answers_for_plain_hosts),
        cmocka_unit_test(gives_up_for_many),
        cmocka_unit_test(gives_up_for_other_tasks),
        cmocka_unit_test(gives_up_for_several_groups),
        cmocka_unit_test(gives_up_where_keys_are_close),
        cmocka_unit_test(gives_up_after_many_picks),
        cmocka_unit_test(gives_up_for_extreme_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

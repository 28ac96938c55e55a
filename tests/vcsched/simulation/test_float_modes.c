/*
 * The decisions in modes of arithmetic that nobody should be in: where denormal numbers are flushed to 0 they stay the
 * same, and where numbers are rounded otherwise than to nearest they at least come, and touch no memory beyond theirs.
 *
 * The programs that compare with the oracles run once more where denormal numbers are flushed; see tests/meson.build.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "oracle/cases.h"
#include "support/effort.h"
#include "support/float_mode.h"

#include <stdio.h>
#include <string.h>

typedef struct answer {
    vcs_task_forecast forecasts[RANDOM_MOST_TASKS];
    vcs_resource_forecast resources[RANDOM_MOST_RESOURCES];
    vcs_project_resource_forecast project_resources[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
    vcs_edf_task edf[RANDOM_MOST_TASKS];
    vcs_admission admissions[RANDOM_MOST_CANDIDATES];
    vcs_task_decision decisions[RANDOM_MOST_TASKS];
    vcs_fetch_decision requests[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
} answer;

/* Everything that a client asks. */
static void ask(const random_state *s, answer *found) {
    const uint32_t tasks = s->snapshot.tasks.count, resources = s->snapshot.resources.count;
    const uint32_t project_resources = s->snapshot.projects.count * resources;
    memset(found, 0, sizeof *found);
    vcs_state *state = prepare_case(s);
    vcs_wrr(state, NULL);
    vcs_wrr_tasks(state, ARRAY(found->forecasts, tasks));
    vcs_wrr_resources(state, ARRAY(found->resources, resources));
    vcs_wrr_project_resources(state, ARRAY(found->project_resources, project_resources));
    vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL);
    vcs_schedule_tasks(state, ARRAY(found->decisions, tasks));
    vcs_fetch(state, NULL, NULL);
    vcs_fetch_decisions(state, ARRAY(found->requests, project_resources));
    vcs_edf(state, VCS_EDF_ALL, NULL);
    vcs_edf_tasks(state, ARRAY(found->edf, tasks));
    for (uint32_t i = 0; i < s->snapshot.candidates.count; i++) {
        found->admissions[i].struct_size = sizeof found->admissions[i];
        vcs_admit(state, i, &found->admissions[i]);
    }
    free_case(state);
}

static void fill(random_state *s, uint64_t seed) {
    random_state_fill(s, seed % 4 == 0 ? RANDOM_FLUID : RANDOM_ANY, seed);
    if (seed % 3 == 0) {
        random_state_enrich(s, seed);
    }
}

static void ask_in_mode(float_mode mode, const random_state *s, answer *found) {
    const bool entered = float_mode_enter(mode);
    ask(s, found);
    float_mode_enter(FLOAT_ORDINARY);
    if (!entered) {
        skip();
    }
}

/* Whether the simulation is so long that a REC might decay to a denormal number: a thousand half-lives. */
static bool is_endless(const random_state *s, const answer *found) {
    bool is_long = false;
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        is_long |= found->forecasts[i].finish > 900 * s->parameters.rec_half_life && found->forecasts[i].finish < 1e300;
    }
    return is_long;
}

static void flushing_changes_nothing(float_mode mode) {
    const seeds cases = seeds_of_test(71, 2000);
    static random_state s;
    static answer expected, found;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        fill(&s, seed);
        ask(&s, &expected);
        ask_in_mode(mode, &s, &found);
        if (!is_endless(&s, &expected) && memcmp(&expected, &found, sizeof found) != 0) {
            fail_msg("%s, VCS_SEED=%llu VCS_CASES=1", float_mode_name(mode), (unsigned long long)seed);
        }
    }
}

static void flushed(void **unused) {
    (void)unused;
    flushing_changes_nothing(FLOAT_FLUSH);
}

static void flushed_results(void **unused) {
    (void)unused;
    flushing_changes_nothing(FLOAT_FLUSH_RESULT);
}

static void flushed_operands(void **unused) {
    (void)unused;
    flushing_changes_nothing(FLOAT_FLUSH_INPUT);
}

/* Every task has some forecast. */
static void rounding_breaks_nothing(float_mode mode) {
    const seeds cases = seeds_of_test(71, 2000);
    static random_state s;
    static answer found;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        fill(&s, seed);
        ask_in_mode(mode, &s, &found);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            assert_true(found.forecasts[i].finish >= 0);
            assert_in_range(found.forecasts[i].verdict, VCS_VERDICT_UNKNOWN, VCS_VERDICT_SUSPENDED);
            assert_in_range(found.decisions[i].run, 0, 1);
        }
    }
}

static void rounded_up(void **unused) {
    (void)unused;
    rounding_breaks_nothing(FLOAT_UP);
}

static void rounded_down(void **unused) {
    (void)unused;
    rounding_breaks_nothing(FLOAT_DOWN);
}

static void rounded_to_zero(void **unused) {
    (void)unused;
    rounding_breaks_nothing(FLOAT_TO_ZERO);
}

/*
 * The uniform simulation hides the number of a competitor in the low bits of its key. With a key of 0, which projects
 * without recent work have, that was a denormal number: flushed, it led to a competitor beyond the last.
 */
static void keys_of_0_keep_their_marks(void **unused) {
    (void)unused;
    test_host h;
    host_begin(&h, VCS_PROFILE_CURRENT, 3);
    h.projects[host_add_project(&h, 1000)].rec = 1000;
    host_add_project(&h, 0);
    host_add_project(&h, 0);
    for (uint32_t i = 0; i < 30; i++) {
        host_add_task(&h, i % 3, 3000 + 100 * i, 1e6);
    }
    for (float_mode mode = FLOAT_ORDINARY; mode <= FLOAT_FLUSH_INPUT; mode++) {
        vcs_task_forecast expected[30], found[30];
        host_prepare(&h);
        assert_int_equal(vcs_wrr(h.state, NULL), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(h.state, ARRAY(expected, 30)), VCS_OK);
        float_mode_enter(mode);
        const int asked = vcs_wrr(h.state, NULL);
        float_mode_enter(FLOAT_ORDINARY);
        assert_int_equal(asked, VCS_OK);
        assert_int_equal(vcs_wrr_tasks(h.state, ARRAY(found, 30)), VCS_OK);
        assert_memory_equal(expected, found, sizeof found);
    }
    host_end(&h);
}

/*
 * Where results are flushed, the sum of shares that are denormal was 0: the fluid simulation divided by it, and read
 * beyond its tasks.
 */
static void the_least_shares_divide_the_cpus(void **unused) {
    (void)unused;
    test_host h;
    host_begin(&h, VCS_PROFILE_STUDY2007, 2);
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t project = i < 2 ? host_add_project(&h, 1e-309) : i % 2;
        host_add_task(&h, project, 1000, 1e6);
    }
    for (float_mode mode = FLOAT_ORDINARY; mode <= FLOAT_FLUSH_INPUT; mode++) {
        vcs_task_forecast found[6];
        vcs_project_resource_forecast projects[2];
        host_prepare(&h);
        float_mode_enter(mode);
        const int asked = vcs_wrr(h.state, NULL);
        float_mode_enter(FLOAT_ORDINARY);
        assert_int_equal(asked, VCS_OK);
        assert_int_equal(vcs_wrr_tasks(h.state, ARRAY(found, 6)), VCS_OK);
        assert_int_equal(vcs_wrr_project_resources(h.state, ARRAY(projects, 2)), VCS_OK);
        for (uint32_t i = 0; i < 6; i++) { /* each project has a CPU, and two of its three tasks run at half of it */
            assert_true(is_near(found[i].finish, i < 4 ? 2000 : 3000));
        }
        assert_true(is_near(projects[0].used_now, 1));
        assert_true(is_near(projects[1].used_now, 1));
    }
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_0_keep_their_marks),
        cmocka_unit_test(the_least_shares_divide_the_cpus),
        cmocka_unit_test(flushed),
        cmocka_unit_test(flushed_results),
        cmocka_unit_test(flushed_operands),
        cmocka_unit_test(rounded_up),
        cmocka_unit_test(rounded_down),
        cmocka_unit_test(rounded_to_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

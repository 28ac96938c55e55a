/*
 * A sweep gives its runs in order, and each is the emulation that a program would have made itself.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/sweep_case.h"

#include <math.h>

static sweep_case c;

/* What a program finds that reads the file itself. */
static double flops_used(uint32_t cpus, uint64_t seed) {
    vcs_file *file = parse_good(short_text, VCS_FILE_SCENARIO);
    vcs_resource *resources = record_at(&vcs_file_scenario(file)->snapshot.resources, 0);
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    resources[0].instances = cpus;
    vcs_file_emulation(file)->seed = seed;
    assert_int_equal(vcs_emulate(vcs_file_scenario(file), vcs_file_parameters(file), NULL, &outcome, NULL, NULL, NULL),
                     VCS_OK);
    vcs_file_free(file);
    return outcome.flops_used;
}

static void runs_come_in_order(void **folder) {
    (void)folder;
    begin_sweep(&c, "short.ini");
    add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,3");
    c.sweep.figures = "flops_used,calls";
    c.sweep.seeds = c.sweep.workers = 2;
    expect_done(&c);
    assert_int_equal(c.run_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const vcs_sweep_run *run = &c.runs[i];
        assert_true(run->point == i / 2 && run->weight == 1 && run->key_count == 1 && run->figure_count == 2);
        assert_true(run->seed == c.runs[i % 2].seed);
        assert_string_equal(c.first_values[i], i < 2 ? "1" : "3");
        assert_true(c.first_figures[i] == flops_used(i < 2 ? 1 : 3, run->seed));
    }
    assert_true(c.runs[1].seed == c.runs[0].seed + 1);
}

static int check_names(void *context, const vcs_sweep_run *run) {
    uint32_t *count = context;
    ++*count;
    assert_string_equal(run->keys[0], "host.cpus");
    assert_string_equal(run->keys[1], "min_buffer");
    assert_string_equal(run->values[1], "600");
    assert_string_equal(run->figure_names[0], "calls");
    assert_string_equal(run->figure_names[1], "project.P.late");
    return 0;
}

static void keys_values_and_figures_have_names(void **folder) {
    (void)folder;
    uint32_t count = 0;
    begin_sweep(&c, "short.ini");
    add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,2");
    add_axis(&c, VCS_SWEEP_VARY, "min_buffer=600");
    c.sweep.figures = "calls,project.P.late";
    c.sweep.receive = check_names;
    c.sweep.progress = NULL;
    c.sweep.tell = NULL;
    c.sweep.context = &count;
    expect_done(&c);
    assert_int_equal(count, 2);
}

static void axes_combine_or_change_together(void **folder) {
    (void)folder;
    begin_sweep(&c, "short.ini");
    add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,2");
    add_axis(&c, VCS_SWEEP_WITH, "min_buffer=600,700");
    expect_done(&c);
    assert_int_equal(c.run_count, 2);
    add_axis(&c, VCS_SWEEP_VARY, "emulation.duration=1e4:3e4:1e4");
    expect_done(&c);
    assert_int_equal(c.run_count, 6);
    assert_string_equal(c.first_values[2], "1");
    assert_string_equal(c.first_values[3], "2");
    begin_sweep(&c, "short.ini");
    write_file("points.csv", "host.cpus,min_buffer\n1,600\n2,700\n3,800\n");
    add_axis(&c, VCS_SWEEP_POINTS, "points.csv");
    expect_done(&c);
    assert_int_equal(c.run_count, 3);
    assert_string_equal(c.first_values[2], "3");
}

/* Nothing was sent, so there is no job by which calls could be divided. */
static void a_figure_may_be_undefined(void **folder) {
    (void)folder;
    begin_sweep(&c, "short.ini");
    add_axis(&c, VCS_SWEEP_VARY, "project.suspended=yes");
    c.sweep.figures = "rpcs_per_job";
    expect_done(&c);
    assert_int_equal(c.run_count, 1);
    assert_true(isnan(c.first_figures[0]));
}

static void a_run_may_stand_for_many_hosts(void **folder) {
    (void)folder;
    begin_sweep(&c, "short.ini");
    write_file("hosts.csv", "count,cpus\n3,1\n0.5,2\n");
    add_axis(&c, VCS_SWEEP_HOSTS, "hosts.csv");
    expect_done(&c);
    assert_int_equal(c.run_count, 2);
    assert_true(c.runs[0].weight == 3 && c.runs[1].weight == 0.5);
}

static void a_grid_is_swept_too(void **folder) {
    (void)folder;
    begin_sweep(&c, "grid.ini");
    add_axis(&c, VCS_SWEEP_VARY, "population.lab.count=3,4");
    c.sweep.figures = "hosts";
    expect_done(&c);
    assert_int_equal(c.run_count, 2);
    assert_true(c.first_figures[0] == 8 && c.first_figures[1] == 9);
}

static void options_change_each_scenario(void **folder) {
    (void)folder;
    begin_sweep(&c, "short.ini");
    c.options.flags = VCS_FILE_SEED;
    c.options.seed = 41;
    c.sweep.seeds = 2;
    expect_done(&c);
    assert_true(c.run_count == 2 && c.runs[0].seed == 41 && c.runs[1].seed == 42);
}

static void a_shard_does_its_part(void **folder) {
    (void)folder;
    uint32_t runs = 0;
    for (uint32_t shard = 1; shard <= 2; shard++) {
        begin_sweep(&c, "short.ini");
        add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1:5:1");
        c.sweep.shards = 2;
        c.sweep.shard = shard;
        expect_done(&c);
        assert_int_equal(c.runs[0].point, runs);
        runs += c.run_count;
    }
    assert_int_equal(runs, 5);
}

/* ---- policies of the study by name ---- */

/* The calls of each point, of which there are two. */
static void sweep_pair(const char *file, const char *policy, const char *first, const char *second, double *calls) {
    begin_sweep(&c, file);
    c.sweep.policy_file = policy;
    add_axis(&c, VCS_SWEEP_VARY, first);
    if (second != NULL) {
        add_axis(&c, VCS_SWEEP_VARY, second);
    }
    expect_done(&c);
    assert_int_equal(c.run_count, 2);
    calls[0] = c.first_figures[0];
    calls[1] = c.first_figures[1];
}

/* As an axis and for the whole sweep, a name sets what the parameters set; other parameters may vary beside it. */
static void a_name_stands_for_four_parameters(void **folder) {
    (void)folder;
    double by_name[2], by_parameter[2], of_all[2], of_other[2];
    sweep_pair("short.ini", NULL, "policy=CS2_WF1_WS1_JC2,CS2_WF2_WS1_JC2", NULL, by_name);
    sweep_pair("short.ini", NULL, "work_fetch=wf1,wf2", "work_send=ws1", by_parameter);
    assert_memory_equal(by_name, by_parameter, sizeof by_name);
    assert_true(by_name[0] != by_name[1]);
    sweep_pair("short.ini", "CS2_WF1_WS1_JC2", "min_buffer=8640,600", NULL, of_all);
    assert_true(of_all[0] == by_name[0]);
    sweep_pair("short.ini", "none", "min_buffer=8640,600", NULL, of_other);
    assert_true(of_all[0] != of_other[0]);
    sweep_pair("grid.ini", "CS2_WF1_WS1_JC2", "period=3600,1800", NULL, of_all);
    sweep_pair("grid.ini", NULL, "policy=CS2_WF1_WS1_JC2,CS1_WF2_WS2_JC1", NULL, by_name);
    assert_true(of_all[0] == by_name[0]);
}

/* ---- a policy of the program's own ---- */

static int begun, ended; /* one after the other, since there is one worker */

static int begin(const vcs_policy_run *run, vcs_hooks *hooks) {
    begun++;
    hooks->context = &begun;
    return run->scenario->snapshot.projects.count == 1 && run->argument[0] == 'x' ? VCS_OK : VCS_ERR_INDEX;
}

static void end(vcs_hooks *hooks) {
    ended += hooks->context == &begun;
}

static void a_policy_of_one_s_own_begins_and_ends_with_each_run(void **folder) {
    (void)folder;
    static const vcs_policy policy = {VCS_POLICY_SIZES, .begin = begin, .end = end};
    begin_sweep(&c, "short.ini");
    c.sweep.policy = &policy;
    c.sweep.policy_name = "own";
    c.sweep.policy_argument = "x";
    c.sweep.seeds = 3;
    c.sweep.workers = 1;
    expect_done(&c);
    assert_int_equal(c.run_count, 3);
    assert_true(begun == 1 + 3 && ended == 1 + 3); /* first when the values are checked */
    c.sweep.policy_argument = "y";
    assert_int_equal(do_sweep(&c), VCS_SWEEP_REFUSED);
    assert_string_equal(c.message, "the policy could not begin: it returned -8"); /* VCS_ERR_INDEX */
    assert_int_equal(c.run_count, 0);
    assert_int_equal(ended, 1 + 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_come_in_order),
        cmocka_unit_test(keys_values_and_figures_have_names),
        cmocka_unit_test(axes_combine_or_change_together),
        cmocka_unit_test(a_figure_may_be_undefined),
        cmocka_unit_test(a_run_may_stand_for_many_hosts),
        cmocka_unit_test(a_grid_is_swept_too),
        cmocka_unit_test(options_change_each_scenario),
        cmocka_unit_test(a_shard_does_its_part),
        cmocka_unit_test(a_name_stands_for_four_parameters),
        cmocka_unit_test(a_policy_of_one_s_own_begins_and_ends_with_each_run),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

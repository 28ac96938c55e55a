/*
 * The table of a sweep, what is told meanwhile, and how a sweep that was ended goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/sweep_case.h"

static sweep_case c;

static void begin_table(uint32_t seeds) {
    begin_sweep(&c, "short.ini");
    remove("table.csv");
    c.sweep.flags = VCS_SWEEP_EACH_SEED;
    c.sweep.output = "table.csv";
    c.sweep.seeds = seeds;
}

static size_t lines_of_table(void) {
    FILE *in = fopen("table.csv", "r");
    size_t count = 0;
    assert_non_null(in);
    for (int character; (character = getc(in)) != EOF;) {
        count += character == '\n';
    }
    fclose(in);
    return count;
}

static void rows_that_are_there_are_not_run_again(void **folder) {
    (void)folder;
    begin_table(2);
    expect_done(&c);
    assert_int_equal(c.run_count, 2);
    assert_string_equal(c.told[VCS_SWEEP_RESUMED], "");
    assert_int_equal(lines_of_table(), 3);
    expect_done(&c);
    assert_int_equal(c.run_count, 0);
    assert_string_equal(c.told[VCS_SWEEP_RESUMED], "table.csv: 2 of 2 rows are already there");
    assert_int_equal(lines_of_table(), 3);
    c.sweep.flags |= VCS_SWEEP_FORCE;
    expect_done(&c);
    assert_int_equal(c.run_count, 2);
    assert_int_equal(lines_of_table(), 3);
}

static void the_table_may_be_all_that_is_wanted(void **folder) {
    (void)folder;
    begin_table(2);
    c.sweep.flags |= VCS_SWEEP_JSON;
    c.sweep.receive = NULL;
    c.sweep.progress = NULL;
    c.sweep.tell = NULL;
    expect_done(&c);
    assert_int_equal(lines_of_table(), 2);
}

static void who_receives_may_end_it(void **folder) {
    (void)folder;
    begin_table(5);
    c.end_after = 3;
    assert_int_equal(do_sweep(&c), VCS_SWEEP_REFUSED);
    assert_string_equal(c.message, "the caller's function ended the sweep");
    assert_int_equal(c.run_count, 3);
}

static void progress_is_told_of_each_stage(void **folder) {
    (void)folder;
    begin_table(2);
    add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,2");
    expect_done(&c);
    assert_true(c.steps_of[VCS_SWEEP_CHECKING] > 0 && c.steps_of[VCS_SWEEP_EMULATING] > 0);
}

static void progress_may_end_it_and_the_same_sweep_goes_on(void **folder) {
    (void)folder;
    begin_table(5);
    add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,2");
    c.sweep.seeds = 2;
    c.interrupt_at = VCS_SWEEP_CHECKING;
    assert_int_equal(do_sweep(&c), VCS_SWEEP_INTERRUPTED);
    assert_string_equal(c.message, "interrupted while the values were checked; nothing was written");
    assert_int_equal(c.run_count, 0);
    assert_int_equal(access("table.csv", F_OK), -1);
    c.interrupt_at = VCS_SWEEP_EMULATING;
    assert_int_equal(do_sweep(&c), VCS_SWEEP_INTERRUPTED);
    const uint32_t before = c.run_count;
    char expected[128];
    snprintf(expected, sizeof expected, "table.csv: interrupted with %u of 4 rows; the same command continues ...",
             (unsigned)before);
    assert_memory_equal(c.message, expected, strlen(expected) - 3);
    c.interrupt_at = VCS_NONE;
    expect_done(&c);
    assert_int_equal(before + c.run_count, 4);
    assert_int_equal(lines_of_table(), 5);
}

static void warnings_are_told(void **folder) {
    (void)folder;
    begin_sweep(&c, "hosts.csv");
    write_file("hosts.csv", changed(short_text, "flops = 1e9\n", "flops = 1e9\navailable = 0.5\n"));
    expect_done(&c);
    assert_memory_equal(c.told[VCS_SWEEP_WARNING], "hosts.csv:4: [host] available: available_mean", 45);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_are_there_are_not_run_again),
        cmocka_unit_test(the_table_may_be_all_that_is_wanted),
        cmocka_unit_test(who_receives_may_end_it),
        cmocka_unit_test(progress_is_told_of_each_stage),
        cmocka_unit_test(progress_may_end_it_and_the_same_sweep_goes_on),
        cmocka_unit_test(warnings_are_told),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

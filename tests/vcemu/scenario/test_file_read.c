/*
 * Files of each kind are read from a path, from the standard input and from memory, with the changes that a program
 * wishes.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/scenario_file.h"

static void expect_host(const vcs_file *file) {
    const vcs_snapshot *snapshot = &vcs_file_scenario(file)->snapshot;
    assert_int_equal(snapshot->resources.count, 2);
    assert_int_equal(snapshot->projects.count, 2);
    assert_int_equal(snapshot->tasks.count, 2);
    const vcs_task *one = record_at(&snapshot->tasks, 0), *two = record_at(&snapshot->tasks, 1);
    assert_true(one->remaining == 3600 && one->deadline == 90000 && one->project == 0);
    assert_true(two->remaining == 60 && two->gpu == 1 && two->project == 1);
}

static void a_state(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(host_text, VCS_FILE_STATE);
    expect_host(file);
    assert_int_equal(vcs_file_scenario(file)->snapshot.candidates.count, 1);
    assert_true(vcs_file_emulation(file)->start == 1000);
    vcs_file_free(file);
}

static void a_scenario_has_no_candidates(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(host_text, VCS_FILE_SCENARIO);
    expect_host(file);
    assert_int_equal(vcs_file_scenario(file)->snapshot.candidates.count, 0);
    vcs_file_free(file);
}

static void a_grid(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    assert_int_equal(vcs_file_grid(file)->projects.count, 2);
    assert_int_equal(vcs_file_grid(file)->classes.count, 2);
    vcs_file_free(file);
}

static void from_a_path_with_a_table_beside_it(void **unused) {
    (void)unused;
    char folder[64], path[128], table[128], message[VCS_MESSAGE_SIZE];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/grid.ini", folder);
    snprintf(table, sizeof table, "%s/hosts.csv", folder);
    write_file(path, changed(grid_text, "count = 5\ncpus = 2\nflops = 1e9\n", "table = hosts.csv\n"));
    write_file(table, "count,cpus,gflops\n2,1,1.5\n3,4,2\n");
    vcs_file *file = vcs_file_read(path, VCS_FILE_GRID, NULL, message, sizeof message);
    assert_non_null(file);
    assert_string_equal(message, "");
    assert_int_equal(vcs_file_host_class(file, 0)->rows.count, 2);
    assert_int_equal(vcs_file_most_hosts(file), 8);
    vcs_file_free(file);
    write_file(table, "count,cpus,gflops\n2,1,none\n");
    assert_null(vcs_file_read(path, VCS_FILE_GRID, NULL, message, sizeof message));
    assert_true(strncmp(message, table, strlen(table)) == 0 && strstr(message, ":2") != NULL);
    remove(table);
    assert_null(vcs_file_read(path, VCS_FILE_GRID, NULL, message, sizeof message));
    assert_non_null(strstr(message, "hosts.csv"));
    remove(path);
    rmdir(folder);
}

static void from_the_standard_input(void **unused) {
    (void)unused;
    char folder[64], path[128], message[VCS_MESSAGE_SIZE];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/host.ini", folder);
    write_file(path, host_text);
    assert_non_null(freopen(path, "r", stdin));
    vcs_file *file = vcs_file_read("-", VCS_FILE_STATE, NULL, message, sizeof message);
    assert_non_null(file);
    expect_host(file);
    vcs_file_free(file);
    write_file(path, "[host]\ncpus = few\n");
    assert_non_null(freopen(path, "r", stdin));
    assert_null(vcs_file_read("-", VCS_FILE_STATE, NULL, message, sizeof message));
    assert_string_equal(message, "standard input:2: [host] cpus: \"few\" is not a number");
    remove(path);
    rmdir(folder);
}

static void from_memory_that_may_change_afterwards(void **unused) {
    (void)unused;
    char text[sizeof host_text];
    memcpy(text, host_text, sizeof host_text - 1);
    text[sizeof host_text - 1] = '?'; /* there need be no NUL, and what follows is not read */
    vcs_file *file = vcs_file_parse(text, sizeof host_text - 1, "it.ini", VCS_FILE_SCENARIO, NULL, NULL, 0);
    assert_non_null(file);
    memset(text, '?', sizeof text);
    expect_host(file);
    assert_string_equal(vcs_file_name(file, VCS_TYPE_TASK, 0), "one");
    vcs_file_free(file);
}

static void with_changes(void **unused) {
    (void)unused;
    static const char text[] = "[host]\ncpus = 1\nflops = 1e9\n[project P]\n[task a]\nproject = P\nremaining = 9\n";
    static const char *const settings[] = {"min_buffer=77", "backoff_min=5"};
    const vcs_file_options options = {.struct_size = sizeof options,
                                      .flags = VCS_FILE_SEED,
                                      .profile = "rpc2003",
                                      .settings = settings,
                                      .setting_count = COUNT_OF(settings),
                                      .seed = 9,
                                      .days = 0.5};
    vcs_file *file = vcs_file_parse(text, strlen(text), "it.ini", VCS_FILE_SCENARIO, &options, NULL, 0);
    assert_non_null(file);
    assert_int_equal(vcs_file_parameters(file)->profile, VCS_PROFILE_RPC2003);
    assert_true(vcs_file_parameters(file)->min_buffer == 77 && vcs_file_parameters(file)->backoff_min == 5);
    assert_true(vcs_file_emulation(file)->duration == 43200 && vcs_file_emulation(file)->seed == 9);
    vcs_file_free(file);
    file = vcs_file_parse(grid_text, strlen(grid_text), "it.ini", VCS_FILE_GRID, &options, NULL, 0);
    assert_non_null(file);
    assert_true(vcs_file_grid_terms(file)->duration == 43200 && vcs_file_grid_terms(file)->seed == 9);
    vcs_file_free(file);
}

/* Keys that stand in the file, and others; in all sections of a kind, and in one. */
static void with_other_keys(void **unused) {
    (void)unused;
    static const char *const settings[] = {"project.share=70", "project.P.share=20", "host.ram=8e9",
                                           "task.two.gpus=0.5"};
    const vcs_file_options options = {
        .struct_size = sizeof options, .settings = settings, .setting_count = COUNT_OF(settings)};
    vcs_file *file = vcs_file_parse(host_text, strlen(host_text), "it.ini", VCS_FILE_STATE, &options, NULL, 0);
    assert_non_null(file);
    const vcs_snapshot *snapshot = &vcs_file_scenario(file)->snapshot;
    const vcs_project *p = record_at(&snapshot->projects, 0), *q = record_at(&snapshot->projects, 1);
    const vcs_task *one = record_at(&snapshot->tasks, 0), *two = record_at(&snapshot->tasks, 1);
    assert_true(p->share == 20 && q->share == 70);
    assert_true(((const vcs_host *)snapshot->host.base)->ram == 8e9);
    assert_true(two->gpus == 0.5 && one->remaining == 3600);
    assert_string_equal(vcs_file_name(file, VCS_TYPE_PROJECT, 1), "Q");
    vcs_file_free(file);
}

static void what_is_taken_for_granted_is_told(void **unused) {
    (void)unused;
    char message[VCS_MESSAGE_SIZE];
    const char *text = changed(host_text, "flops = 1e9\n", "flops = 1e9\navailable = 0.5\n");
    vcs_file *file = parse(text, VCS_FILE_SCENARIO, message);
    assert_non_null(file);
    assert_true(strncmp(message, "it.ini:5: [host] available: available_mean", 42) == 0);
    vcs_file_free(file);
    file = parse(text, VCS_FILE_STATE, message); /* nothing is emulated, so nothing is taken for granted */
    assert_string_equal(message, "");
    vcs_file_free(file);
    file = parse(changed(host_text, "min_buffer = 900", "overcommit = yes"), VCS_FILE_STATE, message);
    assert_string_equal(message, "it.ini:9: [client] overcommit: is now called cpu_fit; this means cpu_fit = any");
    assert_int_equal(vcs_file_parameters(file)->cpu_fit, VCS_CPU_FIT_ANY);
    vcs_file_free(file);
}

static void no_file_is_freed(void **unused) {
    (void)unused;
    vcs_file_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state),
        cmocka_unit_test(a_scenario_has_no_candidates),
        cmocka_unit_test(a_grid),
        cmocka_unit_test(from_a_path_with_a_table_beside_it),
        cmocka_unit_test(from_the_standard_input),
        cmocka_unit_test(from_memory_that_may_change_afterwards),
        cmocka_unit_test(with_changes),
        cmocka_unit_test(with_other_keys),
        cmocka_unit_test(what_is_taken_for_granted_is_told),
        cmocka_unit_test(no_file_is_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

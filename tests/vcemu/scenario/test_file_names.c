/*
 * What a file calls its records, and which parameters it sets itself.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/scenario_file.h"

static void names_of_a_state(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(host_text, VCS_FILE_STATE);
    assert_string_equal(vcs_file_name(file, VCS_TYPE_RESOURCE, 0), "CPU");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_RESOURCE, 1), "card");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_PROJECT, 1), "Q");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_APP, 0), "P/sky");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_TASK, 1), "two");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_CANDIDATE, 0), "three");
    vcs_file_free(file);
}

/* Tasks of the same project, without an application, on the same devices make one. */
static void applications_made_of_tasks_are_called_after_the_first(void **unused) {
    (void)unused;
    static const char text[] = "[host]\ncpus = 2\nflops = 1e9\n"
                               "[project P]\n[app P/sky]\n[project Q]\n"
                               "[task a]\nproject = Q\nremaining = 10\n"
                               "[task b]\nproject = P\nremaining = 10\n"
                               "[task c]\nproject = Q\nremaining = 10\n"
                               "[task d]\nproject = P\napp = sky\nremaining = 10\n"
                               "[task e]\nproject = Q\ncpus = 2\nremaining = 10\n";
    static const char *const names[] = {"P/sky", "P/b", "Q/a", "Q/e", ""};
    vcs_file *file = parse_good(text, VCS_FILE_SCENARIO);
    const vcs_array *apps = &vcs_file_scenario(file)->snapshot.apps;
    assert_int_equal(apps->count, COUNT_OF(names) - 1);
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        assert_string_equal(vcs_file_name(file, VCS_TYPE_APP, i), names[i]);
    }
    for (uint32_t i = 0; i < apps->count; i++) {
        const vcs_app *app = record_at(apps, i);
        assert_int_equal(app->project, names[i][0] == 'Q');
    }
    vcs_file_free(file);
}

static void names_of_a_grid(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    assert_string_equal(vcs_file_name(file, VCS_TYPE_PROJECT, 0), "P");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_HOST_MODEL, 1), "lab");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_HOST_MODEL, 2), "");
    vcs_file_free(file);
}

static void what_is_not_there_has_no_name(void **unused) {
    (void)unused;
    static const uint32_t types[] = {VCS_TYPE_RESOURCE, VCS_TYPE_PROJECT,   VCS_TYPE_APP,
                                     VCS_TYPE_TASK,     VCS_TYPE_CANDIDATE, VCS_TYPE_HOST_MODEL};
    vcs_file *file = parse_good(host_text, VCS_FILE_STATE);
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        assert_string_equal(vcs_file_name(file, types[i], 20), "");
        assert_string_equal(vcs_file_name(file, types[i], VCS_NONE), "");
    }
    assert_string_equal(vcs_file_name(file, VCS_TYPE_HOST_MODEL, 0), "");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_NONE, 0), "");
    assert_string_equal(vcs_file_name(file, VCS_TYPE_HOST, 0), "");
    vcs_file_free(file);
}

static void parameters_that_the_file_sets(void **unused) {
    (void)unused;
    const char *text =
        changed(host_text, "min_buffer = 900\n", "profile = current\nmin_buffer = 900\npair_backoff_max = 7200\n");
    char message[VCS_MESSAGE_SIZE];
    vcs_file *file = parse(text, VCS_FILE_SCENARIO, message);
    assert_non_null(file);
    assert_int_equal(vcs_file_sets(file, VCS_NONE, "min_buffer"), 1);
    assert_int_equal(vcs_file_sets(file, VCS_NONE, "resource_backoff_max"), 1); /* under its former name */
    assert_int_equal(vcs_file_sets(file, VCS_NONE, "additional_buffer"), 0);
    assert_int_equal(vcs_file_sets(file, VCS_NONE, "profile"), 0);
    assert_int_equal(vcs_file_sets(file, VCS_NONE, "no such parameter"), 0);
    assert_int_equal(vcs_file_sets(file, 0, "additional_buffer"), 0);
    vcs_file_free(file);
}

static void what_emulation_sets_is_none_of_a_state_s(void **unused) {
    (void)unused;
    static const char text[] = "[host]\ncpus = 2\nflops = 1e9\n[project p]\n[task a]\nproject = p\nremaining = 5\n"
                               "[emulation]\nwork_fetch = WF1\n";
    char message[VCS_MESSAGE_SIZE];
    for (uint32_t kind = VCS_FILE_STATE; kind <= VCS_FILE_SCENARIO; kind++) {
        vcs_file *file = parse(text, kind, message);
        assert_non_null(file);
        assert_int_equal(vcs_file_parameters(file)->work_fetch == VCS_WORK_FETCH_WF1, kind == VCS_FILE_SCENARIO);
        assert_int_equal(vcs_file_sets(file, VCS_NONE, "work_fetch"), kind == VCS_FILE_SCENARIO);
        vcs_file_free(file);
    }
}

static void parameters_that_a_population_sets(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    assert_int_equal(vcs_file_sets(file, 0, "min_buffer"), 0);
    assert_int_equal(vcs_file_sets(file, 1, "min_buffer"), 1);
    assert_int_equal(vcs_file_sets(file, 1, "additional_buffer"), 0);
    assert_int_equal(vcs_file_sets(file, 1, "count"), 0); /* a key, but no parameter */
    assert_int_equal(vcs_file_sets(file, 2, "min_buffer"), 0);
    assert_int_equal(vcs_file_sets(file, VCS_NONE, "min_buffer"), 0);
    vcs_file_free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_a_state),
        cmocka_unit_test(applications_made_of_tasks_are_called_after_the_first),
        cmocka_unit_test(names_of_a_grid),
        cmocka_unit_test(what_is_not_there_has_no_name),
        cmocka_unit_test(parameters_that_the_file_sets),
        cmocka_unit_test(what_emulation_sets_is_none_of_a_state_s),
        cmocka_unit_test(parameters_that_a_population_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

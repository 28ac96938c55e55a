/*
 * The records of a file: the library takes them as they are, and those that may be changed decide what it does.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/scenario_file.h"

static int emulate(vcs_file *file, vcs_outcome *outcome) {
    *outcome = (vcs_outcome){.struct_size = sizeof *outcome};
    return vcs_emulate(vcs_file_scenario(file), vcs_file_parameters(file), NULL, outcome, NULL, NULL, NULL);
}

static int emulate_grid(const vcs_file *file, vcs_grid_outcome *outcome) {
    *outcome = (vcs_grid_outcome){.struct_size = sizeof *outcome};
    const vcs_grid_results results = {.struct_size = sizeof results, .outcome = outcome};
    return vcs_emulate_grid(vcs_file_grid(file), NULL, &results, NULL);
}

static void a_state_can_be_prepared(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(host_text, VCS_FILE_STATE);
    const vcs_snapshot *snapshot = &vcs_file_scenario(file)->snapshot;
    size_t size = 0;
    assert_int_equal(vcs_state_size(snapshot, &size), VCS_OK);
    void *work = malloc(size);
    vcs_state *state = NULL;
    assert_int_equal(vcs_state_prepare(snapshot, vcs_file_parameters(file), vcs_file_emulation(file)->start, work, size,
                                       &state, NULL),
                     VCS_OK);
    free(work);
    vcs_file_free(file);
}

static void a_scenario_is_emulated_as_its_changed_records_say(void **unused) {
    (void)unused;
    vcs_outcome outcome, shorter;
    vcs_file *file = parse_good(host_text, VCS_FILE_SCENARIO);
    vcs_file_emulation(file)->duration = 1e5;
    assert_int_equal(emulate(file, &outcome), VCS_OK);
    assert_true(outcome.flops_used > 0);
    vcs_file_emulation(file)->duration = 1000;
    assert_int_equal(emulate(file, &shorter), VCS_OK);
    assert_true(shorter.flops_used > 0 && shorter.flops_used < outcome.flops_used);
    vcs_file_parameters(file)->min_buffer = -1;
    assert_int_equal(emulate(file, &shorter), VCS_ERR_RANGE);
    vcs_file_free(file);
}

static void a_grid_is_emulated_as_its_changed_records_say(void **unused) {
    (void)unused;
    vcs_grid_outcome outcome;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    assert_true(vcs_file_grid_terms(file)->duration == 172800 && vcs_file_grid_terms(file)->seed == 7);
    assert_true(vcs_file_grid_terms(file)->sample == 0);
    assert_int_equal(emulate_grid(file, &outcome), VCS_OK);
    assert_int_equal(outcome.hosts, 8);
    vcs_file_grid_terms(file)->duration = -1;
    assert_int_equal(emulate_grid(file, &outcome), VCS_ERR_RANGE);
    vcs_file_grid_terms(file)->duration = 1000;
    vcs_host_model *model = record_at(&vcs_file_host_class(file, 1)->model, 0);
    model->count = 4;
    assert_int_equal(emulate_grid(file, &outcome), VCS_OK);
    assert_int_equal(outcome.hosts, 9);
    vcs_file_free(file);
}

static void each_population_has_parameters_of_its_own(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    assert_ptr_equal(vcs_file_host_class(file, 0), vcs_file_grid(file)->classes.base);
    assert_true(vcs_file_host_class(file, 1)->parameters->min_buffer == 600);
    assert_true(vcs_file_host_class(file, 0)->parameters->min_buffer == vcs_file_parameters(file)->min_buffer);
    assert_null(vcs_file_host_class(file, 2));
    assert_null(vcs_file_host_class(file, VCS_NONE));
    vcs_file_free(file);
}

static void records_of_another_kind_are_not_there(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    assert_null(vcs_file_scenario(file));
    vcs_file_free(file);
    for (uint32_t kind = VCS_FILE_STATE; kind <= VCS_FILE_SCENARIO; kind++) {
        file = parse_good(host_text, kind);
        assert_null(vcs_file_grid(file));
        assert_null(vcs_file_grid_terms(file));
        assert_null(vcs_file_host_class(file, 0));
        assert_int_equal(vcs_file_most_hosts(file), 0);
        vcs_file_free(file);
    }
}

/* 5 hosts that live for a fifth of the time: 25 come later on average, and 8 standard deviations and 16 more. */
static void hosts_that_replace_others_count(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    assert_int_equal(vcs_file_most_hosts(file), 5 + 3);
    vcs_file_free(file);
    file =
        parse_good(changed(grid_text, "count = 5\n", "count = 5\nlifetime = 34560\nreplaced = yes\n"), VCS_FILE_GRID);
    assert_int_equal(vcs_file_most_hosts(file), 5 + 25 + 8 * 5 + 16 + 3);
    vcs_file_free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_can_be_prepared),
        cmocka_unit_test(a_scenario_is_emulated_as_its_changed_records_say),
        cmocka_unit_test(a_grid_is_emulated_as_its_changed_records_say),
        cmocka_unit_test(each_population_has_parameters_of_its_own),
        cmocka_unit_test(records_of_another_kind_are_not_there),
        cmocka_unit_test(hosts_that_replace_others_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

/* Numbers from 1 on, and as many that are 0.5 less. */
static void hours_are_read(void **unused) {
    (void)unused;
    for (uint32_t count = 24; count <= 168; count += 144) {
        char lists[2][2048] = {"hours_on = ", "hours_off = "}, section[4200];
        for (uint32_t i = 0; i < 2 * count; i++) {
            char *list = lists[i / count];
            const double hours = i % count + (i < count ? 1 : 0.5);
            snprintf(list + strlen(list), sizeof *lists - strlen(list), "%s%g", i % count ? ", " : "", hours);
        }
        snprintf(section, sizeof section, "[host]\n%s\n%s\n", lists[0], lists[1]);
        vcs_file *file = parse_good(changed(host_text, "[host]\n", section), VCS_FILE_STATE);
        const vcs_array *hours = &vcs_file_scenario(file)->snapshot.hours;
        assert_int_equal(hours->count, count);
        for (uint32_t i = 0; i < count; i++) {
            const vcs_hour *hour = (const void *)((const char *)hours->base + (size_t)i * hours->element_size);
            assert_true(hour->on == i + 1 && hour->off == i + 0.5);
        }
        vcs_file_free(file);
    }
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

/* A project whose tasks have run for half an hour, which is half of what they take and a twentieth of what is said. */
static const char exact_text[] = "[host]\n"
                                 "cpus = 1\n"
                                 "flops = 1e9\n"
                                 "[project P]\n"
                                 "[app P/sky]\n"
                                 "[task one]\n"
                                 "project = P\n"
                                 "app = sky\n"
                                 "est_flops = 36e12\n"
                                 "flops = 1e9\n"
                                 "elapsed = 1800\n"
                                 "fraction_done = 0.5\n"
                                 "fraction_done_exact = yes\n"
                                 "[task two]\n"
                                 "project = P\n"
                                 "app = sky\n"
                                 "est_flops = 36e12\n"
                                 "flops = 1e9\n"
                                 "fraction_done_exact = yes\n";

static vcs_file *exact_file(const char *from, const char *to) {
    return parse_good(changed(exact_text, from, to), VCS_FILE_SCENARIO);
}

static vcs_job_model *model_of(vcs_file *file) {
    return record_at(&vcs_file_scenario(file)->models, 0);
}

static double size_of(vcs_file *file, uint32_t index) {
    return *(const double *)record_at(&vcs_file_scenario(file)->sizes, index);
}

/* Jobs like tasks take what the tasks show, and are said to take what is said of the tasks. */
static void jobs_are_exact_like_their_tasks(void **unused) {
    (void)unused;
    vcs_file *file = exact_file("[host]", "[host]");
    assert_int_equal(model_of(file)->flags, VCS_JOB_MODEL_EXACT);
    assert_true(model_of(file)->est_flops == 36e12);
    assert_true(size_of(file, 0) == 3.6e12 && size_of(file, 1) == 36e12);
    vcs_file_free(file);
    file = exact_file("elapsed = 1800\nfraction_done = 0.5", "elapsed = 1800\nfraction_done = 1.5");
    assert_true(size_of(file, 0) == 1.8e12);
    vcs_file_free(file);
    file = exact_file("elapsed = 1800\nfraction_done = 0.5", "elapsed = 1800\nfraction_done = 1e-300");
    assert_true(size_of(file, 0) == VCS_MAX_SECONDS * 1e9);
    vcs_file_free(file);
    file = exact_file("elapsed = 1800\n", "");
    assert_true(size_of(file, 0) == 36e12);
    vcs_file_free(file);
    file = exact_file("fraction_done = 0.5\n", "");
    assert_true(size_of(file, 0) == 36e12);
    vcs_file_free(file);
    file = exact_file("fraction_done_exact = yes\n[task", "[task"); /* one of them is not */
    assert_int_equal(model_of(file)->flags, 0);
    assert_true(size_of(file, 0) == 36e12);
    vcs_file_free(file);
}

/* An application may say it of its jobs, on a host and in a grid. */
static void an_application_may_have_exact_jobs(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(
        changed(host_text, "max_concurrent = 1", "est_flops = 1e12\nlatency_bound = 9e4\nfraction_done_exact = yes"),
        VCS_FILE_SCENARIO);
    assert_int_equal(model_of(file)->flags, VCS_JOB_MODEL_EXACT);
    vcs_file_free(file);
    file = parse_good(changed(grid_text, "[project Q]", "[app P/sky]\nfraction_done_exact = yes\n[project Q]"),
                      VCS_FILE_GRID);
    const vcs_job_model *model = record_at(&vcs_file_host_class(file, 0)->scenario->models, 0);
    assert_int_equal(model->flags, VCS_JOB_MODEL_EXACT);
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
        cmocka_unit_test(hours_are_read),
        cmocka_unit_test(a_scenario_is_emulated_as_its_changed_records_say),
        cmocka_unit_test(a_grid_is_emulated_as_its_changed_records_say),
        cmocka_unit_test(jobs_are_exact_like_their_tasks),
        cmocka_unit_test(an_application_may_have_exact_jobs),
        cmocka_unit_test(each_population_has_parameters_of_its_own),
        cmocka_unit_test(records_of_another_kind_are_not_there),
        cmocka_unit_test(hosts_that_replace_others_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

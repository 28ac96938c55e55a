/*
 * What the library refuses of a file's records is explained by file, line and key.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/scenario_file.h"

static void expect_explained(const vcs_file *file, const vcs_error *error, const char *expected) {
    char message[VCS_MESSAGE_SIZE + 1];
    memset(message, '?', sizeof message);
    vcs_file_explain(file, error, message, VCS_MESSAGE_SIZE);
    if (strncmp(message, expected, strlen(expected)) != 0) {
        fail_msg("\"%s\" instead of \"%s\"", message, expected);
    }
    assert_int_equal(message[VCS_MESSAGE_SIZE], '?');
}

static vcs_error emulation_error(vcs_file *file) {
    vcs_error error = {.struct_size = sizeof error};
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    assert_true(vcs_emulate(vcs_file_scenario(file), vcs_file_parameters(file), NULL, &outcome, NULL, NULL, &error) !=
                VCS_OK);
    return error;
}

static void a_record_of_a_state(void **unused) {
    (void)unused;
    vcs_file *file =
        parse_good(changed(host_text, "remaining = 60", "remaining = 60\nrunning = yes\ndevices = 5"), VCS_FILE_STATE);
    const vcs_snapshot *snapshot = &vcs_file_scenario(file)->snapshot;
    uint64_t work[4096];
    vcs_state *state = NULL;
    vcs_error error = {.struct_size = sizeof error};
    assert_true(vcs_state_prepare(snapshot, vcs_file_parameters(file), 1000, work, sizeof work, &state, &error) !=
                VCS_OK);
    expect_explained(file, &error, "it.ini:24: [task two] devices: names an instance that does not exist");
    vcs_file_free(file);
}

static void each_record_of_a_state_has_its_line(void **unused) {
    (void)unused;
    static const struct {
        uint32_t type, index;
        const char *field, *expected;
    } known[] = {
        {VCS_TYPE_HOST, 0, "ram", "it.ini:1: [host] ram: is odd"},
        {VCS_TYPE_RESOURCE, 0, "instances", "it.ini:3: [host] cpus: is odd"},
        {VCS_TYPE_RESOURCE, 1, "flops", "it.ini:6: [gpu card] flops: is odd"},
        {VCS_TYPE_PROJECT, 0, "share", "it.ini:11: [project P] share: is odd"},
        {VCS_TYPE_APP, 0, "max_concurrent", "it.ini:13: [app P/sky] max_concurrent: is odd"},
        {VCS_TYPE_TASK, 1, "remaining", "it.ini:22: [task two] remaining: is odd"},
        {VCS_TYPE_CANDIDATE, 0, "remaining", "it.ini:25: [candidate three] remaining: is odd"},
        {VCS_TYPE_TASK, 20, "remaining", "it.ini: it: remaining is odd"}, /* no record of the file */
        {VCS_TYPE_NONE, 0, "", "it.ini: it: is odd"},
    };
    vcs_file *file = parse_good(host_text, VCS_FILE_STATE);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        vcs_error error = {.struct_size = sizeof error, .code = VCS_ERR_RANGE};
        error.type = known[i].type;
        error.index = known[i].index;
        strcpy(error.field, known[i].field);
        snprintf(error.message, sizeof error.message, "it: %s%sis odd", known[i].field,
                 known[i].field[0] == '\0' ? "" : " ");
        expect_explained(file, &error, known[i].expected);
    }
    const vcs_error silent = {.struct_size = sizeof silent, .code = VCS_ERR_MEMORY};
    char expected[128];
    snprintf(expected, sizeof expected, "it.ini: %s", vcs_strerror(VCS_ERR_MEMORY));
    expect_explained(file, &silent, expected);
    vcs_file_free(file);
}

static void a_job_model_of_a_scenario(void **unused) {
    (void)unused;
    vcs_file *file =
        parse_good(changed(host_text, "max_concurrent = 1", "est_flops = 1e12\nlatency_bound = 0"), VCS_FILE_SCENARIO);
    const vcs_error error = emulation_error(file);
    expect_explained(file, &error, "it.ini:14: [app P/sky] latency_bound: ");
    vcs_file_free(file);
}

static void a_job_model_made_of_tasks(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(host_text, VCS_FILE_SCENARIO);
    vcs_error error = {.struct_size = sizeof error, .code = VCS_ERR_RANGE, .index = 1, .type = VCS_TYPE_JOB_MODEL};
    strcpy(error.field, "latency_bound");
    strcpy(error.message, "job_model 1: latency_bound is too small");
    expect_explained(file, &error, "it.ini:15: [task one] latency_bound: in jobs like this task: is too small");
    vcs_file_free(file);
}

static void how_a_scenario_is_emulated(void **unused) {
    (void)unused;
    vcs_file *file =
        parse_good(changed(host_text, "[client]", "[emulation]\nduration = 1e5\n[client]"), VCS_FILE_SCENARIO);
    vcs_file_emulation(file)->duration = -1;
    vcs_error error = emulation_error(file);
    expect_explained(file, &error, "it.ini:9: [emulation] duration: ");
    vcs_file_emulation(file)->duration = 1e5;
    vcs_file_emulation(file)->available = 2;
    error = emulation_error(file);
    expect_explained(file, &error, "it.ini:1: [host] available: ");
    vcs_file_free(file);
}

static void the_server_of_a_grid(void **unused) {
    (void)unused;
    vcs_file *file = parse_good(grid_text, VCS_FILE_GRID);
    vcs_grid_project *project = record_at(&vcs_file_grid(file)->projects, 1);
    project->est_flops = -1;
    vcs_error error = {.struct_size = sizeof error};
    const vcs_grid_results results = {.struct_size = sizeof results};
    assert_int_equal(vcs_emulate_grid(vcs_file_grid(file), NULL, &results, &error), VCS_ERR_RANGE);
    expect_explained(file, &error, "it.ini:9: [server Q] est_flops: ");
    project->est_flops = 1e12;
    vcs_file_grid_terms(file)->duration = -1;
    error = (vcs_error){.struct_size = sizeof error};
    assert_int_equal(vcs_emulate_grid(vcs_file_grid(file), NULL, &results, &error), VCS_ERR_RANGE);
    expect_explained(file, &error, "it.ini: ");
    vcs_file_free(file);
}

static void a_short_message_is_the_beginning(void **unused) {
    (void)unused;
    char message[16] = "???????????????";
    const vcs_error error = {.struct_size = sizeof error, .code = VCS_ERR_MEMORY};
    vcs_file *file = parse_good(host_text, VCS_FILE_STATE);
    vcs_file_explain(file, &error, message, 5);
    assert_memory_equal(message, "it.i\0??????????", sizeof message);
    vcs_file_explain(file, &error, message, 0);
    assert_memory_equal(message, "it.i\0??????????", sizeof message);
    vcs_file_explain(file, &error, NULL, 0);
    vcs_file_free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_of_a_state),
        cmocka_unit_test(each_record_of_a_state_has_its_line),
        cmocka_unit_test(a_job_model_of_a_scenario),
        cmocka_unit_test(a_job_model_made_of_tasks),
        cmocka_unit_test(how_a_scenario_is_emulated),
        cmocka_unit_test(the_server_of_a_grid),
        cmocka_unit_test(a_short_message_is_the_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

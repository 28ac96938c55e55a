/*
 * vcs_emulate(): the main loop, and what it returns.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <vcemu/grid.h>

#include "support/array.h"
#include "support/emulation_case.h"

/* Two CPUs, jobs of 1000 s, 10,500 s: 10 jobs have ended on each CPU, and the 11th is half done. No idle time. */
static void jobs_follow_each_other(void **unused) {
    (void)unused;
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        case_records c;
        begin(&c, profile, 2, 10500);
        c.emulation.study_rules = 0;
        add_app(&c, add_project(&c), 1000, 1e6);
        run(&c);
        assert_int_equal(c.outcome.ended, 20);
        assert_true(c.outcome.flops_used == 21000 && c.outcome.flops_available == 21000);
        assert_true(c.outcome.idleness == 0 && c.outcome.waste == 0 && c.outcome.share_violation == 0);
        assert_int_equal(c.project_outcomes[0].ended, 20);
        assert_int_equal(c.project_outcomes[0].id, 1);
    }
}

static void fields_are_described(void **unused) {
    (void)unused;
    vcs_field_info info = {.struct_size = sizeof info};
    assert_int_equal(vcs_emulator_struct_size(VCS_TYPE_OUTCOME), sizeof(vcs_outcome));
    assert_string_equal(vcs_emulator_struct_name(VCS_TYPE_JOB_MODEL), "job_model");
    uint32_t end = 0;
    for (uint32_t i = 0; i < vcs_emulator_field_count(VCS_TYPE_EVENT); i++) {
        assert_int_equal(vcs_emulator_field_at(VCS_TYPE_EVENT, i, &info), VCS_OK);
        assert_int_equal(info.offset, end);
        end += info.size;
    }
    assert_int_equal(end, sizeof(vcs_event));
    assert_int_equal(vcs_emulator_field_at(VCS_TYPE_EVENT, 99, &info), VCS_ERR_INDEX);
    /* A program that links both libraries asks one of them for the structs of both. */
    assert_int_equal(vcs_emulator_struct_size(VCS_TYPE_TASK), sizeof(vcs_task));
    assert_string_equal(vcs_emulator_struct_name(VCS_TYPE_TASK), "task");
    assert_int_equal(vcs_emulator_field_count(VCS_TYPE_TASK), vcs_field_count(VCS_TYPE_TASK));
    assert_int_equal(vcs_emulator_field_at(VCS_TYPE_TASK, 0, &info), VCS_OK);
    assert_string_equal(info.name, "id");
    assert_int_equal(vcs_emulator_struct_size(0), 0);
    assert_string_equal(vcs_event_name(VCS_EVENT_LATE), "late");
    assert_string_equal(vcs_event_name(VCS_EVENT_KINDS), "");
    for (uint32_t kind = 0; kind < VCS_EVENT_KINDS; kind++) { /* for programs: no blanks */
        const char *name = vcs_event_name(kind);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz_"), strlen(name));
    }
    assert_string_equal(vcs_event_name(VCS_GRID_EVENT_UNIT), "unit");
    assert_string_equal(vcs_event_name(VCS_GRID_EVENT_LEFT), "left");
    assert_string_equal(vcs_event_name(VCS_GRID_EVENT_LEFT + 1), "");
    assert_string_equal(vcs_event_name(VCS_GRID_EVENT_UNIT - 1), "");
}

/* "idle_" and the name of a reason is a field of the outcome of a resource. */
static void reasons_to_be_idle_have_names(void **unused) {
    (void)unused;
    for (uint32_t reason = VCS_IDLE_NONE + 1; reason < VCS_IDLE_REASONS; reason++) {
        vcs_field_info info = {.struct_size = sizeof info};
        char field[32];
        snprintf(field, sizeof field, "idle_%s", vcs_idle_name(reason));
        uint32_t index = 0;
        do {
            assert_int_equal(vcs_emulator_field_at(VCS_TYPE_RESOURCE_OUTCOME, index++, &info), VCS_OK);
        } while (strcmp(info.name, field) != 0);
        const char *sentence = vcs_idle_sentence(reason);
        assert_true(strlen(sentence) > 10 && sentence[strlen(sentence) - 1] == '.');
    }
    assert_string_equal(vcs_idle_name(VCS_IDLE_SERVER_LIMIT), "server_limit");
    assert_string_equal(vcs_idle_name(VCS_IDLE_REASONS), "");
    assert_string_equal(vcs_idle_sentence(VCS_IDLE_REASONS), "");
}

/* ---- Arguments ---- */

static void begin_good(case_records *c) {
    begin(c, VCS_PROFILE_CURRENT, 1, 10500);
    add_app(c, add_project(c), 1000, DAY);
    c->outcome.struct_size = sizeof c->outcome;
}

/* As emulate(), with the arguments that may be missing. */
static int emulate_with(case_records *c, const vcs_hooks *hooks, uint32_t project_size, uint32_t project_count,
                        uint32_t resource_size, uint32_t resource_count) {
    return vcs_emulate(&c->scenario, &c->parameters, hooks, &c->outcome,
                       ARRAY_OF(c->project_outcomes, project_size, project_count),
                       ARRAY_OF(c->resource_outcomes, resource_size, resource_count), NULL);
}

static void missing_arguments_are_refused(void **unused) {
    (void)unused;
    case_records c;
    vcs_error error = {.struct_size = sizeof error};
    begin_good(&c);
    const vcs_scenario *s = &c.scenario;
    const vcs_parameters *p = &c.parameters;
    vcs_outcome *o = &c.outcome;
    assert_int_equal(vcs_emulate(NULL, p, NULL, o, NULL, NULL, &error), VCS_ERR_NULL);
    assert_string_equal(error.message, "the scenario, the parameters or the outcome is NULL");
    error.message[0] = '\0';
    assert_int_equal(vcs_emulate(s, NULL, NULL, o, NULL, NULL, &error), VCS_ERR_NULL);
    assert_string_equal(error.message, "the scenario, the parameters or the outcome is NULL");
    assert_int_equal(vcs_emulate(s, p, NULL, NULL, NULL, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_emulate(s, p, NULL, o, ARRAY_OF(NULL, 104, 1), NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_emulate(s, p, NULL, o, NULL, ARRAY_OF(NULL, 128, 1), NULL), VCS_ERR_NULL);
    error.struct_size = 7;
    assert_int_equal(vcs_emulate(s, p, NULL, o, NULL, NULL, &error), VCS_ERR_ABI_SIZE);
    assert_true(c.outcome.flops_used == 0);
}

/* Ten jobs of 1000 s, and half of the 11th; without outcomes of projects and resources, if they are not wanted. */
static void outcomes_that_are_not_wanted_may_be_missing(void **unused) {
    (void)unused;
    case_records c;
    begin_good(&c);
    assert_int_equal(vcs_emulate(&c.scenario, &c.parameters, NULL, &c.outcome, NULL, NULL, NULL), VCS_OK);
    assert_int_equal(c.outcome.ended, 10);
    assert_true(c.outcome.flops_used == 10500);
}

static void sizes_and_counts_of_outcomes_are_checked(void **unused) {
    (void)unused;
    static const struct {
        uint32_t project_size, project_count, resource_size, resource_count;
        int code;
    } cases[] = {
        {104, 1, 128, 1, VCS_OK},          {8, 1, 128, 1, VCS_ERR_ABI_OLDER}, {104, 2, 128, 1, VCS_ERR_COUNT},
        {104, 1, 12, 1, VCS_ERR_ABI_SIZE}, {104, 1, 128, 3, VCS_ERR_COUNT},   {12, 0, 12, 0, VCS_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        case_records c;
        begin_good(&c);
        assert_int_equal(emulate_with(&c, NULL, cases[i].project_size, cases[i].project_count, cases[i].resource_size,
                                      cases[i].resource_count),
                         cases[i].code);
        assert_true((c.outcome.flops_used > 0) == (cases[i].code == VCS_OK));
    }
}

static void unknown_forms_are_refused(void **unused) {
    (void)unused;
    case_records c;
    begin_good(&c);
    c.hooks.struct_size = 12;
    assert_int_equal(emulate_with(&c, &c.hooks, 0, 0, 0, 0), VCS_ERR_ABI_SIZE);
    begin_good(&c);
    c.hooks.flags = 1;
    assert_int_equal(emulate_with(&c, &c.hooks, 0, 0, 0, 0), VCS_ERR_FLAGS);
    begin_good(&c);
    c.scenario.flags = 1;
    assert_int_equal(emulate_with(&c, &c.hooks, 0, 0, 0, 0), VCS_ERR_FLAGS);
    begin_good(&c);
    c.outcome.struct_size = 8;
    assert_int_equal(emulate_with(&c, &c.hooks, 0, 0, 0, 0), VCS_ERR_ABI_OLDER);
    assert_true(c.outcome.flops_used == 0);
}

/* The defaults are those of the header; a size or a profile that nobody knows changes nothing. */
static void an_emulation_is_filled_with_defaults(void **unused) {
    (void)unused;
    vcs_emulation emulation = {.seed = 77};
    assert_int_equal(vcs_emulation_init(NULL, sizeof emulation, VCS_PROFILE_CURRENT), VCS_ERR_NULL);
    assert_int_equal(vcs_emulation_init(&emulation, 12, VCS_PROFILE_CURRENT), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_emulation_init(&emulation, sizeof emulation, VCS_PROFILE_COUNT), VCS_ERR_FLAGS);
    assert_true(emulation.seed == 77 && emulation.duration == 0);
    assert_int_equal(vcs_emulation_init(&emulation, sizeof emulation, VCS_PROFILE_STUDY2007), VCS_OK);
    assert_true(emulation.seed == 1 && emulation.duration == 100 * DAY && emulation.available == 1);
    assert_true(emulation.study_rules == 1 && emulation.max_reply == 1000);
}

/*
 * A clock at 1e9 s cannot show a task of 1e-9 s: wall time stands still while it runs, and it is booked nevertheless.
 */
static void a_task_may_end_in_no_time(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 100);
    c.emulation.start = 1e9;
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 1e-9, 2e9);
    run(&c);
    assert_int_equal(c.outcome.ended, 1);
    assert_true(c.outcome.flops_used == 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_follow_each_other),
        cmocka_unit_test(fields_are_described),
        cmocka_unit_test(reasons_to_be_idle_have_names),
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(outcomes_that_are_not_wanted_may_be_missing),
        cmocka_unit_test(sizes_and_counts_of_outcomes_are_checked),
        cmocka_unit_test(unknown_forms_are_refused),
        cmocka_unit_test(an_emulation_is_filled_with_defaults),
        cmocka_unit_test(a_task_may_end_in_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

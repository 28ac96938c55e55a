/*
 * Records of work units and results: which there are, and which contradict themselves (rule 8.1).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/unit_fields.h"

#include <stdbool.h>
#include <vcsched/unit.h>

static vcs_unit unit;
static vcs_result results[3];

/* A unit that has its canonical result, with another in progress and one that is not sent. */
static void begin(void) {
    assert_int_equal(vcs_unit_init(&unit, 5), VCS_OK);
    unit.max_total = 3;
    unit.canonical = 11;
    unit.assimilate_state = VCS_ASSIMILATE_READY;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(vcs_result_init(&results[i], 11 + i), VCS_OK);
    }
    results[0].server_state = VCS_RESULT_OVER;
    results[0].outcome = VCS_OUTCOME_SUCCESS;
    results[0].validate_state = VCS_VALIDATE_VALID;
    results[1].server_state = VCS_RESULT_IN_PROGRESS;
}

static int check(vcs_error *error) {
    error->struct_size = sizeof *error;
    return vcs_unit_check(&unit, ARRAY(results, 3), error);
}

/* ---- New records ---- */

static void new_records(void **unused) {
    (void)unused;
    vcs_result result;
    memset(&unit, 0xa5, sizeof unit);
    memset(&result, 0xa5, sizeof result);
    assert_int_equal(vcs_unit_init(&unit, 0), VCS_OK);
    assert_int_equal(vcs_result_init(&result, UINT64_MAX), VCS_OK);
    assert_int_equal(vcs_unit_check(&unit, ARRAY(&result, 1), NULL), VCS_OK);
    assert_int_equal(result.server_state, VCS_RESULT_UNSENT);
    assert_number(unit.delay_bound, 604800.0);
    assert_true(isinf(unit.transition_time));
    assert_int_equal(unit.min_quorum, 1);
    assert_int_equal(unit.target_nresults, 1);
    assert_int_equal(unit.max_error, 0);
    assert_int_equal(unit.max_total, 1);
    assert_int_equal(unit.max_success, 1);
    assert_true(isinf(result.deadline));
    assert_int_equal(vcs_unit_check(&unit, NO_RECORDS, NULL), VCS_OK);

    vcs_result before = result;
    assert_int_equal(vcs_result_init(&result, 0), VCS_ERR_RANGE);
    assert_memory_equal(&result, &before, sizeof result);
    assert_int_equal(vcs_unit_init(NULL, 1), VCS_ERR_NULL);
    assert_int_equal(vcs_result_init(NULL, 1), VCS_ERR_NULL);
}

/* ---- Legal combinations of states ---- */

/* All of them, but that those of the second group go with any state of their files. */
static const struct {
    uint32_t server_state, outcome, validate_state;
    bool any_files;
} legal[] = {
    {VCS_RESULT_INACTIVE, VCS_OUTCOME_INIT, VCS_VALIDATE_INIT, false},
    {VCS_RESULT_UNSENT, VCS_OUTCOME_INIT, VCS_VALIDATE_INIT, false},
    {VCS_RESULT_IN_PROGRESS, VCS_OUTCOME_INIT, VCS_VALIDATE_INIT, false},
    {VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, false},
    {VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INCONCLUSIVE, false},
    {VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_VALID, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INVALID, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_NO_CHECK, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_SUCCESS, VCS_VALIDATE_TOO_LATE, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_COULDNT_SEND, VCS_VALIDATE_INIT, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_CLIENT_ERROR, VCS_VALIDATE_INVALID, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_DIDNT_NEED, VCS_VALIDATE_INIT, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_VALIDATE_ERROR, VCS_VALIDATE_ERROR, true},
    {VCS_RESULT_OVER, VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, true},
};

static bool is_legal(const vcs_result *result) {
    for (size_t i = 0; i < COUNT_OF(legal); i++) {
        if (result->server_state == legal[i].server_state && result->outcome == legal[i].outcome &&
            result->validate_state == legal[i].validate_state) {
            return legal[i].any_files || result->file_delete_state == VCS_FILES_INIT;
        }
    }
    return false;
}

/* 5 + 10 * 4 of 4 * 8 * 7 * 4 */
static void combinations_of_states(void **unused) {
    (void)unused;
    assert_int_equal(vcs_unit_init(&unit, 1), VCS_OK);
    unit.error_mask = VCS_UNIT_NO_CANONICAL;     /* each verdict is possible */
    unit.assimilate_state = VCS_ASSIMILATE_DONE; /* and each state of files */
    uint32_t found = 0;
    for (uint32_t code = 0; code < 4 * 8 * 7 * 4; code++) {
        vcs_error error = {.struct_size = sizeof error};
        vcs_result result;
        assert_int_equal(vcs_result_init(&result, 1), VCS_OK);
        result.file_delete_state = code % 4;
        result.validate_state = code / 4 % 7;
        result.outcome = code / 28 % 8;
        result.server_state = code / 224;
        const int checked = vcs_unit_check(&unit, ARRAY(&result, 1), &error);
        assert_int_equal(checked, is_legal(&result) ? VCS_OK : VCS_ERR_UNSUPPORTED);
        found += checked == VCS_OK;
        if (checked != VCS_OK) {
            assert_int_equal(error.type, VCS_TYPE_RESULT);
            assert_true(error.field[0] != '\0');
        }
    }
    assert_int_equal(found, 45);
}

/* ---- What is refused, and with which message ---- */

typedef struct bad_case {
    bad_field bad;
    char message[96];
} bad_case;

static void spoiled_units(void **unused) {
    (void)unused;
    static const bad_case table[] = {
        {BAD_WORD(vcs_unit, min_quorum, 0, VCS_ERR_RANGE), "unit: min_quorum is too small"},
        {BAD_WORD(vcs_unit, min_quorum, 2, VCS_ERR_RANGE), "unit: target_nresults is less than min_quorum"},
        {BAD_WORD(vcs_unit, target_nresults, 0, VCS_ERR_RANGE), "unit: target_nresults is too small"},
        {BAD_WORD(vcs_unit, target_nresults, 4, VCS_ERR_RANGE), "unit: max_total is less than target_nresults"},
        {BAD_WORD(vcs_unit, max_total, 0, VCS_ERR_RANGE), "unit: max_total is too small"},
        {BAD_WORD(vcs_unit, quorum_rule, VCS_QUORUM_WEIGHTED, VCS_ERR_RANGE),
         "unit: quorum_weight is 0: nothing would be enough"},
        {BAD_WORD(vcs_unit, quorum_rule, 3, VCS_ERR_FLAGS),
         "unit: quorum_rule is a choice that this version of the library does not know"},
        {BAD_WORD(vcs_unit, error_mask, 0x40, VCS_ERR_FLAGS),
         "unit: error_mask has a flag that this version of the library does not know"},
        {BAD_WORD(vcs_unit, assimilate_state, 3, VCS_ERR_FLAGS), ""},
        {BAD_WORD(vcs_unit, file_delete_state, 4, VCS_ERR_FLAGS), ""},
        {BAD_WORD(vcs_unit, need_validate, 2, VCS_ERR_FLAGS), ""},
        {BAD_WORD(vcs_unit, reserved0, 1, VCS_ERR_ABI_NEWER), "unit: reserved0 must be 0"},
        {BAD_WORD(vcs_unit, reserved, 1, VCS_ERR_ABI_NEWER), "unit: reserved must be 0"},
        {BAD_NUMBER(vcs_unit, compare_time, (double)NAN, VCS_ERR_NOT_FINITE), "unit: compare_time is not a number"},
        {BAD_NUMBER(vcs_unit, assimilate_time, -1.1e15, VCS_ERR_RANGE), "unit: assimilate_time is too small"},
        {BAD_NUMBER(vcs_unit, delete_time, -(double)INFINITY, VCS_ERR_NOT_FINITE), "unit: delete_time is infinite"},
        {BAD_WORD(vcs_unit, assimilate_state, VCS_ASSIMILATE_INIT, VCS_ERR_UNSUPPORTED),
         "unit: assimilate_state is init, but the unit has a canonical result"},
        {BAD_WORD(vcs_unit, file_delete_state, VCS_FILES_READY, VCS_ERR_UNSUPPORTED),
         "unit: file_delete_state is not init, but the unit is not assimilated"},
        {BAD_NUMBER(vcs_unit, assimilated, (double)INFINITY, VCS_ERR_NOT_FINITE), "unit: assimilated is infinite"},
        {BAD_NUMBER(vcs_unit, quorum_weight, (double)NAN, VCS_ERR_NOT_FINITE), "unit: quorum_weight is not a number"},
        {BAD_NUMBER(vcs_unit, delay_bound, -1, VCS_ERR_RANGE), "unit: delay_bound is negative"},
        {BAD_NUMBER(vcs_unit, delay_bound, (double)NAN, VCS_ERR_NOT_FINITE), "unit: delay_bound is not a number"},
        {BAD_NUMBER(vcs_unit, delete_delay, -1, VCS_ERR_RANGE), "unit: delete_delay is negative"},
        {BAD_NUMBER(vcs_unit, quorum_weight, -1, VCS_ERR_RANGE), "unit: quorum_weight is negative"},
        {BAD_NUMBER(vcs_unit, transition_time, -(double)INFINITY, VCS_ERR_NOT_FINITE),
         "unit: transition_time is infinite"},
        {BAD_NUMBER(vcs_unit, transition_time, -1.1e15, VCS_ERR_RANGE), "unit: transition_time is too small"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_error error;
        begin();
        assert_int_equal(check(&error), VCS_OK);
        spoil(&unit, &table[i].bad);
        assert_int_equal(check(&error), table[i].bad.code);
        assert_int_equal(error.offset, table[i].message[0] == '\0' ? table[i].bad.offset : error.offset);
        assert_int_equal(error.type, VCS_TYPE_UNIT);
        if (table[i].message[0] != '\0') {
            assert_string_equal(error.message, table[i].message);
        }
    }
}

static void spoiled_results(void **unused) {
    (void)unused;
    static const struct {
        uint32_t index;
        bad_case of;
    } table[] = {
        {1, {BAD_WORD(vcs_result, server_state, 4, VCS_ERR_FLAGS),
             "result 1: server_state is a choice that this version of the library does not know"}},
        {1, {BAD_WORD(vcs_result, outcome, 8, VCS_ERR_FLAGS), ""}},
        {1, {BAD_WORD(vcs_result, validate_state, 7, VCS_ERR_FLAGS), ""}},
        {1, {BAD_WORD(vcs_result, file_delete_state, 4, VCS_ERR_FLAGS), ""}},
        {1, {BAD_WORD(vcs_result, credited, 2, VCS_ERR_FLAGS), ""}},
        {1, {BAD_WORD(vcs_result, late_report, VCS_REPORT_WITHDRAWN + 1, VCS_ERR_FLAGS), ""}},
        {1, {BAD_WORD(vcs_result, revoked, 8, VCS_ERR_FLAGS), ""}},
        {2, {BAD_NUMBER(vcs_result, granted, 1, VCS_ERR_UNSUPPORTED), "result 2: granted is not 0, but credited is"}},
        {2, {BAD_NUMBER(vcs_result, claimed, -1, VCS_ERR_RANGE), "result 2: claimed is negative"}},
        {0,
         {BAD_WORD(vcs_result, revoked, VCS_REVOKED_RESULT, VCS_ERR_UNSUPPORTED),
          "result 0: revoked says that it was withdrawn, but the result is not invalid"}},
        {2, {BAD_WORD(vcs_result, reserved0, 1, VCS_ERR_ABI_NEWER), "result 2: reserved0 must be 0"}},
        {2, {BAD_WORD(vcs_result, reserved, 1, VCS_ERR_ABI_NEWER), "result 2: reserved must be 0"}},
        {2, {BAD_NUMBER(vcs_result, weight, -1, VCS_ERR_RANGE), "result 2: weight is negative"}},
        {2, {BAD_NUMBER(vcs_result, deadline, (double)NAN, VCS_ERR_NOT_FINITE), "result 2: deadline is not a number"}},
        {2, {BAD_NUMBER(vcs_result, received, (double)INFINITY, VCS_ERR_NOT_FINITE), "result 2: received is infinite"}},
        {2, {BAD_NUMBER(vcs_result, late_received, 2e15, VCS_ERR_RANGE), "result 2: late_received is too large"}},
        {1, {BAD_WORD(vcs_result, outcome, VCS_OUTCOME_SUCCESS, VCS_ERR_UNSUPPORTED),
             "result 1: outcome does not go with server_state"}},
        {0, {BAD_WORD(vcs_result, outcome, VCS_OUTCOME_INIT, VCS_ERR_UNSUPPORTED),
             "result 0: outcome does not go with server_state"}},
        {0, {BAD_WORD(vcs_result, outcome, VCS_OUTCOME_NO_REPLY, VCS_ERR_UNSUPPORTED),
             "result 0: validate_state does not go with outcome"}},
        {1, {BAD_WORD(vcs_result, file_delete_state, VCS_FILES_READY, VCS_ERR_UNSUPPORTED),
             "result 1: file_delete_state is not init, but the files are still needed"}},
        {2, {BAD_WORD(vcs_result, credited, 1, VCS_ERR_UNSUPPORTED),
             "result 2: credited is set, but the result is not valid"}},
        {0, {BAD_WORD(vcs_result, validate_state, VCS_VALIDATE_NO_CHECK, VCS_ERR_UNSUPPORTED),
             "result 0: validate_state is no check, but the unit has not failed"}},
        {0, {BAD_WORD(vcs_result, validate_state, VCS_VALIDATE_INVALID, VCS_ERR_UNSUPPORTED),
             "result 0: validate_state is not valid, but this is the canonical result"}},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_error error;
        begin();
        spoil(&results[table[i].index], &table[i].of.bad);
        assert_int_equal(check(&error), table[i].of.bad.code);
        assert_int_equal(error.type, VCS_TYPE_RESULT);
        assert_int_equal(error.index, table[i].index);
        assert_int_equal(error.offset, table[i].of.message[0] == '\0' ? table[i].of.bad.offset : error.offset);
        if (table[i].of.message[0] != '\0') {
            assert_string_equal(error.message, table[i].of.message);
        }
    }
}

static void what_needs_a_canonical_result(void **unused) {
    (void)unused;
    static const struct {
        uint32_t validate_state;
        char message[96];
    } table[] = {
        {VCS_VALIDATE_VALID, "result 0: validate_state is valid, but the unit has no canonical result"},
        {VCS_VALIDATE_TOO_LATE, "result 0: validate_state is too late, but the unit has no canonical result"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_error error;
        begin();
        unit.canonical = 0;
        assert_int_equal(check(&error), VCS_ERR_UNSUPPORTED);
        assert_string_equal(error.message, "unit: assimilate_state is not init, "
                                           "but the unit has neither a canonical result nor failed");
        unit.assimilate_state = VCS_ASSIMILATE_INIT;
        results[0].validate_state = table[i].validate_state;
        assert_int_equal(check(&error), VCS_ERR_UNSUPPORTED);
        assert_string_equal(error.message, table[i].message);
        unit.error_mask = VCS_UNIT_CANCELLED;
        assert_int_equal(check(&error), VCS_ERR_UNSUPPORTED);
        unit.error_mask = VCS_UNIT_NO_CANONICAL; /* it had one */
        assert_int_equal(check(&error), VCS_OK);
    }
}

static void files_before_assimilation(void **unused) {
    (void)unused;
    vcs_error error;
    begin();
    results[0].file_delete_state = VCS_FILES_READY;
    assert_int_equal(check(&error), VCS_ERR_UNSUPPORTED);
    assert_string_equal(error.message, "result 0: file_delete_state is not init, but the unit is not assimilated");
    unit.assimilate_state = VCS_ASSIMILATE_DONE;
    assert_int_equal(check(&error), VCS_OK);
}

static void ids(void **unused) {
    (void)unused;
    vcs_error error;
    begin();
    results[2].id = 12;
    assert_int_equal(check(&error), VCS_ERR_DUPLICATE);
    assert_string_equal(error.message, "result 2: id is also that of another result");
    results[2].id = 0;
    assert_int_equal(check(&error), VCS_ERR_RANGE);
    assert_string_equal(error.message, "result 2: id is 0");
    results[2].id = 13;
    unit.canonical = 14;
    assert_int_equal(check(&error), VCS_ERR_INDEX);
    assert_string_equal(error.field, "canonical");
}

/* ---- Records of other ages ---- */

static void records_of_other_sizes(void **unused) {
    (void)unused;
    const uint32_t known = sizeof(vcs_result);
    const struct {
        uint32_t size;
        int code;
    } table[] = {
        {0, VCS_ERR_ABI_SIZE},         {known - 8, VCS_ERR_ABI_OLDER}, {known + 4, VCS_ERR_ABI_SIZE}, {known, VCS_OK},
        {known + 8, VCS_OK},           {4096, VCS_OK},                 {4104, VCS_ERR_ABI_SIZE},
    };
    begin();
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        const uint32_t size = table[i].size;
        unsigned char *wide = calloc(3, 4104);
        for (uint32_t k = 0; k < 3 && table[i].code == VCS_OK; k++) {
            memcpy(wide + k * size, &results[k], known);
        }
        assert_int_equal(vcs_unit_check(&unit, ARRAY_OF((void *)wide, size, 3), NULL), table[i].code);
        if (table[i].code == VCS_OK && size > known) {
            vcs_error error = {.struct_size = sizeof error};
            wide[3 * size - 1] = 1; /* something that only a newer library understands */
            assert_int_equal(vcs_unit_check(&unit, ARRAY_OF((void *)wide, size, 3), &error), VCS_ERR_ABI_NEWER);
            assert_int_equal(error.index, 2);
        }
        free(wide);
    }
    assert_int_equal(vcs_unit_check(NULL, ARRAY_OF(results, known, 3), NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_unit_check(&unit, ARRAY_OF(NULL, known, 3), NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_unit_check(&unit, ARRAY_OF((void *)((unsigned char *)results + 2), known, 2), NULL),
                     VCS_ERR_ABI_SIZE);
    vcs_error old = {.struct_size = 16};
    assert_int_equal(vcs_unit_check(&unit, ARRAY_OF(results, known, 3), &old), VCS_ERR_ABI_OLDER);
}

/* The quick check of ranges refuses just what the table of fields does. */
static void quick_check_agrees_with_the_table(void **unused) {
    (void)unused;
    random_stream stream = {81};
    static const uint32_t words[] = {0, 1, 2, 3, 5, 8, 64, UINT32_MAX};
    const double numbers[] = {0, 1, -1, 1e15, 1.1e15, 1e30, 2e30, (double)INFINITY, -(double)INFINITY, (double)NAN};
    uint32_t refused = 0;
    for (uint32_t run = 0; run < 100000; run++) {
        begin();
        const bool of_unit = random_below(&stream, 2);
        unsigned char *record = of_unit ? (unsigned char *)&unit : (unsigned char *)&results[1];
        uint32_t size = of_unit ? sizeof unit : sizeof *results, at = 8 * (1 + random_below(&stream, size / 8 - 1));
        if (random_below(&stream, 2)) {
            memcpy(record + at, &numbers[random_below(&stream, COUNT_OF(numbers))], 8);
        } else {
            memcpy(record + at + 4 * random_below(&stream, 2), &words[random_below(&stream, COUNT_OF(words))], 4);
        }
        const int ranges = vcs_check_fields(of_unit ? &vcs_unit_layout : &vcs_result_layout, record, 1, NULL);
        vcs_error error;
        const int code = check(&error);
        refused += ranges != VCS_OK;
        assert_true(ranges == VCS_OK || code == ranges);
        assert_true(ranges != VCS_OK || (code != VCS_ERR_FLAGS && code != VCS_ERR_NOT_FINITE));
    }
    assert_in_range(refused, 20000, 80000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_records),
        cmocka_unit_test(combinations_of_states),
        cmocka_unit_test(spoiled_units),
        cmocka_unit_test(spoiled_results),
        cmocka_unit_test(what_needs_a_canonical_result),
        cmocka_unit_test(files_before_assimilation),
        cmocka_unit_test(ids),
        cmocka_unit_test(records_of_other_sizes),
        cmocka_unit_test(quick_check_agrees_with_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

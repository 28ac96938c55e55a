/*
 * The sentences that describe errors, and the fields of every struct: the straight code that says whether all are
 * in range, and the table that says which is not, must agree.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/array.h"
#include "vcemu/interface/emulator_reflection.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/describe/all_fields.h"
#include "vcsched/interface/describe/describe.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vcemu/bound.h>
#include <vcemu/grid.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The layout of a struct of either library; NULL if there is none of this number. */
static const vcs_layout *layout_of(uint32_t type) {
    const vcs_description *of = type < VCS_TYPE_COUNT ? vcs_description_of(type) : vcs_emu_description_of(type);
    return of == NULL ? NULL : of->layout;
}

static vcs_error error_for(uint32_t type, uint64_t index, uint32_t offset, const char *why) {
    vcs_error error;
    memset(&error, 0xa5, sizeof error);
    error.struct_size = sizeof error;
    assert_int_equal(vcs_fail(&error, VCS_ERR_RANGE, layout_of(type), index, offset, why), VCS_ERR_RANGE);
    assert_int_equal(error.code, VCS_ERR_RANGE);
    assert_int_equal(error.type, type);
    assert_true(error.index == index);
    return error;
}

static void sentences(void **unused) {
    (void)unused;
    const uint32_t flops = VCS_FIELD(vcs_resource, flops);
    assert_string_equal(error_for(VCS_TYPE_RESOURCE, 0, flops, "is odd").message, "resource 0: flops is odd");
    assert_string_equal(error_for(VCS_TYPE_RESOURCE, 4294967295, flops, "is odd").message,
                        "resource 4294967295: flops is odd");
    assert_string_equal(error_for(VCS_TYPE_TASK, UINT64_MAX, VCS_WHOLE_RECORD, "is odd").message,
                        "task 18446744073709551615: is odd");
    assert_string_equal(error_for(VCS_TYPE_CANDIDATE, 3, VCS_FIELD(vcs_task, ram), "is odd").message,
                        "candidate 3: ram is odd");
    assert_string_equal(error_for(VCS_TYPE_REPLY, 0, VCS_FIELD(vcs_reply, u), "is odd").message, "reply: u is odd");
    assert_string_equal(error_for(VCS_TYPE_HOST, 0, VCS_WHOLE_RECORD, "is odd").message, "host: is odd");
    assert_string_equal(error_for(VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "now is odd").message, "now is odd");
}

/* What always comes in arrays is numbered from 0; what may come alone, where it is not the first. */
static void records_are_numbered(void **unused) {
    (void)unused;
    static const uint32_t in_arrays[] = {
        VCS_TYPE_RESOURCE,       VCS_TYPE_PROJECT,      VCS_TYPE_PROJECT_RESOURCE, VCS_TYPE_APP,
        VCS_TYPE_APP_RESOURCE,   VCS_TYPE_TASK,         VCS_TYPE_CANDIDATE,        VCS_TYPE_RANK_ENTRY,
        VCS_TYPE_DEBT,           VCS_TYPE_RESULT,       VCS_TYPE_RPC_PROJECT,      VCS_TYPE_BALLOT,
        VCS_TYPE_SEND_REQUEST,   VCS_TYPE_SEND_JOB,     VCS_TYPE_JOB_MODEL,        VCS_TYPE_SERVER_MODEL,
        VCS_TYPE_RESOURCE_REPLY, VCS_TYPE_GRID_PROJECT, VCS_TYPE_HOST_ROW};
    for (size_t i = 0; i < sizeof in_arrays / sizeof *in_arrays; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "%s 0: is odd", vcs_emulator_struct_name(in_arrays[i]));
        assert_string_equal(error_for(in_arrays[i], 0, VCS_WHOLE_RECORD, "is odd").message, expected);
    }
    assert_string_equal(error_for(VCS_TYPE_CLIENT, 0, VCS_WHOLE_RECORD, "is odd").message, "client: is odd");
    assert_string_equal(error_for(VCS_TYPE_CLIENT, 1, VCS_WHOLE_RECORD, "is odd").message, "client 1: is odd");
    assert_string_equal(error_for(VCS_TYPE_DISPATCH_JOB, 1000000, VCS_WHOLE_RECORD, "is odd").message,
                        "dispatch_job 1000000: is odd");
}

/* An offset at which no field begins names none. */
static void fields_are_found_by_offset(void **unused) {
    (void)unused;
    vcs_error error = error_for(VCS_TYPE_TASK, 1, VCS_FIELD(vcs_task, deadline), "is odd");
    assert_string_equal(error.field, "deadline");
    assert_int_equal(error.offset, VCS_FIELD(vcs_task, deadline));
    error = error_for(VCS_TYPE_TASK, 1, VCS_FIELD(vcs_task, deadline) + 1, "is odd");
    assert_string_equal(error.field, "");
    assert_int_equal(error.offset, 0);
    error = error_for(VCS_TYPE_TASK, 1, VCS_WHOLE_RECORD, "is odd");
    assert_string_equal(error.field, "");
    assert_int_equal(error.offset, 0);
}

/* What does not fit is cut off, and the text still ends. */
static void long_sentences_are_cut(void **unused) {
    (void)unused;
    char why[400];
    memset(why, 'x', sizeof why - 1);
    why[sizeof why - 1] = '\0';
    vcs_error error = error_for(VCS_TYPE_TASK, 7, VCS_WHOLE_RECORD, why);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strncmp(error.message, "task 7: xxx", 11), 0);
}

/* Of rows that are missing, or of another size, the first is named. */
static void rows_that_cannot_be_written(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error, .index = 7};
    vcs_ballot_verdict row;
    assert_int_equal(vcs_check_rows(NULL, &vcs_ballot_verdict_layout, 1, "is short", &error), VCS_ERR_NULL);
    assert_int_equal(vcs_check_output(NULL, VCS_FIRST_ballot_verdict, 1), VCS_ERR_NULL);
    assert_true(error.index == 0 && error.type == VCS_TYPE_BALLOT_VERDICT);
    assert_int_equal(vcs_check_rows(ARRAY_OF(NULL, sizeof row, 1), &vcs_ballot_verdict_layout, 1, "is short", &error),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_check_rows(ARRAY(&row, 1), &vcs_ballot_verdict_layout, 2, "is short", &error), VCS_ERR_COUNT);
    assert_string_equal(error.message, "ballot_verdict: is short");
    assert_int_equal(vcs_check_rows(ARRAY_OF(&row, 3, 1), &vcs_ballot_verdict_layout, 1, "is short", &error),
                     VCS_ERR_ABI_SIZE);
    assert_true(error.index == 0);
    assert_int_equal(vcs_check_rows(ARRAY(&row, 1), &vcs_ballot_verdict_layout, 1, "is short", &error), VCS_OK);
}

static void an_argument_is_no_record(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_fail_at(&error, VCS_ERR_COUNT, 7, "job", "is odd"), VCS_ERR_COUNT);
    assert_string_equal(error.message, "job is odd");
    assert_int_equal(error.type, VCS_TYPE_NONE);
    assert_int_equal(error.offset, 0);
    assert_int_equal(error.index, 7);
}

static void nobody_to_tell(void **unused) {
    (void)unused;
    assert_int_equal(vcs_fail(NULL, VCS_ERR_COUNT, &vcs_task_layout, 0, 0, "is odd"), VCS_ERR_COUNT);
    assert_int_equal(vcs_fail_at(NULL, VCS_ERR_COUNT, 7, "job", "is odd"), VCS_ERR_COUNT);
    assert_int_equal(vcs_check_error(NULL), VCS_OK);
}

/* ---- Whether a record is right ---- */

/* A record of any struct, as bytes. */
typedef union record {
    unsigned char bytes[VCS_LARGEST_STRUCT];
    uint64_t aligned;
} record;

/* How many trials were right, and how many were not. */
typedef struct tally {
    uint32_t right, wrong;
} tally;

/* The table is asked directly: vcs_check_fields() would ask it only where the straight code refuses. */
static void try_record(const vcs_layout *layout, const record *tried, tally *tally) {
    const int is_right = vcs_refuse_fields(layout, tried, 0, NULL) == VCS_OK;
    assert_int_equal(layout->is_right(tried), is_right);
    assert_int_equal(vcs_check_fields(layout, tried, 0, NULL) == VCS_OK, is_right);
    tally->right += is_right != 0;
    tally->wrong += is_right == 0;
}

static void try_bytes(const vcs_layout *layout, const record *right, size_t offset, const void *bytes, size_t size,
                      tally *tally) {
    record tried = *right;
    memcpy(tried.bytes + offset, bytes, size);
    try_record(layout, &tried, tally);
}

static void try_number(const vcs_layout *layout, const record *right, size_t offset, const vcs_field_row *row,
                       tally *tally) {
    const double numbers[] = {row->least,
                              row->greatest,
                              nextafter(row->least, -INFINITY),
                              nextafter(row->least, INFINITY),
                              nextafter(row->greatest, -INFINITY),
                              nextafter(row->greatest, INFINITY),
                              0.0,
                              -0.0,
                              1.0,
                              NAN,
                              -NAN,
                              INFINITY,
                              -INFINITY};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        try_bytes(layout, right, offset, &numbers[i], sizeof numbers[i], tally);
    }
}

static void try_word(const vcs_layout *layout, const record *right, size_t offset, const vcs_field_row *row,
                     tally *tally) {
    const uint32_t least = (uint32_t)row->least, greatest = (uint32_t)row->greatest;
    const uint32_t words[] = {least, greatest, least - 1, least + 1, greatest - 1, greatest + 1, 0, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        try_bytes(layout, right, offset, &words[i], sizeof words[i], tally);
    }
    for (uint32_t bit = 0; bit < 32; bit++) {
        const uint32_t word = UINT32_C(1) << bit;
        try_bytes(layout, right, offset, &word, sizeof word, tally);
    }
}

static void try_field(const vcs_layout *layout, const record *right, const vcs_field_row *row, tally *tally) {
    for (size_t at = 0; row->kind == VCS_KIND_F64 && at < row->size; at += sizeof(double)) {
        try_number(layout, right, row->offset + at, row, tally);
    }
    if (row->kind == VCS_KIND_U32 || row->kind == VCS_KIND_FLAGS || row->kind == VCS_KIND_CHOICE) {
        try_word(layout, right, row->offset, row, tally);
    }
    for (size_t at = 0; row->kind != VCS_KIND_F64 && at < row->size; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            const unsigned char byte = (unsigned char)(right->bytes[row->offset + at] ^ 1u << bit);
            try_bytes(layout, right, row->offset + at, &byte, 1, tally);
        }
    }
}

/* A record in which every field is at its least, or 0 if that will do. */
static record least_record(const vcs_field_row *rows, uint32_t count) {
    record made;
    memset(&made, 0, sizeof made);
    for (uint32_t i = 0; i < count; i++) {
        for (size_t at = 0; rows[i].kind == VCS_KIND_F64 && rows[i].least > 0.0 && at < rows[i].size; at += 8) {
            memcpy(made.bytes + rows[i].offset + at, &rows[i].least, sizeof rows[i].least);
        }
        if (rows[i].kind == VCS_KIND_U32 || rows[i].kind == VCS_KIND_CHOICE) {
            const uint32_t word = (uint32_t)rows[i].least;
            memcpy(made.bytes + rows[i].offset, &word, sizeof word);
        }
    }
    return made;
}

static void straight_code_and_table_agree(void **unused) {
    (void)unused;
    tally all = {0, 0};
    uint32_t types = 0;
    for (uint32_t type = 0; type <= VCS_TYPE_BOUND_POINT; type++) { /* the last one of bound.h */
        const vcs_layout *layout = layout_of(type);
        if (layout == NULL) {
            continue;
        }
        const record right = least_record(layout->rows, layout->count);
        assert_true(layout->is_right(&right));
        types++;
        for (uint32_t i = 0; i < layout->count; i++) {
            try_field(layout, &right, &layout->rows[i], &all);
        }
    }
    assert_true(types > 70);
    assert_true(all.right > 10000 && all.wrong > 10000); /* else it would show little */
}

static uint32_t count_passing(const void *rows, uint32_t size, uint32_t count) {
    return vcs_count_passing(&vcs_app_layout, &(vcs_array){.base = rows, .element_size = size, .count = count});
}

/* Of records in a row those before the first wrong one count: one with a field out of range, or with a longer tail. */
static void right_records_are_counted(void **unused) {
    (void)unused;
    enum { MOST = 3, LONGER = 8 };
    const uint32_t size = sizeof(vcs_app) + LONGER;
    uint64_t memory[MOST * (sizeof(vcs_app) + LONGER) / sizeof(uint64_t)];
    unsigned char *rows = (unsigned char *)memory;
    const double negative = -1.0;
    memset(memory, 0, sizeof memory);
    for (uint32_t count = 0; count <= MOST; count++) {
        assert_int_equal(count_passing(rows, size, count), count);
    }
    for (uint32_t wrong = 0; wrong < MOST; wrong++) {
        unsigned char *dcf = rows + wrong * size + offsetof(vcs_app, dcf);
        memcpy(dcf, &negative, sizeof negative);
        assert_int_equal(count_passing(rows, size, MOST), wrong);
        memset(dcf, 0, sizeof negative);
        for (uint32_t at = sizeof(vcs_app); at < size; at++) {
            rows[wrong * size + at] = 1;
            assert_int_equal(count_passing(rows, size, MOST), wrong);
            rows[wrong * size + at] = 0;
        }
    }
}

/* What an older caller's records lack counts as 0, and no byte beyond the last of them is read. */
static void shorter_records_are_completed(void **unused) {
    (void)unused;
    enum { COUNT = 3, SIZE = offsetof(vcs_app, reserved) };
    const double negative = -1.0;
    unsigned char *rows = calloc(COUNT, SIZE);
    assert_non_null(rows);
    assert_int_equal(count_passing(rows, SIZE, COUNT), COUNT);
    memset(rows + SIZE, 0xff, sizeof(uint32_t)); /* the second's id: what follows the first is not its tail */
    assert_int_equal(count_passing(rows, SIZE, COUNT), COUNT);
    memcpy(rows + 2 * SIZE + offsetof(vcs_app, dcf), &negative, sizeof negative);
    assert_int_equal(count_passing(rows, SIZE, COUNT), 2);
    free(rows);
}

/* A caller of the first release is served for ever: its size is one that a struct can have, and none below will do. */
static void first_sizes_are_the_least(void **unused) {
    (void)unused;
    uint32_t types = 0;
    for (uint32_t type = 1; type <= VCS_TYPE_BOUND_POINT; type++) {
        const vcs_layout *layout = layout_of(type);
        if (layout == NULL) {
            continue;
        }
        const uint32_t first = layout->first_size;
        types++;
        assert_true(first <= layout->size);
        assert_int_equal(vcs_check_size(first, layout->size), VCS_OK);
        assert_int_equal(vcs_check_size(first, first), VCS_OK);
        assert_int_equal(vcs_check_size(first, first - 8), first > 8 ? VCS_ERR_ABI_OLDER : VCS_ERR_ABI_SIZE);
    }
    assert_true(types > 70);
}

/* Only the counts are looked at; 4294967295 debts do not fit where addresses have 32 bits. */
static void arrays_that_do_not_fit(void **unused) {
    (void)unused;
    const vcs_debt one = {0};
    const vcs_array all = {{&one}, sizeof one, UINT32_MAX};
    const bool fits = SIZE_MAX > UINT32_MAX;
    assert_int_equal(vcs_check_array(&all, &vcs_debt_layout, NULL), fits ? VCS_OK : VCS_ERR_OVERFLOW);
    assert_int_equal(vcs_is_array_of(&all, sizeof one), fits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences),
        cmocka_unit_test(records_are_numbered),
        cmocka_unit_test(fields_are_found_by_offset),
        cmocka_unit_test(long_sentences_are_cut),
        cmocka_unit_test(rows_that_cannot_be_written),
        cmocka_unit_test(an_argument_is_no_record),
        cmocka_unit_test(nobody_to_tell),
        cmocka_unit_test(straight_code_and_table_agree),
        cmocka_unit_test(right_records_are_counted),
        cmocka_unit_test(shorter_records_are_completed),
        cmocka_unit_test(first_sizes_are_the_least),
        cmocka_unit_test(arrays_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

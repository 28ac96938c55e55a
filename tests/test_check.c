/*
 * The sentences in which errors are told, and the checks of single fields that no record shows.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/check.h"

#include <string.h>

static vcs_error told(uint32_t type, uint64_t index, uint32_t offset, const char *why) {
    vcs_error error;
    memset(&error, 0xa5, sizeof error);
    error.struct_size = sizeof error;
    assert_int_equal(vcs_fail(&error, VCS_ERR_RANGE, type, index, offset, why), VCS_ERR_RANGE);
    assert_int_equal(error.code, VCS_ERR_RANGE);
    assert_int_equal(error.type, type);
    assert_true(error.index == index);
    return error;
}

static void sentences(void **unused) {
    (void)unused;
    const uint32_t flops = VCS_FIELD(vcs_resource, flops);
    assert_string_equal(told(VCS_TYPE_RESOURCE, 0, flops, "is odd").message, "resource 0: flops is odd");
    assert_string_equal(told(VCS_TYPE_RESOURCE, 4294967295, flops, "is odd").message,
                        "resource 4294967295: flops is odd");
    assert_string_equal(told(VCS_TYPE_TASK, UINT64_MAX, VCS_WHOLE_RECORD, "is odd").message,
                        "task 18446744073709551615: is odd");
    assert_string_equal(told(VCS_TYPE_CANDIDATE, 3, VCS_FIELD(vcs_task, ram), "is odd").message,
                        "candidate 3: ram is odd");
    assert_string_equal(told(VCS_TYPE_HOST, 0, VCS_WHOLE_RECORD, "is odd").message, "host: is odd");
    assert_string_equal(told(VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "now is odd").message, "now is odd");
}

/* An offset at which no field begins names none. */
static void fields_are_found_by_offset(void **unused) {
    (void)unused;
    vcs_error error = told(VCS_TYPE_TASK, 1, VCS_FIELD(vcs_task, deadline), "is odd");
    assert_string_equal(error.field, "deadline");
    assert_int_equal(error.offset, VCS_FIELD(vcs_task, deadline));
    error = told(VCS_TYPE_TASK, 1, VCS_FIELD(vcs_task, deadline) + 1, "is odd");
    assert_string_equal(error.field, "");
    assert_int_equal(error.offset, 0);
    error = told(VCS_TYPE_TASK, 1, VCS_WHOLE_RECORD, "is odd");
    assert_string_equal(error.field, "");
    assert_int_equal(error.offset, 0);
}

/* What does not fit is cut off, and the text still ends. */
static void long_sentences_are_cut(void **unused) {
    (void)unused;
    char why[400];
    memset(why, 'x', sizeof why - 1);
    why[sizeof why - 1] = '\0';
    vcs_error error = told(VCS_TYPE_TASK, 7, VCS_WHOLE_RECORD, why);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strncmp(error.message, "task 7: xxx", 11), 0);
}

static void nobody_to_tell(void **unused) {
    (void)unused;
    assert_int_equal(vcs_fail(NULL, VCS_ERR_COUNT, VCS_TYPE_TASK, 0, 0, "is odd"), VCS_ERR_COUNT);
    assert_int_equal(vcs_check_error(NULL), VCS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences),
        cmocka_unit_test(fields_are_found_by_offset),
        cmocka_unit_test(long_sentences_are_cut),
        cmocka_unit_test(nobody_to_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

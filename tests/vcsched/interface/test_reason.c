/*
 * The table of reasons.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <vcsched/reason.h>

static vcs_reason_info row(uint32_t index) {
    vcs_reason_info info = {.struct_size = sizeof info};
    assert_int_equal(vcs_reason_at(index, &info), VCS_OK);
    assert_int_equal(info.struct_size, sizeof info);
    return info;
}

/* Names are for logs: lower case and underscores. Sentences are for people. */
static void check_texts(const vcs_reason_info *info) {
    assert_true(info->name[0] != '\0');
    assert_int_equal(strspn(info->name, "abcdefghijklmnopqrstuvwxyz_"), strlen(info->name));
    size_t length = strlen(info->sentence);
    assert_true(length > 1 && length < sizeof info->sentence && strlen(info->name) < sizeof info->name);
    assert_true(info->sentence[0] >= 'A' && info->sentence[0] <= 'Z');
    assert_true(info->sentence[length - 1] == '.');
}

static void rows_are_in_order_and_told_apart(void **unused) {
    (void)unused;
    assert_true(vcs_reason_count() > 0);
    for (uint32_t i = 0; i < vcs_reason_count(); i++) {
        vcs_reason_info info = row(i);
        check_texts(&info);
        for (uint32_t j = 0; j < i; j++) {
            vcs_reason_info earlier = row(j);
            assert_true(earlier.code < info.code);
            assert_string_not_equal(earlier.name, info.name);
            assert_string_not_equal(earlier.sentence, info.sentence);
        }
    }
}

static void found_by_code(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < vcs_reason_count(); i++) {
        vcs_reason_info info = row(i);
        assert_string_equal(vcs_reason_name(info.code), info.name);
        assert_string_equal(vcs_reason_sentence(info.code), info.sentence);
    }
    assert_string_equal(vcs_reason_name(VCS_REASON_NONE), "none");
    assert_string_equal(vcs_reason_name(VCS_REASON_ADMITTED), "admitted");
    assert_string_equal(vcs_reason_name(VCS_REASON_OWN_DEADLINE), "own_deadline");
    assert_string_equal(vcs_reason_name(VCS_REASON_HARMS_TIMELY), "harms_timely");
    assert_string_equal(vcs_reason_name(VCS_REASON_DELAYS_LATE), "delays_late");
    assert_string_equal(vcs_reason_name(VCS_REASON_CANNOT_RUN), "cannot_run");
    assert_string_equal(vcs_reason_name(VCS_REASON_BUDGET), "budget");
}

static void codes_that_do_not_exist(void **unused) {
    (void)unused;
    uint32_t unknown = row(vcs_reason_count() - 1).code + 1;
    assert_string_equal(vcs_reason_name(unknown), "unknown");
    assert_string_equal(vcs_reason_sentence(unknown), "");
    assert_string_equal(vcs_reason_name(UINT32_MAX), "unknown");
    assert_string_equal(vcs_reason_sentence(UINT32_MAX), "");
}

static void rows_that_do_not_exist(void **unused) {
    (void)unused;
    vcs_reason_info info = {.struct_size = sizeof info, .code = 7}, before = info;
    assert_int_equal(vcs_reason_at(vcs_reason_count(), &info), VCS_ERR_INDEX);
    assert_int_equal(vcs_reason_at(UINT32_MAX, &info), VCS_ERR_INDEX);
    assert_memory_equal(&info, &before, sizeof info);
    assert_int_equal(vcs_reason_at(0, NULL), VCS_ERR_NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_order_and_told_apart),
        cmocka_unit_test(found_by_code),
        cmocka_unit_test(codes_that_do_not_exist),
        cmocka_unit_test(rows_that_do_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

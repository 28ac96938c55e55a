/*
 * The self-test, in threads that compute in another way. What it says of other builds, tests/assurance/hygiene/flags.sh
 * shows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/float_mode.h"
#include "support/support.h"

static void finds_nothing_here(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_self_test(&error), VCS_OK);
    assert_int_equal(error.code, 0);
    assert_int_equal(vcs_self_test(NULL), VCS_OK);
}

static void refuses_errors_of_other_sizes(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = 0};
    assert_int_equal(vcs_self_test(&error), VCS_ERR_ABI_SIZE);
    assert_int_equal(error.code, 0);
}

/* The field that it names in a mode; empty if it finds nothing. */
static void finds(const char *field, float_mode mode) {
    if (float_mode_enter(mode)) {
        vcs_error error = {.struct_size = sizeof error};
        const int code = vcs_self_test(&error);
        const int bare_code = vcs_self_test(NULL);
        float_mode_enter(FLOAT_ORDINARY);
        assert_int_equal(code, *field == '\0' ? VCS_OK : VCS_ERR_ARITHMETIC);
        assert_int_equal(bare_code, code);
        assert_int_equal(error.code, code);
        assert_string_equal(error.field, field);
    }
}

static void finds_other_modes_of_the_thread(void **unused) {
    (void)unused;
    finds("rounding", FLOAT_UP);
    finds("rounding", FLOAT_DOWN);
    finds("rounding", FLOAT_TO_ZERO);
    finds("denormals", FLOAT_FLUSH);
    finds("denormals", FLOAT_FLUSH_RESULT);
    finds("denormals", FLOAT_FLUSH_INPUT);
    finds("", FLOAT_ORDINARY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_nothing_here),
        cmocka_unit_test(refuses_errors_of_other_sizes),
        cmocka_unit_test(finds_other_modes_of_the_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

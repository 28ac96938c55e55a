/*
 * Just enough of cmocka to run the tests on processors for which no cmocka is installed. Same names, same meaning; the
 * report is one line for each program.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FOREIGN_CMOCKA_H
#define FOREIGN_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
    void *initial_state;
} CMUnitTest;

/* Ends the test that runs, at the place given. */
_Noreturn void foreign_fail(const char *file, int line, const char *format, ...);
_Noreturn void foreign_skip(void);
void foreign_compare(int equal, uintmax_t left, uintmax_t right, const char *file, int line);
int foreign_run(const CMUnitTest *tests, size_t count, int (*setup)(void **), int (*teardown)(void **));

#define cmocka_unit_test(f) {#f, f, NULL, NULL, NULL}
#define cmocka_unit_test_setup(f, setup) {#f, f, setup, NULL, NULL}
#define cmocka_unit_test_teardown(f, teardown) {#f, f, NULL, teardown, NULL}
#define cmocka_unit_test_setup_teardown(f, setup, teardown) {#f, f, setup, teardown, NULL}
#define cmocka_unit_test_prestate(f, state) {#f, f, NULL, NULL, state}
#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    foreign_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cmocka_run_group_tests(tests, setup, teardown)

#define fail() foreign_fail(__FILE__, __LINE__, "failed")
#define fail_msg(...) foreign_fail(__FILE__, __LINE__, __VA_ARGS__)
#define _fail(file, line) foreign_fail(file, line, "failed")
#define skip() foreign_skip()
#define print_message printf
#define print_error printf

#define FOREIGN_CHECK(condition) ((condition) ? (void)0 : foreign_fail(__FILE__, __LINE__, "%s", #condition))
#define FOREIGN_COMPARE(wanted, left, right)                                                                           \
    foreign_compare(wanted, (uintmax_t)(left), (uintmax_t)(right), __FILE__, __LINE__)

#define assert_true(x) FOREIGN_CHECK(x)
#define assert_false(x) FOREIGN_CHECK(!(x))
#define assert_null(p) FOREIGN_CHECK((p) == NULL)
#define assert_non_null(p) FOREIGN_CHECK((p) != NULL)
#define assert_ptr_equal(a, b) FOREIGN_CHECK((a) == (b))
#define assert_ptr_not_equal(a, b) FOREIGN_CHECK((a) != (b))
#define assert_int_equal(a, b) FOREIGN_COMPARE(1, a, b)
#define assert_int_not_equal(a, b) FOREIGN_COMPARE(0, a, b)
#define assert_in_range(x, least, most)                                                                                \
    FOREIGN_CHECK((uintmax_t)(x) >= (uintmax_t)(least) && (uintmax_t)(x) <= (uintmax_t)(most))
#define assert_float_equal(a, b, epsilon)                                                                              \
    FOREIGN_CHECK((a) - (b) <= (double)(epsilon) && (b) - (a) <= (double)(epsilon))
#define assert_string_equal(a, b) FOREIGN_CHECK(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) FOREIGN_CHECK(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) FOREIGN_CHECK(memcmp(a, b, size) == 0)
#define assert_memory_not_equal(a, b, size) FOREIGN_CHECK(memcmp(a, b, size) != 0)

#endif

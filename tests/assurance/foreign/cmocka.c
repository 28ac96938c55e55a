/* SPDX-License-Identifier: MIT */
#include "cmocka.h"

#include <inttypes.h>

enum { SKIPPED = 1, FAILED = 2 };

static jmp_buf end_of_test;

void foreign_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    longjmp(end_of_test, FAILED);
}

void foreign_skip(void) {
    longjmp(end_of_test, SKIPPED);
}

void foreign_compare(int equal, uintmax_t left, uintmax_t right, const char *file, int line) {
    if ((left == right) != equal) {
        foreign_fail(file, line, "%#" PRIxMAX " %s %#" PRIxMAX, left, equal ? "!=" : "==", right);
    }
}

/* 0, SKIPPED or FAILED */
static int run_one(const CMUnitTest *test, void **group_state) {
    void *own_state = test->initial_state;
    void **state = own_state != NULL || test->setup != NULL ? &own_state : group_state;
    if (test->setup != NULL && test->setup(state) != 0) {
        return FAILED;
    }
    const int end = setjmp(end_of_test);
    if (end == 0) {
        test->test(state);
    }
    const int torn_down = test->teardown == NULL || test->teardown(state) == 0;
    return torn_down ? end : FAILED;
}

int foreign_run(const CMUnitTest *tests, size_t count, int (*setup)(void **), int (*teardown)(void **)) {
    void *state = NULL;
    int passed = 0, failed = 0;
    if (setup != NULL && setup(&state) != 0) {
        failed++;
        count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        const int end = run_one(&tests[i], &state);
        passed += end == 0;
        failed += end == FAILED;
        if (end == FAILED) {
            printf("%s failed\n", tests[i].name);
        }
    }
    if (teardown != NULL && teardown(&state) != 0) {
        failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed;
}

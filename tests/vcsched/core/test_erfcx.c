/*
 * The scaled complementary error function against the C library in long double.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "vcsched/core/erfcx.h"

#include <float.h>

enum { RANDOM_CASES = 100000 };

/* Beyond 10 the product would be of a number too great and one too small: there the asymptotic series is exact. */
static long double truth(long double x) {
    if (x < 10) {
        return expl(x * x) * erfcl(x);
    }
    long double sum = 1, term = 1;
    for (int k = 1; k < 12; k++) {
        sum += term *= -(2 * k - 1) / (2 * x * x);
    }
    return sum / (x * 1.77245385090551602729816748334114518L);
}

/* 8 ulp are promised, 4 are measured; where long doubles are doubles, the C library's error comes on top. */
static void check_value(double x) {
    const double promised = LDBL_MANT_DIG > DBL_MANT_DIG ? 8 * DBL_EPSILON : 1e-13;
    assert_close(vcs_erfcx(x), truth(x), promised);
}

static void as_the_c_library_has_it(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int i = 0; i < RANDOM_CASES; i++) {
        check_value(random_between(&stream, 0, 1));
        check_value(random_between(&stream, 0, 26));
        check_value(random_magnitude(&stream, 1e-300, 1));
        check_value(random_magnitude(&stream, 1, 1e6));
    }
    check_value(0);
    check_value(DBL_TRUE_MIN);
    check_value(3);
    check_value(1e150);
}

static void at_0_it_is_1(void **unused) {
    (void)unused;
    assert_close(vcs_erfcx(0), 1, 4 * DBL_EPSILON);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_c_library_has_it),
        cmocka_unit_test(at_0_it_is_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

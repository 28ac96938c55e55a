/*
 * Which finish is late: rules 4.3 to 4.5, 13.1 and 13.2, worked by hand. Now is 900, the deadline 1000.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/lateness.h"

#include "support/kernel.h"

#include <float.h>
#include <math.h>

static vcs_parameters with_buffer(double min_buffer) {
    vcs_parameters parameters;
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT), VCS_OK);
    parameters.min_buffer = min_buffer;
    return parameters;
}

/* Rule 13.2: half of the time left after a buffer of 30 s and a period of 10 s. */
static void fluid(void **unused) {
    (void)unused;
    vcs_parameters parameters = with_buffer(30);
    parameters.period = 10;
    parameters.miss_fraction = 0.5;
    assert_true(vcs_latest_in_fluid(&parameters, 900, 1000) == 30);
    assert_true(vcs_latest_in_fluid(&parameters, 900, INFINITY) == INFINITY);
}

/* Rule 4.3: a cushion of 20 s; or of the minimum buffer, if that is greater and counts. */
static void sliced(void **unused) {
    (void)unused;
    vcs_parameters parameters = with_buffer(30);
    parameters.deadline_cushion = 20;
    parameters.cushion_min_buffer = 0;
    assert_true(vcs_latest_in_sliced(&parameters, 900, 1000) == 80000000);
    parameters.cushion_min_buffer = 1;
    assert_true(vcs_latest_in_sliced(&parameters, 900, 1000) == 70000000);
    parameters.min_buffer = 10;
    assert_true(vcs_latest_in_sliced(&parameters, 900, 1000) == 80000000);
    assert_true(vcs_latest_in_sliced(&parameters, 1100, 1000) == -120000000);
}

/* Rule 4.4: the deadline itself. */
static void edf(void **unused) {
    (void)unused;
    assert_true(vcs_latest_in_edf(900, 1000) == 100000000);
    assert_true(vcs_latest_in_edf(900, INFINITY) == VCS_NEVER);
    assert_true(vcs_latest_in_edf(-DBL_MAX, DBL_MAX) == VCS_FOREVER);
    assert_true(vcs_latest_in_edf(DBL_MAX, -DBL_MAX) == -VCS_FOREVER);
}

/* Rules 4.5 and 13.1: the minimum buffer before it, counted from now or from 0. */
static void admission(void **unused) {
    (void)unused;
    vcs_parameters parameters = with_buffer(30);
    parameters.deadline_origin = VCS_ORIGIN_NOW;
    assert_true(vcs_latest_in_admission(&parameters, 900, 1000) == 70000000);
    parameters.deadline_origin = VCS_ORIGIN_START;
    assert_true(vcs_latest_in_admission(&parameters, 900, 1000) == 970000000);
    parameters.admission_cushion = 50; /* in its place */
    assert_true(vcs_latest_in_admission(&parameters, 900, 1000) == 950000000);
}

/* Rule 9.1: the latency bound, counted from now. */
static void sending(void **unused) {
    (void)unused;
    assert_true(vcs_latest_in_sending(100) == 100000000);
    assert_true(vcs_latest_in_sending(0) == 0);
    assert_true(vcs_latest_in_sending(INFINITY) == VCS_NEVER);
}

/* A finish that equals the latest is in time. */
static void verdicts(void **unused) {
    (void)unused;
    assert_int_equal(vcs_verdict_on_grid(7, 7), VCS_VERDICT_MEETS);
    assert_int_equal(vcs_verdict_on_grid(8, 7), VCS_VERDICT_MISSES);
    assert_int_equal(vcs_verdict_in_fluid(7, 7), VCS_VERDICT_MEETS);
    assert_int_equal(vcs_verdict_in_fluid(nextafter(7, 8), 7), VCS_VERDICT_MISSES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluid),     cmocka_unit_test(sliced),   cmocka_unit_test(edf),
        cmocka_unit_test(admission), cmocka_unit_test(sending),  cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

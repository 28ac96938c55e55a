/*
 * How many hosts in a row were unable to run a job (rule 9.3).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcsched/send.h>

static uint32_t count(uint32_t reason, uint32_t limit, uint32_t *refusals) {
    uint32_t unsendable = 77;
    assert_int_equal(vcs_send_refusals(reason, limit, *refusals, refusals, &unsendable), VCS_OK);
    return unsendable;
}

/* With a limit of three, the third unable host in a row is one too many. */
static void the_third_host_in_a_row_is_one_too_many(void **unused) {
    (void)unused;
    uint32_t refusals = 0;
    assert_int_equal(count(VCS_REASON_HOST_MEMORY, 3, &refusals), 0);
    assert_int_equal(count(VCS_REASON_OWN_DEADLINE, 3, &refusals), 0);
    assert_int_equal(count(VCS_REASON_JOB_SENT, 3, &refusals), 0);
    assert_int_equal(refusals, 0);
    assert_int_equal(count(VCS_REASON_HOST_DISK, 3, &refusals), 0);
    assert_int_equal(count(VCS_REASON_QUOTA, 3, &refusals), 0); /* says nothing about the host */
    assert_int_equal(count(VCS_REASON_CANNOT_RUN, 3, &refusals), 0);
    assert_int_equal(count(VCS_REASON_BUSY_PAST_DEADLINE, 3, &refusals), 1);
    assert_int_equal(refusals, 3);
    assert_int_equal(count(VCS_REASON_ENOUGH_SENT, 3, &refusals), 1); /* and it stays unsendable, */
    assert_int_equal(count(VCS_REASON_JOB_SENT, 3, &refusals), 0);    /* unless it is sent after all */
}

static void seven_reasons_count(void **unused) {
    (void)unused;
    uint32_t counted = 0;
    for (uint32_t reason = 0; reason < 1000; reason++) {
        uint32_t refusals = 5;
        assert_int_equal(count(reason, 0, &refusals), 0); /* without a limit no job is unsendable */
        counted += refusals == 6;
        assert_true(refusals == 6 || refusals == (reason == VCS_REASON_JOB_SENT ? 0 : 5));
    }
    assert_int_equal(counted, 7);
}

static void the_count_does_not_run_over(void **unused) {
    (void)unused;
    uint32_t refusals = UINT32_MAX;
    assert_int_equal(count(VCS_REASON_HOST_DISK, UINT32_MAX, &refusals), 1);
    assert_true(refusals == UINT32_MAX);
}

static void refuses_to_write_nowhere(void **unused) {
    (void)unused;
    uint32_t refusals = 1, unsendable = 77;
    assert_int_equal(vcs_send_refusals(VCS_REASON_HOST_DISK, 1, 0, NULL, &unsendable), VCS_ERR_NULL);
    assert_int_equal(vcs_send_refusals(VCS_REASON_HOST_DISK, 1, 0, &refusals, NULL), VCS_ERR_NULL);
    assert_true(refusals == 1 && unsendable == 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_host_in_a_row_is_one_too_many),
        cmocka_unit_test(seven_reasons_count),
        cmocka_unit_test(the_count_does_not_run_over),
        cmocka_unit_test(refuses_to_write_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

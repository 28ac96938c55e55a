/*
 * What a scheduler's reply does to the timers of its project (rules 3.2 and 3.3).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <vcsched/timers.h>

#define RESOURCES 3

/* A reply with everything that is applied to, and by. */
typedef struct exchange {
    vcs_reply reply;
    vcs_parameters parameters;
    vcs_project_timer timer;
    vcs_resource_reply project_resources[RESOURCES];
    vcs_resource_backoff backoffs[RESOURCES];
} exchange;

/* At time 1000, nothing asked and nothing sent; draws of one half. */
static exchange begin(void) {
    exchange e;
    memset(&e, 0, sizeof e);
    e.reply = (vcs_reply){.struct_size = sizeof e.reply, .now = 1000, .u = 0.5};
    assert_int_equal(vcs_parameters_init(&e.parameters, sizeof e.parameters, VCS_PROFILE_CURRENT), VCS_OK);
    for (uint32_t i = 0; i < RESOURCES; i++) {
        e.project_resources[i].u = 0.5;
    }
    return e;
}

static int apply(exchange *e, vcs_error *error) {
    return vcs_reply_apply(&e->timer, ARRAY(e->backoffs, RESOURCES), &e->reply, ARRAY(e->project_resources, RESOURCES),
                           &e->parameters, error);
}

/* ---- An answer ---- */

static void an_answer_clears_failures_and_wait(void **unused) {
    (void)unused;
    exchange e = begin();
    e.timer = (vcs_project_timer){.min_rpc_time = 5000, .failures = 4, .seen = 900};
    assert_int_equal(apply(&e, NULL), VCS_OK);
    assert_int_equal(e.timer.failures, 0);
    assert_number(e.timer.min_rpc_time, 0.0);
}

static void the_servers_delay_counts_after_the_clearing(void **unused) {
    (void)unused;
    exchange e = begin();
    e.timer = (vcs_project_timer){.min_rpc_time = 5000, .failures = 4, .seen = 900};
    e.reply.request_delay = 300;
    assert_int_equal(apply(&e, NULL), VCS_OK);
    assert_int_equal(e.timer.failures, 0);
    assert_number(e.timer.min_rpc_time, 1300.0); /* not the 5000 of before */
}

static void who_was_asked_and_sent_nothing_backs_off(void **unused) {
    (void)unused;
    exchange e = begin();
    e.project_resources[0].seconds = 3600; /* asked, none came */
    e.project_resources[1].seconds = 3600; /* asked, two came */
    e.project_resources[1].tasks = 2;
    e.backoffs[1] = (vcs_resource_backoff){.interval = 2400, .until = 9000, .seen = 900};
    e.backoffs[2] = (vcs_resource_backoff){.interval = 1200, .until = 800, .seen = 900}; /* not asked */
    assert_int_equal(apply(&e, NULL), VCS_OK);
    assert_number(e.backoffs[0].interval, 600.0);
    assert_number(e.backoffs[0].until, 1600.0); /* 1000 + 600 * (0.5 + 0.5) */
    assert_number(e.backoffs[1].interval, 0.0);
    assert_number(e.backoffs[1].until, 0.0);
    assert_number(e.backoffs[2].interval, 1200.0);
    assert_number(e.backoffs[2].until, 800.0);
    assert_number(e.timer.min_rpc_time, 0.0);
}

/* The users had a day without work of the GPU after they had switched it on again. */
static void what_the_user_does_not_want_backs_nothing_off(void **unused) {
    (void)unused;
    exchange e = begin();
    e.project_resources[1].seconds = 3600;
    e.project_resources[1].flags = VCS_RESOURCE_REPLY_NOT_WANTED;
    for (int times = 0; times < 5; times++) {
        assert_int_equal(apply(&e, NULL), VCS_OK);
    }
    const vcs_resource_backoff none = {0};
    assert_memory_equal(&e.backoffs[1], &none, sizeof none);
}

static void unasked_tasks_clear_too(void **unused) {
    (void)unused;
    exchange e = begin();
    e.project_resources[0].tasks = 1;
    e.backoffs[0] = (vcs_resource_backoff){.interval = 2400, .until = 9000, .seen = 900};
    assert_int_equal(apply(&e, NULL), VCS_OK);
    assert_number(e.backoffs[0].until, 0.0);
}

static void refusals_in_a_row_double(void **unused) {
    (void)unused;
    exchange e = begin();
    e.project_resources[0].seconds = 1;
    assert_int_equal(apply(&e, NULL), VCS_OK);
    e.reply.now = 1500; /* still backed off until 1600: nothing changes */
    assert_int_equal(apply(&e, NULL), VCS_OK);
    assert_number(e.backoffs[0].until, 1600.0);
    e.reply.now = 1600;
    assert_int_equal(apply(&e, NULL), VCS_OK);
    assert_number(e.backoffs[0].interval, 1200.0);
    assert_number(e.backoffs[0].until, 2800.0); /* 1600 + 1200 */
}

/* ---- No answer ---- */

static void no_answer_is_a_failure_of_the_project_alone(void **unused) {
    (void)unused;
    exchange e = begin();
    e.reply.flags = VCS_REPLY_FAILED;
    e.reply.request_delay = 1e6; /* of a reply that did not come */
    e.project_resources[0].seconds = 3600;
    e.project_resources[1].tasks = 1;
    e.backoffs[1] = (vcs_resource_backoff){.interval = 600, .until = 1300, .seen = 900};
    vcs_resource_backoff before[RESOURCES];
    memcpy(before, e.backoffs, sizeof before);
    assert_int_equal(apply(&e, NULL), VCS_OK);
    assert_int_equal(e.timer.failures, 1);
    assert_number(e.timer.min_rpc_time, 1090.0); /* 60 * 2 * (0.5 + 0.25) */
    assert_memory_equal(e.backoffs, before, sizeof before);
}

/* ---- Records of other sizes, no resources ---- */

static void a_newer_callers_records_are_found(void **unused) {
    (void)unused;
    struct long_pair {
        vcs_resource_reply pair;
        uint64_t newer[2];
    } project_resources[2];
    struct long_backoff {
        vcs_resource_backoff backoff;
        uint64_t newer;
    } backoffs[2];
    exchange e = begin();
    memset(project_resources, 0, sizeof project_resources);
    memset(backoffs, 0, sizeof backoffs);
    project_resources[1].pair.seconds = 60;
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(&backoffs[0].backoff, sizeof *backoffs, 2), &e.reply,
                                     ARRAY_OF(&project_resources[0].pair, sizeof *project_resources, 2), &e.parameters,
                                     NULL),
                     VCS_OK);
    assert_number(backoffs[0].backoff.until, 0.0);
    assert_number(backoffs[1].backoff.until, 1300.0); /* 1000 + 600 * (0.5 + 0) */
    project_resources[1].newer[1] = 1;
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(&backoffs[0].backoff, sizeof *backoffs, 2), &e.reply,
                                     ARRAY_OF(&project_resources[0].pair, sizeof *project_resources, 2), &e.parameters,
                                     NULL),
                     VCS_ERR_ABI_NEWER);
}

static void a_project_without_resources_has_its_timer(void **unused) {
    (void)unused;
    exchange e = begin();
    e.reply.request_delay = 60;
    assert_int_equal(vcs_reply_apply(&e.timer, NO_RECORDS, &e.reply, NO_RECORDS, &e.parameters, NULL), VCS_OK);
    assert_number(e.timer.min_rpc_time, 1060.0);
}

/* ---- Bad input changes nothing ---- */

static void assert_refused(exchange *e, int code, uint32_t type, uint64_t index) {
    vcs_error error = {.struct_size = sizeof error};
    const exchange before = *e;
    assert_int_equal(apply(e, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_int_equal(error.index, index);
    assert_memory_equal(e, &before, sizeof before);
}

static exchange busy(void) {
    exchange e = begin();
    e.timer = (vcs_project_timer){.min_rpc_time = 5000, .failures = 4, .seen = 900};
    e.project_resources[0].seconds = 60;
    e.project_resources[2].tasks = 3;
    e.backoffs[2] = (vcs_resource_backoff){.interval = 600, .until = 1300, .seen = 900};
    return e;
}

static void refuses_bad_replies(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_reply, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_reply, struct_size, sizeof(vcs_reply) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_reply, flags, 2, VCS_ERR_FLAGS),
        NOT_FINITE(vcs_reply, now),
        BAD_NUMBER(vcs_reply, now, 1.1e15, VCS_ERR_RANGE),
        NOT_FINITE(vcs_reply, request_delay),
        BAD_NUMBER(vcs_reply, request_delay, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_reply, request_delay, 1.1e12, VCS_ERR_RANGE),
        NOT_FINITE(vcs_reply, u),
        BAD_NUMBER(vcs_reply, u, -0.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_reply, u, 1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_reply, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        exchange e = busy();
        spoil(&e.reply, &table[i]);
        assert_refused(&e, table[i].code, VCS_TYPE_REPLY, 0);
    }
}

static void refuses_bad_project_resources(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_resource_reply, seconds),
        BAD_NUMBER(vcs_resource_reply, seconds, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_resource_reply, seconds, 1.1e30, VCS_ERR_RANGE),
        NOT_FINITE(vcs_resource_reply, u),
        BAD_NUMBER(vcs_resource_reply, u, -0.1, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_resource_reply, u, 1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_resource_reply, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_resource_reply, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        exchange e = busy();
        spoil(&e.project_resources[2], &table[i]); /* the last, so that all others would have been changed */
        assert_refused(&e, table[i].code, VCS_TYPE_RESOURCE_REPLY, 2);
    }
}

static void refuses_bad_timers(void **unused) {
    (void)unused;
    static const bad_field timers[] = {
        NOT_FINITE(vcs_project_timer, min_rpc_time),
        BAD_NUMBER(vcs_project_timer, seen, 1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_project_timer, reserved0, 1, VCS_ERR_ABI_NEWER),
    };
    static const bad_field backoffs[] = {
        NOT_FINITE(vcs_resource_backoff, interval),
        BAD_NUMBER(vcs_resource_backoff, until, 1.1e15, VCS_ERR_RANGE),
        BAD_WORD(vcs_resource_backoff, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(timers); i++) {
        exchange e = busy();
        spoil(&e.timer, &timers[i]);
        assert_refused(&e, timers[i].code, VCS_TYPE_PROJECT_TIMER, 0);
    }
    for (size_t i = 0; i < COUNT_OF(backoffs); i++) {
        exchange e = busy();
        spoil(&e.backoffs[1], &backoffs[i]);
        assert_refused(&e, backoffs[i].code, VCS_TYPE_RESOURCE_BACKOFF, 1);
    }
}

static void refuses_bad_parameters(void **unused) {
    (void)unused;
    exchange e = busy();
    e.parameters.resource_backoff_max = 1; /* below resource_backoff_min */
    assert_refused(&e, VCS_ERR_RANGE, VCS_TYPE_PARAMETERS, 0);
    e = busy();
    e.parameters.backoff_rule = 9;
    assert_refused(&e, VCS_ERR_FLAGS, VCS_TYPE_PARAMETERS, 0);
}

static void refuses_what_is_missing(void **unused) {
    (void)unused;
    exchange e = busy();
    const exchange before = e;
    const uint32_t pair = sizeof(vcs_resource_reply), backoff = sizeof(vcs_resource_backoff);
    const uint32_t shorter = pair - 8, odd = backoff + 4;
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(e.backoffs, backoff, 3), NULL,
                                     ARRAY_OF(e.project_resources, pair, 3), &e.parameters, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(e.backoffs, backoff, 3), &e.reply,
                                     ARRAY_OF(e.project_resources, pair, 3), NULL, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_reply_apply(NULL, ARRAY_OF(e.backoffs, backoff, 3), &e.reply,
                                     ARRAY_OF(e.project_resources, pair, 3), &e.parameters, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(e.backoffs, backoff, 3), &e.reply, ARRAY_OF(NULL, pair, 3),
                                     &e.parameters, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(NULL, backoff, 3), &e.reply,
                                     ARRAY_OF(e.project_resources, pair, 3), &e.parameters, NULL),
                     VCS_ERR_NULL);
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(e.backoffs, backoff, 3), &e.reply,
                                     ARRAY_OF(e.project_resources, shorter, 3), &e.parameters, NULL),
                     VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(e.backoffs, odd, 3), &e.reply,
                                     ARRAY_OF(e.project_resources, pair, 3), &e.parameters, NULL),
                     VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_reply_apply(&e.timer, ARRAY_OF(e.backoffs, backoff, 2), &e.reply,
                                     ARRAY_OF(e.project_resources, pair, 3), &e.parameters, NULL),
                     VCS_ERR_COUNT);
    vcs_error error = {.struct_size = 4};
    assert_int_equal(apply(&e, &error), VCS_ERR_ABI_SIZE);
    assert_memory_equal(&e, &before, sizeof before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_clears_failures_and_wait),
        cmocka_unit_test(the_servers_delay_counts_after_the_clearing),
        cmocka_unit_test(who_was_asked_and_sent_nothing_backs_off),
        cmocka_unit_test(what_the_user_does_not_want_backs_nothing_off),
        cmocka_unit_test(unasked_tasks_clear_too),
        cmocka_unit_test(refusals_in_a_row_double),
        cmocka_unit_test(no_answer_is_a_failure_of_the_project_alone),
        cmocka_unit_test(a_newer_callers_records_are_found),
        cmocka_unit_test(a_project_without_resources_has_its_timer),
        cmocka_unit_test(refuses_bad_replies),
        cmocka_unit_test(refuses_bad_project_resources),
        cmocka_unit_test(refuses_bad_timers),
        cmocka_unit_test(refuses_bad_parameters),
        cmocka_unit_test(refuses_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

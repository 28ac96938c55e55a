/*
 * Whole lives of work units (rules 8.7 and 8.9): whatever happens to one, in whatever order, it comes to its end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/effort.h"
#include "support/kernel.h"
#include "oracle/oracle_transition.h"
#include "support/unit_life.h"

#include <stdbool.h>

#define HOUR 3600.0
#define NOW 1.0e6

#define RANDOM_STEPS 1000000
#define STEPS_OF_A_UNIT 40

static random_stream stream = {8};

static bool happens(double probability) {
    return random_draw(&stream) < probability;
}

static void begin_random(unit_model *m) {
    const uint32_t quorum = 1 + random_below(&stream, 3), target = quorum + random_below(&stream, 3);
    const model_parameters of = {quorum, target, random_below(&stream, 4), target + random_below(&stream, 6),
                                 random_below(&stream, 8), random_between(&stream, 1, 20) * HOUR};
    model_begin(m, of);
    m->unit.quorum_rule = random_below(&stream, 3);
    m->unit.quorum_weight = random_between(&stream, 0.1, 3);
    m->unit.credit_rule = random_below(&stream, 2);
    m->unit.fixed_credit = random_draw(&stream);
    m->unit.max_single_claim = happens(0.5) ? 0 : random_draw(&stream);
    m->unit.delete_delay = happens(0.5) ? 0 : random_between(&stream, 0, 40) * HOUR;
    model_create(m, NOW);
}

/* Usually right; some agree on something wrong. */
static uint32_t draw_class(void) {
    static const uint32_t classes[] = {1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, VCS_NONE, VCS_CLASS_WRONG};
    return classes[random_below(&stream, COUNT_OF(classes))];
}

static void validate_as_the_oracle_does(unit_model *m, double now) {
    static unit_model expected;
    uint32_t classes[MODEL_MOST];
    for (uint32_t i = 0; i < m->count; i++) {
        classes[i] = draw_class();
    }
    expected = *m;
    model_validate(m, classes, now);
    oracle_validate(&expected.unit, expected.results, expected.count, classes, now);
    assert_same_unit(m, &expected);
}

static void transition_as_the_oracle_does(unit_model *m, double now) {
    static unit_model before;
    before = *m;
    model_transition(m, now);
    check_against_oracle(&before, m, now);
}

static void report_anything(unit_model *m, uint32_t i, double now) {
    if (happens(0.7)) {
        model_claim(m, i, random_below(&stream, 4) * random_draw(&stream), now);
    } else {
        model_report(m, i, 1 + random_below(&stream, VCS_REPORT_REFUSED), now);
    }
}

/* Whether the host of a result was caught before its unit was assimilated. */
static bool caught[MODEL_MOST];

static void happen_to_result(unit_model *m, uint32_t i, double now) {
    vcs_result *result = &m->results[i];
    uint32_t what = happens(0.8) ? VCS_DELETED : VCS_NOT_DELETED;
    if (happens(0.03)) {
        caught[i] |= m->unit.assimilate_state != VCS_ASSIMILATE_DONE && withdraw_as_the_oracle_does(m, i, now);
    } else if (result->server_state == VCS_RESULT_IN_PROGRESS && happens(0.05)) {
        resend_as_the_oracle_does(m, i, random_between(&stream, 0, 15) * HOUR, now);
    } else if (result->server_state == VCS_RESULT_UNSENT && happens(0.02)) {
        model_unsendable(m, i, now);
    } else if (result->server_state == VCS_RESULT_UNSENT) {
        result->weight = random_draw(&stream);
        model_send(m, i, now);
    } else if (result->file_delete_state == VCS_FILES_READY || result->file_delete_state == VCS_FILES_ERROR) {
        model_delete_outputs(m, i, what, now);
    } else if (happens(0.4)) { /* in time, late, or twice */
        report_anything(m, i, now);
    }
}

static void happen_to_unit(unit_model *m, double now) {
    if (happens(0.01)) {
        model_cancel(m, now);
    } else if (m->unit.need_validate) {
        validate_as_the_oracle_does(m, now);
    } else if (m->unit.assimilate_state == VCS_ASSIMILATE_READY) {
        model_assimilate(m, now);
    } else if (m->unit.file_delete_state == VCS_FILES_READY) {
        model_delete_inputs(m, VCS_DELETED, now);
    } else {
        transition_as_the_oracle_does(m, now);
    }
}

/* Later, at the same reading of the clock, just when the unit is due, or before: clocks are set back. */
static double next_moment(const unit_model *m, double now) {
    if (happens(0.2)) {
        return now;
    }
    if (happens(0.1) && !isinf(m->unit.transition_time)) {
        return m->unit.transition_time;
    }
    return now + (happens(0.02) ? -HOUR : random_between(&stream, 0, 2) * HOUR);
}

static void anything_in_any_order(void **unused) {
    (void)unused;
    static unit_model m, before;
    const uint64_t steps = cases_to_try(RANDOM_STEPS);
    for (uint64_t step = 0; step < steps;) {
        double now = NOW;
        begin_random(&m);
        memset(caught, 0, sizeof caught);
        for (uint32_t k = 0; k < STEPS_OF_A_UNIT; k++, step++) {
            before = m;
            now = next_moment(&m, now);
            if (m.count > 0 && happens(0.5)) {
                happen_to_result(&m, random_below(&stream, m.count), now);
            } else {
                happen_to_unit(&m, now);
            }
            check_unit_step(&m, &before, caught);
        }
        unit_lives_to_its_end(&m, random_below(&stream, 3), now);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anything_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

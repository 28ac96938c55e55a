/*
 * Whole lives of work units (rule 8.7): whatever state one is in and whatever happens to it, it comes to its end.
 *
 * Every multiset of up to 4 results is looked at, those of 3 and 4 with a part of the parameters each. With the
 * environment variable VCS_MOST_RESULTS=5 (or less) all of them are, with all parameters; 4 takes minutes, 5 an hour.
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel.h"
#include "oracle/oracle_transition.h"
#include "unit_model.h"

#include <stdbool.h>

#define HOUR 3600.0
#define NOW 1.0e6

/* ---- What holds at the end (rule 8.7) ---- */

static bool are_deleted(uint32_t files) {
    return files == VCS_FILES_DONE || files == VCS_FILES_ERROR;
}

static void check_end(const unit_model *m) {
    assert_true(model_is_right(m));
    assert_true(m->unit.canonical != 0 || m->unit.error_mask != 0);
    assert_int_equal(m->unit.assimilate_state, VCS_ASSIMILATE_DONE);
    assert_int_equal(m->assimilations, 1);
    assert_true(are_deleted(m->unit.file_delete_state));
    assert_int_equal(m->unit.need_validate, 0);
    for (uint32_t i = 0; i < m->count; i++) {
        assert_int_equal(m->results[i].server_state, VCS_RESULT_OVER);
        assert_true(are_deleted(m->results[i].file_delete_state));
        assert_true(m->results[i].credited == 0 || m->results[i].validate_state == VCS_VALIDATE_VALID);
    }
}

/* ---- A server that does its work, and hosts of which some are slow, wrong or silent ---- */

/* What hosts do with the results of a unit: a different thing for each id. */
static uint32_t class_of(uint64_t id, uint32_t manner) {
    static const uint32_t classes[] = {1, 1, 2, 1, VCS_NONE, 1, VCS_CLASS_WRONG};
    return manner == 0 ? 1 : classes[(id * manner) % COUNT_OF(classes)];
}

static void judge(unit_model *m, uint32_t manner, double now) {
    uint32_t classes[MODEL_MOST];
    for (uint32_t i = 0; i < m->count; i++) {
        classes[i] = class_of(m->results[i].id, manner);
        if (m->results[i].id == m->unit.canonical && classes[i] >= VCS_CLASS_WRONG) {
            classes[i] = 1; /* the files of a canonical result can be read, and it was not wrong */
        }
    }
    model_validate(m, classes, now);
}

/* Whether there was something to do. */
static bool work_on_result(unit_model *m, uint32_t i, uint32_t manner, double now) {
    vcs_result *result = &m->results[i];
    const uint64_t fate = (result->id + manner) % 4;
    if (result->server_state == VCS_RESULT_INACTIVE) {
        result->server_state = VCS_RESULT_UNSENT;
    } else if (result->server_state == VCS_RESULT_UNSENT) {
        model_send(m, i, now);
    } else if (result->server_state == VCS_RESULT_IN_PROGRESS && fate != 3) {
        model_report(m, i, fate == 2 && manner != 0 ? VCS_REPORT_CLIENT_ERROR : VCS_REPORT_SUCCESS, now);
    } else if (result->file_delete_state == VCS_FILES_READY) {
        model_delete_outputs(m, i, fate == 1 ? VCS_NOT_DELETED : VCS_DELETED, now);
    } else {
        return false;
    }
    return true;
}

static bool work_on_unit(unit_model *m, uint32_t manner, double now) {
    if (m->unit.need_validate) {
        judge(m, manner, now);
    } else if (m->unit.assimilate_state == VCS_ASSIMILATE_READY) {
        model_assimilate(m, now);
    } else if (m->unit.file_delete_state == VCS_FILES_READY) {
        model_delete_inputs(m, VCS_DELETED, now);
    } else {
        return false;
    }
    return true;
}

/* Goes on until nothing is left to do and nothing will happen. */
static void live_to_the_end(unit_model *m, uint32_t manner, double now) {
    m->assimilations = m->unit.assimilate_state == VCS_ASSIMILATE_DONE;
    for (uint32_t steps = 0;; steps++) {
        assert_true(steps < 1000);
        bool worked = work_on_unit(m, manner, now);
        for (uint32_t i = 0; i < m->count; i++) {
            worked |= work_on_result(m, i, manner, now);
        }
        if (now > m->unit.transition_time) {
            model_transition(m, now);
        } else if (!worked && isinf(m->unit.transition_time)) {
            break;
        } else {
            now = worked ? now + 1 : m->unit.transition_time + 1;
        }
    }
    check_end(m);
}

/* ---- One transition: as the rules have it, once and for all, in any order ---- */

static void assert_same_unit(const unit_model *m, const unit_model *expected) {
    assert_memory_equal(&m->unit, &expected->unit, sizeof m->unit);
    assert_memory_equal(m->results, expected->results, sizeof *m->results * expected->count);
}

static void check_against_oracle(const unit_model *before, const unit_model *after, double now) {
    static unit_model expected;
    expected.unit = before->unit;
    expected.count = before->count;
    memcpy(expected.results, before->results, sizeof *before->results * before->count);
    uint32_t made = oracle_transition(&expected.unit, expected.results, expected.count, now);
    assert_int_equal(after->made, made);
    assert_same_unit(after, &expected);
}

/* Again at the same time: nothing, for it is not due. Made due again, it comes to the same time, and else nothing. */
static void check_second(const unit_model *before, const unit_model *after, double now) {
    static unit_model again;
    again = *after;
    model_transition(&again, now);
    assert_int_equal(again.answers, 0);
    again.unit.transition_time = before->unit.transition_time;
    model_transition(&again, now);
    assert_int_equal(again.answers, 1);
    assert_same_unit(&again, after);
}

static void check_order(const unit_model *before, const unit_model *after, double now) {
    static unit_model turned;
    turned = *before;
    for (uint32_t i = 0; i < before->count; i++) {
        turned.results[i] = before->results[before->count - 1 - i];
    }
    model_transition(&turned, now);
    assert_int_equal(turned.answers, after->answers);
    assert_int_equal(turned.made, after->made);
    assert_memory_equal(&turned.unit, &after->unit, sizeof after->unit);
    for (uint32_t i = 0; i < before->count; i++) {
        assert_memory_equal(&turned.results[i], &after->results[before->count - 1 - i], sizeof *turned.results);
    }
}

static void check_case(const unit_model *m, uint32_t manner) {
    static unit_model after;
    after = *m;
    model_transition(&after, NOW);
    assert_true(model_is_right(&after));
    check_against_oracle(m, &after, NOW);
    check_second(m, &after, NOW);
    check_order(m, &after, NOW);
    live_to_the_end(&after, manner, NOW);
}

/* ---- Every unit of a few results ---- */

static uint64_t cases;

/* The states that the unit itself may be in, given its results. */
static void check_unit_states(unit_model *m, uint32_t turn) {
    static const uint32_t errors[] = {0, VCS_UNIT_CANCELLED, VCS_UNIT_NO_CANONICAL};
    for (uint32_t c = 0; c <= m->count; c++) {
        m->unit.canonical = c == 0 ? 0 : m->results[c - 1].id;
        if (c > 1 && memcmp(&m->results[c - 1].server_state, &m->results[c - 2].server_state, 16) == 0) {
            continue; /* equal but for its id */
        }
        for (uint32_t e = 0; e < COUNT_OF(errors) * (VCS_ASSIMILATE_DONE + 1); e++) {
            m->unit.error_mask = errors[e % COUNT_OF(errors)];
            m->unit.assimilate_state = e / COUNT_OF(errors);
            if (model_is_right(m)) {
                check_case(m, (uint32_t)(turn + cases++) % 3);
            }
        }
    }
}

/* Every choice of M <= N <= B and A up to 3, which are 40; with `part` > 1 every part-th, those that come round. */
static void check_parameters(const uint32_t *states, uint32_t count, uint32_t part) {
    static unit_model m;
    static uint32_t turn;
    for (uint32_t code = 0; code < 256; code++) {
        const model_parameters of = {code % 4, code / 4 % 4, code / 16 % 4, code / 64, 2, 10 * HOUR};
        if (of.quorum == 0 || of.target < of.quorum || of.total < of.target || turn++ % part != 0) {
            continue;
        }
        model_begin(&m, of);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t k = model_add(&m, states[i]);
            m.results[k].deadline = NOW + (i % 2 == 0 ? HOUR : -HOUR);
        }
        m.unit.transition_time = NOW - 1;
        m.unit.assimilated = NOW - 2;
        check_unit_states(&m, turn);
    }
}

#define MOST_RESULTS 5u

/* Every multiset of states of a size, as a sequence that never falls. */
static void check_multisets(uint32_t *states, uint32_t count, uint32_t size, uint32_t part) {
    if (count == size || count == MOST_RESULTS) {
        check_parameters(states, count, part);
        return;
    }
    for (uint32_t s = count == 0 ? 0 : states[count - 1]; s < vcs_result_state_count(); s++) {
        states[count] = s;
        check_multisets(states, count + 1, size, part);
    }
}

static void every_unit_of_a_few_results(void **unused) {
    (void)unused;
    static const uint32_t parts[] = {1, 1, 1, 7, 37, 37}; /* of the parameters, by number of results */
    const char *wanted = getenv("VCS_MOST_RESULTS");
    const uint32_t most = wanted == NULL ? 4 : (uint32_t)strtoul(wanted, NULL, 10);
    uint32_t states[MOST_RESULTS];
    assert_in_range(most, 1, MOST_RESULTS);
    for (uint32_t size = 0; size <= most; size++) {
        check_multisets(states, 0, size, wanted == NULL ? parts[size] : 1);
    }
    print_message("%llu units\n", (unsigned long long)cases);
}

/* ---- Anything in any order ---- */

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
    uint32_t report = happens(0.7) ? VCS_REPORT_SUCCESS : 1 + random_below(&stream, VCS_REPORT_REFUSED);
    model_report(m, i, report, now);
}

static void happen_to_result(unit_model *m, uint32_t i, double now) {
    vcs_result *result = &m->results[i];
    uint32_t what = happens(0.8) ? VCS_DELETED : VCS_NOT_DELETED;
    if (result->server_state == VCS_RESULT_UNSENT && happens(0.02)) {
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

/* What never changes once it is there, and what never exceeds its limit. */
static void check_step(const unit_model *m, const unit_model *before) {
    assert_true(model_is_right(m));
    assert_int_equal(m->assimilations, m->unit.assimilate_state == VCS_ASSIMILATE_DONE);
    assert_true(m->count <= m->unit.max_total);
    assert_true(before->unit.canonical == 0 || m->unit.canonical == before->unit.canonical);
    assert_int_equal(before->unit.error_mask & ~m->unit.error_mask, 0);
    for (uint32_t i = 0; i < before->count; i++) {
        assert_true(m->results[i].server_state >= before->results[i].server_state);
        assert_true(m->results[i].credited >= before->results[i].credited);
    }
}

static void anything_in_any_order(void **unused) {
    (void)unused;
    static unit_model m, before;
    for (uint32_t step = 0; step < RANDOM_STEPS;) {
        double now = NOW;
        begin_random(&m);
        for (uint32_t k = 0; k < STEPS_OF_A_UNIT; k++, step++) {
            before = m;
            now += happens(0.02) ? -HOUR : random_between(&stream, 0, 2) * HOUR;
            if (m.count > 0 && happens(0.5)) {
                happen_to_result(&m, random_below(&stream, m.count), now);
            } else {
                happen_to_unit(&m, now);
            }
            check_step(&m, &before);
        }
        live_to_the_end(&m, random_below(&stream, 3), now);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anything_in_any_order),
        cmocka_unit_test(every_unit_of_a_few_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Every unit of up to 5 results (rules 8.3, 8.7): whatever states they are in, a transition does as the rules say, a
 * second one changes nothing, the order of the results does not matter, and the unit comes to its end.
 *
 * There are 2.6 million multisets of up to 5 of the states that a result may be in. A transition sees less than these
 * states: see look_of(). Two multisets that look the same to it are one case, and 53,000 are left.
 *
 * That states which look the same are the same to a transition is tested for every multiset of up to 3 results, and
 * with the environment variable VCS_MOST_ALIKE=5 (or 4) of up to that many: all 2.6 million multisets, 136 million
 * units, which takes two minutes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/effort.h"
#include "support/kernel.h"
#include "support/unit_life.h"

#include <stdbool.h>

#define HOUR 3600.0
#define NOW 1.0e6

#define MOST_RESULTS 5u

/* ---- States ---- */

/* Every state that a result may be in: the legal combinations, and in progress at and after the deadline. */
#define MOST_STATES 64u
static vcs_result states[MOST_STATES];
static uint32_t state_count;

/* For each state the first one that looks the same; and these first ones. */
static uint32_t representative_of[MOST_STATES], representatives[MOST_STATES], representative_count;

/*
 * What a transition sees of a result, as a number. It asks each result the same questions, one result at a time, and
 * uses the answers to change that result (a, e, f of rule 8.3), or as sums (b, c, d), as "all" (f) or as the least
 * deadline (g): so results with the same answers can be exchanged for each other, one by one.
 *
 * The last three are not asked by the transition. They say with which units the result goes, so that an exchange never
 * makes a unit one that is not right.
 */
static uint32_t look_of(const vcs_result *result) {
    const bool is_in_progress = result->server_state == VCS_RESULT_IN_PROGRESS;
    const bool is_success = result->outcome == VCS_OUTCOME_SUCCESS;
    const bool is_valid = result->validate_state == VCS_VALIDATE_VALID;
    const bool are_files_gone =
        result->file_delete_state == VCS_FILES_DONE || result->file_delete_state == VCS_FILES_ERROR;
    const bool answers[] = {
        result->server_state == VCS_RESULT_INACTIVE || result->server_state == VCS_RESULT_UNSENT,
        is_in_progress && result->deadline > NOW,
        is_in_progress && result->deadline <= NOW,
        is_success && result->validate_state != VCS_VALIDATE_INVALID,
        is_success && result->validate_state == VCS_VALIDATE_INIT,
        is_success && result->validate_state == VCS_VALIDATE_INCONCLUSIVE,
        result->outcome == VCS_OUTCOME_COULDNT_SEND,
        result->outcome == VCS_OUTCOME_CLIENT_ERROR,
        result->outcome == VCS_OUTCOME_NO_REPLY,
        result->file_delete_state == VCS_FILES_INIT,
        is_valid && are_files_gone, /* matters if it is the canonical result, which is valid */
        is_valid,
        result->validate_state == VCS_VALIDATE_TOO_LATE,
        result->validate_state == VCS_VALIDATE_NO_CHECK,
    };
    uint32_t look = 0;
    for (uint32_t i = 0; i < COUNT_OF(answers); i++) {
        look |= (uint32_t)answers[i] << i;
    }
    return look;
}

static void add_state(const vcs_result *state) {
    assert_true(state_count < MOST_STATES);
    states[state_count] = *state;
    uint32_t first = 0;
    while (look_of(&states[first]) != look_of(state)) {
        first++;
    }
    if (first == state_count) {
        representatives[representative_count++] = first;
    }
    representative_of[state_count++] = first;
}

static int list_states(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < MODEL_STATES; i++) {
        vcs_result state;
        assert_int_equal(vcs_result_init(&state, 1), VCS_OK);
        model_set_state(&state, i);
        state.deadline = NOW + HOUR;
        add_state(&state);
        if (state.server_state == VCS_RESULT_IN_PROGRESS) {
            state.deadline = NOW;
            add_state(&state);
            state.deadline = NOW - HOUR;
            add_state(&state);
        }
    }
    return 0;
}

/* ---- Every unit that has results in given states ---- */

typedef void (*unit_visitor)(const unit_model *m, const uint32_t *chosen);

static void add_results(unit_model *m, const uint32_t *chosen, uint32_t count) {
    m->count = count;
    for (uint32_t i = 0; i < count; i++) {
        m->results[i] = states[chosen[i]];
        m->results[i].id = m->next_id++;
        m->results[i].deadline += states[chosen[i]].deadline > NOW ? i : 0; /* so that it is seen which is the least */
    }
}

static void visit_if_right(const unit_model *m, const uint32_t *chosen, unit_visitor visit) {
    if (model_is_right(m)) {
        visit(m, chosen);
    }
}

/* The states that the unit itself may be in. */
static void visit_unit_states(unit_model *m, const uint32_t *chosen, unit_visitor visit) {
    static const uint32_t errors[] = {0, VCS_UNIT_CANCELLED, VCS_UNIT_NO_CANONICAL};
    for (uint32_t c = 0; c <= m->count; c++) {
        if (c > 0 && m->results[c - 1].validate_state != VCS_VALIDATE_VALID) {
            continue; /* no canonical result */
        }
        if (c > 1 && chosen[c - 1] == chosen[c - 2]) {
            continue; /* the same state as the one before */
        }
        m->unit.canonical = c == 0 ? 0 : m->results[c - 1].id;
        for (uint32_t e = 0; e < COUNT_OF(errors); e++) {
            m->unit.error_mask = errors[e];
            for (m->unit.assimilate_state = 0; m->unit.assimilate_state <= VCS_ASSIMILATE_DONE;
                 m->unit.assimilate_state++) {
                visit_if_right(m, chosen, visit);
            }
        }
    }
}

/*
 * Whether a transition can tell this choice from all that were made before it.
 *   - max_error: it asks only whether there are more client errors than that, so the least and the greatest with each
 *     answer will do
 *   - with more results than max_total the unit fails, and neither max_total nor target_nresults is looked at again
 */
static bool is_another(model_parameters of, uint32_t client_errors, uint32_t count) {
    const bool is_least = of.errors == 0 || of.errors == client_errors;
    const bool is_greatest = of.errors == 3 || of.errors + 1 == client_errors;
    return (is_least || is_greatest) && (count <= of.total || (of.target == 3 && of.total == 3));
}

static uint32_t count_client_errors(const uint32_t *chosen, uint32_t count) {
    uint32_t errors = 0;
    for (uint32_t i = 0; i < count; i++) {
        errors += states[chosen[i]].outcome == VCS_OUTCOME_CLIENT_ERROR;
    }
    return errors;
}

/* M <= N <= B and A up to 3; and B = 6 too, with which 5 results are not too many. */
static void visit_parameters(const uint32_t *chosen, uint32_t count, unit_visitor visit) {
    static const uint32_t totals[] = {1, 2, 3, 6};
    static unit_model m;
    const uint32_t client_errors = count_client_errors(chosen, count);
    for (uint32_t code = 0; code < 256; code++) {
        const model_parameters of = {1 + code % 4, 1 + code / 4 % 4, code / 16 % 4, totals[code / 64], 2, 10 * HOUR};
        if (of.target > 3 || of.target < of.quorum || of.total < of.target || !is_another(of, client_errors, count)) {
            continue;
        }
        model_begin(&m, of);
        add_results(&m, chosen, count);
        m.unit.transition_time = NOW - 1;
        m.unit.assimilated = NOW - 2;
        visit_unit_states(&m, chosen, visit);
    }
}

/* ---- Every multiset, as a sequence that never falls ---- */

/* The places of the next one in `from`, which has `kinds` elements; false after the last. */
static bool next_multiset(uint32_t *places, uint32_t size, uint32_t kinds) {
    uint32_t last = size;
    while (last > 0 && places[last - 1] == kinds - 1) {
        last--;
    }
    if (last == 0) {
        return false;
    }
    const uint32_t place = places[last - 1] + 1;
    for (uint32_t i = last - 1; i < size; i++) {
        places[i] = place;
    }
    return true;
}

/* Visits the units of this many results whose states are among `from`; of the multisets one in VCS_ONE_CASE_IN. */
static void visit_multisets(const uint32_t *from, uint32_t kinds, uint32_t size, unit_visitor visit) {
    uint32_t places[MOST_RESULTS] = {0}, chosen[MOST_RESULTS];
    uint64_t multisets = 0;
    do {
        for (uint32_t i = 0; i < size; i++) {
            chosen[i] = from[places[i]];
        }
        if (multisets++ % one_case_in() == 0) {
            visit_parameters(chosen, size, visit);
        }
    } while (next_multiset(places, size, kinds));
}

static uint64_t units;

/* ---- As the rules have it, once and for all, in any order ---- */

/* Again at the same time: nothing, for it is not due. Made due again, it comes to the same time, and else nothing. */
static void check_second(const unit_model *before, const unit_model *after) {
    static unit_model again;
    model_copy(&again, after);
    model_transition(&again, NOW);
    assert_int_equal(again.answers, 0);
    again.unit.transition_time = before->unit.transition_time;
    model_transition(&again, NOW);
    assert_int_equal(again.answers, 1);
    assert_same_unit(&again, after);
}

/* Where result i goes in another order: round by some places, and half of the times from behind. */
static uint32_t place_in_other_order(uint32_t i, uint32_t count) {
    const uint32_t place = (uint32_t)((i + units / 2) % count);
    return units % 2 == 0 ? place : count - 1 - place;
}

static void check_order(const unit_model *before, const unit_model *after) {
    static unit_model turned;
    model_copy(&turned, before);
    for (uint32_t i = 0; i < before->count; i++) {
        turned.results[place_in_other_order(i, before->count)] = before->results[i];
    }
    model_transition(&turned, NOW);
    assert_int_equal(turned.answers, after->answers);
    assert_int_equal(turned.made, after->made);
    assert_memory_equal(&turned.unit, &after->unit, sizeof after->unit);
    for (uint32_t i = 0; i < before->count; i++) {
        assert_memory_equal(&turned.results[place_in_other_order(i, before->count)], &after->results[i],
                            sizeof *turned.results);
    }
}

/* Lives are long: of the units of 4 and 5 results one in this many is followed to its end. */
#define ONE_LIFE_IN 5

/* One of its results is withdrawn (rule 8.9): as the oracle does it, and the unit still comes to its end. */
static void check_withdrawal(const unit_model *m) {
    static unit_model other;
    for (uint32_t i = 0; i < m->count; i++) {
        model_copy(&other, m);
        if (withdraw_as_the_oracle_does(&other, i, NOW)) {
            unit_lives_to_its_end(&other, (uint32_t)(units % 3), NOW);
        }
    }
}

static void check_unit(const unit_model *m, const uint32_t *chosen) {
    (void)chosen;
    static unit_model after;
    model_copy(&after, m);
    model_transition(&after, NOW);
    assert_true(model_is_right(&after));
    check_against_oracle(m, &after, NOW);
    check_second(m, &after);
    check_order(m, &after);
    if (m->count <= 2 || units % (m->count == 3 ? ONE_LIFE_IN : 10 * ONE_LIFE_IN) == 0) {
        check_withdrawal(m);
    }
    if (m->count <= 3 || units % ONE_LIFE_IN == 0) {
        unit_lives_to_its_end(&after, (uint32_t)(units % 3), NOW);
    }
    units++;
}

static void every_unit_of_few_results(void **unused) {
    (void)unused;
    for (uint32_t size = 0; size <= MOST_RESULTS; size++) {
        units = 0;
        visit_multisets(representatives, representative_count, size, check_unit);
        print_message("%u results: %llu units\n", (unsigned)size, (unsigned long long)units);
    }
}

/* ---- States that look the same are the same ---- */

/* The same changes as for the representatives; and, as long as there are not too many, lives that end as well. */
static void check_alike(const unit_model *m, const uint32_t *chosen) {
    static unit_model alike, one;
    uint32_t others[MOST_RESULTS];
    bool are_others = false;
    for (uint32_t i = 0; i < m->count; i++) {
        others[i] = representative_of[chosen[i]];
        are_others |= others[i] != chosen[i];
    }
    if (!are_others) {
        return;
    }
    model_copy(&one, m);
    model_copy(&alike, m);
    alike.next_id -= m->count;
    add_results(&alike, others, m->count);
    model_transition(&one, NOW);
    model_transition(&alike, NOW);
    assert_int_equal(alike.answers, one.answers);
    assert_memory_equal(alike.changes, one.changes, sizeof *one.changes * one.answers);
    if (m->count <= 2) {
        check_withdrawal(m);
        unit_lives_to_its_end(&one, (uint32_t)(units % 3), NOW);
    }
    units++;
}

static void states_that_look_the_same_are_the_same(void **unused) {
    (void)unused;
    const char *wanted = getenv("VCS_MOST_ALIKE");
    const uint32_t most = wanted == NULL ? 3 : (uint32_t)strtoul(wanted, NULL, 10);
    uint32_t all[MOST_STATES];
    assert_in_range(most, 1, MOST_RESULTS);
    for (uint32_t i = 0; i < state_count; i++) {
        all[i] = i;
    }
    for (uint32_t size = 1; size <= most; size++) {
        units = 0;
        visit_multisets(all, state_count, size, check_alike);
        print_message("%u results: %llu units\n", (unsigned)size, (unsigned long long)units);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_of_few_results),
        cmocka_unit_test(states_that_look_the_same_are_the_same),
    };
    return cmocka_run_group_tests(tests, list_states, NULL);
}

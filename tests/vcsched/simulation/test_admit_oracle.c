/*
 * Admission (rule 4.5) against its oracle, to the last bit, on random states: candidate after candidate, so that
 * admitted candidates are in the queue for later ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "oracle/cases.h"
#include "oracle/oracle_admit.h"

/* The candidates admitted so far, in that order. */
typedef struct joined {
    uint32_t candidates[RANDOM_MOST_CANDIDATES];
    uint32_t count;
} joined;

static bool has_joined(const joined *j, uint32_t candidate) {
    for (uint32_t i = 0; i < j->count; i++) {
        if (j->candidates[i] == candidate) {
            return true;
        }
    }
    return false;
}

static vcs_admission library_admit(vcs_state *state, uint32_t candidate) {
    vcs_admission admission;
    memset(&admission, 0xa5, sizeof admission);
    admission.struct_size = sizeof admission;
    assert_int_equal(vcs_admit(state, candidate, &admission), VCS_OK);
    return admission;
}

static bool same_admission(const vcs_admission *a, const vcs_admission *b, uint32_t candidate, const char *what,
                           uint64_t seed) {
    const char *record = "candidate";
    return same_field(a->admitted == b->admitted, what, seed, record, candidate, "admitted", a->admitted,
                      b->admitted) &&
           same_field(a->reason == b->reason, what, seed, record, candidate, "reason", a->reason, b->reason) &&
           same_field(same_double(a->finish, b->finish), what, seed, record, candidate, "finish", a->finish,
                      b->finish) &&
           same_field(a->harmed == b->harmed, what, seed, record, candidate, "harmed", a->harmed, b->harmed) &&
           same_field(a->harmed_candidate == b->harmed_candidate, what, seed, record, candidate, "harmed_candidate",
                      a->harmed_candidate, b->harmed_candidate) &&
           same_field(memcmp(a, b, sizeof *a) == 0, what, seed, record, candidate, "reserved bytes", 0, 1);
}

static void note(joined *j, uint32_t candidate, const vcs_admission *admission) {
    if (admission->admitted) {
        j->candidates[j->count++] = candidate;
    }
}

/* The other decisions keep their own results in the state; admission must not be led astray by them. */
static void decide_something_else(vcs_state *state, uint64_t turn) {
    if (turn % 3 == 0) {
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    } else if (turn % 3 == 1) {
        assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK);
    }
}

/* Asks about every candidate twice: a refused candidate is judged again after others have joined. */
static void check_against_oracle(const random_state *s, const char *what, uint64_t seed) {
    vcs_state *state = prepare_case(s);
    joined j = {.count = 0};
    for (uint32_t i = 0; i < 2 * s->snapshot.candidates.count; i++) {
        uint32_t candidate = i % s->snapshot.candidates.count;
        if (has_joined(&j, candidate)) {
            continue;
        }
        vcs_admission expected = oracle_admit(&s->snapshot, &s->parameters, s->now, j.candidates, j.count, candidate);
        vcs_admission found = library_admit(state, candidate);
        assert_true(same_admission(&expected, &found, candidate, what, seed));
        note(&j, candidate, &expected);
        decide_something_else(state, seed + i);
    }
    free_case(state);
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(45, 10000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        check_against_oracle(&s, "admission against oracle", seed);
    }
}

/* With limits on most projects and applications; where all tasks take one CPU, the library goes another way. */
static void equals_the_oracle_under_limits(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(48, 300);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_limit(&s, seed % 2 == 0, seed);
        random_state_enrich(&s, seed);
        if (seed / 2 % 2 == 0) {
            random_state_restrict(&s, seed);
            s.parameters.placement_effort = 0; /* the oracle knows no such bound, and each trial places all tasks */
        }
        check_against_oracle(&s, "admission under limits", seed);
    }
}

/*
 * Answers are as for an unlimited queue until they have cost too much. From then on no candidate joins: its effects are
 * unknown (rule 4.6).
 */
static void costs_too_much(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(56, 6000);
    static random_state s, limited;
    uint64_t exhausted = 0, agreed = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_fill(&limited, RANDOM_ANY, seed);
        if (seed % 2 == 0) {
            random_state_limit(&s, seed % 4 == 0, seed);
            random_state_limit(&limited, seed % 4 == 0, seed);
        }
        s.parameters.placement_effort = 0;
        limited.parameters.placement_effort = 1 + (uint32_t)(seed * 7 % 400);
        vcs_state *state = prepare_case(&s), *limited_state = prepare_case(&limited);
        bool is_exhausted = false;
        for (uint32_t candidate = 0; candidate < s.snapshot.candidates.count; candidate++) {
            const vcs_admission expected = library_admit(state, candidate),
                                found = library_admit(limited_state, candidate);
            is_exhausted |= found.reason == VCS_REASON_BUDGET && expected.reason != VCS_REASON_BUDGET;
            if (is_exhausted) {
                assert_true(found.reason == VCS_REASON_BUDGET || found.reason == VCS_REASON_CANNOT_RUN);
                assert_true(found.admitted == 0 && found.finish == INFINITY && found.harmed == VCS_NONE);
            } else {
                assert_true(same_admission(&expected, &found, candidate, "admission, before it costs too much", seed));
                agreed += found.admitted;
            }
        }
        exhausted += is_exhausted;
        free_case(state);
        free_case(limited_state);
    }
    assert_true(cases.count < 100 || (exhausted > cases.count / 20 && exhausted < cases.count && agreed > 0));
}

static uint32_t original_of(const uint32_t *places, uint32_t place) {
    if (place == VCS_NONE) {
        return VCS_NONE;
    }
    uint32_t original = 0;
    while (places[original] != place) {
        original++;
    }
    return original;
}

/* The order of the records decides nothing; the order in which the candidates are asked about is the same. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(45, 10000);
    static random_state original, copy;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_places places;
        random_state_fill(&original, RANDOM_ANY, seed);
        random_state_enrich(&original, seed);
        random_state_shuffle(&copy, &original, seed, &places);
        vcs_state *original_state = prepare_case(&original);
        vcs_state *copy_state = prepare_case(&copy);
        for (uint32_t candidate = 0; candidate < original.snapshot.candidates.count; candidate++) {
            vcs_admission expected = library_admit(original_state, candidate);
            vcs_admission found = library_admit(copy_state, places.candidates[candidate]);
            found.harmed = original_of(places.tasks, found.harmed);
            found.harmed_candidate = original_of(places.candidates, found.harmed_candidate);
            assert_true(same_admission(&expected, &found, candidate, "admission, shuffled", seed));
        }
        free_case(original_state);
        free_case(copy_state);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(costs_too_much),
        cmocka_unit_test(equals_the_oracle_under_limits),
        cmocka_unit_test(order_of_records_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Admission by chance (rules 15.5, 15.7 and 15.8) against its oracle, on random states: candidate after candidate, so
 * that admitted candidates are in the queue for later ones.
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
#include "oracle/oracle_likely.h"
#include "support/kernel.h"

/* Differences below this are left to rounding. */
#define DOUBT 1e-9

/* Spells, deadlines and lengths of one order, so that all reasons are met with. */
static void make_likely(random_state *s, uint64_t seed) {
    random_stream r = {seed};
    const double scale = random_magnitude(&r, 600, 1e5);
    s->parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
    s->parameters.discipline = VCS_DISCIPLINE_SLICED;
    s->parameters.keep_running = random_below(&r, 2);
    s->parameters.connect_every = random_below(&r, 3) == 0 ? scale : 0;
    s->parameters.give_up = random_below(&r, 3);
    s->parameters.give_up_below = random_draw(&r) / 2;
    s->host.on_spell = random_below(&r, 3) == 0 ? 0 : random_magnitude(&r, 600, 1e5);
    s->host.off_spell = random_below(&r, 6) == 0 ? 0 : random_magnitude(&r, 600, 1e5);
    s->host.next_connection = random_below(&r, 2) * (s->now + (random_draw(&r) - 0.3) * 2 * scale);
    for (uint32_t i = 0; i < s->snapshot.project_resources.count; i++) {
        vcs_project_resource *record = &s->project_resources[i];
        record->job_seconds = random_below(&r, 2) * scale;
        record->job_bound = random_magnitude(&r, 1, 100) * scale;
        record->job_spread = random_below(&r, 2) * random_draw(&r);
    }
    const uint32_t tasks = s->snapshot.tasks.count;
    for (uint32_t i = 0; i < tasks + s->snapshot.candidates.count; i++) {
        vcs_task *task = i < tasks ? &s->tasks[i] : &s->candidates[i - tasks];
        if (random_below(&r, 20) != 0) {
            task->remaining = scale * random_magnitude(&r, 0.1, 3);
            task->deadline = s->now + task->remaining * random_magnitude(&r, 0.9, 40);
            task->received = s->now - scale;
        }
        task->total = random_below(&r, 2) * task->remaining;
    }
}

static void check_against_oracle(const random_state *s, uint64_t seed, uint64_t *seen, uint64_t *doubtful) {
    const uint32_t count = s->snapshot.candidates.count;
    vcs_state *state = prepare_case(s);
    uint32_t joined[RANDOM_MOST_CANDIDATES], joined_count = 0;
    bool has_joined[RANDOM_MOST_CANDIDATES] = {false};
    for (uint32_t i = 0; i < 2 * count; i++) {
        const uint32_t candidate = i % count;
        if (has_joined[candidate]) {
            continue;
        }
        double doubt;
        const vcs_admission expected =
            oracle_admit_likely(&s->snapshot, &s->parameters, s->now, joined, joined_count, candidate, &doubt);
        vcs_admission found = {.struct_size = sizeof found};
        assert_int_equal(vcs_admit(state, candidate, &found), VCS_OK);
        if (doubt < DOUBT) {
            (*doubtful)++;
            break; /* either answer is right, and what follows depends on it */
        }
        const char *what = "admission by chance";
        assert_true(same_field(found.reason == expected.reason, what, seed, "candidate", candidate, "reason",
                               expected.reason, found.reason));
        assert_true(same_field(found.admitted == expected.admitted, what, seed, "candidate", candidate, "admitted",
                               expected.admitted, found.admitted));
        assert_true(same_field(found.finish == expected.finish ||
                                   fabs(found.finish - expected.finish) <= 1e-12 * fabs(expected.finish),
                               what, seed, "candidate", candidate, "finish", expected.finish, found.finish));
        assert_true(same_field(found.harmed == expected.harmed, what, seed, "candidate", candidate, "harmed",
                               expected.harmed, found.harmed));
        assert_true(same_field(found.harmed_candidate == expected.harmed_candidate, what, seed, "candidate", candidate,
                               "harmed_candidate", expected.harmed_candidate, found.harmed_candidate));
        seen[found.reason == VCS_REASON_CANNOT_RUN ? 6 : found.reason - VCS_REASON_LIKELY]++;
        if (found.admitted) {
            has_joined[candidate] = true;
            joined[joined_count++] = candidate;
        }
    }
    free_case(state);
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    const seeds cases = seeds_of_test(155, 6000);
    static random_state s;
    uint64_t seen[7] = {0}, doubtful = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        make_likely(&s, seed);
        check_against_oracle(&s, seed, seen, &doubtful);
    }
    for (size_t i = 0; i < COUNT_OF(seen); i++) {
        assert_true(seen[i] > cases.count / 100);
    }
    assert_true(doubtful < cases.count / 50);
}

/* By hours (rule 15.8), on hosts that keep what they have, or give it up. */
static void equals_the_oracle_by_hours(void **unused) {
    (void)unused;
    const seeds cases = seeds_of_test(158, 600);
    static random_state s;
    uint64_t seen[7] = {0}, doubtful = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        s.parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
        s.parameters.give_up = (uint32_t)seed % 3;
        s.parameters.give_up_below = 0.3;
        random_state_add_hours(&s, seed);
        check_against_oracle(&s, seed, seen, &doubtful);
    }
    for (size_t i = 0; i < COUNT_OF(seen); i++) {
        assert_true(seen[i] > cases.count / 100 || cases.count < 600); /* where few are tried, not all are met */
    }
    assert_true(doubtful <= cases.count / 10);
}

/* As random states are, without care for their scale: extremes, too. */
static void answers_any_state(void **unused) {
    (void)unused;
    const seeds cases = seeds_of_test(156, 3000);
    static random_state s;
    uint64_t seen[7] = {0}, doubtful = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        s.parameters.work_send = VCS_WORK_SEND_BY_CHANCE;
        check_against_oracle(&s, seed, seen, &doubtful);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(equals_the_oracle_by_hours),
        cmocka_unit_test(answers_any_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

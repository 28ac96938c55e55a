/*
 * What the conventions in vcsched.h promise and no single function's test shows.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/array.h"
#include "support/random_state.h"
#include "support/whole.h"

#include <stdlib.h>
#include <string.h>
#include <vcsched/vcsched.h>

#define HOSTS 300

/* A prepared state and the memory it lives in. */
typedef struct housed_state {
    void *memory;
    size_t size;
    vcs_state *state;
} housed_state;

static housed_state prepare(const random_state *host) {
    housed_state housed;
    assert_int_equal(vcs_state_size(&host->snapshot, &housed.size), VCS_OK);
    housed.memory = malloc(housed.size);
    assert_non_null(housed.memory);
    assert_int_equal(vcs_state_prepare(&host->snapshot, &host->parameters, host->now, housed.memory, housed.size,
                                       &housed.state, NULL),
                     VCS_OK);
    return housed;
}

/* Moves a state elsewhere. What it leaves behind is spoilt and given back, so that nothing can still rely on it. */
static void move(housed_state *housed) {
    void *memory = malloc(housed->size);
    assert_non_null(memory);
    copy_whole(memory, housed->memory, housed->size);
    overwrite_whole(housed->memory, 0xa5, housed->size);
    free(housed->memory);
    housed->memory = memory;
    housed->state = memory;
}

/* Everything that can be asked of a state, in order. */
typedef struct answers {
    vcs_wrr_summary wrr;
    vcs_task_forecast forecasts[RANDOM_MOST_TASKS];
    vcs_edf_summary edf;
    vcs_edf_task placements[RANDOM_MOST_TASKS];
    vcs_admission admissions[RANDOM_MOST_CANDIDATES];
} answers;

static void ask_all(housed_state *housed, const vcs_snapshot *snapshot, int moving, answers *found) {
    memset(found, 0, sizeof *found);
    found->wrr.struct_size = sizeof found->wrr;
    found->edf.struct_size = sizeof found->edf;
    assert_int_equal(vcs_wrr(housed->state, &found->wrr), VCS_OK);
    if (moving) {
        move(housed);
    }
    assert_int_equal(vcs_wrr_tasks(housed->state, ARRAY(found->forecasts, snapshot->tasks.count)), VCS_OK);
    assert_int_equal(vcs_edf(housed->state, VCS_EDF_MISSED, &found->edf), VCS_OK);
    if (moving) {
        move(housed);
    }
    assert_int_equal(vcs_edf_tasks(housed->state, ARRAY(found->placements, snapshot->tasks.count)), VCS_OK);
    for (uint32_t i = 0; i < snapshot->candidates.count; i++) {
        found->admissions[i].struct_size = sizeof found->admissions[i];
        assert_int_equal(vcs_admit(housed->state, i, &found->admissions[i]), VCS_OK);
        if (moving) {
            move(housed);
        }
    }
}

/* "A vcs_state may be copied as a whole to memory aligned to 8 bytes and used there." */
static void a_state_may_be_moved(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < HOSTS; seed++) {
        random_state host;
        answers stayed, moved;
        random_state_fill(&host, seed % 2 ? RANDOM_ANY : RANDOM_FLUID, seed);
        housed_state at_home = prepare(&host), travelling = prepare(&host);
        ask_all(&at_home, &host.snapshot, 0, &stayed);
        ask_all(&travelling, &host.snapshot, 1, &moved);
        assert_memory_equal(&stayed, &moved, sizeof stayed);
        free(at_home.memory);
        free(travelling.memory);
    }
}

/* "No records are kept": what the snapshot led to may go once the state is prepared. */
static void records_may_go(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < HOSTS; seed++) {
        random_state host;
        answers with, without;
        random_state_fill(&host, seed % 2 ? RANDOM_ANY : RANDOM_FLUID, seed);
        housed_state first = prepare(&host), second = prepare(&host);
        const vcs_snapshot counts = host.snapshot;
        ask_all(&first, &counts, 0, &with);
        memset(&host, 0xa5, sizeof host);
        ask_all(&second, &counts, 0, &without);
        assert_memory_equal(&with, &without, sizeof with);
        free(first.memory);
        free(second.memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_may_be_moved),
        cmocka_unit_test(records_may_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

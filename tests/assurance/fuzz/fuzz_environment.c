/*
 * Any host, where a thread flushes denormal numbers to zero or rounds otherwise: then the decisions are not promised to
 * be the same, but nothing is read or written out of bounds, every call ends, and what it says is within its range.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"

#include <stdlib.h>

#include <vcsched/simulation.h>
#include <vcsched/fetch.h>
#include <vcsched/schedule.h>

#include "support/array.h"
#include "support/float_mode.h"

/* A refusal is as good an answer as any; what was decided is within its range. */
static void decide(const random_state *host, vcs_state *state) {
    vcs_task_decision tasks[RANDOM_MOST_TASKS];
    vcs_schedule_summary chosen = {.struct_size = sizeof chosen};
    vcs_fetch_summary asked = {.struct_size = sizeof asked};
    const vcs_fetch_question question = {
        .struct_size = sizeof question, .purpose = VCS_FETCH_CHOOSE, .project = VCS_NONE};
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_edf(state, VCS_EDF_MISSED, NULL), VCS_OK);
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &chosen), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(tasks, host->snapshot.tasks.count)), VCS_OK);
    uint32_t running = 0;
    for (uint32_t i = 0; i < host->snapshot.tasks.count; i++) {
        assert_true(tasks[i].run <= 1);
        running += tasks[i].run;
    }
    assert_int_equal(running, chosen.running);
    assert_int_equal(vcs_fetch(state, &question, &asked), VCS_OK);
    assert_true(asked.project == VCS_NONE || asked.project < host->snapshot.projects.count);
    for (uint32_t i = 0; i < host->snapshot.candidates.count; i++) {
        vcs_admission admission = {.struct_size = sizeof admission};
        assert_int_equal(vcs_admit(state, i, &admission), VCS_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static random_state host;
    fuzz_input in = {bytes, size};
    const uint32_t kind = fuzz_byte(&in);
    fuzz_host_begin(&in, &host);
    fuzz_host_edit(&in, &host, 32);
    float_mode_enter((float_mode)(kind % FLOAT_MODES));
    vcs_state *state = fuzz_host_prepare(&host);
    if (state != NULL && fuzz_host_is_small(&host)) {
        decide(&host, state);
    }
    float_mode_enter(FLOAT_ORDINARY);
    free(state);
    return 0;
}

/*
 * Which tasks run, and where (rules 4.7 and 5.1 to 5.6), on any host: what the oracle says, to the last bit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_schedule.h"
#include "support/array.h"

typedef struct answer {
    vcs_schedule_summary summary;
    vcs_task_decision tasks[RANDOM_MOST_TASKS];
    vcs_resource_decision resources[RANDOM_MOST_RESOURCES];
} answer;

static void ask(const random_state *host, vcs_state *state, answer *found) {
    memset(found, 0, sizeof *found);
    found->summary.struct_size = sizeof found->summary;
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &found->summary), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(found->tasks, host->snapshot.tasks.count)), VCS_OK);
    assert_int_equal(vcs_schedule_resources(state, ARRAY(found->resources, host->snapshot.resources.count)), VCS_OK);
}

static void check_against_oracle(const random_state *host, const vcs_task_forecast *forecasts, const answer *found) {
    oracle_schedule_outcome expected = oracle_schedule(&host->snapshot, &host->parameters, host->now, forecasts);
    fuzz_same("choice of tasks", expected.tasks, found->tasks, host->snapshot.tasks.count * sizeof *found->tasks);
    fuzz_same("choice of tasks", &expected.summary, &found->summary, sizeof found->summary);
    fuzz_same("use", expected.resources, found->resources, host->snapshot.resources.count * sizeof *found->resources);
    oracle_schedule_free(&expected);
}

/* Asked only for what runs, the library says the same of it. */
static void check_running(const random_state *host, vcs_state *state, const answer *explained) {
    uint32_t tasks[RANDOM_MOST_TASKS];
    vcs_task_decision decisions[RANDOM_MOST_TASKS];
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, &summary), VCS_OK);
    fuzz_same("what runs", &explained->summary, &summary, sizeof summary);
    assert_int_equal(vcs_schedule_running(state, tasks, ARRAY(decisions, summary.running)), VCS_OK);
    for (uint32_t place = 0; place < summary.running; place++) {
        assert_true(tasks[place] < host->snapshot.tasks.count);
        fuzz_same("what runs", &explained->tasks[tasks[place]], &decisions[place], sizeof *decisions);
    }
}

/* Simulated only if that is needed, the choice is the same. */
static void check_for_schedule(random_state *host, const answer *expected) {
    static answer found;
    vcs_state *state = fuzz_host_prepare(host);
    assert_int_equal(vcs_wrr_for_schedule(state), VCS_OK);
    ask(host, state, &found);
    fuzz_same("choice without a simulation", expected, &found, sizeof found);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static random_state host;
    static answer found;
    vcs_task_forecast forecasts[RANDOM_MOST_TASKS];
    fuzz_input in = {bytes, size};
    fuzz_host_begin(&in, &host);
    fuzz_host_edit(&in, &host, 32);
    vcs_state *state = fuzz_host_prepare(&host);
    if (state != NULL && fuzz_host_is_small(&host)) {
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(state, ARRAY(forecasts, host.snapshot.tasks.count)), VCS_OK);
        ask(&host, state, &found);
        if (fuzz_oracles_know(&host)) {
            check_against_oracle(&host, forecasts, &found);
        }
        check_running(&host, state, &found);
        check_for_schedule(&host, &found);
    }
    free(state);
    return 0;
}

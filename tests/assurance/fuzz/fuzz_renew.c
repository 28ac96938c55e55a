/*
 * Renewing a state, vcs_state_renew(): a state that was renewed decides what one prepared anew does, byte for
 * byte; a renewal that is refused leaves what was decided as it was, and the state decides again what it decided
 * before.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

#include <vcsched/simulation.h>
#include <vcsched/fetch.h>
#include <vcsched/schedule.h>

#define MOST_PAIRS (RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES)

typedef struct answers {
    vcs_wrr_summary wrr;
    vcs_task_forecast forecasts[RANDOM_MOST_TASKS];
    vcs_resource_forecast resources[RANDOM_MOST_RESOURCES];
    vcs_project_resource_forecast pairs[MOST_PAIRS];
    vcs_edf_summary edf;
    vcs_edf_task placed[RANDOM_MOST_TASKS];
    vcs_schedule_summary schedule;
    vcs_task_decision tasks[RANDOM_MOST_TASKS];
    vcs_fetch_summary fetch;
    vcs_fetch_decision requests[MOST_PAIRS];
} answers;

/* What was decided last. */
static void read_results(const vcs_state *state, const vcs_snapshot *snapshot, answers *found) {
    const uint32_t tasks = snapshot->tasks.count, resources = snapshot->resources.count;
    const uint32_t pairs = snapshot->projects.count * resources;
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(found->forecasts, tasks)), VCS_OK);
    assert_int_equal(vcs_wrr_resources(state, ARRAY(found->resources, resources)), VCS_OK);
    assert_int_equal(vcs_wrr_project_resources(state, ARRAY(found->pairs, pairs)), VCS_OK);
    assert_int_equal(vcs_edf_tasks(state, ARRAY(found->placed, tasks)), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(found->tasks, tasks)), VCS_OK);
    assert_int_equal(vcs_fetch_decisions(state, ARRAY(found->requests, pairs)), VCS_OK);
}

static void ask(vcs_state *state, const vcs_snapshot *snapshot, answers *found) {
    const vcs_fetch_question question = {
        .struct_size = sizeof question, .purpose = VCS_FETCH_CHOOSE, .project = VCS_NONE};
    memset(found, 0, sizeof *found);
    found->wrr.struct_size = sizeof found->wrr;
    found->edf.struct_size = sizeof found->edf;
    found->schedule.struct_size = sizeof found->schedule;
    found->fetch.struct_size = sizeof found->fetch;
    assert_int_equal(vcs_wrr(state, &found->wrr), VCS_OK);
    assert_int_equal(vcs_edf(state, VCS_EDF_MISSED, &found->edf), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &found->schedule), VCS_OK);
    assert_int_equal(vcs_fetch(state, &question, &found->fetch), VCS_OK);
    read_results(state, snapshot, found);
}

/* Prepared where there is room for some more tasks. */
static vcs_state *prepare_in_room(random_state *host, uint32_t more, size_t *bytes) {
    vcs_state *state = fuzz_host_prepare(host);
    if (state == NULL) {
        return NULL;
    }
    free(state);
    random_state *larger = fuzz_allocate(sizeof *larger);
    *larger = *host;
    random_state_point_snapshot(larger, &host->snapshot);
    larger->snapshot.tasks.count += more;
    assert_int_equal(vcs_state_size(&larger->snapshot, bytes), VCS_OK);
    free(larger);
    void *work = fuzz_allocate(*bytes);
    assert_int_equal(vcs_state_prepare(&host->snapshot, &host->parameters, host->now, work, *bytes, &state, NULL),
                     VCS_OK);
    return state;
}

/* Progress, an end, an arrival: what makes renewal fast. */
static void change_little(fuzz_input *in, random_state *host) {
    const uint32_t kind = fuzz_byte(in), tasks = host->snapshot.tasks.count;
    const uint32_t which = fuzz_below(in, tasks);
    const double fraction = fuzz_fraction(in);
    if (kind % 8 < 4 && tasks > 0) {
        host->tasks[which].remaining *= fraction;
    } else if (kind % 8 == 4 && tasks > 0) {
        host->tasks[which] = host->tasks[tasks - 1];
        host->snapshot.tasks.count--;
    } else if (kind % 8 == 5 && tasks > 0 && tasks < RANDOM_MOST_TASKS) {
        host->tasks[tasks] = host->tasks[which];
        host->tasks[tasks].id += kind;
        host->snapshot.tasks.count++;
    } else if (host->snapshot.projects.count > 0) {
        host->projects[which % host->snapshot.projects.count].rec *= 1 + fraction;
    }
    host->now += kind / 8;
}

/* Renewed, and prepared anew: equal in all they decide. Returns false if the state must not be used any longer. */
static bool check_renewal(vcs_state *state, size_t bytes, random_state *host, const vcs_snapshot *old) {
    static answers expected, found;
    vcs_error error = {.struct_size = sizeof error};
    ask(state, old, &expected);
    const int code = vcs_state_renew(state, bytes, &host->snapshot, &host->parameters, host->now, &error);
    vcs_state *fresh = fuzz_host_prepare(host);
    if (code == VCS_OK) {
        assert_non_null(fresh);
        ask(state, &host->snapshot, &found);
        ask(fresh, &host->snapshot, &expected);
        fuzz_same("renewed state", &expected, &found, sizeof found);
    } else {
        fuzz_refused(code, &error);
        assert_true(fresh == NULL || code == VCS_ERR_WORKSPACE);
        if (code != VCS_ERR_DUPLICATE) {
            found = expected;
            read_results(state, old, &found);
            fuzz_same("results of a state that was not renewed", &expected, &found, sizeof found);
            ask(state, old, &found);
            fuzz_same("state that was not renewed", &expected, &found, sizeof found);
        }
    }
    free(fresh);
    return code == VCS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static random_state host;
    fuzz_input in = {bytes, size};
    const uint32_t room = fuzz_byte(&in);
    size_t work_size = 0;
    fuzz_host_begin(&in, &host);
    fuzz_host_edit(&in, &host, room % 4);
    vcs_state *state = fuzz_host_is_small(&host) ? prepare_in_room(&host, room % 8, &work_size) : NULL;
    bool is_good = state != NULL;
    for (uint32_t round = 0; is_good && round < 8 && fuzz_more(&in); round++) {
        const uint32_t kind = fuzz_byte(&in);
        const vcs_snapshot old = host.snapshot; /* only its counts are looked at */
        for (uint32_t changes = kind % 4; changes > 0; changes--) {
            change_little(&in, &host);
        }
        fuzz_host_edit(&in, &host, kind / 64);
        is_good = fuzz_host_is_small(&host) && check_renewal(state, work_size, &host, &old);
    }
    free(state);
    return 0;
}

/*
 * The simulations and admission (rules 4.1 to 4.5) on any host: the sliced discipline, earliest deadline first and
 * admission say what their oracles say, to the last bit. Of the fluid discipline, whose oracle rounds otherwise, what
 * is looked at is that the same question has the same answer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/cases.h"
#include "oracle/oracle_admit.h"
#include "oracle/oracle_sliced.h"

/*
 * After as many half-lives nothing is left of REC that a double can hold. Where nothing but that decides whose turn it
 * is, library and oracle may differ, which is not settled yet.
 */
#define MOST_HALF_LIVES 900

static void same_forecast(const char *what, const oracle_wrr *expected, const oracle_wrr *found,
                          const vcs_snapshot *snapshot) {
    const size_t resources = snapshot->resources.count, pairs = snapshot->projects.count * resources;
    fuzz_same(what, &expected->summary, &found->summary, sizeof found->summary);
    fuzz_same(what, expected->tasks, found->tasks, snapshot->tasks.count * sizeof *found->tasks);
    fuzz_same(what, expected->resources, found->resources, resources * sizeof *found->resources);
    fuzz_same(what, expected->project_resources, found->project_resources, pairs * sizeof *found->project_resources);
}

static void check_round_robin(const random_state *host, vcs_state *state, unsigned char *missed) {
    oracle_wrr found = library_wrr(state, &host->snapshot), again = library_wrr(state, &host->snapshot);
    same_forecast("round-robin, again", &found, &again, &host->snapshot);
    const bool is_rec_left = found.summary.simulated_until < MOST_HALF_LIVES * host->parameters.rec_half_life;
    if (host->parameters.discipline == VCS_DISCIPLINE_SLICED && is_rec_left && fuzz_oracles_know(host)) {
        found.summary.effort = 0; /* of which the oracle knows nothing */
        oracle_wrr expected = oracle_sliced(&host->snapshot, &host->parameters, host->now);
        same_forecast("round-robin", &expected, &found, &host->snapshot);
        oracle_wrr_free(&expected);
    }
    for (uint32_t i = 0; i < host->snapshot.tasks.count; i++) {
        missed[i] = found.tasks[i].verdict == VCS_VERDICT_MISSES;
    }
    oracle_wrr_free(&found);
    oracle_wrr_free(&again);
}

static void check_placing(const random_state *host, vcs_state *state, uint32_t which, const unsigned char *looked_at) {
    const uint32_t tasks = host->snapshot.tasks.count, resources = host->snapshot.resources.count;
    oracle_edf_outcome found = library_edf(state, &host->snapshot, which);
    if (fuzz_oracles_know(host)) {
        oracle_edf_outcome expected = oracle_edf(&host->snapshot, &host->parameters, host->now, looked_at);
        found.summary.effort = 0;
        fuzz_same("placing", &expected.summary, &found.summary, sizeof found.summary);
        fuzz_same("placing", expected.tasks, found.tasks, tasks * sizeof *found.tasks);
        fuzz_same("placing", expected.resources, found.resources, resources * sizeof *found.resources);
        oracle_edf_free(&expected);
    }
    oracle_edf_free(&found);
}

static void check_admission(const random_state *host, vcs_state *state) {
    uint32_t admitted[RANDOM_MOST_CANDIDATES], count = 0;
    for (uint32_t i = 0; i < host->snapshot.candidates.count; i++) {
        vcs_admission found = {.struct_size = sizeof found};
        assert_int_equal(vcs_admit(state, i, &found), VCS_OK);
        if (fuzz_oracles_know(host)) {
            vcs_admission expected = oracle_admit(&host->snapshot, &host->parameters, host->now, admitted, count, i);
            fuzz_same("admission", &expected, &found, sizeof found);
        }
        if (found.admitted) {
            admitted[count++] = i;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static random_state host;
    unsigned char missed[RANDOM_MOST_TASKS];
    fuzz_input in = {bytes, size};
    const uint32_t what = fuzz_byte(&in);
    fuzz_host_begin(&in, &host);
    const bool is_ordinary = !fuzz_more(&in);
    fuzz_host_edit(&in, &host, 32);
    vcs_state *state = fuzz_host_prepare(&host);
    assert_true(state != NULL || !is_ordinary);
    if (state != NULL && fuzz_host_is_small(&host)) {
        check_round_robin(&host, state, missed);
        check_placing(&host, state, VCS_EDF_ALL, NULL);
        if ((what & 1) != 0) {
            check_placing(&host, state, VCS_EDF_MISSED, missed);
        }
        check_admission(&host, state);
        if ((what & 2) != 0) {
            check_round_robin(&host, state, missed);
        }
    }
    free(state);
    return 0;
}

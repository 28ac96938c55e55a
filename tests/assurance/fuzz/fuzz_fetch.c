/*
 * Whom to ask for how much work (rules 6.1 to 6.9), on any host: what the oracle says, to the last bit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include <vcsched/schedule.h>

#include "oracle/cases.h"
#include "oracle/oracle_fetch.h"
#include "oracle/oracle_schedule.h"
#include "support/array.h"

#define MOST_PAIRS (RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES)

/* Asked briefly, the library says the same, but no reasons where it asks nobody. */
static void check_brief(vcs_state *state, const vcs_fetch_question *question, const vcs_fetch_summary *expected,
                        const vcs_fetch_decision *decisions, uint32_t pairs) {
    vcs_fetch_decision found[MOST_PAIRS];
    vcs_fetch_summary summary = {.struct_size = sizeof summary}, wanted = *expected;
    vcs_fetch_question brief = *question;
    const bool asks = expected->project != VCS_NONE;
    brief.flags = VCS_FETCH_BRIEF;
    wanted.reason = asks ? expected->reason : VCS_REASON_NONE;
    memset(found, 0, sizeof found);
    assert_int_equal(vcs_fetch(state, &brief, &summary), VCS_OK);
    fuzz_same("brief answer", &wanted, &summary, sizeof summary);
    assert_int_equal(vcs_fetch_decisions(state, ARRAY(found, pairs)), asks ? VCS_OK : VCS_ERR_SEQUENCE);
    fuzz_same("brief answer", asks ? decisions : found, found, pairs * sizeof *found);
}

static void check_against_oracle(const random_state *host, const oracle_wrr *forecast, uint32_t called, bool is_chosen,
                                 const vcs_fetch_decision *decisions, const vcs_fetch_summary *summary) {
    const uint32_t pairs = host->snapshot.projects.count * host->snapshot.resources.count;
    oracle_schedule_outcome choice;
    if (is_chosen) {
        choice = oracle_schedule(&host->snapshot, &host->parameters, host->now, forecast->tasks);
    }
    oracle_fetch_outcome expected =
        oracle_fetch(&host->snapshot, &host->parameters, host->now, forecast, is_chosen ? &choice : NULL, called);
    fuzz_same("requests", expected.project_resources, decisions, pairs * sizeof *decisions);
    fuzz_same("whom to ask", &expected.summary, summary, sizeof *summary);
    if (is_chosen) {
        oracle_schedule_free(&choice);
    }
    oracle_fetch_free(&expected);
}

/* `is_chosen`: after the choice of tasks, which says what really is idle. */
static void check(const random_state *host, vcs_state *state, uint32_t called, bool is_chosen) {
    vcs_fetch_decision decisions[MOST_PAIRS];
    const uint32_t pairs = host->snapshot.projects.count * host->snapshot.resources.count;
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = called == VCS_NONE ? VCS_FETCH_CHOOSE : VCS_FETCH_PIGGYBACK,
        .project = called,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary};
    oracle_wrr forecast = library_wrr(state, &host->snapshot);
    if (is_chosen) {
        assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, NULL), VCS_OK);
    }
    memset(decisions, 0, sizeof decisions);
    assert_int_equal(vcs_fetch(state, &question, &summary), VCS_OK);
    assert_int_equal(vcs_fetch_decisions(state, ARRAY(decisions, pairs)), VCS_OK);
    if (fuzz_oracles_know(host)) {
        check_against_oracle(host, &forecast, called, is_chosen, decisions, &summary);
    }
    check_brief(state, &question, &summary, decisions, pairs);
    oracle_wrr_free(&forecast);
}

/* A question that makes no sense is refused, and what was decided before stays. */
static void check_wrong_question(fuzz_input *in, const random_state *host, vcs_state *state) {
    vcs_fetch_question question = {
        .struct_size = sizeof question, .purpose = fuzz_byte(in) % 4, .project = (uint32_t)fuzz_integer(in, 4)};
    vcs_fetch_summary summary;
    fuzz_mark(&summary, sizeof summary);
    summary.struct_size = sizeof summary;
    const int code = vcs_fetch(state, &question, &summary);
    assert_true(code == VCS_OK || summary.struct_size == sizeof summary);
    if (code != VCS_OK) {
        fuzz_unmarked("summary", (unsigned char *)&summary + sizeof summary.struct_size,
                      sizeof summary - sizeof summary.struct_size);
    }
    assert_true(code != VCS_OK || question.purpose == VCS_FETCH_CHOOSE ||
                question.project < host->snapshot.projects.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static random_state host;
    fuzz_input in = {bytes, size};
    const uint32_t who = fuzz_byte(&in);
    fuzz_host_begin(&in, &host);
    fuzz_host_edit(&in, &host, 32);
    vcs_state *state = fuzz_host_prepare(&host);
    if (state != NULL && fuzz_host_is_small(&host)) {
        const uint32_t projects = host.snapshot.projects.count;
        check(&host, state, VCS_NONE, who % 2 == 1);
        if (projects > 0 && who < 128) {
            check(&host, state, who % projects, who % 2 == 1);
        }
        fuzz_input question = {bytes, size};
        check_wrong_question(&question, &host, state);
    }
    free(state);
    return 0;
}

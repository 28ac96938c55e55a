/*
 * Which jobs a server sends (rules 9.1, 9.2, 13.6) to any host: what the oracle says, to the last bit. A request that
 * is not right is refused, and nothing is written.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vcsched/simulation.h>

#include "oracle/oracle_send.h"
#include "support/array.h"

typedef struct offer {
    vcs_send_request requests[RANDOM_MOST_RESOURCES];
    vcs_send_job jobs[RANDOM_MOST_CANDIDATES];
    vcs_send_limits limits;
} offer;

/* An ordinary offer. */
static void begin(fuzz_input *in, const random_state *host, offer *o) {
    memset(o, 0, sizeof *o);
    assert_int_equal(vcs_send_limits_init(&o->limits, sizeof o->limits), VCS_OK);
    const uint32_t flags = fuzz_byte(in);
    o->limits.flags = flags % 4 * VCS_SEND_ONE_PER_USER + (flags >= 252 ? VCS_BLACKLISTED : 0);
    for (uint32_t i = 0; i < host->snapshot.resources.count; i++) {
        o->requests[i].seconds = 100.0 * fuzz_below(in, 1000);
        o->requests[i].instances = fuzz_byte(in) % (host->resources[i].instances + 1);
        o->requests[i].busy = fuzz_byte(in) < 128 ? 0 : 1000 * fuzz_fraction(in);
        o->requests[i].latency_bound = fuzz_byte(in) < 200 ? 0 : 1000 * fuzz_fraction(in);
        o->requests[i].jobs = fuzz_byte(in) < 200 ? 0 : fuzz_byte(in) % 4;
    }
    for (uint32_t i = 0; i < host->snapshot.candidates.count; i++) {
        const uint32_t kind = fuzz_byte(in);
        o->jobs[i].unit = kind % 4;
        o->jobs[i].latency_bound = kind < 32 ? (double)INFINITY : 1000.0 * fuzz_below(in, 1000);
        o->jobs[i].max_per_host = kind / 4 % 4;
        o->jobs[i].seconds = kind / 16 % 4 == 0 ? 1000 * fuzz_fraction(in) : 0;
    }
}

static void change(fuzz_input *in, const random_state *host, offer *o) {
    const fuzz_records records[] = {
        {VCS_TYPE_SEND_REQUEST, o->requests, sizeof *o->requests, host->snapshot.resources.count},
        {VCS_TYPE_SEND_JOB, o->jobs, sizeof *o->jobs, host->snapshot.candidates.count},
        {VCS_TYPE_SEND_LIMITS, &o->limits, sizeof o->limits, 1},
    };
    for (uint32_t edits = fuzz_byte(in) % 8; edits > 0; edits--) {
        fuzz_edit(in, records, 3);
    }
}

static void check(const random_state *host, vcs_state *state, const offer *o) {
    const uint32_t count = host->snapshot.candidates.count;
    vcs_send_decision decisions[RANDOM_MOST_CANDIDATES], expected[RANDOM_MOST_CANDIDATES];
    vcs_send_summary summary;
    vcs_error error = {.struct_size = sizeof error};
    fuzz_mark(decisions, sizeof decisions);
    fuzz_mark(&summary, sizeof summary);
    summary.struct_size = sizeof summary;
    const int code = vcs_send(state, ARRAY(o->requests, host->snapshot.resources.count), ARRAY(o->jobs, count),
                              &o->limits, ARRAY(decisions, count), &summary, &error);
    if (code != VCS_OK) {
        fuzz_refused(code, &error);
        fuzz_unmarked("decisions", decisions, sizeof decisions);
        fuzz_unmarked("summary", &summary.flags, sizeof summary - offsetof(vcs_send_summary, flags));
        return;
    }
    if (fuzz_oracles_know(host)) {
        const oracle_offer asked = {&host->snapshot, &host->parameters, host->now, o->requests,
                                    o->jobs,         o->limits,         NULL};
        memset(expected, 0, sizeof expected);
        const vcs_send_summary expected_summary = oracle_send(&asked, expected);
        fuzz_same("jobs sent", expected, decisions, count * sizeof *decisions);
        fuzz_same("reply", &expected_summary, &summary, sizeof summary);
    }
    uint32_t refusals = 0, unsendable = 77;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t before = refusals;
        assert_int_equal(vcs_send_refusals(decisions[i].reason, 3, before, &refusals, &unsendable), VCS_OK);
        assert_true(decisions[i].sent ? refusals == 0 : refusals - before <= 1);
        assert_int_equal(unsendable, refusals >= 3);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static random_state host;
    static offer o;
    fuzz_input in = {bytes, size};
    const uint32_t policy = fuzz_byte(&in);
    fuzz_host_begin(&in, &host);
    host.parameters.work_send = policy % 2 == 0 ? VCS_WORK_SEND_WS2 : VCS_WORK_SEND_WS1;
    if (policy / 2 % 2 == 1) {
        host.parameters.discipline = VCS_DISCIPLINE_SLICED;
    }
    begin(&in, &host, &o);
    change(&in, &host, &o);
    fuzz_host_edit(&in, &host, 32);
    vcs_state *state = fuzz_host_prepare(&host);
    if (state != NULL && fuzz_host_is_small(&host)) {
        check(&host, state, &o);
        if (policy / 4 % 2 == 1) {
            assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
            check(&host, state, &o);
        }
    }
    free(state);
    return 0;
}

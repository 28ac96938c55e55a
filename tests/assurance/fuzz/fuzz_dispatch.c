/*
 * Dispatch by expected reply (rules 10.1 to 10.5): whatever happens to clients and jobs, the index that is kept and one
 * that is built anew choose what the oracle chooses. A record that is not right is refused, and the index stays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <vcsched/dispatch.h>

#include "oracle/oracle_dispatch.h"
#include "support/array.h"

enum { MOST_CLIENTS = 8, MOST_JOBS = 24 };

typedef struct server {
    vcs_client clients[MOST_CLIENTS];
    vcs_dispatch_job jobs[MOST_JOBS];
    uint32_t client_count, job_count;
    vcs_dispatch_rules rules;
    vcs_pace pool;
    double now;
    vcs_dispatch *index;
} server;

static vcs_dispatch *build(const server *s, int *code) {
    size_t size = 0;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_dispatch_size(MOST_CLIENTS, MOST_JOBS, &size), VCS_OK);
    vcs_dispatch *index = fuzz_allocate(size);
    *code = vcs_dispatch_build(index, size, ARRAY(s->clients, s->client_count), ARRAY(s->jobs, s->job_count), &s->rules,
                               MOST_CLIENTS, MOST_JOBS, &error);
    if (*code != VCS_OK) {
        fuzz_refused(*code, &error);
        free(index);
        return NULL;
    }
    return index;
}

static vcs_dispatch_decision next(vcs_dispatch *index, uint32_t client, double now) {
    vcs_dispatch_decision decision = {.struct_size = sizeof decision};
    assert_int_equal(vcs_dispatch_next(index, client, now, &decision), VCS_OK);
    return decision;
}

static void check(const server *s) {
    const oracle_server records = {s->clients, s->jobs, s->client_count, s->job_count, s->rules};
    int code;
    vcs_dispatch *fresh = build(s, &code);
    assert_non_null(fresh);
    for (uint32_t i = 0; i < s->client_count; i++) {
        const vcs_dispatch_decision expected = oracle_dispatch_next(&records, i, s->now);
        const vcs_dispatch_decision kept = next(s->index, i, s->now), rebuilt = next(fresh, i, s->now);
        fuzz_same("choice of the index", &expected, &kept, sizeof kept);
        fuzz_same("choice of a new index", &expected, &rebuilt, sizeof rebuilt);
    }
    free(fresh);
}

static void set_job(server *s, uint32_t number) {
    assert_int_equal(vcs_dispatch_set_job(s->index, number, &s->jobs[number], NULL), VCS_OK);
}

static void begin(fuzz_input *in, server *s) {
    int code;
    memset(s, 0, sizeof *s);
    assert_int_equal(vcs_dispatch_rules_init(&s->rules, sizeof s->rules), VCS_OK);
    const uint32_t shape = fuzz_byte(in);
    s->rules.order = shape % 3;
    s->rules.max_per_client = shape / 16 % 4 == 3 ? shape / 64 : 0;
    s->client_count = 1 + shape / 4 % 4;
    for (uint32_t i = 0; i < s->client_count; i++) {
        s->clients[i].id = i + 1;
    }
    s->index = build(s, &code);
    assert_int_equal(code, VCS_OK);
}

static bool is_copied(const server *s, uint32_t number) {
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].copy_of == number) {
            return true;
        }
    }
    return false;
}

/* A new job, in a place that is free. */
static void add_job(fuzz_input *in, server *s) {
    const uint32_t number = fuzz_below(in, s->job_count + 1), kind = fuzz_byte(in);
    if (number == MOST_JOBS || (number < s->job_count && s->jobs[number].state != VCS_JOB_OVER) ||
        is_copied(s, number)) {
        return;
    }
    vcs_dispatch_job job = {.id = 1000 * (kind % 3) + number,
                            .size = 1e5 * (kind / 4 % 3),
                            .complexity = 1 + kind / 16 % 4,
                            .queued = s->now + kind / 64,
                            .flags = kind % 7 == 0 ? VCS_JOB_AT_HEAD : 0,
                            .client = VCS_NONE,
                            .copy_of = VCS_NONE};
    if (s->job_count > 0 && kind % 3 == 0) {
        const uint32_t other = kind / 8 % s->job_count;
        const uint32_t first = s->jobs[other].copy_of == VCS_NONE ? other : s->jobs[other].copy_of;
        job.copy_of = first == number ? VCS_NONE : first;
    }
    s->job_count += number == s->job_count;
    s->jobs[number] = job;
    set_job(s, number);
}

static void change_job(fuzz_input *in, server *s) {
    const uint32_t number = fuzz_below(in, s->job_count), how = fuzz_byte(in);
    vcs_dispatch_job *job = &s->jobs[number];
    if (s->job_count == 0) {
        return;
    }
    if (job->state == VCS_JOB_FRESH) {
        job->state = how < 25 ? VCS_JOB_OVER : VCS_JOB_FRESH;
    } else if (how < 50) {
        job->state = VCS_JOB_FRESH;
        job->client = VCS_NONE;
        job->flags = VCS_JOB_AT_HEAD;
    } else {
        job->state = job->state >= VCS_JOB_REPLIED ? VCS_JOB_OVER : VCS_JOB_REPLIED;
    }
    set_job(s, number);
}

static void change_client(fuzz_input *in, server *s) {
    const uint32_t flags = fuzz_byte(in);
    uint32_t number = fuzz_below(in, s->client_count);
    if (s->client_count < MOST_CLIENTS && flags >= 192) {
        number = s->client_count++;
        s->clients[number].id = flags;
    } else {
        s->clients[number].flags = flags % 8;
    }
    assert_int_equal(vcs_dispatch_set_client(s->index, number, &s->clients[number], NULL), VCS_OK);
}

/* Sends what is chosen, in a record of its own if it is a copy; and takes in a reply. */
static void send_or_reply(fuzz_input *in, server *s) {
    const uint32_t client = fuzz_below(in, s->client_count), what = fuzz_byte(in);
    const vcs_dispatch_decision decision = next(s->index, client, s->now);
    if (what >= 192) {
        const vcs_reply_times times = {.struct_size = sizeof times,
                                       .bytes = 1e5,
                                       .transfer_seconds = what,
                                       .complexity = what % 3,
                                       .compute_seconds = what * 2.0};
        uint32_t refused;
        vcs_client copy = s->clients[client];
        const int code = vcs_client_reply(&copy, &s->pool, &times, &s->rules, s->now, &refused, NULL);
        if (code == VCS_OK) {
            s->clients[client] = copy;
            assert_int_equal(vcs_dispatch_set_client(s->index, client, &s->clients[client], NULL), VCS_OK);
        }
        return;
    }
    if (decision.job == VCS_NONE || (decision.is_copy && s->job_count == MOST_JOBS)) {
        return;
    }
    uint32_t number = decision.job;
    if (decision.is_copy) {
        number = s->job_count;
        s->jobs[number] = s->jobs[decision.job];
        s->jobs[number].copy_of =
            s->jobs[decision.job].copy_of == VCS_NONE ? decision.job : s->jobs[decision.job].copy_of;
        s->jobs[number].id = 5000 + number;
        s->jobs[number].state = VCS_JOB_FRESH;
        s->jobs[number].client = VCS_NONE;
    }
    vcs_dispatch_job job = s->jobs[number];
    const int code = vcs_job_send(&job, client, &s->clients[client], &s->pool, &s->rules, s->now, NULL);
    if (code == VCS_OK) {
        s->jobs[number] = job;
        s->job_count += number == s->job_count;
        set_job(s, number);
        if (decision.is_copy) {
            s->jobs[decision.job].state = VCS_JOB_SUPERSEDED;
            set_job(s, decision.job);
        }
    }
}

/* A record that was changed: taken or refused; if it is refused nothing has changed. */
static void spoil(fuzz_input *in, server *s) {
    vcs_client client = s->clients[0];
    vcs_dispatch_job job = s->jobs[0];
    server changed = *s;
    vcs_error error = {.struct_size = sizeof error};
    const fuzz_records records[] = {
        {VCS_TYPE_CLIENT, &client, sizeof client, 1},
        {VCS_TYPE_DISPATCH_JOB, &job, sizeof job, 1},
        {VCS_TYPE_DISPATCH_RULES, &changed.rules, sizeof changed.rules, 1},
    };
    for (uint32_t edits = 1 + fuzz_byte(in) % 4; edits > 0; edits--) {
        fuzz_edit(in, records, 3);
    }
    client.id = s->clients[0].id; /* distinct, as they must be */
    job.id = s->jobs[0].id;
    int code = vcs_dispatch_set_client(s->index, 0, &client, &error);
    if (code != VCS_OK) {
        fuzz_refused(code, &error);
    } else {
        s->clients[0] = client;
    }
    error = (vcs_error){.struct_size = sizeof error};
    if (s->job_count > 0) {
        code = vcs_dispatch_set_job(s->index, 0, &job, &error);
        if (code != VCS_OK) {
            fuzz_refused(code, &error);
        } else {
            s->jobs[0] = job;
        }
    }
    changed.index = build(&changed, &code);
    free(changed.index);
}

/* The survey of the pool counts what there is. */
static void survey(const server *s) {
    uint32_t order[MOST_CLIENTS], job_order[MOST_JOBS];
    vcs_pool_client rows[MOST_CLIENTS];
    vcs_pool_summary summary = {.struct_size = sizeof summary};
    vcs_error error = {.struct_size = sizeof error};
    const vcs_array clients_of = {{s->clients}, sizeof *s->clients, s->client_count};
    const vcs_array jobs_of = {{s->jobs}, sizeof *s->jobs, s->job_count};
    const int code =
        vcs_pool_survey(&clients_of, &jobs_of, &s->pool, &s->rules, s->now, ARRAY(rows, s->client_count), &error);
    if (code != VCS_OK) {
        fuzz_refused(code, &error);
        return;
    }
    assert_int_equal(
        vcs_pool_sum(&clients_of, &jobs_of, ARRAY(rows, s->client_count), order, job_order, &summary, NULL), VCS_OK);
    const uint32_t clients = summary.active + summary.dead + summary.silent + summary.blacklisted;
    assert_int_equal(clients, s->client_count);
    assert_int_equal(summary.window + summary.duplicates, summary.jobs);
    assert_true(summary.window_span >= 0 && summary.window_bytes >= 0);
    uint32_t window = 0;
    for (uint32_t i = 0; i < s->job_count; i++) { /* those of which a client has a copy */
        bool is_in = false;
        for (uint32_t j = 0; s->jobs[i].copy_of == VCS_NONE && j < s->job_count; j++) {
            const bool is_held = s->jobs[j].state == VCS_JOB_IN_PROGRESS || s->jobs[j].state == VCS_JOB_SUPERSEDED;
            is_in = is_in || (is_held && (j == i || s->jobs[j].copy_of == i));
        }
        window += is_in;
    }
    assert_int_equal(summary.window, window);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static server s;
    fuzz_input in = {bytes, size};
    begin(&in, &s);
    for (uint32_t steps = 0; steps < 60 && fuzz_more(&in); steps++) {
        const uint32_t what = fuzz_byte(&in);
        s.now += what >= 250 ? -5.0 : what % 3;
        switch (what / 4 % 5) {
        case 0:
            add_job(&in, &s);
            break;
        case 1:
            change_job(&in, &s);
            break;
        case 2:
            change_client(&in, &s);
            break;
        case 3:
            send_or_reply(&in, &s);
            break;
        default:
            if (what >= 128) {
                spoil(&in, &s);
            } else {
                survey(&s);
            }
        }
        check(&s);
    }
    free(s.index);
    return 0;
}

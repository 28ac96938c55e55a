/*
 * Which job a client gets next (rule 10.3), with an index that is updated after each change.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"
#include "support/whole.h"

#include "oracle/oracle_dispatch.h"

#include <stdbool.h>
#include <vcsched/dispatch.h>
#include <vcsched/reason.h>

enum { MOST_CLIENTS = 12, MOST_JOBS = 60 };

/* A server: its records, and their index in memory of exactly the size needed. */
typedef struct test_server {
    vcs_client clients[MOST_CLIENTS];
    vcs_dispatch_job jobs[MOST_JOBS];
    uint32_t client_count, job_count;
    vcs_dispatch_rules rules;
    vcs_pace pool;
    double now;
    vcs_dispatch *index;
} test_server;

static test_server server;

/* The records of a server as arguments. */
#define CLIENTS(s) ARRAY((s)->clients, (s)->client_count)
#define JOBS(s) ARRAY((s)->jobs, (s)->job_count)

/* Builds an index of the present records. */
static vcs_dispatch *build(const test_server *s) {
    size_t size = 0;
    assert_int_equal(vcs_dispatch_size(MOST_CLIENTS, MOST_JOBS, &size), VCS_OK);
    vcs_dispatch *index = malloc(size);
    memset(index, 0xa5, size);
    assert_int_equal(vcs_dispatch_build(index, size, CLIENTS(s), JOBS(s), &s->rules, MOST_CLIENTS, MOST_JOBS, NULL),
                     VCS_OK);
    return index;
}

static void begin(uint32_t order, uint32_t clients) {
    free(server.index);
    memset(&server, 0, sizeof server);
    assert_int_equal(vcs_dispatch_rules_init(&server.rules, sizeof server.rules), VCS_OK);
    server.rules.order = order;
    server.client_count = clients;
    for (uint32_t i = 0; i < clients; i++) {
        server.clients[i].id = i + 1;
    }
    server.index = build(&server);
}

static void set_job(uint32_t number) {
    assert_int_equal(vcs_dispatch_set_job(server.index, number, &server.jobs[number], NULL), VCS_OK);
}

static void set_client(uint32_t number) {
    assert_int_equal(vcs_dispatch_set_client(server.index, number, &server.clients[number], NULL), VCS_OK);
}

/* A fresh job that takes a client of the reference speed this many seconds. */
static uint32_t add_job(double complexity, double queued) {
    uint32_t number = server.job_count++;
    server.jobs[number] = (vcs_dispatch_job){
        .id = number + 1, .complexity = complexity, .queued = queued, .client = VCS_NONE, .copy_of = VCS_NONE};
    set_job(number);
    return number;
}

static vcs_dispatch_decision next(uint32_t client) {
    vcs_dispatch_decision decision = {.struct_size = sizeof decision};
    assert_int_equal(vcs_dispatch_next(server.index, client, server.now, &decision), VCS_OK);
    return decision;
}

/* Carries out the decision as a server does. Returns the job sent. */
static uint32_t send(uint32_t client) {
    vcs_dispatch_decision decision = next(client);
    uint32_t number = decision.job;
    assert_true(number != VCS_NONE);
    if (decision.is_copy) {
        const vcs_dispatch_job *had = &server.jobs[number];
        uint32_t copy_of = had->copy_of == VCS_NONE ? number : had->copy_of;
        server.jobs[number].state = VCS_JOB_SUPERSEDED;
        set_job(number);
        number = add_job(had->complexity, server.now);
        server.jobs[number].copy_of = copy_of;
    }
    assert_int_equal(vcs_job_send(&server.jobs[number], client, &server.clients[client], &server.pool, &server.rules,
                                  server.now, NULL),
                     VCS_OK);
    set_job(number);
    return number;
}

static void assert_next(uint32_t client, uint32_t job, uint32_t again, uint32_t reason) {
    vcs_dispatch_decision decision = next(client);
    assert_int_equal(decision.job, job);
    assert_int_equal(decision.is_copy, again);
    assert_int_equal(decision.reason, reason);
    assert_number(decision.next_check, 0.0);
}

static void assert_none(uint32_t client, double next_check) {
    vcs_dispatch_decision decision = next(client);
    assert_int_equal(decision.job, VCS_NONE);
    assert_int_equal(decision.is_copy, 0);
    assert_int_equal(decision.reason, VCS_REASON_NO_JOB);
    assert_true(decision.next_check == next_check);
}

/* ---- The three orders, by hand ---- */

static void fresh_jobs_are_first_in_first_out(void **unused) {
    (void)unused;
    begin(VCS_OVERDUE_FIRST, 1);
    assert_none(0, (double)INFINITY);
    add_job(1, 30);
    add_job(1, 10);
    add_job(1, 20);
    add_job(1, 10);
    uint32_t urgent = add_job(1, 40);
    server.jobs[urgent].flags = VCS_JOB_AT_HEAD;
    set_job(urgent);
    assert_next(0, urgent, 0, VCS_REASON_HEAD_OF_QUEUE);
    assert_int_equal(send(0), urgent);
    assert_next(0, 1, 0, VCS_REASON_FRESH);
    assert_int_equal(send(0), 1);
    assert_int_equal(send(0), 3);
    assert_int_equal(send(0), 2);
    assert_int_equal(send(0), 0);
}

/* Jobs of 10 s and 100 s at 0 and 5 s; K_wait = 2: the windows end at 20 and 205 s. */
static void an_overdue_job_goes_before_fresh_ones(void **unused) {
    (void)unused;
    begin(VCS_OVERDUE_FIRST, 3);
    add_job(10, 0);
    add_job(100, 1);
    assert_int_equal(send(0), 0);
    server.now = 5;
    assert_int_equal(send(0), 1);
    server.now = 15;
    assert_none(1, 5.0);
    assert_none(0, (double)INFINITY); /* it has both */
    uint32_t fresh = add_job(1000, 0);
    assert_next(1, fresh, 0, VCS_REASON_FRESH);
    server.now = 20;
    assert_next(1, 0, 1, VCS_REASON_WINDOW_OVER);
    assert_next(0, fresh, 0, VCS_REASON_FRESH);
    uint32_t copy = send(1);
    assert_int_equal(server.jobs[0].state, VCS_JOB_SUPERSEDED);
    assert_int_equal(server.jobs[copy].copy_of, 0);
    assert_next(2, fresh, 0, VCS_REASON_FRESH); /* the window of the copy is open until 40 */
    assert_int_equal(send(2), fresh);
    assert_none(2, 20.0);
    server.now = 40;
    assert_next(2, copy, 1, VCS_REASON_WINDOW_OVER);
    assert_none(0, 1980.0); /* it still has the superseded one; the window of `fresh` ends at 2020 */
    server.jobs[0].state = VCS_JOB_REPLIED;
    server.jobs[copy].state = VCS_JOB_OVER;
    set_job(0);
    set_job(copy);
    assert_none(1, 165.0); /* until 205 */
}

/* A job of 10 s is sent at -100, so its window ends at -80. */
static void times_may_lie_before_the_epoch(void **unused) {
    (void)unused;
    begin(VCS_OVERDUE_FIRST, 2);
    add_job(10, -200);
    server.now = -100;
    assert_int_equal(send(0), 0);
    server.now = -95;
    assert_none(1, 15.0);
    server.now = -80;
    assert_next(1, 0, 1, VCS_REASON_WINDOW_OVER);
}

/* Fresh jobs first; then the earliest sent, whatever its client does; a copy goes to the end. */
static void the_oldest_comes_after_all_fresh_ones(void **unused) {
    (void)unused;
    begin(VCS_DRAIN_THEN_OLDEST, 3);
    for (uint32_t i = 0; i < 3; i++) {
        add_job(1, i);
        server.now = 100 - i; /* the clock goes back */
        assert_next(i, i, 0, VCS_REASON_FRESH);
        send(i);
    }
    assert_next(0, 2, 1, VCS_REASON_OLDEST);
    assert_next(2, 1, 1, VCS_REASON_OLDEST);
    server.now = 200;
    uint32_t copy = send(0);
    assert_next(1, 0, 1, VCS_REASON_OLDEST);
    assert_int_equal(send(1), copy + 1);
    assert_next(1, copy, 1, VCS_REASON_OLDEST);
    assert_next(2, 1, 1, VCS_REASON_OLDEST);
    uint32_t fresh = add_job(1, 300);
    assert_next(2, fresh, 0, VCS_REASON_FRESH);
}

static void jobs_of_the_dead_come_after_all_fresh_ones(void **unused) {
    (void)unused;
    begin(VCS_DRAIN_THEN_DEAD, 4);
    for (uint32_t i = 0; i < 4; i++) {
        add_job(1, i);
        send(i / 2);
    }
    assert_none(2, (double)INFINITY);
    server.clients[0].flags = VCS_CLIENT_DEAD;
    set_client(0);
    assert_next(2, 0, 1, VCS_REASON_CLIENT_DEAD);
    server.clients[0].flags = VCS_CLIENT_TALKING; /* a reply revived it */
    set_client(0);
    assert_none(2, (double)INFINITY);
    server.clients[1].flags = VCS_CLIENT_DEAD;
    set_client(1);
    assert_next(2, 2, 1, VCS_REASON_CLIENT_DEAD);
    uint32_t fresh = add_job(1, 9);
    assert_next(2, fresh, 0, VCS_REASON_FRESH);
    assert_int_equal(send(2), fresh);
    send(2);
    assert_next(3, 3, 1, VCS_REASON_CLIENT_DEAD);
    assert_next(2, 3, 1, VCS_REASON_CLIENT_DEAD);
}

static void the_blacklist_gets_nothing(void **unused) {
    (void)unused;
    begin(VCS_OVERDUE_FIRST, 2);
    add_job(1, 0);
    server.clients[1].flags = VCS_BLACKLISTED;
    set_client(1);
    vcs_dispatch_decision decision = next(1);
    assert_int_equal(decision.job, VCS_NONE);
    assert_int_equal(decision.reason, VCS_REASON_BLACKLISTED);
    assert_true(decision.next_check == (double)INFINITY);
    assert_next(0, 0, 0, VCS_REASON_FRESH);
}

/*
 * Client 0 has jobs 0 and 1 of 10 s, sent at 10 and 5; client 1 has job 2, sent at 0: its window ended at 20. Fresh
 * are job 3, at the head, and job 4. It is 22: the windows of 1 and 0 end at 25 and 30. Then client 0 is caught. Nobody
 * waits for its replies any more, so its jobs go before all others, the earliest sent first.
 */
static void what_the_blacklisted_have_goes_first(void **unused) {
    (void)unused;
    static const uint32_t before[][2] = {{3, VCS_REASON_HEAD_OF_QUEUE}, /* drain-then-dead */
                                         {3, VCS_REASON_HEAD_OF_QUEUE}, /* drain-then-oldest */
                                         {2, VCS_REASON_WINDOW_OVER}};
    for (uint32_t order = VCS_DRAIN_THEN_DEAD; order <= VCS_OVERDUE_FIRST; order++) {
        begin(order, 5);
        for (uint32_t i = 0; i < 3; i++) {
            add_job(10, i);
            server.now = 10 - 5.0 * i;
            assert_int_equal(send(i / 2), i);
        }
        uint32_t urgent = add_job(10, 3);
        server.jobs[urgent].flags = VCS_JOB_AT_HEAD;
        set_job(urgent);
        add_job(10, 4);
        server.now = 22;
        assert_next(2, before[order][0], order == VCS_OVERDUE_FIRST, before[order][1]);
        server.clients[0].flags = VCS_BLACKLISTED;
        set_client(0);
        assert_next(2, 1, 1, VCS_REASON_CLIENT_BLACKLISTED);
        server.clients[0].flags = VCS_BLACKLISTED | VCS_CLIENT_DEAD; /* that changes nothing */
        set_client(0);
        uint32_t copy = send(2);
        assert_int_equal(server.jobs[1].state, VCS_JOB_SUPERSEDED);
        assert_next(2, 0, 1, VCS_REASON_CLIENT_BLACKLISTED);
        send(2);
        assert_next(2, before[order][0], order == VCS_OVERDUE_FIRST, before[order][1]);
        server.clients[2].flags = VCS_BLACKLISTED; /* so the jobs that it was sent go out once more */
        set_client(2);
        assert_next(3, copy, 1, VCS_REASON_CLIENT_BLACKLISTED);
        server.clients[2].flags = 0; /* a pardon */
        set_client(2);
        assert_next(3, before[order][0], order == VCS_OVERDUE_FIRST, before[order][1]);
    }
}

/* Three copies of one job, then another job: a client that got a copy gets no other copy, even after its reply. */
static void copies_go_to_different_clients(void **unused) {
    (void)unused;
    begin(VCS_OVERDUE_FIRST, 3);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t number = add_job(1, 0);
        server.jobs[number].copy_of = i == 1 || i == 2 ? 0 : VCS_NONE;
        set_job(number);
    }
    assert_int_equal(send(0), 0);
    assert_next(0, 3, 0, VCS_REASON_FRESH);
    server.jobs[0].state = VCS_JOB_REPLIED;
    set_job(0);
    assert_next(0, 3, 0, VCS_REASON_FRESH);
    assert_int_equal(send(1), 1);
    assert_int_equal(send(2), 2);
    assert_int_equal(send(0), 3);
    assert_none(0, (double)INFINITY);
}

/* A client may have two jobs. A superseded job counts, as its reply is still awaited; a replied job does not. */
static void a_client_gets_no_more_than_its_limit(void **unused) {
    (void)unused;
    begin(VCS_OVERDUE_FIRST, 2);
    assert_int_equal(server.rules.max_per_client, 1000);
    server.rules.max_per_client = 2;
    free(server.index);
    server.index = build(&server);
    for (uint32_t i = 0; i < 5; i++) {
        add_job(10, i);
    }
    assert_int_equal(send(0), 0);
    assert_int_equal(send(0), 1);
    vcs_dispatch_decision decision = next(0);
    assert_int_equal(decision.job, VCS_NONE);
    assert_int_equal(decision.reason, VCS_REASON_HOST_LIMIT);
    assert_true(decision.next_check == (double)INFINITY);
    server.now = 20; /* the window of both has ended */
    const uint32_t copy = send(1);
    assert_int_equal(server.jobs[copy].copy_of, 0);
    assert_int_equal(next(0).reason, VCS_REASON_HOST_LIMIT);
    server.jobs[1].state = VCS_JOB_REPLIED;
    set_job(1);
    assert_next(0, 2, 0, VCS_REASON_FRESH);
    assert_int_equal(send(0), 2);
    assert_int_equal(next(0).reason, VCS_REASON_HOST_LIMIT);
    server.jobs[0].state = VCS_JOB_OVER;
    set_job(0);
    assert_next(0, 3, 0, VCS_REASON_FRESH);
}

/* Many threads may ask one index: not a byte of it changes, whatever jobs are passed over. */
static void asking_changes_nothing(void **unused) {
    (void)unused;
    size_t size;
    assert_int_equal(vcs_dispatch_size(MOST_CLIENTS, MOST_JOBS, &size), VCS_OK);
    unsigned char *before = malloc(size);
    for (uint32_t order = VCS_DRAIN_THEN_DEAD; order <= VCS_OVERDUE_FIRST; order++) {
        begin(order, 3);
        for (uint32_t i = 0; i < 20; i++) {
            add_job(1e3, i);
            server.now = i;
            assert_int_equal(send(i % 2), i);
        }
        server.clients[1].flags = order == VCS_DRAIN_THEN_OLDEST ? VCS_BLACKLISTED : VCS_CLIENT_DEAD;
        set_client(1);
        server.now = 1e5;
        copy_whole(before, server.index, size);
        for (uint32_t client = 0; client < 3; client++) {
            assert_true(next(client).job != VCS_NONE || client == 1);
        }
        assert_memory_equal(server.index, before, size);
    }
    free(before);
}

/* ---- Against the oracle, and against a freshly built index ---- */

static bool fill_over_job(random_stream *stream) {
    uint32_t number = random_below(stream, server.job_count + 1);
    if (number == MOST_JOBS || (number < server.job_count && server.jobs[number].state != VCS_JOB_OVER)) {
        return false;
    }
    for (uint32_t i = 0; i < server.job_count; i++) {
        if (server.jobs[i].copy_of == number) {
            return false;
        }
    }
    /* few times and few ids make frequent ties */
    vcs_dispatch_job job = {.id = 1000 * random_below(stream, 3) + number,
                            .size = 1e5 * random_below(stream, 3),
                            .complexity = 1 + random_below(stream, 4),
                            .queued = server.now + random_below(stream, 3),
                            .flags = random_below(stream, 6) == 0 ? VCS_JOB_AT_HEAD : 0,
                            .client = VCS_NONE,
                            .copy_of = VCS_NONE};
    if (server.job_count > 0 && random_below(stream, 3) == 0) {
        uint32_t other = random_below(stream, server.job_count);
        other = server.jobs[other].copy_of == VCS_NONE ? other : server.jobs[other].copy_of;
        job.copy_of = other == number ? VCS_NONE : other;
    }
    server.job_count += number == server.job_count;
    server.jobs[number] = job;
    set_job(number);
    return true;
}

static void change_job(random_stream *stream) {
    if (server.job_count == 0) {
        return;
    }
    uint32_t number = random_below(stream, server.job_count);
    vcs_dispatch_job *job = &server.jobs[number];
    if (job->state == VCS_JOB_FRESH) {
        job->state = random_below(stream, 10) == 0 ? VCS_JOB_OVER : VCS_JOB_FRESH;
    } else if (random_below(stream, 5) == 0) { /* lost: it goes back */
        job->state = VCS_JOB_FRESH;
        job->client = VCS_NONE;
        job->flags = VCS_JOB_AT_HEAD;
    } else {
        job->state = job->state >= VCS_JOB_REPLIED ? VCS_JOB_OVER : VCS_JOB_REPLIED;
    }
    set_job(number);
}

static void change_client(random_stream *stream) {
    if (server.client_count < MOST_CLIENTS && random_below(stream, 4) == 0) {
        server.clients[server.client_count].id = random_bits(stream);
        server.client_count++;
        set_client(server.client_count - 1);
        return;
    }
    uint32_t number = random_below(stream, server.client_count);
    uint32_t flags = random_below(stream, 8);
    server.clients[number].flags = random_below(stream, 4) == 0 ? flags : flags & ~VCS_BLACKLISTED;
    set_client(number);
}

static void copy_and_send(const vcs_dispatch_decision *decision, uint32_t client) {
    if (decision->is_copy && server.job_count == MOST_JOBS) {
        return; /* no space for another record */
    }
    if (decision->job != VCS_NONE) {
        send(client);
    }
}

static void assert_as_the_oracle(void) {
    const oracle_server records = {server.clients, server.jobs, server.client_count, server.job_count, server.rules};
    vcs_dispatch *fresh = build(&server);
    for (uint32_t i = 0; i < server.client_count; i++) {
        vcs_dispatch_decision expected = oracle_dispatch_next(&records, i, server.now);
        vcs_dispatch_decision kept = next(i), rebuilt = {.struct_size = sizeof rebuilt};
        assert_int_equal(vcs_dispatch_next(fresh, i, server.now, &rebuilt), VCS_OK);
        assert_memory_equal(&kept, &expected, sizeof kept);
        assert_memory_equal(&rebuilt, &expected, sizeof rebuilt);
    }
    free(fresh);
}

static void decides_as_the_oracle(void **unused) {
    (void)unused;
    random_stream stream = {1};
    for (int round = 0; round < 150; round++) {
        begin((uint32_t)round % 3, 1 + random_below(&stream, 4));
        server.rules.max_per_client = round % 2 == 0 ? 0 : 1 + random_below(&stream, 12);
        free(server.index);
        server.index = build(&server);
        for (int step = 0; step < 300; step++) {
            server.now += random_below(&stream, 20) == 0 ? -5.0 : random_below(&stream, 3);
            switch (random_below(&stream, 4)) {
            case 0:
                fill_over_job(&stream);
                break;
            case 1:
                change_job(&stream);
                break;
            case 2:
                change_client(&stream);
                break;
            default: {
                uint32_t client = random_below(&stream, server.client_count);
                vcs_dispatch_decision decision = next(client);
                copy_and_send(&decision, client);
            }
            }
            assert_as_the_oracle();
        }
    }
}

/* The index may be moved: it holds no pointer. */
static void an_index_may_be_moved(void **unused) {
    (void)unused;
    size_t size;
    begin(VCS_DRAIN_THEN_DEAD, 2);
    for (uint32_t i = 0; i < 20; i++) {
        add_job(1, 20 - i);
    }
    for (int i = 0; i < 10; i++) {
        send(0);
    }
    assert_int_equal(vcs_dispatch_size(MOST_CLIENTS, MOST_JOBS, &size), VCS_OK);
    vcs_dispatch *moved = malloc(size);
    copy_whole(moved, server.index, size);
    overwrite_whole(server.index, 0xa5, size);
    free(server.index);
    server.index = moved;
    assert_as_the_oracle();
    server.clients[0].flags = VCS_CLIENT_DEAD;
    set_client(0);
    for (int i = 0; i < 20; i++) {
        send(1);
        assert_as_the_oracle();
    }
}

/* ---- Bad input ---- */

static void check_job_refused(uint32_t number, const vcs_dispatch_job *job, int code) {
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_dispatch_set_job(server.index, number, job, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, VCS_TYPE_DISPATCH_JOB);
    assert_as_the_oracle(); /* nothing was changed */
}

static void refuses_bad_jobs(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_dispatch_job, size),
        BAD_NUMBER(vcs_dispatch_job, size, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_dispatch_job, complexity),
        BAD_NUMBER(vcs_dispatch_job, complexity, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_dispatch_job, queued),
        NOT_FINITE(vcs_dispatch_job, sent),
        NOT_FINITE(vcs_dispatch_job, expected),
        BAD_NUMBER(vcs_dispatch_job, expected, -1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_dispatch_job, state, 5, VCS_ERR_FLAGS),
        BAD_WORD(vcs_dispatch_job, flags, 2, VCS_ERR_FLAGS),
        BAD_WORD(vcs_dispatch_job, client, 2, VCS_ERR_INDEX),
        BAD_WORD(vcs_dispatch_job, client, VCS_NONE, VCS_ERR_INDEX),
        BAD_WORD(vcs_dispatch_job, state, VCS_JOB_FRESH, VCS_ERR_INDEX), /* but a client has it */
        BAD_WORD(vcs_dispatch_job, copy_of, 3, VCS_ERR_INDEX),
        BAD_WORD(vcs_dispatch_job, copy_of, 1, VCS_ERR_INDEX), /* itself */
        BAD_WORD(vcs_dispatch_job, copy_of, 2, VCS_ERR_INDEX), /* a copy */
        BAD_WORD(vcs_dispatch_job, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    begin(VCS_OVERDUE_FIRST, 2);
    for (uint32_t i = 0; i < 3; i++) {
        add_job(1, i);
        send(0);
    }
    server.jobs[2].copy_of = 0;
    set_job(2);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_dispatch_job job = server.jobs[1];
        spoil(&job, &table[i]);
        check_job_refused(1, &job, table[i].code);
        /* likewise when the index is built */
        test_server spoilt = server;
        spoilt.jobs[1] = job;
        static uint64_t work[4096], untouched[4096];
        assert_int_equal(vcs_dispatch_build((vcs_dispatch *)work, sizeof work, CLIENTS(&spoilt), JOBS(&spoilt),
                                            &server.rules, MOST_CLIENTS, MOST_JOBS, NULL),
                         table[i].code);
        assert_memory_equal(work, untouched, sizeof work);
    }
    /* an original must stay what it is */
    vcs_dispatch_job job = server.jobs[0];
    job.id = 77;
    check_job_refused(0, &job, VCS_ERR_SEQUENCE);
    job = server.jobs[0];
    job.copy_of = 1;
    check_job_refused(0, &job, VCS_ERR_SEQUENCE);
    check_job_refused(4, &server.jobs[0], VCS_ERR_INDEX);
    check_job_refused(1, NULL, VCS_ERR_NULL);
    while (server.job_count < MOST_JOBS) {
        add_job(1, 0);
    }
    check_job_refused(MOST_JOBS, &server.jobs[1], VCS_ERR_COUNT);
}

static void refuses_bad_clients(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        NOT_FINITE(vcs_client, last_heard),
        NOT_FINITE(vcs_client, pace.bytes),
        BAD_NUMBER(vcs_client, pace.compute_seconds, -1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_client, flags, 8, VCS_ERR_FLAGS),
        BAD_WORD(vcs_client, reserved0, 1, VCS_ERR_ABI_NEWER),
        BAD_WORD(vcs_client, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    begin(VCS_OVERDUE_FIRST, 2);
    add_job(1, 0);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_client client = {.id = 2, .flags = VCS_BLACKLISTED};
        spoil(&client, &table[i]);
        assert_int_equal(vcs_dispatch_set_client(server.index, 1, &client, NULL), table[i].code);
        assert_as_the_oracle();
    }
    vcs_client client = {.id = 2};
    vcs_error small = {.struct_size = 8};
    assert_int_equal(vcs_dispatch_set_client(server.index, 1, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_dispatch_set_client(NULL, 1, &client, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_dispatch_set_client(server.index, 1, &client, &small), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_dispatch_set_client(server.index, 3, &client, NULL), VCS_ERR_INDEX);
    while (server.client_count < MOST_CLIENTS) {
        set_client(server.client_count++);
    }
    assert_int_equal(vcs_dispatch_set_client(server.index, MOST_CLIENTS, &client, NULL), VCS_ERR_COUNT);
}

static void refuses_bad_questions(void **unused) {
    (void)unused;
    begin(VCS_OVERDUE_FIRST, 2);
    vcs_dispatch_decision decision = {.struct_size = sizeof decision, .job = 77}, before = decision;
    assert_int_equal(vcs_dispatch_next(server.index, 2, 0, &decision), VCS_ERR_INDEX);
    assert_int_equal(vcs_dispatch_next(server.index, VCS_NONE, 0, &decision), VCS_ERR_INDEX);
    assert_int_equal(vcs_dispatch_next(server.index, 0, (double)NAN, &decision), VCS_ERR_NOT_FINITE);
    assert_int_equal(vcs_dispatch_next(server.index, 0, 2e15, &decision), VCS_ERR_RANGE);
    assert_int_equal(vcs_dispatch_next(NULL, 0, 0, &decision), VCS_ERR_NULL);
    assert_int_equal(vcs_dispatch_next(server.index, 0, 0, NULL), VCS_ERR_NULL);
    assert_memory_equal(&decision, &before, sizeof decision);
    decision.struct_size = 8;
    assert_int_equal(vcs_dispatch_next(server.index, 0, 0, &decision), VCS_ERR_ABI_OLDER);
    assert_int_equal(decision.job, 77);
}

static void refuses_to_build(void **unused) {
    (void)unused;
    size_t size = 77;
    assert_int_equal(vcs_dispatch_size(VCS_NONE, 1, &size), VCS_ERR_COUNT);
    assert_int_equal(vcs_dispatch_size(1, VCS_NONE, &size), VCS_ERR_COUNT);
    assert_int_equal(vcs_dispatch_size(1, 1, NULL), VCS_ERR_NULL);
    if (sizeof size < sizeof(uint64_t)) {
        assert_int_equal(vcs_dispatch_size(VCS_NONE - 1, VCS_NONE - 1, &size), VCS_ERR_OVERFLOW);
    }
    assert_int_equal(size, 77);
    begin(VCS_OVERDUE_FIRST, 2);
    add_job(1, 0);
    add_job(1, 0);
    assert_int_equal(vcs_dispatch_size(2, 2, &size), VCS_OK);
    unsigned char *work = malloc(size + 8), *before = malloc(size + 8);
    memset(work, 0xa5, size + 8);
    memset(before, 0xa5, size + 8);
    vcs_error small = {.struct_size = 8};
    const vcs_dispatch_rules *rules = &server.rules;
    const vcs_array *clients = ARRAY(server.clients, 2), *jobs = ARRAY(server.jobs, 2);
    const vcs_array *short_clients = ARRAY_OF(server.clients, sizeof *server.clients - 8, 2);
    const vcs_array *short_jobs = ARRAY_OF(server.jobs, sizeof *server.jobs - 8, 2);
#define BUILD(work, size, ...) vcs_dispatch_build((vcs_dispatch *)(void *)(work), size, __VA_ARGS__)
    assert_int_equal(BUILD(work, size, NULL, jobs, rules, 2, 2, NULL), VCS_ERR_NULL);
    assert_int_equal(BUILD(work, size, clients, NULL, rules, 2, 2, NULL), VCS_ERR_NULL);
    assert_int_equal(BUILD(work, size, ARRAY_OF(NULL, sizeof(vcs_client), 2), jobs, rules, 2, 2, NULL), VCS_ERR_NULL);
    assert_int_equal(BUILD(work, size, short_clients, jobs, rules, 2, 2, NULL), VCS_ERR_ABI_OLDER);
    assert_int_equal(BUILD(work, size, clients, short_jobs, rules, 2, 2, NULL), VCS_ERR_ABI_OLDER);
    assert_int_equal(BUILD(work, size, clients, jobs, NULL, 2, 2, NULL), VCS_ERR_NULL);
    assert_int_equal(BUILD(NULL, size, clients, jobs, rules, 2, 2, NULL), VCS_ERR_NULL);
    assert_int_equal(BUILD(work, size, clients, jobs, rules, 2, 2, &small), VCS_ERR_ABI_OLDER);
    assert_int_equal(BUILD(work, size, clients, jobs, rules, 1, 2, NULL), VCS_ERR_COUNT);
    assert_int_equal(BUILD(work, size, clients, jobs, rules, 2, 1, NULL), VCS_ERR_COUNT);
    assert_int_equal(BUILD(work, size, clients, jobs, rules, 2, VCS_NONE, NULL), VCS_ERR_COUNT);
    assert_int_equal(BUILD(work, size - 1, clients, jobs, rules, 2, 2, NULL), VCS_ERR_WORKSPACE);
    assert_int_equal(BUILD(work + 4, size, clients, jobs, rules, 2, 2, NULL), VCS_ERR_WORKSPACE);
    struct {
        vcs_dispatch_job known;
        uint64_t added;
    } longer[2] = {{server.jobs[0], 0}, {server.jobs[1], 1}};
    assert_int_equal(BUILD(work, size, clients, ARRAY_OF(&longer[0].known, sizeof *longer, 2), rules, 2, 2, NULL),
                     VCS_ERR_ABI_NEWER);
    assert_memory_equal(work, before, size + 8);
    assert_int_equal(BUILD(work, size, clients, jobs, rules, 2, 2, NULL), VCS_OK);
    free(work);
    free(before);
}

static int give_back(void **unused) {
    (void)unused;
    free(server.index);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_jobs_are_first_in_first_out),
        cmocka_unit_test(an_overdue_job_goes_before_fresh_ones),
        cmocka_unit_test(times_may_lie_before_the_epoch),
        cmocka_unit_test(the_oldest_comes_after_all_fresh_ones),
        cmocka_unit_test(jobs_of_the_dead_come_after_all_fresh_ones),
        cmocka_unit_test(the_blacklist_gets_nothing),
        cmocka_unit_test(what_the_blacklisted_have_goes_first),
        cmocka_unit_test(copies_go_to_different_clients),
        cmocka_unit_test(a_client_gets_no_more_than_its_limit),
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(decides_as_the_oracle),
        cmocka_unit_test(an_index_may_be_moved),
        cmocka_unit_test(refuses_bad_jobs),
        cmocka_unit_test(refuses_bad_clients),
        cmocka_unit_test(refuses_bad_questions),
        cmocka_unit_test(refuses_to_build),
    };
    return cmocka_run_group_tests(tests, NULL, give_back);
}

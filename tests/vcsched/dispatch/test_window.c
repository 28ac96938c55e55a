/*
 * The effect of K_wait by source S3, in the loop (rules 10.3 and 10.5): under overdue-first, the longer a server waits
 * for a reply, the longer the application waits for its next portion in order, and the fewer copies are sent in vain.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/dispatch.h>

enum { CLIENTS = 20, MOST_JOBS = 12000, SECONDS = 4000 };

/* A server, and the jobs that its clients compute. */
typedef struct grid {
    vcs_client clients[CLIENTS];
    vcs_dispatch_job jobs[MOST_JOBS];
    uint32_t job_count;
    vcs_pace pool;
    vcs_dispatch_rules rules;
    vcs_dispatch *index;
    uint32_t has[CLIENTS]; /* the job that a client computes; VCS_NONE = none */
    double ready[CLIENTS]; /* when it will be done */
    bool is_lost[CLIENTS]; /* it will not reply */
    random_stream stream;
} grid;

/* Results: means over time. */
typedef struct outcome {
    double window, span, duplicates;
    uint32_t copies, replies;
} outcome;

static grid g;

static void set_job(uint32_t number) {
    assert_int_equal(vcs_dispatch_set_job(g.index, number, &g.jobs[number], NULL), VCS_OK);
}

/* One job a second joins the queue. Jobs of complexity 10 take the reference machine 10 s. */
static uint32_t add_job(double queued) {
    const uint32_t number = g.job_count++;
    assert_true(number < MOST_JOBS);
    g.jobs[number] = (vcs_dispatch_job){
        .id = number + 1, .complexity = 10, .queued = queued, .client = VCS_NONE, .copy_of = VCS_NONE};
    set_job(number);
    return number;
}

static void begin(double wait_factor) {
    size_t size;
    memset(&g, 0, sizeof g);
    g.stream = (random_stream){1};
    assert_int_equal(vcs_dispatch_rules_init(&g.rules, sizeof g.rules), VCS_OK);
    g.rules.wait_factor = wait_factor;
    g.rules.dead_factor = 1000;
    for (uint32_t i = 0; i < CLIENTS; i++) {
        g.clients[i].id = i + 1;
        g.has[i] = VCS_NONE;
    }
    assert_int_equal(vcs_dispatch_size(CLIENTS, MOST_JOBS, &size), VCS_OK);
    g.index = malloc(size);
    assert_int_equal(vcs_dispatch_build(g.index, size, ARRAY(g.clients, CLIENTS), ARRAY(g.jobs, 0), &g.rules, CLIENTS,
                                        MOST_JOBS, NULL),
                     VCS_OK);
}

/* The first reply counts: all copies are over. */
static void reply(uint32_t number, outcome *o) {
    const uint32_t original = g.jobs[number].copy_of == VCS_NONE ? number : g.jobs[number].copy_of;
    if (g.jobs[number].state == VCS_JOB_OVER) {
        return; /* another one was first */
    }
    for (uint32_t i = original; i < g.job_count; i++) {
        if (i == original || g.jobs[i].copy_of == original) {
            g.jobs[i].state = VCS_JOB_OVER;
            set_job(i);
        }
    }
    o->replies++;
}

static void ask(uint32_t client, double now, outcome *o) {
    vcs_dispatch_decision decision = {.struct_size = sizeof decision};
    assert_int_equal(vcs_dispatch_next(g.index, client, now, &decision), VCS_OK);
    uint32_t number = decision.job;
    if (number == VCS_NONE) {
        return;
    }
    if (decision.is_copy) {
        const vcs_dispatch_job had = g.jobs[number];
        g.jobs[number].state = VCS_JOB_SUPERSEDED;
        set_job(number);
        const uint32_t original = had.copy_of == VCS_NONE ? number : had.copy_of;
        number = add_job(now);
        g.jobs[number].copy_of = original;
        o->copies++;
    }
    assert_int_equal(vcs_job_send(&g.jobs[number], client, &g.clients[client], &g.pool, &g.rules, now, NULL), VCS_OK);
    set_job(number);
    /* a mean of 10 s, now and then much longer; one of twenty is lost */
    g.has[client] = number;
    g.ready[client] = now - 10 * log(1 - random_draw(&g.stream));
    g.is_lost[client] = random_below(&g.stream, 20) == 0;
}

static outcome run(double wait_factor) {
    static uint32_t order[CLIENTS], job_order[MOST_JOBS];
    static vcs_pool_client rows[CLIENTS];
    outcome o = {0};
    uint32_t looks = 0;
    begin(wait_factor);
    for (uint32_t now = 0; now < SECONDS; now++) {
        add_job(now);
        for (uint32_t i = 0; i < CLIENTS; i++) {
            if (g.has[i] != VCS_NONE && g.ready[i] <= now) {
                if (!g.is_lost[i]) {
                    reply(g.has[i], &o);
                }
                g.has[i] = VCS_NONE;
            }
            if (g.has[i] == VCS_NONE) {
                ask(i, now, &o);
            }
        }
        if (now >= SECONDS / 4 && now % 10 == 0) {
            vcs_pool_summary summary = {.struct_size = sizeof summary};
            assert_int_equal(vcs_pool_survey(ARRAY(g.clients, CLIENTS), ARRAY(g.jobs, g.job_count), &g.pool, &g.rules,
                                             now, ARRAY(rows, CLIENTS), NULL),
                             VCS_OK);
            assert_int_equal(vcs_pool_sum(ARRAY(g.clients, CLIENTS), ARRAY(g.jobs, g.job_count), ARRAY(rows, CLIENTS),
                                          order, job_order, &summary, NULL),
                             VCS_OK);
            assert_int_equal(summary.window + summary.duplicates, summary.jobs);
            o.window += summary.window;
            o.span += summary.window_span;
            o.duplicates += summary.duplicates;
            looks++;
        }
    }
    free(g.index);
    o.window /= looks;
    o.span /= looks;
    o.duplicates /= looks;
    return o;
}

static void waiting_longer_widens_the_window_and_saves_copies(void **unused) {
    (void)unused;
    static const double factors[] = {1.2, 2, 4}; /* beyond, nearly all copies are for lost replies */
    outcome last = {0};
    for (uint32_t i = 0; i < COUNT_OF(factors); i++) {
        const outcome o = run(factors[i]);
        print_message("K_wait %.1f: window %.1f jobs, %.1f s; duplicates %.2f; %u copies, %u replies\n", factors[i],
                      o.window, o.span, o.duplicates, o.copies, o.replies);
        assert_true(o.replies > SECONDS * 9 / 10);
        if (i > 0) {
            assert_true(o.span > last.span && o.window > last.window);
            assert_true(o.duplicates < last.duplicates && o.copies < last.copies);
        }
        last = o;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_longer_widens_the_window_and_saves_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

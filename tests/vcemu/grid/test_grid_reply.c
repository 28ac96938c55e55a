/*
 * Servers that dispatch by expected reply (rules 10.1 to 10.5 and 11.1 to 11.3 in the loop of rule 14.2).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/counted_memory.h"
#include "support/grid_any.h"
#include "support/grid_watch.h"
#include "support/effort.h"

#include <stdio.h>

#define GIGA 1e9

static grid_case g;

/* ---- Stories: what a server does, worked by hand ---- */

static char story[2000];
static double last_sent, accepted, accepted_before; /* when: the last job; the last result, and the one before it */

/* 1.0>2: copy 0 of unit 1 goes to host 2. 1.0<2: it is reported; with e, c or r: as an error, as cancelled, and
   refused. 1.0?: nobody waits for it any more. 1=0: its result is accepted; with * it is wrong. !2: host 2 is caught.
   */
static int tell(void *context, const vcs_grid_event *event) {
    static const char *reports[] = {[VCS_REPORT_SUCCESS] = "",
                                    [VCS_REPORT_CLIENT_ERROR] = "e",
                                    [VCS_REPORT_CANCELLED] = "c",
                                    [VCS_REPORT_REFUSED] = "r"};
    const size_t used = strlen(story), room = sizeof story - used;
    const unsigned unit = (unsigned)event->unit, copy = event->copy_index, host = event->host;
    (void)context;
    switch (event->kind) {
    case VCS_GRID_EVENT_SENT:
        snprintf(story + used, room, " %u.%u>%u", unit, copy, host);
        last_sent = event->time;
        break;
    case VCS_GRID_EVENT_REPORTED:
        snprintf(story + used, room, " %u.%u<%u%s", unit, copy, host, reports[event->reason]);
        break;
    case VCS_GRID_EVENT_NO_REPLY:
        snprintf(story + used, room, " %u.%u?", unit, copy);
        break;
    case VCS_GRID_EVENT_ACCEPTED:
        snprintf(story + used, room, " %u=%u%s", unit, copy, event->amount != 0.0 ? "*" : "");
        accepted_before = accepted;
        accepted = event->time;
        break;
    case VCS_GRID_EVENT_CAUGHT:
        snprintf(story + used, room, " !%u", host);
        break;
    default:
        break;
    }
    return VCS_OK;
}

/* A batch of jobs of 100 s on hosts of one CPU, as fast as the reference machine. */
static vcs_grid_project *begin_batch(uint64_t units, double duration) {
    begin_grid(&g, duration);
    vcs_grid_project *p = add_units(&g, 100 * GIGA, 10 * DAY);
    p->dispatch = VCS_GRID_BY_REPLY;
    p->units = units;
    return p;
}

/* Hosts that have one job at a time. */
static vcs_host_model *add_single(uint64_t count) {
    const uint32_t index = g.grid.classes.count;
    vcs_host_model *model = add_hosts(&g, count, 1);
    g.hosts[index].resources[0].flops = GIGA;
    g.hosts[index].servers[0].max_in_progress = 1;
    return model;
}

static const vcs_grid_project_outcome *run_story(void) {
    story[0] = '\0';
    g.hooks.observe = tell;
    run_grid(&g);
    g.hooks.observe = NULL;
    return &g.project_outcomes[0];
}

/*
 * Host 1 computes and never replies. Its job 2 was expected within 100 s, so its window ends at 200 and the host is
 * dead at 400; host 0 is back after more than that. The orders differ in what it gets then: the job of the dead only
 * after all fresh ones, and so with the oldest; but the job whose window is over before any fresh one. Host 1 gets
 * whatever it has not got yet, when it asks, and whoever has the same job when a result is accepted is not waited for.
 */
static void the_three_orders_differ_in_what_comes_after_fresh_jobs(void **unused) {
    static const char *stories[] = {
        [VCS_DRAIN_THEN_DEAD] = " 1.0>0 2.0>1 1.0<0 1=0 3.0>0 3.0<0 3=0 2.1>0 2.1<0 2=1 2.0?",
        [VCS_DRAIN_THEN_OLDEST] = " 1.0>0 2.0>1 1.0<0 1=0 3.0>0 3.1>1 3.0<0 3=0 3.1? 2.1>0 2.1<0 2=1 2.0?",
        [VCS_OVERDUE_FIRST] = " 1.0>0 2.0>1 1.0<0 1=0 2.1>0 3.0>1 2.1<0 2=1 2.0? 3.1>0 3.1<0 3=1 3.0?",
    };
    (void)unused;
    for (uint32_t order = 0; order < COUNT_OF(stories); order++) {
        begin_batch(3, 5000)->order = order;
        add_single(1);
        add_single(1)->no_reply = 1;
        const vcs_grid_project_outcome *p = run_story();
        assert_string_equal(story, stories[order]);
        assert_int_equal(p->done, 3);
        assert_int_equal(p->valid, 3);
        assert_int_equal(p->no_reply, p->copies - 3);
        assert_int_equal(p->duplicates, p->copies - 3);
        assert_true(p->makespan >= 300 && p->makespan < 5000);
    }
}

/* The call that reports 1 finds nothing fresh; then host 1 is found dead, and the same call brings its job. */
static void the_dead_are_found_when_there_is_nothing_else(void **unused) {
    (void)unused;
    begin_batch(2, 5000)->order = VCS_DRAIN_THEN_DEAD;
    add_single(1);
    add_single(1)->no_reply = 1;
    run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 1=0 2.1>0 2.1<0 2=1 2.0?");
    assert_true(last_sent == accepted_before);
}

/* Host 0 always lies, in agreement with others; hosts 1 to 3 are honest. Windows are so long that no job is sent
   twice. */
static vcs_grid_project *begin_with_a_liar(uint32_t verification, uint32_t flags) {
    vcs_grid_project *p = begin_batch(2, 20000);
    p->verification = verification;
    p->flags = flags;
    p->recomputation = 2;
    p->error_bound = 0.2;
    p->tolerance = 0.08;
    p->wait_factor = 100;
    p->dead_factor = 200;
    vcs_host_model *liar = add_single(1);
    liar->saboteurs = liar->sabotage = 1;
    liar->flags = VCS_HOSTS_COLLUDE;
    add_single(3);
    return p;
}

static void nobody_checks(void **unused) {
    (void)unused;
    begin_with_a_liar(VCS_GRID_CHECK_NONE, VCS_GRID_BLACKLIST);
    const vcs_grid_project_outcome *p = run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 1=0* 2.0<1 2=0");
    assert_int_equal(p->wrong_accepted, 1);
    assert_int_equal(p->caught, 0);
}

/* The result of 1 is lost, and the job is sent again; its first client never gets it a second time. */
static void the_server_checks(void **unused) {
    (void)unused;
    begin_with_a_liar(VCS_GRID_CHECK_DIRECT, 0);
    run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 2.0<1 2=0 1.1>1 1.1<1 1=1");
    begin_with_a_liar(VCS_GRID_CHECK_DIRECT, VCS_GRID_BLACKLIST);
    const vcs_grid_project_outcome *p = run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 !0 2.0<1 2=0 1.1>1 1.1<1 1=1");
    assert_int_equal(p->wrong_accepted, 0);
    assert_int_equal(p->invalid, 1);
    assert_int_equal(p->caught, 1);
    assert_true(p->flops_invalid == 100 * GIGA);
}

/*
 * Both results are checked by another client: 1, which is wrong, by host 1, so that the check fails. 2, which is right,
 * by host 0, which lies then, too. Nobody knows who was wrong: both are caught if the project has a blacklist, and both
 * jobs have to be computed by hosts that had neither them nor their checks, and checked again. Jobs 1.1 and 2.1 are the
 * checks, and 1.3 and 2.3 the checks of the second results.
 */
static void another_client_checks(void **unused) {
    (void)unused;
    begin_with_a_liar(VCS_GRID_CHECK_INVERSE, 0);
    const vcs_grid_project_outcome *p = run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 2.0<1 1.2>3 1.2<3 2.2>3 2.2<3 1=2 2=2");
    assert_int_equal(p->copies, 4);
    assert_int_equal(p->valid, 2);
    assert_int_equal(p->invalid, 2);
    assert_true(p->flops_checks == 4 * 100 * GIGA);
    begin_with_a_liar(VCS_GRID_CHECK_INVERSE, VCS_GRID_BLACKLIST);
    p = run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 2.0<1 !0 !1 1.2>3 2.2>2 1.2<3 2.2<2 1=2 2=2");
    assert_int_equal(p->caught, 2);
}

/* Of unit 1 there are two results, one wrong: a tie, so a third is asked for, and outvotes host 0. */
static void clients_vote(void **unused) {
    (void)unused;
    begin_with_a_liar(VCS_GRID_CHECK_RECOMPUTATION, VCS_GRID_BLACKLIST);
    const vcs_grid_project_outcome *p = run_story();
    assert_string_equal(story, " 1.0>0 1.1>1 2.0>2 2.1>3 2.0<2 2.1<3 2=0 1.0<0 1.1<1 1.2>3 1.2<3 !0 1=1");
    assert_int_equal(p->valid, 4);
    assert_int_equal(p->invalid, 1);
    assert_true(p->flops_useful == 2 * 100 * GIGA);
    assert_true(p->flops_redundant == 2 * 100 * GIGA);
    assert_true(p->flops_invalid == 100 * GIGA);
    assert_int_equal(p->duplicates, 0);
}

/*
 * Each client has a credibility of 0.8. Two equal results leave a doubt of 0.04 / (0.64 + 0.04) = 0.059 <= 0.08:
 * enough. A right one and a wrong one tie. Two right ones against one: 0.128 / (0.128 + 0.032 + 0.008), a doubt of
 * 0.24; three: 0.1024 / (0.1024 + 0.0064 + 0.0016), a doubt of 0.072: enough. Host 0 had a part in both units.
 */
static void credible_clients_outweigh_others(void **unused) {
    (void)unused;
    begin_with_a_liar(VCS_GRID_CHECK_CREDIBILITY, 0);
    const vcs_grid_project_outcome *p = run_story();
    assert_int_equal(p->done, 2);
    assert_int_equal(p->wrong_accepted, 0);
    assert_int_equal(p->copies, 8);
    assert_int_equal(p->valid, 6);
    assert_int_equal(p->invalid, 2);
}

/* Host 0 has three jobs when its first result is found wrong. The others go before the fresh one, in any order, and
   what it still returns is refused. */
static void what_the_blacklisted_have_goes_first(void **unused) {
    (void)unused;
    for (uint32_t order = 0; order < 3; order++) {
        vcs_grid_project *p = begin_batch(5, 20000);
        p->verification = VCS_GRID_CHECK_DIRECT;
        p->flags = VCS_GRID_BLACKLIST;
        p->order = order;
        p->wait_factor = 100;
        p->dead_factor = 200;
        vcs_host_model *liar = add_single(1);
        liar->saboteurs = liar->sabotage = 1;
        g.hosts[0].servers[0].max_in_progress = 3;
        add_single(1);
        const vcs_grid_project_outcome *o = run_story();
        assert_string_equal(story,
                            " 1.0>0 2.0>0 3.0>0 4.0>1 1.0<0 !0 2.0<0r 3.0<0r 4.0<1 4=0 2.1>1 2.1<1 2=1 3.1>1 3.1<1 "
                            "3=1 5.0>1 5.0<1 5=0 1.1>1 1.1<1 1=1");
        assert_int_equal(o->detached, 2);
        assert_int_equal(o->in_progress, 0);
        assert_true(o->flops_invalid == 3 * 100 * GIGA);
    }
}

/* Host 1 is slow; host 0 gets its job, too, and is first. When host 1 calls next, it hears so: its work is wasted. */
static void what_nobody_waits_for_is_given_up(void **unused) {
    (void)unused;
    vcs_grid_host_outcome rows[2];
    vcs_grid_project *p = begin_batch(2, 20000);
    p->order = VCS_DRAIN_THEN_OLDEST;
    p->flags = VCS_GRID_ABORTS;
    add_single(1);
    add_single(1);
    g.hosts[1].resources[0].flops = GIGA / 100;
    g.results.hosts = rows;
    g.results.host_size = sizeof *rows;
    g.results.host_count = 2;
    const vcs_grid_project_outcome *o = run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 1=0 2.1>0 2.1<0 2=1 2.0? 2.0<1c");
    assert_int_equal(o->aborted, 1);
    assert_true(o->flops_failed > 0.0 && o->flops_failed < 100 * GIGA);
    assert_true(fabs(rows[1].waste - o->flops_failed / (GIGA / 100) / 20000) < 1e-9);
    assert_true(o->flops_checks == 0.0); /* nobody checks */
    p->flags = 0;                        /* else it goes on, and its result comes too late */
    o = run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 1=0 2.1>0 2.1<0 2=1 2.0? 2.0<1");
    assert_int_equal(o->not_judged, 1);
    assert_true(o->flops_late == 100 * GIGA);
}

/* The same of checks: slow hosts have some of them, others get these, too, and are first. What the slow ones have done
   by then was done for checks, which together are no whole number of jobs then. */
static void checks_that_nobody_waits_for_are_given_up(void **unused) {
    (void)unused;
    vcs_grid_project *p = begin_batch(20, 20000);
    p->verification = VCS_GRID_CHECK_INVERSE;
    p->order = VCS_DRAIN_THEN_OLDEST;
    p->flags = VCS_GRID_ABORTS;
    add_single(4);
    add_single(2);
    g.hosts[1].resources[0].flops = GIGA / 100;
    const vcs_grid_project_outcome *o = run_story();
    assert_int_equal(o->done, 20);
    assert_true(fmod(o->flops_checks, 100 * GIGA) > GIGA);
}

/*
 * With this seed host 0 lies in its second result, not in its first. That one was accepted, but the batch is not
 * assimilated yet, so it is withdrawn with the other, and both are computed again.
 */
static void results_of_the_caught_are_withdrawn(void **unused) {
    (void)unused;
    vcs_grid_project *p = begin_batch(3, 50000);
    p->verification = VCS_GRID_CHECK_DIRECT;
    p->flags = VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST;
    p->wait_factor = 100;
    p->dead_factor = 200;
    vcs_host_model *liar = add_single(1);
    liar->saboteurs = 1;
    liar->sabotage = 0.5;
    add_single(1);
    const vcs_grid_project_outcome *o = run_story();
    assert_string_equal(story, " 1.0>0 2.0>1 1.0<0 1=0 3.0>0 2.0<1 2=0 3.0<0 !0 3.1>1 3.1<1 3=1 1.1>1 1.1<1 1=1");
    assert_int_equal(o->done, 3);
    assert_int_equal(o->invalid, 2);
}

/* A host caught by a spot check loses what it has returned, unless that is assimilated. The seed draws the checks. */
static void begin_catching(vcs_grid_project *p, double unit_rate, double spot_checks, uint64_t seed) {
    p->unit_rate = unit_rate;
    p->flags = VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST;
    p->order = VCS_DRAIN_THEN_OLDEST;
    p->spot_checks = spot_checks;
    g.terms.seed = seed;
}

/*
 * Hosts 1 and 2 return results of unit 1 after the result of host 0 has been accepted. Then host 0 is caught, with this
 * seed by its third job, a spot check. The first of the late results replaces its own.
 */
static void a_late_result_replaces_a_withdrawn_one(void **unused) {
    (void)unused;
    begin_catching(begin_batch(3, 30 * DAY), 1.0 / DAY, 0.2, 223);
    vcs_host_model *liar = add_single(1);
    liar->saboteurs = liar->sabotage = 1;
    add_single(2);
    g.hosts[1].resources[0].flops = GIGA / 4;
    g.hosts[0].parameters.resource_backoff_max = g.hosts[1].parameters.resource_backoff_max =
        600; /* they go on asking */
    const vcs_grid_project_outcome *o = run_story();
    assert_string_equal(
        story, " 1.0>0 1.1>1 1.2>2 1.0<0 1=0* 1.1? 1.2? 1.1<1 1.2<2 2.0>1 2.1>0 2.2>2 2.2<2 2=2 2.0? 2.1? 2.0<1 "
               "2.1<0 !0 1=1 3.0>1 3.1>2 3.0<1 3=0 3.1? 3.1<2");
    assert_int_equal(o->wrong_accepted, 0);
}

/*
 * Host 1 returns a result of unit 1 after the result of host 0 has been accepted. Unit 2 comes, ends the batch, and
 * then host 1 is caught: results of assimilated units are not withdrawn, so its late result stays unjudged.
 */
static void what_is_assimilated_is_not_withdrawn(void **unused) {
    (void)unused;
    begin_catching(begin_batch(2, 10 * DAY), 1.0 / HOUR, 0.5, 4); /* only the third job of host 1 is a check */
    add_single(1);
    vcs_host_model *liar = add_single(1);
    liar->saboteurs = liar->sabotage = 1;
    g.hosts[1].resources[0].flops = GIGA / 4;
    g.hosts[1].parameters.min_buffer = g.hosts[1].parameters.additional_buffer = 0;
    g.hosts[0].parameters.resource_backoff_max = g.hosts[1].parameters.resource_backoff_max =
        600; /* they go on asking */
    const vcs_grid_project_outcome *o = run_story();
    assert_string_equal(story, " 1.0>0 1.1>1 1.0<0 1=0 1.1? 1.1<1 2.0>0 2.1>1 2.0<0 2=0 2.1? 2.1<1 !1");
    assert_int_equal(o->not_judged, 2);
    assert_int_equal(o->invalid, 0);
}

/* Units come every 50 s on average, and one host does one in 100 s: number k waits for about 50 k s. */
static void units_at_a_rate_wait_from_when_they_come(void **unused) {
    (void)unused;
    vcs_grid_project *p = begin_batch(0, 10000);
    p->unit_rate = 1.0 / 50;
    add_single(1);
    g.hosts[0].parameters.resource_backoff_min = g.hosts[0].parameters.resource_backoff_max =
        1; /* it is never long idle */
    run_grid(&g);
    const vcs_grid_project_outcome *o = &g.project_outcomes[0];
    assert_true(o->done > 90 && o->turnaround_mean > 2000 && o->turnaround_mean < 3000);
}

/*
 * Units that are there for the asking come into being when a host asks. This one calls every 600 s, when it reports one
 * and gets the next: each takes 600 s, the last as well as the first.
 */
static void units_for_the_asking_do_not_wait(void **unused) {
    (void)unused;
    begin_batch(0, 10000);
    add_single(1);
    g.hosts[0].servers[0].request_delay = 600;
    run_grid(&g);
    const vcs_grid_project_outcome *o = &g.project_outcomes[0];
    assert_int_equal(o->done, 16);
    assert_true(fabs(o->turnaround_mean - 600) < 1e-6);
}

/* A host takes the only job and never replies: it is found dead, and another one gets the job. */
static void the_dead_are_found_though_there_is_one_job(void **unused) {
    (void)unused;
    begin_batch(1, 50000)->order = VCS_DRAIN_THEN_DEAD;
    add_single(1)->no_reply = 1;
    add_single(1);
    run_story();
    assert_string_equal(story, " 1.0>0 1.1>1 1.1<1 1=1 1.0?");
}

/* ---- What S3 says of waiting ---- */

/* 40 hosts that never report one job in ten, and units that come about as fast as they are computed. */
static const vcs_grid_project_outcome *run_with_wait_factor(double wait_factor) {
    begin_grid(&g, 30 * DAY);
    vcs_grid_project *p = add_units(&g, HOUR * GIGA, 10 * DAY);
    p->dispatch = VCS_GRID_BY_REPLY;
    p->unit_rate = 25 / HOUR;
    p->distribution = VCS_SIZES_EXPONENTIAL;
    p->input_bytes = 600;
    p->output_bytes = 400;
    p->wait_factor = wait_factor;
    p->dead_factor = 1000;
    add_single(40)->no_reply = 0.1;
    g.hosts[0].parameters.min_buffer = g.hosts[0].parameters.additional_buffer = 0;
    run_grid(&g);
    return &g.project_outcomes[0];
}

static void waiting_longer_widens_the_window_and_saves_copies(void **unused) {
    (void)unused;
    double span = 0.0, duplicates = INFINITY;
    for (double factor = 1; factor <= 8; factor *= 2) {
        const vcs_grid_project_outcome *p = run_with_wait_factor(factor);
        const double per_unit = (double)p->duplicates / (double)p->done;
        assert_true(p->window_span > span);
        assert_true(per_unit < duplicates);
        assert_true(fabs(p->window_bytes - 1000 * p->window) <= 1e-9 * p->window_bytes);
        span = p->window_span;
        duplicates = per_unit;
    }
}

/* The more eagerly jobs are sent again, the sooner the last ones of a batch are done, and the more copies that
   takes. */
static void the_eager_order_has_the_shortest_tail(void **unused) {
    static const uint32_t orders[] = {VCS_DRAIN_THEN_OLDEST, VCS_OVERDUE_FIRST, VCS_DRAIN_THEN_DEAD};
    (void)unused;
    double tail = 0.0, copies = INFINITY;
    for (uint32_t i = 0; i < COUNT_OF(orders); i++) {
        double tails = 0.0, all_copies = 0.0;
        for (uint32_t seed = 1; seed <= 5; seed++) {
            vcs_grid_project *p = begin_batch(400, 30 * DAY);
            p->order = orders[i];
            p->est_flops = p->mean_flops = HOUR * GIGA;
            g.terms.seed = seed;
            add_single(20)->no_reply = 0.05;
            run_grid(&g);
            assert_int_equal(g.project_outcomes[0].done, 400);
            tails += g.project_outcomes[0].tail / 5;
            all_copies += (double)g.project_outcomes[0].copies / 5;
        }
        assert_true(tails > tail);
        assert_true(all_copies < copies);
        tail = tails;
        copies = all_copies;
    }
}

/* ---- What cheaters can spoil ---- */

/* Hosts that share a unit are not the same ones again and again: that would be fewer independent votes than units. */
static vcs_grid_project *begin_with_saboteurs(double fraction, uint64_t units) {
    begin_grid(&g, 10 * DAY);
    vcs_grid_project *p = add_units(&g, HOUR * GIGA, 10 * DAY);
    p->dispatch = VCS_GRID_BY_REPLY;
    p->units = units;
    p->distribution = VCS_SIZES_EXPONENTIAL;
    p->wait_factor = 100;
    p->dead_factor = 200;
    g.terms.seed = (uint64_t)(fraction * 1000);
    vcs_host_model *hosts = add_hosts(&g, 300, 1);
    g.hosts[0].resources[0].flops = GIGA;
    g.hosts[0].parameters.min_buffer = g.hosts[0].parameters.additional_buffer = HOUR;
    hosts->arrivals = 2 * HOUR;
    hosts->saboteurs = fraction;
    hosts->sabotage = 1;
    hosts->flags = VCS_HOSTS_COLLUDE;
    return p;
}

/* Rule 11.2: n votes of clients, a fraction p of them lying, all alike, lose as many jobs as W(n) says. */
static void votes_lose_as_many_jobs_as_they_must(void **unused) {
    (void)unused;
    const uint32_t points = 9, step = points / (uint32_t)cases_to_try(points);
    for (uint32_t point = step / 2; point < points; point += step) {
        const uint32_t copies = 1 + 2 * (point / 3);
        const uint64_t units = 4000;
        vcs_grid_project *p = begin_with_saboteurs(0.1 + 0.15 * (point % 3), units);
        p->verification = VCS_GRID_CHECK_RECOMPUTATION;
        p->recomputation = copies;
        run_grid(&g);
        const double f = (double)g.outcome.saboteurs / (double)g.outcome.hosts;
        static const double choices[6][6] = {[1] = {[1] = 1}, [3] = {[2] = 3, 1}, [5] = {[3] = 10, 5, 1}};
        double wrong = 0.0;
        for (uint32_t j = 1; j <= copies; j++) {
            wrong += choices[copies][j] * pow(f, j) * pow(1 - f, copies - j);
        }
        const double error = sqrt(wrong * (1 - wrong) / (double)units);
        const double found = (double)g.project_outcomes[0].wrong_accepted / (double)units;
        assert_int_equal(g.project_outcomes[0].done, units);
        assert_true(fabs(found - wrong) <= 3 * error);
    }
}

/* Rule 11.3: as long as no more than the part f of all results is wrong, few wrong results are believed. */
static void credible_results_are_seldom_wrong(void **unused) {
    (void)unused;
    const uint32_t points = 8, step = points / (uint32_t)cases_to_try(points);
    for (uint32_t i = step / 2; i < points; i += step) {
        const double fraction = i % 2 == 0 ? 0.05 : 0.15, tolerance = i / 2 % 2 == 0 ? 0.05 : 0.005;
        vcs_grid_project *p = begin_with_saboteurs(fraction, 3000);
        p->verification = VCS_GRID_CHECK_CREDIBILITY;
        p->error_bound = 0.2;
        p->tolerance = tolerance;
        p->spot_checks = 0.1;
        p->flags = i < 4 ? 0 : VCS_GRID_BLACKLIST;
        run_grid(&g);
        const vcs_grid_project_outcome *o = &g.project_outcomes[0];
        const double found = (double)o->wrong_accepted / (double)o->done;
        assert_int_equal(o->done, 3000);
        assert_true(found <= tolerance);
        /* Each job is one of known result with probability 0.1. */
        const double jobs = (double)(o->copies + o->spot_checks);
        assert_true(fabs((double)o->spot_checks - 0.1 * jobs) < 3 * sqrt(0.1 * 0.9 * jobs));
    }
}

/* ---- Any grid ---- */

static void make_any_reply(grid_case *grid, random_stream *r) {
    for (uint32_t i = 0; i < grid->grid.projects.count; i++) {
        vcs_grid_project *p = &grid->projects[i];
        p->dispatch = VCS_GRID_BY_REPLY;
        p->min_quorum = 1;
        p->verification = random_below(r, VCS_GRID_CHECK_ADAPTIVE);
        p->order = random_below(r, 3);
        p->wait_factor = random_magnitude(r, 0.1, 10);
        p->dead_factor = p->wait_factor * random_magnitude(r, 1.1, 10);
        p->error_bound = one_of(r, 0, 0.2, 1);
        p->tolerance = one_of(r, 0.001, 0.05, 0.4);
    }
}

/* Everything that can follow a withdrawn result: new votes, and late results that replace it. */
static void withdrawn_results_leave_the_books_in_order(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 20; i++) {
        vcs_grid_project *p = begin_batch(60, 5 * DAY);
        p->verification = i % 5;
        p->flags =
            VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST | (i % 2 == 0 ? VCS_GRID_ABORTS : 0);
        p->order = VCS_DRAIN_THEN_OLDEST;
        p->recomputation = 2.5;
        p->tolerance = 0.1;
        p->spot_checks = 0.1;
        g.terms.seed = i;
        vcs_host_model *hosts = add_single(30);
        g.hosts[0].servers[0].max_in_progress = 5;
        hosts->saboteurs = 0.3;
        hosts->sabotage = 0.3;
        hosts->speed_sd = 1;
        hosts->client_error = hosts->no_reply = 0.05;
        hosts->flags = VCS_HOSTS_COLLUDE;
        run_watched(&g);
        assert_true(g.project_outcomes[0].caught > 0);
    }
}

static void any_grid_keeps_its_books(void **unused) {
    (void)unused;
    random_stream r = {11};
    for (uint64_t i = cases_to_try(400); i > 0; i--) {
        any_grid(&g, &r, 1 + random_below(&r, 2), 1 + random_below(&r, 3));
        make_any_reply(&g, &r);
        run_watched(&g);
    }
}

/* ---- The caller's function ---- */

typedef struct chooser {
    uint32_t calls, first; /* the first job that was chosen */
    uint32_t wrong, at;    /* how the answer is spoiled, and in which call */
    int code;
} chooser;

static int choose(void *context, const vcs_grid_situation *situation, const vcs_dispatch *index,
                  vcs_dispatch_decision *decision) {
    chooser *c = context;
    const int code = vcs_dispatch_next(index, situation->host, situation->now, decision);
    assert_int_equal(code, VCS_OK);
    assert_int_equal(situation->project, 0);
    if (++c->calls == c->at) {
        decision->job = c->wrong == 1 ? 1000000 : c->wrong == 3 ? c->first : decision->job;
        decision->is_copy = c->wrong == 1 ? decision->is_copy : 1 - decision->is_copy;
        return c->code;
    }
    c->first = c->calls == 1 ? decision->job : c->first;
    return VCS_OK;
}

static void begin_with_chooser(chooser *c) {
    begin_batch(20, 5 * DAY)->wait_factor = 1;
    add_single(3)->no_reply = 0.2;
    g.hooks.dispatch = choose;
    g.hooks.context = c;
}

static void a_function_of_the_callers_may_choose(void **unused) {
    (void)unused;
    chooser c = {0};
    begin_with_chooser(&c);
    run_grid(&g);
    const vcs_grid_project_outcome chosen = g.project_outcomes[0];
    assert_true(c.calls >= chosen.copies);
    g.hooks.dispatch = NULL;
    run_grid(&g);
    assert_memory_equal(&chosen, &g.project_outcomes[0], sizeof chosen);
    assert_true(chosen.duplicates > 0);
}

/* Whom a function was asked about last, and that it had nothing. */
typedef struct refusal {
    uint32_t host, count;
    double time;
} refusal;

static int choose_once(void *context, const vcs_grid_situation *situation, const vcs_dispatch *index,
                       vcs_dispatch_decision *decision) {
    refusal *last = context;
    const int code = vcs_dispatch_next(index, situation->host, situation->now, decision);
    assert_false(last->count > 0 && last->host == situation->host && last->time == situation->now);
    if (decision->job == VCS_NONE) {
        *last = (refusal){situation->host, last->count + 1, situation->now};
    }
    return code;
}

/* Where it does not matter who is dead, nobody looks, and a function that has nothing is not asked again at once. */
static void a_function_that_has_nothing_is_asked_once(void **unused) {
    (void)unused;
    refusal last = {0};
    begin_batch(20, 5 * DAY);
    add_single(3)->no_reply = 0.2;
    g.hooks.dispatch = choose_once;
    g.hooks.context = &last;
    run_grid(&g);
    assert_true(last.count > 20);
}

/* No such job, a job in another state than the answer says, a job on the client already; a failure of the function. */
static void what_the_client_cannot_get_is_refused(void **unused) {
    (void)unused;
    for (uint32_t wrong = 1; wrong <= 3; wrong++) {
        chooser c = {.wrong = wrong, .at = 2};
        vcs_error error = {.struct_size = sizeof error};
        begin_with_chooser(&c);
        assert_int_equal(emulate_grid(&g, &error), VCS_ERR_INDEX);
        assert_string_equal(error.message, "dispatch chose a job that the client cannot get");
    }
    chooser c = {.at = 3, .code = -12345};
    begin_with_chooser(&c);
    assert_int_equal(emulate_grid(&g, NULL), -12345);
}

/* ---- Memory ---- */

static void begin_with_heap(heap *h, double duration) {
    begin_grid(&g, duration);
    vcs_grid_project *p = add_units(&g, HOUR * GIGA, 10 * DAY);
    p->dispatch = VCS_GRID_BY_REPLY;
    p->verification = VCS_GRID_CHECK_CREDIBILITY;
    p->order = VCS_DRAIN_THEN_DEAD;
    vcs_host_model *hosts = add_hosts(&g, 70, 2);
    g.hosts[0].resources[0].flops = GIGA;
    hosts->wrong = hosts->client_error = 0.05;
    *h = (heap){0};
    g.hooks.allocate = heap_allocate;
    g.hooks.release = heap_release;
    g.hooks.context = h;
}

/* What is finished leaves its memory to what comes. */
static void memory_does_not_grow_with_time(void **unused) {
    (void)unused;
    heap short_run, long_run;
    const double times = 1.0 + (double)cases_to_try(9); /* as long, ten times or twice */
    begin_with_heap(&short_run, 5 * DAY);
    run_grid(&g);
    const uint64_t done = g.project_outcomes[0].done;
    begin_with_heap(&long_run, times * 5 * DAY);
    run_grid(&g);
    assert_true((double)g.project_outcomes[0].done > 0.9 * times * (double)done);
    assert_int_equal(long_run.used, 0);
    assert_true(long_run.most < short_run.most * 5 / 4);
}

/* Whichever allocation fails, the emulation ends with an error, and nothing is leaked. */
static void missing_memory_is_an_error(void **unused) {
    static const uint32_t methods[] = {VCS_GRID_CHECK_INVERSE, VCS_GRID_CHECK_RECOMPUTATION};
    (void)unused;
    for (uint32_t i = 0; i < COUNT_OF(methods); i++) {
        uint32_t failures = 0;
        for (uint32_t fail_at = 1;; fail_at++) {
            heap h = {.fail_at = fail_at};
            vcs_error error = {.struct_size = sizeof error};
            vcs_grid_project *p = begin_batch(100, 20 * HOUR);
            p->verification = methods[i];
            p->recomputation = 3;
            p->order = VCS_DRAIN_THEN_DEAD;
            p->flags = VCS_GRID_BLACKLIST;
            vcs_host_model *hosts = add_hosts(&g, 4, 40);
            g.hosts[0].resources[0].flops = GIGA;
            hosts->wrong = hosts->no_reply = 0.05;
            g.hooks.allocate = heap_allocate;
            g.hooks.release = heap_release;
            g.hooks.context = &h;
            const int code = emulate_grid(&g, &error);
            assert_int_equal(h.used, 0);
            if (code == VCS_OK) {
                break;
            }
            assert_int_equal(code, VCS_ERR_MEMORY);
            failures++;
        }
        assert_true(failures > 50);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_three_orders_differ_in_what_comes_after_fresh_jobs),
        cmocka_unit_test(the_dead_are_found_when_there_is_nothing_else),
        cmocka_unit_test(nobody_checks),
        cmocka_unit_test(the_server_checks),
        cmocka_unit_test(another_client_checks),
        cmocka_unit_test(clients_vote),
        cmocka_unit_test(credible_clients_outweigh_others),
        cmocka_unit_test(what_the_blacklisted_have_goes_first),
        cmocka_unit_test(what_nobody_waits_for_is_given_up),
        cmocka_unit_test(checks_that_nobody_waits_for_are_given_up),
        cmocka_unit_test(results_of_the_caught_are_withdrawn),
        cmocka_unit_test(a_late_result_replaces_a_withdrawn_one),
        cmocka_unit_test(what_is_assimilated_is_not_withdrawn),
        cmocka_unit_test(units_at_a_rate_wait_from_when_they_come),
        cmocka_unit_test(units_for_the_asking_do_not_wait),
        cmocka_unit_test(the_dead_are_found_though_there_is_one_job),
        cmocka_unit_test(waiting_longer_widens_the_window_and_saves_copies),
        cmocka_unit_test(the_eager_order_has_the_shortest_tail),
        cmocka_unit_test(votes_lose_as_many_jobs_as_they_must),
        cmocka_unit_test(credible_results_are_seldom_wrong),
        cmocka_unit_test(withdrawn_results_leave_the_books_in_order),
        cmocka_unit_test(any_grid_keeps_its_books),
        cmocka_unit_test(a_function_of_the_callers_may_choose),
        cmocka_unit_test(a_function_that_has_nothing_is_asked_once),
        cmocka_unit_test(what_the_client_cannot_get_is_refused),
        cmocka_unit_test(memory_does_not_grow_with_time),
        cmocka_unit_test(missing_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

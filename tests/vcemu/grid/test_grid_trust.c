/*
 * How a server finds out which hosts return wrong results, and what follows.
 *
 * Rules 8.9, 9.3, 11.1 to 11.3 and 14.1. Jobs take 1000 s on a host of one CPU of 1 FLOPS, which asks for one at a time
 * and reports at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/effort.h"
#include "support/grid_watch.h"

static grid_case g;
static vcs_grid_project_outcome *const outcome = g.project_outcomes;

static vcs_grid_project *begin_trust(uint64_t units, double duration) {
    begin_grid(&g, duration);
    return add_batch(&g, units);
}

/* A class of hosts that lie about each job. */
static void add_liars(uint64_t count) {
    vcs_host_model *model = add_prompt_hosts(&g, count);
    model->saboteurs = model->sabotage = 1;
}

/* ---- A direct check (rule 11.1) ---- */

/* The server knows each wrong result, so that none is accepted; without a blacklist the liars go on. */
static void a_direct_check_finds_all(void **unused) {
    (void)unused;
    begin_trust(0, 10 * DAY)->verification = VCS_GRID_CHECK_DIRECT;
    g.projects[0].max_error = g.projects[0].max_total = g.projects[0].max_success = 100;
    add_prompt_hosts(&g, 6);
    add_liars(3);
    run_watched(&g);
    assert_int_equal(outcome->wrong_accepted, 0);
    assert_int_equal(outcome->failed, 0);
    assert_true(outcome->done > 4000 && outcome->invalid > 2000);
    assert_int_equal(outcome->caught, 0);
    g.projects[0].flags = VCS_GRID_BLACKLIST;
    run_watched(&g);
    assert_int_equal(outcome->caught, 3); /* each at its first result */
    assert_int_equal(outcome->invalid, 3);
    assert_int_equal(outcome->wrong_accepted, 0);
}

/* ---- The blacklist ---- */

static bool is_caught[20];
static uint64_t sent_to[20], refused;

static int watch_blacklist(void *context, const vcs_grid_event *event) {
    (void)context;
    if (event->kind == VCS_GRID_EVENT_CAUGHT) {
        assert_false(is_caught[event->host]);
        is_caught[event->host] = true;
    } else if (event->kind == VCS_GRID_EVENT_SENT) {
        assert_false(is_caught[event->host]);
        sent_to[event->host]++;
    } else if (event->kind == VCS_GRID_EVENT_REPORTED && is_caught[event->host] &&
               event->reason != VCS_REPORT_SUCCESS) {
        assert_int_equal(event->reason, VCS_REPORT_REFUSED);
        refused++;
    }
    return VCS_OK;
}

/* Who is caught gets nothing more, and what it still had is refused: a liar of two CPUs has a second job then. */
static void caught_hosts_are_cut_off(void **unused) {
    (void)unused;
    begin_trust(0, 10 * DAY)->verification = VCS_GRID_CHECK_DIRECT;
    g.projects[0].flags = VCS_GRID_BLACKLIST;
    g.projects[0].distribution = VCS_SIZES_EXPONENTIAL;
    add_prompt_hosts(&g, 2);
    add_liars(10);
    g.hosts[1].resources[0].instances = 2;
    memset(is_caught, 0, sizeof is_caught);
    memset(sent_to, 0, sizeof sent_to);
    refused = 0;
    g.hooks.observe = watch_blacklist;
    run_grid(&g);
    assert_int_equal(outcome->caught, 10);
    for (uint32_t i = 0; i < 12; i++) {
        assert_true(is_caught[i] == (i >= 2));
        assert_true(i < 2 ? sent_to[i] > 500 : sent_to[i] >= 1 && sent_to[i] <= 3);
    }
    assert_true(refused >= 8);
    assert_true(outcome->no_reply + outcome->detached >= refused);
}

/* ---- Spot checks and withdrawn results (rules 8.9 and 14.4) ---- */

/*
 * A liar among five hosts, and each job one of known result with probability 0.2. Its wrong results are accepted until
 * it is caught. They stay if nothing is withdrawn; they are withdrawn, and the units computed again, if nothing is
 * assimilated before the batch is done.
 */
static void withdrawn_results_do_not_count(void **unused) {
    (void)unused;
    const uint64_t seeds = cases_to_try(20);
    uint64_t with_all = 0, with_last = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const uint32_t flags[] = {VCS_GRID_BLACKLIST, VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW,
                                  VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST};
        uint64_t wrong[3];
        for (size_t i = 0; i < COUNT_OF(flags); i++) {
            begin_trust(500, 10 * DAY)->spot_checks = 0.2;
            g.terms.seed = seed;
            g.projects[0].flags = flags[i];
            add_prompt_hosts(&g, 4);
            add_liars(1);
            run_watched(&g);
            assert_int_equal(outcome->caught, 1);
            assert_int_equal(outcome->done, 500);
            assert_true(outcome->makespan > 0);
            assert_true(outcome->flops_checks == 1000.0 * (double)outcome->spot_checks);
            wrong[i] = outcome->wrong_accepted;
        }
        assert_int_equal(wrong[0], wrong[1]); /* at once assimilated, at once too late */
        assert_int_equal(wrong[2], 0);
        with_all += wrong[0];
        with_last += outcome->invalid;
    }
    assert_true(with_all > seeds && with_last == with_all); /* each was found invalid in the end */
}

/* A fifth of all jobs, give or take three standard errors. */
static void spot_checks_are_a_fraction(void **unused) {
    (void)unused;
    begin_trust(0, 20 * DAY)->spot_checks = 0.2;
    add_prompt_hosts(&g, 5);
    run_grid(&g);
    const double jobs = (double)(outcome->copies + outcome->spot_checks);
    assert_true(jobs > 8000);
    assert_true(fabs((double)outcome->spot_checks - 0.2 * jobs) < 3 * sqrt(0.16 * jobs));
}

/*
 * Half of all jobs are spot checks, where a host may have one job at a time and asks for more: the draws for a job that
 * is not sent serve for the next job. If they were lost, each request would begin with a unit, since a request always
 * ends with the draw of a unit that is not there.
 */
static void spot_checks_are_a_fraction_where_work_is_short(void **unused) {
    (void)unused;
    begin_trust(0, 40 * DAY)->spot_checks = 0.5;
    g.projects[0].unit_rate = 1.0 / HOUR;
    add_hosts(&g, 5, 1);
    g.hosts[0].servers[0].max_in_progress = 1;
    run_grid(&g);
    const double jobs = (double)(outcome->copies + outcome->spot_checks);
    assert_true(fabs((double)outcome->spot_checks - 0.5 * jobs) < 3 * sqrt(0.25 * jobs));
}

/* ---- Recomputation (rule 11.2) ---- */

/* A factor of 2.3: three copies with probability 0.3, else two, and losers are caught. */
static void recomputation_compares_all_copies(void **unused) {
    (void)unused;
    begin_trust(2000, 60 * DAY)->verification = VCS_GRID_CHECK_RECOMPUTATION;
    g.projects[0].recomputation = 2.3;
    add_prompt_hosts(&g, 8);
    run_grid(&g);
    assert_int_equal(outcome->done, 2000);
    assert_true(fabs((double)outcome->copies - 2.3 * 2000) < 3 * sqrt(2000 * 0.21));
    assert_int_equal(outcome->valid, outcome->copies);
    g.projects[0].flags = VCS_GRID_BLACKLIST;
    add_liars(2);
    run_watched(&g);
    assert_int_equal(outcome->caught, 2);
    assert_int_equal(outcome->wrong_accepted, 0); /* no two of them lie alike */
    assert_int_equal(outcome->done, 2000);
}

/* A factor of 1.25: three of four units are not verified at all. */
static void recomputation_of_a_part(void **unused) {
    (void)unused;
    begin_trust(2000, 60 * DAY)->verification = VCS_GRID_CHECK_RECOMPUTATION;
    g.projects[0].recomputation = 1.25;
    add_prompt_hosts(&g, 8);
    run_grid(&g);
    assert_true(fabs((double)outcome->copies - 1.25 * 2000) < 3 * sqrt(2000 * 0.1875));
}

/* ---- Adaptive replication (rule 11.3) ---- */

/*
 * Of a host with n valid results in a row, a job is copied with certainty below 10, else with probability 1 / n. Of the
 * units that it begins among its first N jobs about 10 + ln(N / 10) are copied, which is few of thousands.
 */
static void trusted_hosts_need_no_copies(void **unused) {
    (void)unused;
    begin_trust(0, 0.1 * DAY)->verification = VCS_GRID_CHECK_ADAPTIVE;
    add_prompt_hosts(&g, 10);
    run_grid(&g);
    assert_int_equal(outcome->valid, 2 * outcome->done + (outcome->valid - 2 * outcome->done));
    assert_true(outcome->valid == 2 * outcome->done); /* 8 jobs each: nobody is trusted yet */
    g.terms.duration = 60 * DAY;
    run_grid(&g);
    assert_true(outcome->done > 40000);
    assert_true(outcome->valid - outcome->done < 10 * (10 + 4 * 8));
    assert_int_equal(outcome->wrong_accepted, 0);
}

/* A host that is not trusted needs a partner, or as many as the project wants: 8 jobs each, so nobody is trusted. */
static void an_untrusted_host_needs_the_whole_quorum(void **unused) {
    (void)unused;
    for (uint32_t quorum = 1; quorum <= 4; quorum++) {
        const uint32_t needed = quorum < 2 ? 2 : quorum;
        for (uint32_t hosts = needed - 1; hosts <= needed; hosts++) {
            begin_trust(0, 0.1 * DAY)->verification = VCS_GRID_CHECK_ADAPTIVE;
            g.projects[0].min_quorum = g.projects[0].target_nresults = quorum;
            add_prompt_hosts(&g, hosts);
            run_grid(&g);
            assert_true((outcome->done > 0) == (hosts == needed));
            assert_int_equal(outcome->valid, needed * outcome->done);
        }
    }
}

/*
 * Most hosts with three wrong results in ten never have ten valid ones in a row; the chance is 0.7^10 = 0.03. So nearly
 * all of their units are copied, and few wrong results get through.
 */
static void errors_cost_trust(void **unused) {
    (void)unused;
    uint64_t copied[2];
    for (uint32_t i = 0; i < 2; i++) {
        begin_trust(0, 60 * DAY)->verification = VCS_GRID_CHECK_ADAPTIVE;
        g.projects[0].max_total = g.projects[0].max_success = 50;
        add_prompt_hosts(&g, 10)->wrong = i * 0.3;
        run_grid(&g);
        copied[i] = outcome->copies - outcome->done;
    }
    assert_true(copied[0] < 1000 && copied[1] > outcome->done);
    assert_true(outcome->wrong_accepted > 0 && outcome->wrong_accepted < outcome->done / 50);
}

/* ---- The quota (rule 11.3) ---- */

static uint32_t sent_today[20], most_sent;
static double today;

static int watch_quota(void *context, const vcs_grid_event *event) {
    (void)context;
    const double day = floor(event->time / DAY);
    if (event->kind == VCS_GRID_EVENT_SENT) {
        if (day > today) {
            memset(sent_today, 0, sizeof sent_today);
            today = day;
        }
        sent_today[event->host]++;
        most_sent = sent_today[event->host] > most_sent ? sent_today[event->host] : most_sent;
    }
    return VCS_OK;
}

/* 20 jobs a day and host, of the 86 that it could do; after errors and timeouts alone, one. */
static void a_quota_limits_jobs_a_day(void **unused) {
    (void)unused;
    begin_trust(0, 10 * DAY)->quota = 20;
    g.hooks.observe = watch_quota;
    add_prompt_hosts(&g, 5);
    today = most_sent = 0;
    memset(sent_today, 0, sizeof sent_today);
    run_grid(&g);
    assert_int_equal(most_sent, 20);
    assert_true(outcome->copies <= 5 * 10 * 20 && outcome->copies > 5 * 10 * 19); /* a host may ask late in a day */
    g.models[0].client_error = 1;
    today = most_sent = 0;
    memset(sent_today, 0, sizeof sent_today);
    run_grid(&g);
    /* Each job lowers the quota by one: on the first day use meets quota after 10 jobs, then after 5, 3, 2 or 1, and in
       the end there is one a day. */
    assert_true(most_sent >= 10 && most_sent <= 11);
    assert_true(outcome->copies > 5 * 10 && outcome->copies <= 5 * (11 + 6 + 3 + 2 + 6));
}

/* ---- Copies that nobody needs (rule 8.9) and copies that nobody can take (9.3) ---- */

/* Hosts with a buffer of a day get three copies, and two suffice: the third is aborted where it has not begun. */
static void hosts_are_told_to_abort(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        begin_trust(0, 6 * DAY)->min_quorum = 2;
        g.projects[0].target_nresults = 3;
        g.projects[0].delay_bound = 10 * DAY;
        g.projects[0].quota = i == 0 ? 0 : 40;
        add_hosts(&g, 6, 1)->speed_sd = 1;
        g.hosts[0].parameters.report_delay = 0;
        g.hosts[0].parameters.min_buffer = DAY;
        run_watched(&g);
        assert_int_equal(outcome->aborted, 0);
        const double redundant = outcome->flops_redundant / outcome->flops_useful;
        g.projects[0].flags = VCS_GRID_ABORTS;
        run_watched(&g);
        assert_true(outcome->aborted > 20);
        assert_int_equal(outcome->flops_failed, 0); /* none of them had begun */
        assert_true(outcome->flops_redundant / outcome->flops_useful < redundant);
    }
}

static uint32_t sent_to_first[8]; /* on each day */

static int watch_the_first(void *context, const vcs_grid_event *event) {
    (void)context;
    sent_to_first[(size_t)(event->time / DAY)] += event->kind == VCS_GRID_EVENT_SENT && event->host == 0;
    return VCS_OK;
}

/*
 * What the server does not want any more says nothing about its host (rule 8.9). Host 0 reports nothing of its own: all
 * that the server hears of its copies is that they were given up, dozens a day, and it gets as many the next day.
 */
static void aborted_copies_cost_no_quota(void **unused) {
    (void)unused;
    uint32_t days_with_work = 0;
    begin_trust(0, 8 * DAY)->target_nresults = 2;
    g.projects[0].delay_bound = 10 * DAY;
    g.projects[0].quota = 40;
    g.projects[0].flags = VCS_GRID_ABORTS;
    add_hosts(&g, 1, 1)->no_reply = 1;
    g.hosts[0].parameters.min_buffer = DAY;
    add_prompt_hosts(&g, 2);
    g.hosts[1].resources[0].flops = 100;
    g.hooks.observe = watch_the_first;
    memset(sent_to_first, 0, sizeof sent_to_first);
    run_grid(&g);
    for (size_t day = 0; day < COUNT_OF(sent_to_first); day++) {
        assert_true(sent_to_first[day] == 0 || sent_to_first[day] == 40); /* on a day on which it asks for work */
        days_with_work += sent_to_first[day] > 0;
    }
    assert_true(days_with_work >= 4 && outcome->aborted > 100);
}

/* No host has the memory: the second that is offered a copy makes its unit fail. */
static void copies_that_no_host_can_take(void **unused) {
    (void)unused;
    begin_trust(30, 3 * DAY)->max_refusals = 2;
    add_prompt_hosts(&g, 2);
    g.hosts[0].models[0].ram = 2e9;
    g.hosts[0].host.ram = 1e9;
    run_watched(&g);
    assert_true(outcome->unsendable > 0);
    assert_int_equal(outcome->unsendable, outcome->failed);
    assert_int_equal(outcome->copies, 0);
    g.projects[0].max_refusals = 0;
    run_watched(&g);
    assert_int_equal(outcome->unsendable, 0);
    assert_int_equal(outcome->failed, 0);
    /* One that can takes them all, since each offer begins the count anew. */
    g.projects[0].max_refusals = 1000;
    add_prompt_hosts(&g, 1);
    run_watched(&g);
    assert_int_equal(outcome->done, 30);
}

/* A batch that ends with a unit that nobody can take is done, and what waited for that is assimilated. */
static void an_unsendable_unit_ends_a_batch(void **unused) {
    (void)unused;
    begin_trust(1, 3 * DAY)->max_refusals = 1;
    g.projects[0].flags = VCS_GRID_ASSIMILATE_LAST;
    add_prompt_hosts(&g, 1);
    g.hosts[0].models[0].ram = 2e9;
    g.hosts[0].host.ram = 1e9;
    run_watched(&g);
    assert_int_equal(outcome->failed, 1);
    assert_int_equal(outcome->open, 0);
    assert_true(outcome->makespan == 0); /* not all of it was done */
}

/*
 * One host fails its unit for good, a liar does the other: then the batch is done and assimilated, so that the wrong
 * result stays. The liar is caught later, by a job of known result, which with this seed its first one is not.
 */
static void a_failed_unit_ends_a_batch_too(void **unused) {
    (void)unused;
    vcs_grid_project *project = begin_trust(2, 10 * DAY);
    project->flags = VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST;
    project->spot_checks = 0.5;
    project->max_error = project->max_total = project->max_success = 1;
    add_liars(1);
    add_prompt_hosts(&g, 1)->client_error = 1;
    run_watched(&g);
    assert_int_equal(outcome->caught, 1);
    assert_int_equal(outcome->failed, 1);
    assert_int_equal(outcome->done, 1);
    assert_int_equal(outcome->wrong_accepted, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_direct_check_finds_all),
        cmocka_unit_test(caught_hosts_are_cut_off),
        cmocka_unit_test(withdrawn_results_do_not_count),
        cmocka_unit_test(spot_checks_are_a_fraction),
        cmocka_unit_test(spot_checks_are_a_fraction_where_work_is_short),
        cmocka_unit_test(recomputation_compares_all_copies),
        cmocka_unit_test(recomputation_of_a_part),
        cmocka_unit_test(trusted_hosts_need_no_copies),
        cmocka_unit_test(errors_cost_trust),
        cmocka_unit_test(a_quota_limits_jobs_a_day),
        cmocka_unit_test(hosts_are_told_to_abort),
        cmocka_unit_test(aborted_copies_cost_no_quota),
        cmocka_unit_test(copies_that_no_host_can_take),
        cmocka_unit_test(an_unsendable_unit_ends_a_batch),
        cmocka_unit_test(an_untrusted_host_needs_the_whole_quorum),
        cmocka_unit_test(a_failed_unit_ends_a_batch_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

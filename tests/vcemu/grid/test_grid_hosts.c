/*
 * The hosts of a grid: which of them there are, when they come and go, what they transfer, and what goes wrong on them.
 *
 * Rule 14.1.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/grid_case.h"

#define MOST_HOSTS 2000

static grid_case g;
static vcs_grid_host_outcome hosts[MOST_HOSTS];

/* A project with jobs of 1000 s, and room for what becomes of the hosts. */
static vcs_grid_project *begin_hosts(double duration) {
    begin_grid(&g, duration);
    memset(hosts, 0, sizeof hosts);
    g.results.hosts = hosts;
    g.results.host_size = sizeof *hosts;
    g.results.host_count = MOST_HOSTS;
    return add_units(&g, 1000, 10 * DAY);
}

/* Who comes and goes does not depend on what they compute: with longer jobs there is less to emulate. */
static void begin_coming_and_going(double duration) {
    vcs_grid_project *p = begin_hosts(duration);
    p->est_flops = p->mean_flops = 6000;
}

/* ---- Tables of hosts ---- */

/* Weights 3, 0, 1 and 6 for ten hosts: the first three places are of the first row, the fourth of the third. */
static void rows_are_in_proportion(void **unused) {
    (void)unused;
    begin_hosts(DAY);
    add_hosts(&g, 10, 2);
    g.hosts[0].emulation.available_mean = 1000;
    g.rows[0][0] = (vcs_host_row){.weight = 3, .cpus = 4.9};
    g.rows[0][1] = (vcs_host_row){.weight = 0, .cpus = 100};
    g.rows[0][2] = (vcs_host_row){.weight = 1, .flops = 7, .ram = 1e9};
    g.rows[0][3] = (vcs_host_row){.weight = 6, .available = 0.5};
    g.classes[0].rows.count = 4;
    run_grid(&g);
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(hosts[i].cpus == (i < 3 ? 4 : 2));
        assert_true(hosts[i].flops == (i == 3 ? 7 : 1));
        assert_true(i < 4 ? hosts[i].on == DAY : hosts[i].on < 0.9 * DAY);
    }
    /* Ten times as many hosts: ten times as many of each. The same rows in parts of 1 do the same. */
    g.models[0].count = 100;
    for (uint32_t i = 0; i < 4; i++) {
        g.rows[0][i].weight /= 10;
    }
    run_grid(&g);
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(hosts[i].cpus == (i < 30 ? 4 : 2));
        assert_true(hosts[i].flops == (i >= 30 && i < 40 ? 7 : 1));
    }
}

/* Four hosts: room for fewer, then for just as many, then for more. */
static void room_without_a_host_is_untouched(void **unused) {
    static vcs_grid_host_outcome before[MOST_HOSTS];
    (void)unused;
    memset(before, 0x55, sizeof before);
    for (uint32_t room = 2; room <= 6; room++) {
        begin_hosts(DAY);
        add_hosts(&g, 4, 2);
        g.results.host_count = room;
        memset(hosts, 0x55, sizeof hosts);
        run_grid(&g);
        for (uint32_t i = 0; i < MOST_HOSTS; i++) {
            const int is_filled = i < room && i < 4;
            assert_true(is_filled ? hosts[i].cpus == 2 : memcmp(&hosts[i], &before[i], sizeof *hosts) == 0);
        }
    }
}

/* What a row leaves at 0 is as the scenario has it: jobs that need 2 GB go where the row says that there are 3. */
static void a_row_says_only_what_differs(void **unused) {
    (void)unused;
    begin_hosts(DAY);
    add_hosts(&g, 4, 2);
    g.hosts[0].models[0].ram = 2e9;
    g.hosts[0].host.ram = 1e9;
    g.rows[0][0] = (vcs_host_row){.weight = 1};
    g.rows[0][1] = (vcs_host_row){.weight = 1, .ram = 3e9};
    g.classes[0].rows.count = 2;
    run_grid(&g);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(hosts[i].cpus == 2 && hosts[i].flops == 1 && hosts[i].on == DAY);
        assert_true((hosts[i].reported > 0) == (i >= 2));
    }
}

/* The hosts of the second class come behind the first class. */
static void classes_are_in_order(void **unused) {
    (void)unused;
    begin_hosts(DAY);
    add_hosts(&g, 2, 1);
    add_hosts(&g, 0, 5);
    add_hosts(&g, 3, 3);
    run_grid(&g);
    assert_int_equal(g.outcome.hosts, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(hosts[i].host_class, i < 2 ? 0 : 2);
        assert_true(hosts[i].cpus == (i < 2 ? 1 : 3));
    }
}

/* A log-normal factor: its mean is 1, and its logarithm has the standard deviation that was asked for. */
static void speeds_vary_around_the_mean(void **unused) {
    (void)unused;
    const double sd = 0.6;
    double sum = 0.0, logs = 0.0, squares = 0.0;
    begin_hosts(0.001 * DAY);
    add_hosts(&g, MOST_HOSTS, 1)->speed_sd = sd;
    run_grid(&g);
    for (uint32_t i = 0; i < MOST_HOSTS; i++) {
        sum += hosts[i].flops;
        logs += log(hosts[i].flops);
        squares += log(hosts[i].flops) * log(hosts[i].flops);
    }
    const double n = MOST_HOSTS, mean = sum / n, mean_log = logs / n;
    /* Standard errors: sqrt((exp(sd^2) - 1) / n) = 0.0147; sd / sqrt(n) = 0.0134; sd / sqrt(2 n) = 0.0095. */
    assert_true(fabs(mean - 1.0) < 3 * 0.0147);
    assert_true(fabs(mean_log + sd * sd / 2) < 3 * 0.0134);
    assert_true(fabs(sqrt(squares / n - mean_log * mean_log) - sd) < 3 * 0.0095);
    assert_true(fabs(g.project_outcomes[0].power_available / n - mean) < 1e-9);
}

/* ---- Coming and going ---- */

/* Within five days, at random; the emulation ends after three days, before some arrive. */
static void hosts_arrive(void **unused) {
    (void)unused;
    double sum = 0.0, present = 0.0;
    begin_coming_and_going(3 * DAY);
    add_hosts(&g, 1000, 2)->arrivals = 5 * DAY;
    run_grid(&g);
    const uint64_t count = g.outcome.hosts;
    assert_true(fabs((double)count - 600) < 3 * sqrt(1000 * 0.6 * 0.4));
    assert_int_equal(g.outcome.left, 0);
    for (uint64_t i = 0; i < count; i++) {
        assert_true(hosts[i].joined >= 0 && hosts[i].joined < 3 * DAY);
        sum += hosts[i].joined;
        present += 2 * (3 * DAY - hosts[i].joined);
    }
    assert_true(fabs(sum / (double)count - 1.5 * DAY) < 3 * 3 * DAY / sqrt(12.0 * (double)count));
    assert_true(fabs(g.outcome.present - present) < 1e-9 * present);
    assert_true(hosts[count].cpus == 0); /* a host that did not come has no row */
}

/* Of hosts with a mean lifetime of a day, exp(-2) are still there after two days. */
static void hosts_leave(void **unused) {
    (void)unused;
    begin_coming_and_going(2 * DAY);
    add_hosts(&g, 1000, 1)->lifetime = DAY;
    run_grid(&g);
    const double stay = exp(-2.0);
    assert_true(fabs((double)(g.outcome.hosts - g.outcome.left) - 1000 * stay) < 3 * sqrt(1000 * stay * (1 - stay)));
    /* Their mean time: a day times 1 - exp(-2). Its variance is below the variance of the lifetime, a day squared. */
    assert_true(fabs(g.outcome.present / 1000 - DAY * (1 - stay)) < 3 * DAY / sqrt(1000));
    /* What they had is given up at its deadline, and nothing of it comes back. */
    assert_true(g.project_outcomes[0].in_progress > 900);
}

/* Each host that leaves is replaced, and the replacement inherits its row: there are always as many. */
static void hosts_are_replaced(void **unused) {
    (void)unused;
    begin_coming_and_going(10 * DAY);
    vcs_host_model *model = add_hosts(&g, 40, 1);
    model->lifetime = DAY;
    model->flags = VCS_HOSTS_REPLACED;
    g.rows[0][0] = (vcs_host_row){.weight = 1, .cpus = 1};
    g.rows[0][1] = (vcs_host_row){.weight = 3, .cpus = 3};
    g.classes[0].rows.count = 2;
    run_grid(&g);
    /* 40 and, in 400 host-days, a Poisson number of mean 400; all but 40 have left. */
    assert_true(fabs((double)g.outcome.hosts - 440) < 3 * sqrt(400));
    assert_int_equal(g.outcome.left, g.outcome.hosts - 40);
    assert_true(fabs(g.outcome.present - (10 * 1 + 30 * 3) * 10 * DAY) < 1e-6 * g.outcome.present);
}

/* Each event names the class of its host, also for a replacement. */
static uint32_t class_told[MOST_HOSTS];
static uint32_t about_nobody;

static int note_class(void *context, const vcs_grid_event *event) {
    (void)context;
    if (event->host == VCS_NONE) {
        assert_true(event->host_class == VCS_NONE);
        about_nobody++;
    } else {
        assert_true(event->kind == VCS_GRID_EVENT_JOINED || event->host_class == class_told[event->host]);
        class_told[event->host] = event->host_class;
    }
    return VCS_OK;
}

static void events_say_of_which_class_a_host_is(void **unused) {
    (void)unused;
    begin_coming_and_going(3 * DAY);
    for (uint64_t count = 5; count <= 7; count++) {
        vcs_host_model *model = add_hosts(&g, count, 1);
        model->arrivals = 4 * DAY;
        model->lifetime = DAY;
        model->flags = count == 6 ? VCS_HOSTS_REPLACED : 0;
    }
    g.hooks.observe = note_class;
    run_grid(&g);
    uint32_t of_class[3] = {0};
    for (uint32_t i = 0; i < g.outcome.hosts; i++) {
        assert_int_equal(class_told[i], hosts[i].host_class);
        of_class[class_told[i]]++;
    }
    assert_true(about_nobody > 0 && of_class[0] <= 5 && of_class[1] > 6 && of_class[2] > 0);
}

/* 6000 operations take 6000 s on a CPU, and 7500 s where it is on for 0.8 of the time; 7000 s are allowed. */
static void units_too_long_for_a_host_are_refused(void **unused) {
    (void)unused;
    vcs_grid_project *project = begin_hosts(DAY);
    project->est_flops = project->mean_flops = 6000;
    project->delay_bound = 7000;
    add_hosts(&g, 2, 1);
    add_hosts(&g, 2, 1);
    g.hosts[0].parameters.min_buffer = g.hosts[1].parameters.min_buffer = 0;
    g.hosts[1].emulation.available = 0.8;
    g.hosts[1].emulation.available_mean = 2000;
    run_grid(&g);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true((hosts[i].idleness == 1.0) == (i >= 2) && (hosts[i].reported == 0) == (i >= 2));
        assert_true(i < 2 || hosts[i].refused > 0);
    }
    project->delay_bound = 8000;
    run_grid(&g);
    assert_true(hosts[2].reported > 0 && hosts[2].idleness < 1.0);
}

/* ---- Transfers ---- */

/* 500 bytes at 10 a second: the first job starts after 50 s, and its result is reported 20 s after its end. */
static double started, received, ended, reported;

static int note_first_job(void *context, const vcs_grid_event *event) {
    (void)context;
    if (event->unit != 0 || event->kind >= VCS_EVENT_KINDS) {
        return VCS_OK;
    }
    received = event->kind == VCS_EVENT_RECEIVED ? event->time : received;
    started = event->kind == VCS_EVENT_STARTED ? event->time : started;
    ended = event->kind == VCS_EVENT_ENDED ? event->time : ended;
    reported = event->kind == VCS_EVENT_REPORTED ? event->time : reported;
    return VCS_OK;
}

static void transfers_take_time(void **unused) {
    (void)unused;
    vcs_grid_project *project = begin_hosts(DAY);
    project->input_bytes = 500;
    project->output_bytes = 200;
    add_hosts(&g, 1, 1)->rate = 10;
    g.hosts[0].parameters.report_delay = 0;
    g.hooks.observe = note_first_job;
    run_grid(&g);
    assert_true(received == 0 && started == 50 && ended == 1050);
    assert_true(reported >= 1070 && reported < 1075);
    g.models[0].rate = 0;
    run_grid(&g);
    assert_true(received == 0 && started == 0 && ended == 1000);
    assert_true(reported >= 1000 && reported < 1005);
}

/* An upload that takes longer than the rest of the delay bound makes the result late. */
static void a_slow_upload_is_late(void **unused) {
    (void)unused;
    vcs_grid_project *project = begin_hosts(3 * DAY);
    project->delay_bound = DAY;
    project->units = 1;
    project->output_bytes = 1.5 * DAY;
    add_hosts(&g, 1, 1)->rate = 1;
    run_grid(&g);
    const vcs_grid_project_outcome *o = g.project_outcomes;
    assert_int_equal(o->late, 1);
    assert_int_equal(o->done, 1); /* a success for a copy that was given up still counts (8.2) */
    assert_int_equal(o->valid, 1);
}

/* ---- What goes wrong ---- */

static void expect_binomial(uint64_t found, uint64_t n, double p) {
    assert_true(fabs((double)found - (double)n * p) <= 3 * sqrt((double)n * p * (1 - p)));
}

/* How large jobs are and how long they may take, the project says, whatever the scenario of a host says of its own. */
static void jobs_are_those_of_the_project(void **unused) {
    (void)unused;
    begin_hosts(2 * DAY)->sd_flops = 300;
    add_hosts(&g, 5, 1)->no_reply = 0.1;
    run_grid(&g);
    const vcs_grid_outcome expected = g.outcome;
    const vcs_grid_project_outcome of_project = g.project_outcomes[0];
    vcs_job_model *own = &g.hosts[0].models[0];
    own->latency_bound = 50 * DAY;
    own->est_flops = 7;
    own->mean_flops = 50000;
    own->sd_flops = 20000;
    own->distribution = VCS_SIZES_EXPONENTIAL;
    run_grid(&g);
    assert_memory_equal(&g.outcome, &expected, sizeof expected);
    assert_memory_equal(&g.project_outcomes[0], &of_project, sizeof of_project);
}

/* A fifth of the jobs end in an error, after half of their time on average; a tenth are never reported. */
static void jobs_fail_and_get_lost(void **unused) {
    (void)unused;
    vcs_grid_project *project = begin_hosts(20 * DAY);
    project->delay_bound = DAY;
    project->max_error = 100;
    project->max_total = 100;
    vcs_host_model *model = add_hosts(&g, 5, 1);
    model->client_error = 0.2;
    model->no_reply = 0.1;
    run_grid(&g);
    const vcs_grid_project_outcome *o = g.project_outcomes;
    const uint64_t over = o->copies - o->in_progress;
    assert_true(over > 5000);
    expect_binomial(o->errors, o->errors + o->valid, 0.2 / 0.9); /* lost jobs are over later */
    expect_binomial(o->no_reply, over, 0.1 * (19.0 / 20.0));     /* lost jobs of the last day are not over yet */
    assert_int_equal(o->failed, 0);
    /* Half of 1000 operations, give or take 3 standard errors of a uniform number. */
    assert_true(fabs(o->flops_failed / (double)o->errors - 500) < 3 * 1000 / sqrt(12.0 * (double)o->errors));
    assert_true(o->flops_useful == 1000.0 * (double)o->done);
}

/* Without a check, wrong results of honest hosts are believed; with two votes that must agree, none is. */
static void honest_results_may_be_wrong(void **unused) {
    (void)unused;
    vcs_grid_project *project = begin_hosts(10 * DAY);
    add_hosts(&g, 5, 1)->wrong = 0.1;
    run_grid(&g);
    const vcs_grid_project_outcome *o = g.project_outcomes;
    assert_true(o->done > 3000);
    expect_binomial(o->wrong_accepted, o->done, 0.1);
    project->min_quorum = project->target_nresults = 2;
    run_grid(&g);
    assert_true(o->done > 1000);
    assert_int_equal(o->wrong_accepted, 0);
    expect_binomial(o->invalid, o->valid + o->invalid, 0.1);
}

/* Half of the hosts lie at a fifth of the jobs: alike, they deceive a quorum of two; each for itself, never. */
static void saboteurs_lie(void **unused) {
    (void)unused;
    vcs_grid_project *project = begin_hosts(10 * DAY);
    vcs_host_model *model = add_hosts(&g, 40, 1);
    model->saboteurs = 0.5;
    model->sabotage = 0.2;
    run_grid(&g);
    uint64_t reported_by = 0, reported_in_all = 0, saboteurs = 0;
    for (uint32_t i = 0; i < 40; i++) {
        reported_by += hosts[i].flags != 0 ? hosts[i].reported : 0;
        reported_in_all += hosts[i].reported;
        saboteurs += hosts[i].flags;
    }
    const vcs_grid_project_outcome *o = g.project_outcomes;
    assert_int_equal(g.outcome.saboteurs, saboteurs);
    expect_binomial(saboteurs, 40, 0.5);
    assert_int_equal(o->valid, reported_in_all);
    expect_binomial(o->wrong_accepted, reported_by, 0.2);
    project->min_quorum = project->target_nresults = 2;
    run_grid(&g);
    assert_int_equal(o->wrong_accepted, 0);
    model->flags = VCS_HOSTS_COLLUDE;
    run_grid(&g);
    assert_true(o->wrong_accepted > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_proportion),
        cmocka_unit_test(room_without_a_host_is_untouched),
        cmocka_unit_test(a_row_says_only_what_differs),
        cmocka_unit_test(classes_are_in_order),
        cmocka_unit_test(speeds_vary_around_the_mean),
        cmocka_unit_test(hosts_arrive),
        cmocka_unit_test(hosts_leave),
        cmocka_unit_test(hosts_are_replaced),
        cmocka_unit_test(events_say_of_which_class_a_host_is),
        cmocka_unit_test(units_too_long_for_a_host_are_refused),
        cmocka_unit_test(transfers_take_time),
        cmocka_unit_test(a_slow_upload_is_late),
        cmocka_unit_test(jobs_are_those_of_the_project),
        cmocka_unit_test(jobs_fail_and_get_lost),
        cmocka_unit_test(honest_results_may_be_wrong),
        cmocka_unit_test(saboteurs_lie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

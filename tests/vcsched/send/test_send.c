/*
 * Which jobs a server sends (rules 9.1, 9.2, 13.4, 13.6): examples worked by hand, and bad input. On random states it
 * is compared with its oracle in test_send_oracle.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "support/kernel.h"
#include "support/whole.h"

/* An offer of jobs to a host under construction, and the reply. */
typedef struct test_offer {
    test_host host;
    vcs_send_request requests[HOST_MOST];
    vcs_send_job jobs[HOST_MOST];
    vcs_send_limits limits;
    vcs_send_decision decisions[HOST_MOST];
    vcs_send_summary summary;
} test_offer;

static test_offer offer;

/* A host with one project, no buffer and no task, which asks for nothing; no limits. */
static void begin(uint32_t cpus, uint32_t work_send) {
    memset(&offer, 0, sizeof offer);
    host_begin(&offer.host, VCS_PROFILE_CURRENT, cpus);
    offer.host.parameters.min_buffer = 0;
    offer.host.parameters.work_send = work_send;
    host_add_project(&offer.host, 1);
    assert_int_equal(vcs_send_limits_init(&offer.limits, sizeof offer.limits), VCS_OK);
}

static void ask(uint32_t resource, double seconds, double instances, double busy) {
    offer.requests[resource] = (vcs_send_request){.seconds = seconds, .instances = instances, .busy = busy};
}

/* Another job of one CPU. The deadline in its record must not count, so it is impossible to meet. */
static vcs_send_job *add_job(double remaining, double latency_bound) {
    const uint32_t index = offer.host.snapshot.candidates.count;
    host_add_candidate(&offer.host, 0, remaining, -1e9);
    offer.jobs[index].latency_bound = latency_bound;
    return &offer.jobs[index];
}

static vcs_task *candidate(uint32_t index) {
    return &offer.host.candidates[index];
}

static vcs_array all_requests(void) {
    return array_of(offer.requests, sizeof *offer.requests, offer.host.snapshot.resources.count);
}

static vcs_array all_jobs(void) {
    return array_of(offer.jobs, sizeof *offer.jobs, offer.host.snapshot.candidates.count);
}

/* vcs_send() of arrays, with a decision for each candidate. */
static int send_arrays(const vcs_array *requests, const vcs_array *jobs, const vcs_send_limits *limits,
                       vcs_send_decision *decisions, uint32_t decision_size, vcs_send_summary *summary,
                       vcs_error *error) {
    return vcs_send(offer.host.state, ARRAY_OF(requests->base, requests->element_size, requests->count),
                    ARRAY_OF(jobs->base, jobs->element_size, jobs->count), limits,
                    ARRAY_OF(decisions, decision_size, offer.host.snapshot.candidates.count), summary, error);
}

/* Asks the present state. */
static void send_again(void) {
    const vcs_array requests = all_requests(), jobs = all_jobs();
    memset(offer.decisions, 0xa5, sizeof offer.decisions);
    memset(&offer.summary, 0xa5, sizeof offer.summary);
    offer.summary.struct_size = sizeof offer.summary;
    assert_int_equal(
        send_arrays(&requests, &jobs, &offer.limits, offer.decisions, sizeof *offer.decisions, &offer.summary, NULL),
        VCS_OK);
    assert_true(offer.summary.reserved[0] == 0 && offer.summary.reserved[1] == 0);
    for (uint32_t i = 0; i < jobs.count; i++) {
        assert_true(offer.decisions[i].reserved[0] == 0);
        assert_int_equal(offer.decisions[i].sent, offer.decisions[i].reason == VCS_REASON_JOB_SENT);
    }
}

static void send(void) {
    host_prepare(&offer.host);
    send_again();
}

/* The reasons of all jobs in order, and the summary that follows from them. */
static void check_reasons(const uint32_t *reasons, uint32_t count) {
    uint32_t sent = 0;
    assert_int_equal(offer.host.snapshot.candidates.count, count);
    for (uint32_t i = 0; i < count; i++) {
        if (offer.decisions[i].reason != reasons[i]) {
            print_error("job %u: %s\n", i, vcs_reason_name(offer.decisions[i].reason));
        }
        assert_int_equal(offer.decisions[i].reason, reasons[i]);
        sent += reasons[i] == VCS_REASON_JOB_SENT;
    }
    assert_int_equal(offer.summary.sent, sent);
    host_end(&offer.host);
}

#define SENT VCS_REASON_JOB_SENT
#define ENOUGH VCS_REASON_ENOUGH_SENT
#define CHECK_REASONS(...)                                                                                             \
    do {                                                                                                               \
        const uint32_t expected[] = {__VA_ARGS__};                                                                     \
        check_reasons(expected, COUNT_OF(expected));                                                                   \
    } while (0)

/* ---- How many ---- */

static void jobs_are_sent_until_the_seconds_are_filled(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 25, 0, 0);
    for (int i = 0; i < 4; i++) {
        add_job(10, 100);
    }
    send();
    CHECK_REASONS(SENT, SENT, SENT, ENOUGH); /* 30 >= 25 */
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 20, 0, 0);
    for (int i = 0; i < 3; i++) {
        add_job(10, 100);
    }
    send();
    CHECK_REASONS(SENT, SENT, ENOUGH); /* 20 >= 20 */
}

static void each_idle_instance_gets_a_job(void **unused) {
    (void)unused;
    begin(4, VCS_WORK_SEND_WS1);
    ask(0, 5, 3, 0);
    add_job(10, 100);
    add_job(10, 100);
    add_job(10, 100);
    add_job(10, 100);
    candidate(1)->cpus = 2; /* takes two of them */
    send();
    CHECK_REASONS(SENT, SENT, ENOUGH, ENOUGH);
    begin(4, VCS_WORK_SEND_WS1);
    ask(0, 0, 0.5, 0);
    add_job(10, 100);
    add_job(10, 100);
    add_job(10, 100);
    candidate(0)->cpus = 0.25;
    candidate(1)->cpus = 0.25;
    send();
    CHECK_REASONS(SENT, SENT, ENOUGH);
}

/* 10 s at full speed are 20 s of a host that computes half of the time, on 2 CPUs 40 instance-seconds. */
static void jobs_count_by_wall_time_and_instances(void **unused) {
    (void)unused;
    begin(2, VCS_WORK_SEND_WS1);
    offer.host.resources[0].usable = 0.5;
    ask(0, 60.5, 0, 0);
    add_job(10, 100);
    add_job(10, 100);
    add_job(1, 100);
    add_job(1, 100);
    candidate(0)->cpus = 2;
    send();
    CHECK_REASONS(SENT, SENT, SENT, ENOUGH); /* 40 + 20 < 60.5 <= 40 + 20 + 2 */
}

/* Rule 13.4: the seconds that a job counts may differ from its run time. */
static void jobs_may_count_otherwise_than_they_take(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 25, 0, 0);
    add_job(10, 100)->seconds = 1;
    add_job(10, 100)->seconds = 24;
    add_job(10, 100);
    send();
    CHECK_REASONS(SENT, SENT, ENOUGH);
}

static void each_resource_has_its_own_request(void **unused) {
    (void)unused;
    begin(2, VCS_WORK_SEND_WS1);
    host_add_resource(&offer.host, 2, 10);
    host_add_resource(&offer.host, 1, 10);
    ask(0, 10, 0, 0);
    ask(1, 0, 1, 0);
    for (uint32_t i = 0; i < 6; i++) {
        add_job(10, 100);
    }
    for (uint32_t i = 1; i < 6; i++) {
        candidate(i)->gpu = i < 5 ? 1 : 2;
        candidate(i)->gpus = i < 3 ? 0.5 : 1;
    }
    candidate(4)->gpu = 0;
    candidate(4)->gpus = 0;
    send(); /* the two halves fill the GPU; their CPUs do not fill the CPU; nothing was asked for the second GPU type */
    CHECK_REASONS(SENT, SENT, SENT, ENOUGH, ENOUGH, VCS_REASON_NOT_ASKED_FOR);
}

static void nothing_is_sent_unasked(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS2);
    ask(0, 0, 0, 50);
    add_job(10, 1);
    send();
    assert_int_equal(offer.summary.flags, 0);
    assert_int_equal(offer.summary.late, 0);
    CHECK_REASONS(VCS_REASON_NOT_ASKED_FOR);
}

/* ---- Deadlines ---- */

static void a_job_waits_until_the_client_is_no_longer_busy(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    offer.host.now = 1e9;
    offer.host.resources[0].usable = 0.5;
    ask(0, 1000, 0, 30);
    add_job(10, 49.999999);
    add_job(10, 50); /* 30 ... 50: it is never later than at its deadline */
    add_job(10, INFINITY);
    send();
    assert_number(offer.decisions[0].finish, 50);
    assert_number(offer.decisions[2].finish, 50); /* jobs of the same reply do not wait for each other */
    assert_int_equal(offer.summary.late, 1);
    assert_int_equal(offer.summary.flags, 0); /* there is work */
    CHECK_REASONS(VCS_REASON_BUSY_PAST_DEADLINE, SENT, SENT);
}

/* However long the client is busy, a job without a deadline is not late. */
static void never_is_later_than_any_busy_time(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 1000, 0, 1e30);
    add_job(10, 1e12);
    add_job(10, INFINITY);
    send();
    CHECK_REASONS(VCS_REASON_BUSY_PAST_DEADLINE, SENT);
}

static void the_busy_time_is_that_of_its_resource(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    host_add_resource(&offer.host, 1, 10);
    ask(0, 1000, 0, 95);
    ask(1, 1000, 0, 10);
    add_job(10, 100);
    add_job(10, 100);
    candidate(1)->gpu = 1;
    candidate(1)->gpus = 1;
    send();
    CHECK_REASONS(VCS_REASON_BUSY_PAST_DEADLINE, SENT);
}

/* The client's queue: one task of 50 s, due in 60. */
static void admission_looks_at_the_queue(void **unused) {
    (void)unused;
    for (uint32_t rule = VCS_WORK_SEND_WS1; rule <= VCS_WORK_SEND_WS2; rule++) {
        begin(1, rule);
        offer.host.now = 1000;
        ask(0, 1000, 0, 0);
        host_add_task(&offer.host, 0, 50, 1060);
        add_job(10, 60);  /* shorter, of the same deadline: 0 ... 10, the task until 60 */
        add_job(1, 59);   /* would go first, and the task end at 61 */
        add_job(20, 70);  /* 60 ... 80 > 70 */
        add_job(5, 65);   /* 60 ... 65 */
        add_job(1, 64.5); /* 60 ... 61, and the job before would end at 66 */
        add_job(10, 75);  /* 65 ... 75 */
        send();
        if (rule == VCS_WORK_SEND_WS1) {
            CHECK_REASONS(SENT, SENT, SENT, SENT, SENT, SENT);
            continue;
        }
        assert_number(offer.decisions[0].finish, 10);
        assert_int_equal(offer.decisions[0].harmed, VCS_NONE);
        assert_int_equal(offer.decisions[0].harmed_candidate, VCS_NONE);
        assert_int_equal(offer.decisions[1].harmed, 0);
        assert_number(offer.decisions[2].finish, 80);
        assert_int_equal(offer.decisions[4].harmed_candidate, 3);
        assert_int_equal(offer.decisions[4].harmed, VCS_NONE);
        assert_number(offer.decisions[5].finish, 75);
        assert_int_equal(offer.summary.late, 3);
        CHECK_REASONS(SENT, VCS_REASON_HARMS_TIMELY, VCS_REASON_OWN_DEADLINE, SENT, VCS_REASON_HARMS_TIMELY, SENT);
    }
}

static void admission_comes_on_top_of_the_busy_time(void **unused) {
    (void)unused;
    begin(2, VCS_WORK_SEND_WS2);
    ask(0, 1000, 0, 30);
    add_job(10, 39); /* the queue is empty, but the client says that it is busy */
    add_job(10, 40);
    send();
    assert_number(offer.decisions[0].finish, 40);
    assert_number(offer.decisions[1].finish, 10);
    CHECK_REASONS(VCS_REASON_BUSY_PAST_DEADLINE, SENT);
}

static void admission_takes_the_buffer_off(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS2);
    offer.host.parameters.min_buffer = 20;
    ask(0, 1000, 0, 0);
    add_job(10, 29);
    add_job(10, 30);
    send();
    CHECK_REASONS(VCS_REASON_OWN_DEADLINE, SENT);
}

static void without_deadlines_there_would_be_work(void **unused) {
    (void)unused;
    for (uint32_t rule = VCS_WORK_SEND_WS1; rule <= VCS_WORK_SEND_WS2; rule++) {
        begin(1, rule);
        ask(0, 1000, 0, 0);
        add_job(10, 9);
        add_job(10, 100)->flags = VCS_SEND_HOST_HAS_COPY;
        send();
        assert_int_equal(offer.summary.flags, VCS_SEND_NO_WORK_FOR_DEADLINES);
        assert_int_equal(offer.summary.late, 1);
        CHECK_REASONS(VCS_REASON_BUSY_PAST_DEADLINE, VCS_REASON_HOST_HAS_COPY);
    }
}

/* It would be late as well, but the first reason counts. */
static void what_is_refused_anyway_is_not_late(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS2);
    ask(0, 1000, 0, 0);
    add_job(10, 9)->flags = VCS_SEND_HOST_HAS_COPY;
    add_job(10, 9);
    candidate(1)->cpus = 2;
    send();
    assert_int_equal(offer.summary.flags, 0);
    assert_int_equal(offer.summary.late, 0);
    assert_true(offer.decisions[0].finish == INFINITY);
    CHECK_REASONS(VCS_REASON_HOST_HAS_COPY, VCS_REASON_CANNOT_RUN);
}

/* Admission may place one task, the task of the host. */
static void what_was_not_reached_is_not_late(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS2);
    offer.host.parameters.step_budget = 1;
    ask(0, 1000, 0, 0);
    host_add_task(&offer.host, 0, 10, 50);
    add_job(10, 100);
    send();
    assert_int_equal(offer.summary.flags, 0);
    assert_int_equal(offer.summary.late, 0);
    CHECK_REASONS(VCS_REASON_BUDGET);
}

static void what_is_not_sent_takes_nothing_away(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS2);
    offer.limits.disk = 5;
    offer.limits.max_jobs = 1;
    ask(0, 10, 0, 0);
    add_job(10, 9)->disk = 5;
    add_job(10, 10)->disk = 5;
    offer.jobs[0].unit = offer.jobs[1].unit = 7;
    send();
    CHECK_REASONS(VCS_REASON_BUSY_PAST_DEADLINE, SENT);
}

/* ---- Which ones ---- */

static void one_copy_of_a_work_unit_for_each_host(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 1000, 0, 0);
    static const uint64_t units[] = {9, 4, 9, 0, 0, UINT64_MAX, 4, UINT64_MAX, 9};
    for (uint32_t i = 0; i < COUNT_OF(units); i++) {
        add_job(10, 100)->unit = units[i];
    }
    send();
    CHECK_REASONS(SENT, SENT, VCS_REASON_HOST_HAS_COPY, SENT, SENT, SENT, VCS_REASON_HOST_HAS_COPY,
                  VCS_REASON_HOST_HAS_COPY, VCS_REASON_HOST_HAS_COPY);
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 1000, 0, 0);
    add_job(10, 100)->unit = 9;
    add_job(10, 100)->unit = 4;
    send();
    CHECK_REASONS(SENT, SENT);
}

/*
 * The default minimum buffer is 2.4 hours: by it a job of 1 hour that is due within 2 is never in time. The host's own,
 * from its request, is 10 minutes. (WS1 asks for no buffer.)
 */
static void the_buffer_is_the_hosts_own(void **unused) {
    (void)unused;
    vcs_parameters defaults;
    assert_int_equal(vcs_parameters_init(&defaults, sizeof defaults, VCS_PROFILE_CURRENT), VCS_OK);
    assert_number(defaults.min_buffer, 8640.0);
    for (uint32_t rule = VCS_WORK_SEND_WS1; rule <= VCS_WORK_SEND_WS2; rule++) {
        for (uint32_t own = 0; own < 2; own++) {
            begin(1, rule);
            offer.host.parameters.min_buffer = own ? 600 : defaults.min_buffer;
            ask(0, 1000, 0, 0);
            add_job(3600, 7200);
            send();
            CHECK_REASONS(rule == VCS_WORK_SEND_WS2 && !own ? VCS_REASON_OWN_DEADLINE : SENT);
        }
    }
}

static void one_copy_for_each_user_if_the_server_says_so(void **unused) {
    (void)unused;
    for (uint32_t one = 0; one < 2; one++) {
        begin(1, VCS_WORK_SEND_WS1);
        offer.limits.flags = one ? VCS_SEND_ONE_PER_USER : 0;
        ask(0, 1000, 0, 0);
        add_job(10, 100)->flags = VCS_SEND_USER_HAS_COPY;
        add_job(10, 100)->flags = VCS_SEND_HOST_HAS_COPY;
        add_job(10, 100)->flags = VCS_SEND_HOST_HAS_COPY | VCS_SEND_USER_HAS_COPY;
        send();
        CHECK_REASONS(one ? VCS_REASON_USER_HAS_COPY : SENT, VCS_REASON_HOST_HAS_COPY, VCS_REASON_HOST_HAS_COPY);
    }
}

/* Whatever else prevents sending. */
static void the_blacklist_gets_nothing(void **unused) {
    (void)unused;
    const vcs_trust trust = {.flags = VCS_BLACKLISTED};
    for (uint32_t rule = VCS_WORK_SEND_WS1; rule <= VCS_WORK_SEND_WS2; rule++) {
        begin(1, rule);
        offer.limits.flags = trust.flags & VCS_BLACKLISTED;
        offer.limits.quota_left = 0;
        ask(0, 1000, 0, 0);
        add_job(10, 100);
        add_job(10, 5);
        send();
        assert_int_equal(offer.summary.flags, 0);
        CHECK_REASONS(VCS_REASON_BLACKLISTED, VCS_REASON_BLACKLISTED);
    }
}

static void classes_of_hosts_are_kept_apart(void **unused) {
    (void)unused;
    for (uint64_t host_class = 0; host_class < 2; host_class++) {
        begin(1, VCS_WORK_SEND_WS1);
        offer.limits.hr_class = host_class;
        ask(0, 1000, 0, 0);
        add_job(10, 100);
        add_job(10, 100)->hr_class = 1;
        add_job(10, 100)->hr_class = 2;
        send();
        CHECK_REASONS(SENT, host_class == 1 ? SENT : VCS_REASON_OTHER_CLASS, VCS_REASON_OTHER_CLASS);
    }
}

static void memory_and_disk(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    offer.host.host.ram = 100;
    offer.limits.disk = 50;
    ask(0, 1000, 0, 0);
    for (int i = 0; i < 6; i++) {
        add_job(10, 100);
    }
    candidate(0)->ram = 101;
    candidate(1)->ram = 100; /* each for itself: they need not run together */
    candidate(2)->ram = 100;
    offer.jobs[2].disk = 30; /* all together: files stay */
    offer.jobs[3].disk = 21;
    offer.jobs[4].disk = 20;
    send();
    CHECK_REASONS(VCS_REASON_HOST_MEMORY, SENT, SENT, VCS_REASON_HOST_DISK, SENT, SENT);
    begin(1, VCS_WORK_SEND_WS1);
    offer.limits.disk = 0; /* full */
    ask(0, 1000, 0, 0);
    add_job(10, 100)->disk = 1;
    add_job(10, 100);
    candidate(1)->ram = 1e300; /* a host that does not say how much memory it has */
    send();
    CHECK_REASONS(VCS_REASON_HOST_DISK, SENT);
}

static void what_cannot_run_is_not_sent(void **unused) {
    (void)unused;
    for (uint32_t rule = VCS_WORK_SEND_WS1; rule <= VCS_WORK_SEND_WS2; rule++) {
        begin(2, rule);
        host_add_resource(&offer.host, 1, 10);
        host_add_resource(&offer.host, 1, 10);
        offer.host.resources[2].flags = VCS_RESOURCE_SUSPENDED;
        for (uint32_t r = 0; r < 3; r++) {
            ask(r, 1000, 0, 0);
        }
        for (uint32_t i = 0; i < 5; i++) {
            add_job(10, 100);
        }
        candidate(0)->cpus = 2.5;
        candidate(1)->cpus = 2;
        candidate(2)->gpu = candidate(3)->gpu = 1;
        candidate(2)->gpus = 2;
        candidate(3)->gpus = 1;
        candidate(3)->cpus = 3;
        candidate(4)->gpu = 2;
        candidate(4)->gpus = 1;
        send();
        assert_int_equal(offer.summary.late, 0);
        CHECK_REASONS(VCS_REASON_CANNOT_RUN, SENT, VCS_REASON_CANNOT_RUN, VCS_REASON_CANNOT_RUN, VCS_REASON_CANNOT_RUN);
    }
}

/* ---- Limits ---- */

static void limits_of_the_host_and_the_reply(void **unused) {
    (void)unused;
    static const struct {
        uint32_t max_jobs, max_in_progress, in_progress, quota_left, sent, reason;
    } cases[] = {
        {2, UINT32_MAX, UINT32_MAX, UINT32_MAX, 2, VCS_REASON_REPLY_FULL},
        {UINT32_MAX, 9, 8, UINT32_MAX, 1, VCS_REASON_HOST_LIMIT},
        {UINT32_MAX, 9, 10, UINT32_MAX, 0, VCS_REASON_HOST_LIMIT},
        {UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 2, UINT32_MAX, 1, VCS_REASON_HOST_LIMIT},
        {UINT32_MAX, UINT32_MAX, 0, 2, 2, VCS_REASON_QUOTA},
        {2, UINT32_MAX, 0, 0, 0, VCS_REASON_QUOTA},
        {1, 1, 0, 1, 1, VCS_REASON_REPLY_FULL},
        {0, 0, 0, 0, 0, VCS_REASON_REPLY_FULL},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        begin(1, VCS_WORK_SEND_WS1);
        offer.limits.max_jobs = cases[k].max_jobs;
        offer.limits.max_in_progress = cases[k].max_in_progress;
        offer.limits.in_progress = cases[k].in_progress;
        offer.limits.quota_left = cases[k].quota_left;
        ask(0, 1000, 0, 0);
        for (int i = 0; i < 3; i++) {
            add_job(10, 100);
        }
        send();
        assert_int_equal(offer.summary.flags, 0);
        CHECK_REASONS(cases[k].sent > 0 ? SENT : cases[k].reason, cases[k].sent > 1 ? SENT : cases[k].reason,
                      cases[k].reason);
    }
}

/* Application 0 has two tasks on the host, one of them suspended, application 1 none. */
static void limits_of_an_application(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    host_add_app(&offer.host, 0, 0);
    host_add_app(&offer.host, 0, 0);
    host_add_task(&offer.host, 0, 10, 1e6)->app = 0;
    host_add_task(&offer.host, 0, 10, 1e6)->app = 0;
    host_add_task(&offer.host, 0, 10, 1e6);
    offer.host.tasks[1].flags = VCS_TASK_SUSPENDED;
    ask(0, 1000, 0, 0);
    static const uint32_t most[] = {2, 3, 3, 0, 1, 1, 0};
    static const uint32_t apps[] = {0, 0, 0, 0, 1, 1, VCS_NONE};
    for (uint32_t i = 0; i < COUNT_OF(most); i++) {
        add_job(10, 100)->max_per_host = most[i];
        candidate(i)->app = apps[i];
    }
    send();
    CHECK_REASONS(VCS_REASON_APP_HOST_LIMIT, SENT, VCS_REASON_APP_HOST_LIMIT, SENT, SENT, VCS_REASON_APP_HOST_LIMIT,
                  SENT);
}

/* ---- So many jobs, and jobs of a latency bound of at least so much ---- */

/* Two at most, though 1,000 s and three idle CPUs would take all four; the GPU has a request of its own. */
static void no_more_jobs_than_asked_for(void **unused) {
    (void)unused;
    begin(4, VCS_WORK_SEND_WS1);
    host_add_resource(&offer.host, 1, 10);
    ask(0, 1000, 3, 0);
    ask(1, 1000, 0, 0);
    offer.requests[0].jobs = 2;
    add_job(10, 5); /* not sent, so it takes none of the two places */
    for (int i = 0; i < 4; i++) {
        add_job(10, 100);
    }
    candidate(2)->gpu = 1;
    candidate(2)->gpus = 1;
    send();
    CHECK_REASONS(VCS_REASON_BUSY_PAST_DEADLINE, SENT, SENT, SENT, ENOUGH);
}

/* 100 jobs at most, and 15 s: the seconds are filled first. */
static void a_limit_of_jobs_asks_for_none(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 15, 0, 0);
    offer.requests[0].jobs = 100;
    for (int i = 0; i < 3; i++) {
        add_job(10, 100);
    }
    send();
    CHECK_REASONS(SENT, SENT, ENOUGH);
    begin(1, VCS_WORK_SEND_WS1);
    offer.requests[0].jobs = 100;
    add_job(10, 100);
    send();
    CHECK_REASONS(VCS_REASON_NOT_ASKED_FOR);
}

/* Jobs that are due in 100 s at the soonest are wanted, whoever decides on deadlines after that. */
static void jobs_that_are_due_too_soon_are_not_sent(void **unused) {
    (void)unused;
    static const uint32_t rules[] = {VCS_WORK_SEND_WS1, VCS_WORK_SEND_WS2, VCS_WORK_SEND_BY_CHANCE};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        begin(1, rules[i]);
        offer.host.host.on_spell = offer.host.host.off_spell = 3600;
        host_add_resource(&offer.host, 1, 10);
        ask(0, 1000, 0, 0);
        ask(1, 1000, 0, 0);
        offer.requests[0].latency_bound = 100;
        add_job(1, 99.5);
        add_job(1, 100);
        add_job(1, INFINITY);
        add_job(1, 50);
        candidate(3)->gpu = 1; /* its request names no bound */
        candidate(3)->gpus = 1;
        add_job(1, 50)->flags = VCS_SEND_HOST_HAS_COPY;
        send();
        assert_true(isinf(offer.decisions[0].finish)); /* it was not tested further */
        assert_int_equal(offer.summary.late, 1);
        assert_int_equal(offer.summary.flags, 0);
        CHECK_REASONS(VCS_REASON_BOUND_TOO_SHORT, SENT, SENT, SENT, VCS_REASON_HOST_HAS_COPY);
    }
    begin(1, VCS_WORK_SEND_WS1);
    ask(0, 1000, 0, 0);
    offer.requests[0].latency_bound = 100;
    add_job(1, 50);
    send();
    assert_int_equal(offer.summary.flags, VCS_SEND_NO_WORK_FOR_DEADLINES); /* were it due later, it would be sent */
    CHECK_REASONS(VCS_REASON_BOUND_TOO_SHORT);
}

/* ---- The study's program ---- */

static void the_first_refusal_ends_a_reply_of_the_study(void **unused) {
    (void)unused;
    for (uint32_t rule = VCS_WORK_SEND_WS1; rule <= VCS_WORK_SEND_WS2; rule++) {
        begin(1, rule);
        offer.limits.flags = VCS_SEND_STUDY_RULES;
        ask(0, 1000, 0, 0);
        add_job(10, 100);
        add_job(10, 100)->flags = VCS_SEND_HOST_HAS_COPY; /* the study knows no copies: that ends nothing */
        add_job(10, 100);
        offer.requests[0].latency_bound = 8;
        add_job(1, 7); /* nor bounds that a client wants */
        add_job(10, 9);
        add_job(1, 100);
        send();
        assert_int_equal(offer.summary.late, 2);
        CHECK_REASONS(SENT, VCS_REASON_HOST_HAS_COPY, SENT, VCS_REASON_BOUND_TOO_SHORT,
                      rule == VCS_WORK_SEND_WS2 ? VCS_REASON_OWN_DEADLINE : VCS_REASON_BUSY_PAST_DEADLINE,
                      VCS_REASON_REPLY_ENDED);
    }
}

/* A candidate has until its deadline, tasks until the minimum buffer before theirs; the busy time does not count. */
static void admission_as_in_the_study(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_WS2);
    offer.limits.flags = VCS_SEND_STUDY_RULES;
    offer.host.parameters.min_buffer = 20;
    host_add_task(&offer.host, 0, 10, 30); /* until 30 - 20 = 10, just so */
    ask(0, 1000, 0, 1e6);
    add_job(10, 20);
    add_job(10, 29);
    send();
    assert_number(offer.decisions[0].finish, 20);
    assert_number(offer.decisions[1].finish, 30);
    CHECK_REASONS(SENT, VCS_REASON_OWN_DEADLINE);
}

/* Rule 13.1: finish times from now, deadlines from the epoch. */
static void deadlines_may_count_from_the_start(void **unused) {
    (void)unused;
    for (uint32_t origin = VCS_ORIGIN_NOW; origin <= VCS_ORIGIN_START; origin++) {
        begin(1, VCS_WORK_SEND_WS2);
        offer.host.now = 1000;
        offer.host.parameters.deadline_origin = origin;
        offer.limits.flags = VCS_SEND_STUDY_RULES;
        ask(0, 1000, 0, 0);
        add_job(100, 99);
        send();
        CHECK_REASONS(origin == VCS_ORIGIN_START ? SENT : VCS_REASON_OWN_DEADLINE);
    }
}

/* ---- The state ---- */

static void begin_two_jobs(void) {
    begin(1, VCS_WORK_SEND_WS2);
    ask(0, 1000, 0, 0);
    add_job(10, 100);
    add_job(95, 100); /* not behind the first one, but alone */
}

/* Admission starts over each time, whatever was admitted before. */
static void the_same_question_has_the_same_answer(void **unused) {
    (void)unused;
    vcs_admission admission = {.struct_size = sizeof admission};
    begin_two_jobs();
    candidate(1)->deadline = 1e6;
    host_prepare(&offer.host);
    assert_int_equal(vcs_admit(offer.host.state, 1, &admission), VCS_OK);
    assert_int_equal(admission.admitted, 1);
    for (int i = 0; i < 3; i++) {
        send_again();
        assert_int_equal(offer.decisions[0].reason, SENT);
        assert_int_equal(offer.decisions[1].reason, VCS_REASON_OWN_DEADLINE);
    }
    host_end(&offer.host);
}

static void jobs_that_are_sent_are_in_the_queue(void **unused) {
    (void)unused;
    vcs_admission admission = {.struct_size = sizeof admission};
    begin_two_jobs();
    send();
    assert_int_equal(vcs_admit(offer.host.state, 0, &admission), VCS_ERR_DUPLICATE);
    assert_int_equal(vcs_admit(offer.host.state, 1, &admission), VCS_OK);
    assert_int_equal(admission.reason, VCS_REASON_OWN_DEADLINE); /* the deadline that the offer gave it */
    assert_number(admission.finish, 105);
    CHECK_REASONS(SENT, VCS_REASON_OWN_DEADLINE);
}

static void simulations_keep_their_results(void **unused) {
    (void)unused;
    vcs_task_forecast before, after;
    begin_two_jobs();
    host_add_task(&offer.host, 0, 5, 1e6);
    host_prepare(&offer.host);
    assert_int_equal(vcs_wrr(offer.host.state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(offer.host.state, ARRAY(&before, 1)), VCS_OK);
    send_again();
    assert_int_equal(vcs_wrr_tasks(offer.host.state, ARRAY(&after, 1)), VCS_OK);
    assert_memory_equal(&before, &after, sizeof before);
    host_end(&offer.host);
}

static void what_may_be_left_out(void **unused) {
    (void)unused;
    begin_two_jobs();
    host_prepare(&offer.host);
    const vcs_array requests = all_requests(), jobs = all_jobs();
    assert_int_equal(send_arrays(&requests, &jobs, NULL, offer.decisions, sizeof *offer.decisions, NULL, NULL), VCS_OK);
    assert_int_equal(offer.decisions[0].sent, 1);
    host_end(&offer.host);
    begin(1, VCS_WORK_SEND_WS2); /* nothing on offer */
    ask(0, 1000, 0, 0);
    host_prepare(&offer.host);
    const vcs_array none = {{NULL}, 0, 0};
    offer.summary = (vcs_send_summary){.struct_size = sizeof offer.summary, .sent = 7};
    assert_int_equal(send_arrays(&requests, &none, NULL, NULL, 0, &offer.summary, NULL), VCS_OK);
    assert_int_equal(offer.summary.sent, 0);
    assert_int_equal(offer.summary.flags, 0);
    host_end(&offer.host);
}

/* A caller newer than the library has longer records; what the library does not know is 0. */
static void longer_records_of_other_callers(void **unused) {
    (void)unused;
    struct {
        vcs_send_request known;
        uint64_t added;
    } requests[1];
    struct {
        vcs_send_job known;
        uint64_t added;
    } jobs[2];
    struct {
        vcs_send_decision known;
        uint64_t added;
    } decisions[2];
    struct {
        vcs_send_summary known;
        uint64_t added;
    } summary;
    begin_two_jobs();
    host_prepare(&offer.host);
    memset(requests, 0, sizeof requests);
    memset(jobs, 0, sizeof jobs);
    memset(decisions, 0xa5, sizeof decisions);
    memset(&summary, 0xa5, sizeof summary);
    requests[0].known = offer.requests[0];
    jobs[0].known = offer.jobs[0];
    jobs[1].known = offer.jobs[1];
    summary.known.struct_size = sizeof summary;
    const vcs_array all = array_of(requests, sizeof *requests, 1), offered = array_of(jobs, sizeof *jobs, 2);
    assert_int_equal(
        send_arrays(&all, &offered, &offer.limits, &decisions[0].known, sizeof *decisions, &summary.known, NULL),
        VCS_OK);
    assert_int_equal(decisions[0].known.reason, SENT);
    assert_int_equal(decisions[1].known.reason, VCS_REASON_OWN_DEADLINE);
    assert_true(decisions[0].added == 0 && decisions[1].added == 0 && summary.added == 0);
    assert_int_equal(summary.known.sent, 1);
    jobs[1].added = 1;
    assert_int_equal(send_arrays(&all, &offered, &offer.limits, &decisions[0].known, sizeof *decisions, NULL, NULL),
                     VCS_ERR_ABI_NEWER);
    host_end(&offer.host);
}

/* ---- Bad input ---- */

static vcs_array requests, jobs;

/* When an offer is refused, neither the outputs nor the state may be written. */
static void refuse_arrays(const vcs_array *request, const vcs_array *job, int code, uint32_t type, uint64_t index,
                          uint32_t offset) {
    static test_offer before;
    size_t size = 0;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_state_size(&offer.host.snapshot, &size), VCS_OK);
    void *state = malloc(size);
    assert_non_null(state);
    copy_whole(state, offer.host.work, size);
    before = offer;
    assert_int_equal(
        send_arrays(request, job, &offer.limits, offer.decisions, sizeof *offer.decisions, &offer.summary, &error),
        code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, type);
    assert_int_equal(error.index, index);
    assert_int_equal(error.offset, offset);
    assert_memory_equal(&offer, &before, sizeof offer);
    assert_memory_equal(offer.host.work, state, size);
    assert_int_equal(
        send_arrays(request, job, &offer.limits, offer.decisions, sizeof *offer.decisions, &offer.summary, NULL), code);
    free(state);
}

static void refuse(int code, uint32_t type, uint64_t index, uint32_t offset) {
    refuse_arrays(&requests, &jobs, code, type, index, offset);
}

/* Two resources, three jobs; the second is spoilt. */
static void begin_spoiling(void) {
    begin(1, VCS_WORK_SEND_WS2);
    host_add_resource(&offer.host, 1, 10);
    host_add_app(&offer.host, 0, 0);
    ask(0, 1000, 1, 10);
    for (int i = 0; i < 3; i++) {
        add_job(10, 100);
    }
    offer.summary.struct_size = sizeof offer.summary;
    host_prepare(&offer.host);
    requests = all_requests();
    jobs = all_jobs();
}

static void bad_fields_are_refused(void **unused) {
    (void)unused;
    static const bad_field bad_requests[] = {
        NOT_FINITE(vcs_send_request, seconds),
        NOT_FINITE(vcs_send_request, instances),
        NOT_FINITE(vcs_send_request, busy),
        BAD_NUMBER(vcs_send_request, seconds, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_send_request, instances, -1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_send_request, instances, VCS_MAX_INSTANCES + 1.0, VCS_ERR_RANGE),
        BAD_NUMBER(vcs_send_request, busy, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_send_request, latency_bound),
        BAD_NUMBER(vcs_send_request, latency_bound, -1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_send_request, reserved0, 1, VCS_ERR_ABI_NEWER),
    };
    static const bad_field bad_jobs[] = {
        BAD_NUMBER(vcs_send_job, latency_bound, (double)NAN, VCS_ERR_NOT_FINITE),
        BAD_NUMBER(vcs_send_job, latency_bound, -(double)INFINITY, VCS_ERR_NOT_FINITE),
        BAD_NUMBER(vcs_send_job, latency_bound, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_send_job, seconds),
        BAD_NUMBER(vcs_send_job, seconds, -1.0, VCS_ERR_RANGE),
        NOT_FINITE(vcs_send_job, disk),
        BAD_NUMBER(vcs_send_job, disk, -1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_send_job, max_per_host, 1, VCS_ERR_RANGE), /* the job is of no application */
        BAD_WORD(vcs_send_job, flags, 4, VCS_ERR_FLAGS),
        BAD_WORD(vcs_send_job, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    static const bad_field bad_limits[] = {
        BAD_WORD(vcs_send_limits, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_send_limits, struct_size, sizeof(vcs_send_limits) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_send_limits, flags, 8, VCS_ERR_FLAGS),
        BAD_NUMBER(vcs_send_limits, disk, (double)NAN, VCS_ERR_NOT_FINITE),
        BAD_NUMBER(vcs_send_limits, disk, -1.0, VCS_ERR_RANGE),
        BAD_WORD(vcs_send_limits, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    for (size_t i = 0; i < COUNT_OF(bad_requests); i++) {
        begin_spoiling();
        spoil(&offer.requests[1], &bad_requests[i]);
        refuse(bad_requests[i].code, VCS_TYPE_SEND_REQUEST, 1, (uint32_t)bad_requests[i].offset);
        host_end(&offer.host);
    }
    for (size_t i = 0; i < COUNT_OF(bad_jobs); i++) {
        begin_spoiling();
        spoil(&offer.jobs[1], &bad_jobs[i]);
        refuse(bad_jobs[i].code, VCS_TYPE_SEND_JOB, 1, (uint32_t)bad_jobs[i].offset);
        host_end(&offer.host);
    }
    for (size_t i = 0; i < COUNT_OF(bad_limits); i++) {
        begin_spoiling();
        spoil(&offer.limits, &bad_limits[i]);
        refuse(bad_limits[i].code, VCS_TYPE_SEND_LIMITS, 0, (uint32_t)bad_limits[i].offset);
        host_end(&offer.host);
    }
}

static void bad_arrays_are_refused(void **unused) {
    (void)unused;
    begin_spoiling();
    vcs_array bad = requests;
    bad.base = NULL;
    refuse_arrays(&bad, &jobs, VCS_ERR_NULL, VCS_TYPE_SEND_REQUEST, 0, 0);
    bad = requests;
    bad.count = 1;
    refuse_arrays(&bad, &jobs, VCS_ERR_COUNT, VCS_TYPE_SEND_REQUEST, 0, 0);
    bad = requests;
    bad.element_size = sizeof(vcs_send_request) - 8;
    refuse_arrays(&bad, &jobs, VCS_ERR_ABI_OLDER, VCS_TYPE_SEND_REQUEST, 0, 0);
    bad = jobs;
    bad.count = 4;
    refuse_arrays(&requests, &bad, VCS_ERR_COUNT, VCS_TYPE_SEND_JOB, 0, 0);
    bad = jobs;
    bad.base = NULL;
    refuse_arrays(&requests, &bad, VCS_ERR_NULL, VCS_TYPE_SEND_JOB, 0, 0);
    bad = jobs;
    bad.element_size = sizeof(vcs_send_job) + 4;
    refuse_arrays(&requests, &bad, VCS_ERR_ABI_SIZE, VCS_TYPE_SEND_JOB, 0, 0);
    offer.summary.struct_size = 0;
    refuse(VCS_ERR_ABI_SIZE, VCS_TYPE_SEND_SUMMARY, 0, 0);
    host_end(&offer.host);
}

static void bad_calls_are_refused(void **unused) {
    (void)unused;
    begin_spoiling();
    vcs_error error = {.struct_size = 4};
    vcs_send_decision decision = {.reason = 77};
    assert_int_equal(
        vcs_send(NULL, ARRAY(offer.requests, 2), ARRAY(offer.jobs, 3), NULL, ARRAY(&decision, 3), NULL, NULL),
        VCS_ERR_NULL);
    assert_int_equal(vcs_send(offer.host.state, ARRAY(offer.requests, 2), ARRAY(offer.jobs, 3), NULL,
                              ARRAY(&decision, 1), NULL, NULL),
                     VCS_ERR_COUNT);
    assert_int_equal(send_arrays(&requests, &jobs, NULL, &decision, sizeof decision, NULL, &error), VCS_ERR_ABI_SIZE);
    error.struct_size = sizeof error;
    assert_int_equal(send_arrays(&requests, &jobs, NULL, NULL, sizeof decision, NULL, &error), VCS_ERR_NULL);
    assert_string_equal(error.message, "send_decision: array is NULL");
    assert_int_equal(send_arrays(&requests, &jobs, NULL, &decision, sizeof decision - 8, NULL, &error),
                     VCS_ERR_ABI_OLDER);
    assert_string_equal(error.message, "send_decision: matches no known version of this struct");
    assert_int_equal(decision.reason, 77);
    host_end(&offer.host);
}

static void limits_that_limit_nothing(void **unused) {
    (void)unused;
    struct {
        vcs_send_limits known;
        uint64_t added;
    } limits;
    memset(&limits, 0xa5, sizeof limits);
    const vcs_send_limits before = limits.known;
    assert_int_equal(vcs_send_limits_init(NULL, sizeof limits.known), VCS_ERR_NULL);
    assert_int_equal(vcs_send_limits_init(&limits.known, sizeof limits.known - 8), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_send_limits_init(&limits.known, sizeof limits.known + 1), VCS_ERR_ABI_SIZE);
    assert_memory_equal(&limits.known, &before, sizeof before);
    assert_int_equal(vcs_send_limits_init(&limits.known, sizeof limits), VCS_OK);
    const vcs_send_limits none = {.struct_size = sizeof limits,
                                  .disk = INFINITY,
                                  .max_jobs = UINT32_MAX,
                                  .max_in_progress = UINT32_MAX,
                                  .quota_left = UINT32_MAX};
    assert_memory_equal(&limits.known, &none, sizeof none);
    assert_true(limits.added == 0);
}

/*
 * By chance (rule 15.5): spells of 4 h and 1 h, a CPU with a task, and a project whose last job was as good as done. A
 * job of 24 h due in 30 has a chance of 0.558: refused, and counted as too late.
 */
static void a_job_far_below_the_best_is_not_sent(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_BY_CHANCE);
    offer.host.host.on_spell = 4 * 3600;
    offer.host.host.off_spell = 3600;
    vcs_project_resource *known = host_add_project_resource(&offer.host, 0, 0);
    known->job_seconds = 10;
    known->job_bound = 1e6;
    host_add_task(&offer.host, 0, 10, INFINITY);
    ask(0, 1000, 0, 0);
    add_job(24 * 3600, 30 * 3600);
    host_prepare(&offer.host);
    send_again();
    assert_int_equal(offer.decisions[0].reason, VCS_REASON_SMALLER_CHANCE);
    assert_int_equal(offer.summary.late, 1);
    host_end(&offer.host);
}

/* A task of 30 h due in 50 has a margin of 6.42 h there; a job of 7 h that goes before it would take it. */
static void a_job_that_takes_a_margin_is_not_sent(void **unused) {
    (void)unused;
    begin(1, VCS_WORK_SEND_BY_CHANCE);
    offer.host.host.on_spell = 4 * 3600;
    offer.host.host.off_spell = 3600;
    host_add_task(&offer.host, 0, 30 * 3600, offer.host.now + 50 * 3600.0);
    ask(0, 1000, 0, 0);
    add_job(7 * 3600, 40 * 3600);
    host_prepare(&offer.host);
    send_again();
    assert_int_equal(offer.decisions[0].reason, VCS_REASON_TAKES_MARGIN);
    assert_int_equal(offer.summary.late, 1);
    host_end(&offer.host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_that_takes_a_margin_is_not_sent),
        cmocka_unit_test(jobs_are_sent_until_the_seconds_are_filled),
        cmocka_unit_test(each_idle_instance_gets_a_job),
        cmocka_unit_test(jobs_count_by_wall_time_and_instances),
        cmocka_unit_test(jobs_may_count_otherwise_than_they_take),
        cmocka_unit_test(each_resource_has_its_own_request),
        cmocka_unit_test(nothing_is_sent_unasked),
        cmocka_unit_test(a_job_waits_until_the_client_is_no_longer_busy),
        cmocka_unit_test(never_is_later_than_any_busy_time),
        cmocka_unit_test(the_busy_time_is_that_of_its_resource),
        cmocka_unit_test(admission_looks_at_the_queue),
        cmocka_unit_test(admission_comes_on_top_of_the_busy_time),
        cmocka_unit_test(admission_takes_the_buffer_off),
        cmocka_unit_test(without_deadlines_there_would_be_work),
        cmocka_unit_test(what_is_refused_anyway_is_not_late),
        cmocka_unit_test(what_was_not_reached_is_not_late),
        cmocka_unit_test(what_is_not_sent_takes_nothing_away),
        cmocka_unit_test(one_copy_of_a_work_unit_for_each_host),
        cmocka_unit_test(the_buffer_is_the_hosts_own),
        cmocka_unit_test(one_copy_for_each_user_if_the_server_says_so),
        cmocka_unit_test(the_blacklist_gets_nothing),
        cmocka_unit_test(classes_of_hosts_are_kept_apart),
        cmocka_unit_test(memory_and_disk),
        cmocka_unit_test(what_cannot_run_is_not_sent),
        cmocka_unit_test(limits_of_the_host_and_the_reply),
        cmocka_unit_test(limits_of_an_application),
        cmocka_unit_test(no_more_jobs_than_asked_for),
        cmocka_unit_test(a_limit_of_jobs_asks_for_none),
        cmocka_unit_test(jobs_that_are_due_too_soon_are_not_sent),
        cmocka_unit_test(the_first_refusal_ends_a_reply_of_the_study),
        cmocka_unit_test(admission_as_in_the_study),
        cmocka_unit_test(deadlines_may_count_from_the_start),
        cmocka_unit_test(the_same_question_has_the_same_answer),
        cmocka_unit_test(jobs_that_are_sent_are_in_the_queue),
        cmocka_unit_test(simulations_keep_their_results),
        cmocka_unit_test(what_may_be_left_out),
        cmocka_unit_test(longer_records_of_other_callers),
        cmocka_unit_test(bad_fields_are_refused),
        cmocka_unit_test(bad_arrays_are_refused),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(limits_that_limit_nothing),
        cmocka_unit_test(a_job_far_below_the_best_is_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

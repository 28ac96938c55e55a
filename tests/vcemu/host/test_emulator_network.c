/*
 * Calls of servers: failures, reports, moments of connection, sessions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

#define MOST_CONTACTS 12

/* Contacts with servers, in order. */
typedef struct contacts {
    struct contact {
        double time;
        uint32_t kind;
    } list[MOST_CONTACTS];
    uint32_t count;
} contacts;

static int note_contact(void *context, const vcs_event *event) {
    contacts *noted = context;
    if (event->kind == VCS_EVENT_CALLED || event->kind == VCS_EVENT_FAILED || event->kind == VCS_EVENT_MASTER ||
        event->kind == VCS_EVENT_NO_MASTER) {
        assert_true(noted->count < MOST_CONTACTS);
        noted->list[noted->count++] = (struct contact){event->time, event->kind};
    }
    return VCS_OK;
}

/* Asks for a job whenever there is none, and checks again every 100 s. */
static int fetch_one(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                     vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)context;
    (void)question;
    decisions[0].seconds = situation->snapshot->tasks.count == 0;
    summary->project = 0;
    summary->next_check = 100;
    return VCS_OK;
}

/* Asks for work every 1000 s. */
static int fetch_each_1000(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                           vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)context;
    (void)question;
    const double rest = fmod(situation->now, 1000);
    decisions[0].seconds = rest == 0;
    summary->project = rest == 0 ? 0 : VCS_NONE;
    summary->next_check = 1000 - rest;
    return VCS_OK;
}

/*
 * Rule 7.2: jobs of 1000 s, one at a time, from a scheduler that moves meanwhile. Every wait is 100 s. The third
 * failure in a row makes the client read the master file, which it may try every 250 s.
 */
static vcs_server_model *begin_moving(case_records *c, uint32_t profile, contacts *noted) {
    begin(c, profile, 1, 1650);
    vcs_server_model *server = &c->servers[add_project(c)];
    add_app(c, 0, 1000, 1e6);
    server->moves_at = 500;
    c->parameters.backoff_rule = VCS_BACKOFF_EXPONENT;
    c->parameters.backoff_min = c->parameters.backoff_max = 100;
    c->parameters.master_fetch_failures = 3;
    c->parameters.master_fetch_interval = 250;
    *noted = (contacts){.count = 0};
    c->hooks.context = noted;
    c->hooks.observe = note_contact;
    c->hooks.fetch = fetch_one;
    return server;
}

static void check_contacts(const contacts *noted, const struct contact *expected, uint32_t count) {
    assert_int_equal(noted->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(noted->list[i].kind, expected[i].kind);
        assert_true(noted->list[i].time == expected[i].time);
    }
}

/* The first job ends at 1000. Three calls fail; the file is read after the third wait. */
static void a_scheduler_that_moved_is_found_in_the_master_file(void **unused) {
    (void)unused;
    static const struct contact expected[] = {{0, VCS_EVENT_CALLED},    {1000, VCS_EVENT_FAILED},
                                              {1100, VCS_EVENT_FAILED}, {1200, VCS_EVENT_FAILED},
                                              {1300, VCS_EVENT_MASTER}, {1300, VCS_EVENT_CALLED}};
    case_records c;
    contacts noted;
    begin_moving(&c, VCS_PROFILE_CURRENT, &noted);
    run(&c);
    check_contacts(&noted, expected, sizeof expected / sizeof *expected);
    assert_int_equal(c.outcome.in_time, 1);
    assert_int_equal(c.outcome.received, 2);
    assert_int_equal(c.outcome.failed_calls, 3);
    assert_int_equal(c.outcome.master_fetches, 1);
    assert_int_equal(c.outcome.failed_masters, 0);
    assert_int_equal(c.project_outcomes[0].master_fetches, 1);
}

/* At 1300 the file cannot be read, so the scheduler is not called. The file may be tried again from 1550 on. */
static void a_master_file_that_cannot_be_read_is_a_failure(void **unused) {
    (void)unused;
    static const struct contact expected[] = {
        {0, VCS_EVENT_CALLED},       {1000, VCS_EVENT_FAILED}, {1100, VCS_EVENT_FAILED}, {1200, VCS_EVENT_FAILED},
        {1300, VCS_EVENT_NO_MASTER}, {1400, VCS_EVENT_FAILED}, {1500, VCS_EVENT_FAILED}, {1600, VCS_EVENT_NO_MASTER}};
    case_records c;
    contacts noted;
    begin_moving(&c, VCS_PROFILE_CURRENT, &noted)->master_failure = 1;
    run(&c);
    check_contacts(&noted, expected, sizeof expected / sizeof *expected);
    assert_int_equal(c.outcome.master_fetches, 2);
    assert_int_equal(c.outcome.failed_masters, 2);
    assert_int_equal(c.project_outcomes[0].failed_masters, 2);
}

/* While the network is down, neither calls nor file reads succeed: the same contacts, but no job. */
static void without_a_network_nothing_is_reached(void **unused) {
    (void)unused;
    static const struct contact expected[] = {
        {0, VCS_EVENT_FAILED}, {100, VCS_EVENT_FAILED}, {200, VCS_EVENT_FAILED}, {300, VCS_EVENT_NO_MASTER}};
    case_records c;
    contacts noted;
    begin_moving(&c, VCS_PROFILE_CURRENT, &noted)->network_failure = 1;
    c.emulation.duration = 350;
    run(&c);
    check_contacts(&noted, expected, sizeof expected / sizeof *expected);
    assert_int_equal(c.outcome.received, 0);
}

/* ---- Several schedulers (rule 7.2) ---- */

/* A call: when, whether it was answered, and which scheduler was called. */
typedef struct tried {
    double time;
    uint32_t kind, scheduler;
} tried;

#define MOST_TRIED 4000

typedef struct rounds {
    tried list[MOST_TRIED];
    uint32_t count;
} rounds;

static int note_tried(void *context, const vcs_event *event) {
    rounds *noted = context;
    if (event->kind == VCS_EVENT_CALLED || event->kind == VCS_EVENT_FAILED) {
        assert_true(noted->count < MOST_TRIED);
        noted->list[noted->count++] = (tried){event->time, event->kind, event->track};
    }
    return VCS_OK;
}

/* Two schedulers move at 500 s. Each of the three rounds tries both, at one moment, and counts as one failure; the file
   names both, and the first answers. */
static void each_round_tries_every_scheduler_once(void **unused) {
    (void)unused;
    static const tried expected[] = {{0, VCS_EVENT_CALLED, 0},    {1000, VCS_EVENT_FAILED, 0},
                                     {1000, VCS_EVENT_FAILED, 1}, {1100, VCS_EVENT_FAILED, 0},
                                     {1100, VCS_EVENT_FAILED, 1}, {1200, VCS_EVENT_FAILED, 0},
                                     {1200, VCS_EVENT_FAILED, 1}, {1300, VCS_EVENT_CALLED, 0}};
    case_records c;
    contacts noted;
    static rounds tries;
    tries.count = 0;
    begin_moving(&c, VCS_PROFILE_CURRENT, &noted)->schedulers = 2;
    c.hooks.context = &tries;
    c.hooks.observe = note_tried;
    run(&c);
    assert_int_equal(tries.count, COUNT_OF(expected));
    for (uint32_t i = 0; i < tries.count; i++) {
        assert_true(tries.list[i].time == expected[i].time && tries.list[i].kind == expected[i].kind);
        assert_int_equal(tries.list[i].scheduler, expected[i].scheduler);
    }
    assert_int_equal(c.outcome.failed_calls, 6);
    assert_int_equal(c.outcome.master_fetches, 1);
}

/* Calls a project without jobs every 1000 s, a thousand times. Its schedulers are up for 100 s and down for 300 s on
   average, so that each call is a draw of its own. */
static void call_schedulers(uint32_t schedulers, rounds *tries) {
    case_records c;
    contacts unused;
    vcs_server_model *server = begin_moving(&c, VCS_PROFILE_CURRENT, &unused);
    *server = (vcs_server_model){.up_mean = 100, .down_mean = 300, .schedulers = schedulers};
    c.scenario.snapshot.apps.count = c.scenario.models.count = 0;
    c.parameters.backoff_min = c.parameters.backoff_max = 999;
    c.parameters.master_fetch_failures = 1000000;
    c.emulation.duration = 999500;
    c.hooks.context = tries;
    c.hooks.observe = note_tried;
    c.hooks.fetch = fetch_each_1000;
    tries->count = 0;
    run(&c);
}

/* The next is called only if the one before is down. The first is up as if it were alone, and each of the others in a
   quarter of the calls it gets: 1 - (3/4)^3 = 0.58 of the rounds are answered. */
static void each_scheduler_is_up_and_down_for_itself(void **unused) {
    (void)unused;
    static rounds alone, three;
    uint32_t called[3] = {0}, answered[3] = {0}, of_alone = 0;
    call_schedulers(0, &alone);
    call_schedulers(3, &three);
    assert_int_equal(alone.count, 1000);
    for (uint32_t i = 0; i < three.count; i++) {
        const tried *at = &three.list[i];
        const int is_first = i == 0 || three.list[i - 1].kind == VCS_EVENT_CALLED || three.list[i - 1].scheduler == 2;
        assert_int_equal(at->scheduler, is_first ? 0 : three.list[i - 1].scheduler + 1);
        assert_true(is_first || at->time == three.list[i - 1].time);
        if (is_first) { /* as if it were alone */
            assert_true(at->time == alone.list[of_alone].time && at->kind == alone.list[of_alone].kind);
            assert_int_equal(alone.list[of_alone++].scheduler, VCS_NONE);
        }
        called[at->scheduler]++;
        answered[at->scheduler] += at->kind == VCS_EVENT_CALLED;
    }
    assert_int_equal(of_alone, 1000);
    for (uint32_t k = 0; k < 3; k++) { /* the deviation of the rarest fraction is 0.018 */
        assert_true(fabs((double)answered[k] / (double)called[k] - 0.25) < 0.05);
    }
    assert_true(fabs((answered[0] + answered[1] + answered[2]) / 1000.0 - 0.578) < 0.05);
}

/* Rule 13.11: the scheduler that sends nothing has answered for all. Otherwise each empty reply would make the study's
   client call the others, too. */
static void an_empty_reply_is_not_asked_for_twice(void **unused) {
    (void)unused;
    for (uint32_t schedulers = 1; schedulers <= 3; schedulers++) {
        case_records c;
        begin(&c, VCS_PROFILE_STUDY2007, 1, 50);
        c.servers[add_project(&c)].schedulers = schedulers;
        run(&c);
        assert_int_equal(c.outcome.calls, 1);
        assert_int_equal(c.outcome.failed_calls, 0);
    }
}

/* However short the policy's waits after failures are, a server is called once a second at most: here to report. */
static void a_server_is_not_called_twice_in_a_second(void **unused) {
    (void)unused;
    case_records c;
    contacts noted;
    begin_moving(&c, VCS_PROFILE_CURRENT, &noted);
    c.parameters.backoff_min = c.parameters.backoff_max = 0.001;
    c.parameters.master_fetch_failures = 1000;
    c.parameters.report_delay = 0;
    c.emulation.duration = 1005.5;
    run(&c);
    assert_int_equal(noted.count, 7);
    for (uint32_t i = 1; i < noted.count; i++) {
        assert_true(noted.list[i].kind == VCS_EVENT_FAILED && noted.list[i].time == 999 + i);
    }
}

/* Rule 7.2 is not the study's: its client never finds a scheduler that has moved. */
static void the_study_knows_no_master_files(void **unused) {
    (void)unused;
    case_records c;
    contacts noted;
    begin_moving(&c, VCS_PROFILE_STUDY2007, &noted);
    run(&c);
    assert_int_equal(c.outcome.calls, 8); /* at 0, and every 100 s from 1000 on */
    assert_int_equal(c.outcome.failed_calls, 7);
    assert_int_equal(c.outcome.master_fetches, 0);
}

/* Asks the first project for a job at 100 s, and only then. */
static int fetch_at_100(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                        vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)context;
    (void)question;
    decisions[0].seconds = situation->now == 100;
    summary->project = 0;
    summary->next_check = situation->now < 100 ? 100 - situation->now : 1000;
    return VCS_OK;
}

/* The results of project 1 that were reported; its initial task ends at 50 s, on a CPU of its own. */
static uint64_t reported_of_other(uint32_t profile, double deadline, double duration) {
    case_records c;
    begin(&c, profile, 2, duration);
    c.parameters.min_buffer = 60;
    add_app(&c, add_project(&c), 1000, 9 * DAY);
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    c.tasks[0] = (vcs_task){.id = 1, .project = 1, .app = VCS_NONE, .cpus = 1, .remaining = 50, .deadline = deadline};
    c.scenario.snapshot.tasks.count = 1;
    c.hooks.fetch = fetch_at_100;
    run(&c);
    return c.project_outcomes[1].in_time;
}

/* Rule 13.10: the study's client reports the results of all projects in the next call of any, at 100 s. */
static void the_study_reports_all_results_in_one_call(void **unused) {
    (void)unused;
    assert_int_equal(reported_of_other(VCS_PROFILE_STUDY2007, 9 * DAY, 120), 1);
    assert_int_equal(reported_of_other(VCS_PROFILE_CURRENT, 9 * DAY, 120), 0);
}

/* Rule 13.10: it must report within a day of the deadline, here right away; otherwise the minimum buffer is enough. */
static void the_study_reports_a_day_before_the_deadline(void **unused) {
    (void)unused;
    assert_int_equal(reported_of_other(VCS_PROFILE_STUDY2007, DAY + 40, 80), 1);
    assert_int_equal(reported_of_other(VCS_PROFILE_STUDY2007, DAY + 90, 80), 0);
    assert_int_equal(reported_of_other(VCS_PROFILE_CURRENT, DAY + 40, 80), 0);
    assert_int_equal(reported_of_other(VCS_PROFILE_CURRENT, 130, 80), 1);
}

/* Times of events. */
typedef struct calls {
    double times[MOST_CONTACTS];
    uint32_t count;
    uint32_t projects;
    double start;
} calls;

/* Calls of servers, in order; the projects take turns. */
static int note_call(void *context, const vcs_event *event) {
    calls *noted = context;
    if (event->kind == VCS_EVENT_CALLED || event->kind == VCS_EVENT_FAILED) {
        assert_true(noted->count < MOST_CONTACTS);
        assert_int_equal(event->project, noted->count % noted->projects);
        noted->times[noted->count++] = event->time;
    }
    return VCS_OK;
}

/* Asks the projects for a job in turn, as soon as a server can be called. */
static int fetch_in_turn(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                         vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const calls *noted = context;
    (void)situation;
    (void)question;
    summary->project = noted->count % noted->projects;
    summary->next_check = 100;
    decisions[summary->project].seconds = 1;
    return VCS_OK;
}

/* Rule 13.11: the study's client, connected every 500 s, the last time at 1000 s. */
static void begin_connected(case_records *c, calls *noted, uint32_t cpus, uint32_t projects) {
    begin(c, VCS_PROFILE_STUDY2007, cpus, 1200);
    c->emulation.connection_interval = 500;
    *noted = (calls){.projects = projects};
    c->hooks.context = noted;
    c->hooks.observe = note_call;
    c->hooks.fetch = fetch_in_turn;
    for (uint32_t i = 0; i < projects; i++) {
        add_project(c);
    }
}

static void check_calls(case_records *c, const calls *noted, const double *expected, uint32_t count) {
    run(c);
    assert_int_equal(noted->count, count);
    assert_memory_equal(noted->times, expected, count * sizeof *expected);
}

/*
 * Rules 7.1 and 7.2, on one CPU: low-water mark 1000 s, high-water mark 3000 s, jobs of 1000 s. At 0 there is no work:
 * the first project has none, so the second is asked in the same session, and sends three jobs. At 2000 s one is left,
 * which is not below the mark; a second later it is, and both are asked for 2001 s: three jobs. So it goes on each
 * 3000 s.
 */
static void sessions_fetch_from_mark_to_mark(void **unused) {
    (void)unused;
    static const double expected[] = {0, 0, 2001, 2001, 5001, 5001};
    case_records c;
    calls noted = {.projects = 2};
    begin(&c, VCS_PROFILE_RPC2003, 1, 5500);
    c.parameters.min_buffer = 1000;
    c.parameters.additional_buffer = 2000;
    c.parameters.report_delay = 1e5;
    c.hooks.context = &noted;
    c.hooks.observe = note_call;
    add_project(&c);
    add_app(&c, add_project(&c), 1000, 1e6);
    run(&c);
    assert_int_equal(noted.count, 6);
    assert_memory_equal(noted.times, expected, sizeof expected);
    assert_int_equal(c.project_outcomes[0].received, 0);
    assert_int_equal(c.project_outcomes[1].received, 9);
    assert_true(c.outcome.idleness == 0);
}

static int note_any(void *context, const vcs_event *event) {
    calls *noted = context;
    noted->times[event->kind % 20] += 1 + (event->time - noted->start) * (1 + event->project % 7);
    return VCS_OK;
}

/* The epoch of the times is any: where it is later than the start, nothing waits for it. */
static void a_host_may_begin_before_time_0(void **unused) {
    (void)unused;
    static const uint32_t profiles[] = {VCS_PROFILE_CURRENT, VCS_PROFILE_STUDY2007, VCS_PROFILE_RPC2003};
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        calls noted[2] = {{.start = 0}, {.start = -40000}};
        for (size_t k = 0; k < 2; k++) {
            case_records c;
            begin(&c, profiles[i], 1, 20000);
            c.emulation.start = noted[k].start;
            c.parameters.min_buffer = 1500;
            c.parameters.additional_buffer = 3000;
            c.parameters.report_delay = 100;
            for (uint32_t project = 0; project < 3; project++) {
                add_project(&c);
            }
            add_app(&c, 1, 1000, 1e5);
            add_app(&c, 2, 2000, 1e5);
            c.hooks.context = &noted[k];
            c.hooks.observe = note_any;
            run(&c);
            assert_true(c.outcome.in_time > 10);
            assert_true(c.outcome.idleness < 0.1);
        }
        for (size_t kind = 0; kind < COUNT_OF(noted[0].times); kind++) { /* but for rounding */
            assert_true(fabs(noted[0].times[kind] - noted[1].times[kind]) <= 1e-9 * noted[0].times[kind]);
        }
    }
}

/* The CPU always has a task, so each connection allows one call; but the very first call is not noted. */
static void the_study_makes_one_call_at_a_moment_of_connection(void **unused) {
    (void)unused;
    static const double expected[] = {0, 0, 500, 1000};
    static const double of_others[] = {0, 0, 500, 500, 1000, 1000};
    case_records c;
    calls noted;
    begin_connected(&c, &noted, 1, 2);
    add_app(&c, 0, 2000, 1e6);
    add_app(&c, 1, 2000, 1e6);
    check_calls(&c, &noted, expected, 4);
    noted.count = 0;
    c.emulation.study_rules = 0;
    check_calls(&c, &noted, of_others, 6);
}

/* Jobs of 400 s have ended when the host is connected again: it calls until each of its two CPUs has a task. */
static void the_study_calls_on_while_a_cpu_has_no_task(void **unused) {
    (void)unused;
    static const double expected[] = {0, 0, 500, 500, 1000, 1000};
    case_records c;
    calls noted;
    begin_connected(&c, &noted, 2, 3);
    for (uint32_t i = 0; i < 3; i++) {
        add_app(&c, i, 400, 1e6);
    }
    check_calls(&c, &noted, expected, 6);
}

/* The second of three projects sends nothing at 0 and at 1000: the third is called as if the second had not been. */
static void a_call_that_brings_nothing_leaves_the_study_connected(void **unused) {
    (void)unused;
    static const double expected[] = {0, 0, 0, 500, 1000, 1000};
    case_records c;
    calls noted;
    begin_connected(&c, &noted, 1, 3);
    add_app(&c, 0, 2000, 1e6);
    add_app(&c, 2, 2000, 1e6);
    check_calls(&c, &noted, expected, 6);
}

/*
 * But a call without an answer does. At 0 the CPU has no task, so the second project is called all the same; then they
 * take turns.
 */
static void a_call_that_fails_uses_up_the_moment_of_connection(void **unused) {
    (void)unused;
    static const double expected[] = {0, 0, 500, 1000};
    case_records c;
    calls noted;
    begin_connected(&c, &noted, 1, 2);
    c.servers[0].scheduler_failure = 1;
    add_app(&c, 0, 2000, 1e6);
    add_app(&c, 1, 2000, 1e6);
    check_calls(&c, &noted, expected, 4);
}

/* ---- Sessions with more than CPUs, and with projects that are not to be asked ---- */

static void begin_session(case_records *c, double duration) {
    begin(c, VCS_PROFILE_RPC2003, 1, duration);
    c->parameters.min_buffer = 1000;
    c->parameters.additional_buffer = 2000;
    c->parameters.report_delay = 1e5;
    for (uint32_t i = 0; i < 2; i++) {
        add_app(c, add_project(c), 1000, 1e6);
    }
}

/* A project that is asked for nothing is called all the same when the only result on the host is due. */
static void a_session_reports_what_is_due(void **unused) {
    (void)unused;
    case_records c;
    begin_session(&c, 1000);
    c.projects[0].flags = c.projects[1].flags = VCS_PROJECT_NO_NEW_WORK;
    c.parameters.report_delay = 500;
    add_task(&c, 0, 100, 1e6);
    run(&c);
    assert_int_equal(c.project_outcomes[0].calls, 1);
    assert_int_equal(c.project_outcomes[0].in_time, 1);
    assert_int_equal(c.project_outcomes[1].calls, 0);
}

/* Of two projects one may not be asked: all jobs are of the other. */
static void a_session_does_not_ask_who_may_not_be_asked(void **unused) {
    (void)unused;
    for (uint32_t flags = VCS_PROJECT_SUSPENDED; flags <= VCS_PROJECT_NO_NEW_WORK; flags++) {
        case_records c;
        begin_session(&c, 5500);
        c.projects[0].flags = flags;
        run(&c);
        assert_int_equal(c.project_outcomes[0].calls, 0);
        assert_true(c.project_outcomes[1].received > 5);
        assert_true(c.outcome.idleness == 0);
    }
}

/* So are they if work for the CPU is not wanted from one of them. */
static void a_session_does_not_ask_for_what_is_not_wanted(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_cpu = {.flags = VCS_PROJECT_RESOURCE_NOT_WANTED};
    begin_session(&c, 5500);
    c.scenario.snapshot.project_resources = array_of(&on_cpu, sizeof on_cpu, 1);
    run(&c);
    assert_int_equal(c.project_outcomes[0].received, 0);
    assert_true(c.project_outcomes[1].received > 5);
}

/*
 * A GPU is filled up to the high-water mark, like the CPU: 3000 s, in jobs of 1000 s. Only the second project has some;
 * for the GPU of the first no work is wanted.
 */
static void a_session_fills_gpus_to_the_same_mark(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_gpu = {.resource = 1, .flags = VCS_PROJECT_RESOURCE_NOT_WANTED};
    begin_session(&c, 0.5);
    c.parameters.discipline = VCS_DISCIPLINE_SLICED; /* the other one knows no GPUs */
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    c.scenario.snapshot.project_resources = array_of(&on_gpu, sizeof on_gpu, 1);
    for (uint32_t i = 0; i < 2; i++) {
        vcs_job_model *model = &c.models[i];
        model->gpu = 1;
        model->gpus = 1;
        model->cpus = 0;
    }
    run(&c);
    assert_int_equal(c.project_outcomes[0].received, 0);
    assert_int_equal(c.project_outcomes[1].received, 3);
    assert_true(c.resource_outcomes[1].idleness == 0);
}

/* A function of the caller's decides whom to ask in the place of a session. */
static void the_callers_function_replaces_a_session(void **unused) {
    (void)unused;
    case_records c;
    begin_session(&c, 2500);
    c.hooks.fetch = fetch_one;
    run(&c);
    assert_int_equal(c.project_outcomes[0].received, 3); /* at 0, at 1000 and at 2000 s */
    assert_int_equal(c.project_outcomes[1].calls, 0);
}

/* ---- What is not wanted ---- */

/* Notes until when the first project is backed off for the CPU and the GPU, as seen at the end. */
static int note_backoffs(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                         vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const vcs_project_resource *records = situation->snapshot->project_resources.base;
    double *noted = context;
    (void)question;
    noted[0] = records[0].backoff_until;
    noted[1] = records[1].backoff_until;
    decisions[0].seconds = decisions[1].seconds = situation->now == 0;
    summary->project = 0;
    summary->next_check = 100;
    return VCS_OK;
}

/* Rule 3.3: a project that sends nothing is backed off for the GPU, but not for the CPU, for which none is wanted. */
static void nobody_is_backed_off_for_what_is_not_wanted(void **unused) {
    (void)unused;
    case_records c;
    double noted[2];
    vcs_project_resource on_cpu = {.flags = VCS_PROJECT_RESOURCE_NOT_WANTED};
    begin(&c, VCS_PROFILE_CURRENT, 1, 150);
    add_project(&c);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    c.scenario.snapshot.project_resources = array_of(&on_cpu, sizeof on_cpu, 1);
    c.hooks.fetch = note_backoffs;
    c.hooks.context = noted;
    run(&c);
    assert_int_equal(c.outcome.calls, 1);
    assert_true(noted[0] == 0 && noted[1] > 0);
    on_cpu.flags = 0;
    run(&c);
    assert_true(noted[0] > 0 && noted[1] > 0);
    assert_true(noted[0] != noted[1]); /* each by a random number of its own */
}

/* As note_backoffs, of the second of two projects, which is asked for the GPU. */
static int note_second(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                       vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const vcs_project_resource *records = situation->snapshot->project_resources.base;
    double *noted = context;
    (void)question;
    for (uint32_t i = 0; i < 4; i++) {
        noted[i] = records[i].backoff_until;
    }
    decisions[3].seconds = situation->now == 0;
    summary->project = 1;
    summary->next_check = 100;
    return VCS_OK;
}

/* Nothing but the second project's record for the GPU tells that it had no job for that. */
static void each_project_is_backed_off_for_itself(void **unused) {
    (void)unused;
    case_records c;
    double noted[4];
    begin(&c, VCS_PROFILE_CURRENT, 1, 150);
    add_project(&c);
    add_project(&c);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    c.hooks.fetch = note_second;
    c.hooks.context = noted;
    run(&c);
    assert_int_equal(c.project_outcomes[1].calls, 1);
    assert_true(noted[0] == 0 && noted[1] == 0 && noted[2] == 0 && noted[3] > 0);
}

/* A record of the second project for the GPU, and none of the others. */
static void what_is_known_of_a_project_resource_is_of_no_other(void **unused) {
    (void)unused;
    case_records c;
    double noted[4];
    const vcs_project_resource pair = {.project = 1, .resource = 1, .backoff_until = 5000};
    begin(&c, VCS_PROFILE_CURRENT, 1, 150);
    add_project(&c);
    add_project(&c);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    c.scenario.snapshot.project_resources = array_of(&pair, sizeof pair, 1);
    c.hooks.fetch = note_second;
    c.hooks.context = noted;
    run(&c);
    assert_true(noted[0] == 0 && noted[1] == 0 && noted[2] == 0 && noted[3] >= 5000);
}

/* Asks both projects at the start; notes how often a call of each has failed, and until when none may be made. */
static int note_timers(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                       vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const vcs_project *projects = situation->snapshot->projects.base;
    double *noted = context;
    (void)question;
    for (uint32_t i = 0; i < 2; i++) {
        noted[2 * i] = projects[i].rpc_failures;
        noted[2 * i + 1] = projects[i].min_rpc_time;
    }
    const uint32_t asked = situation->now < 1 ? 0 : 1;
    decisions[asked].seconds = situation->now < 10;
    summary->project = situation->now < 10 ? asked : VCS_NONE;
    summary->next_check = 5;
    return VCS_OK;
}

/* Rule 3.2: the scheduler of each project fails once; both wait half a minute at least. */
static void a_failed_call_shows_in_the_records(void **unused) {
    (void)unused;
    case_records c;
    double noted[4] = {0};
    begin(&c, VCS_PROFILE_CURRENT, 1, 25);
    for (uint32_t i = 0; i < 2; i++) {
        c.servers[add_project(&c)].scheduler_failure = 1;
    }
    c.hooks.fetch = note_timers;
    c.hooks.context = noted;
    run(&c);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(c.project_outcomes[i].failed_calls, 1);
        assert_true(noted[2 * i] == 1 && noted[2 * i + 1] >= 30);
    }
}

/* Rule 13.11: to the study, a reply without the jobs that were asked for is a failure; to others it is an answer. */
static void the_study_takes_an_empty_reply_for_a_failure(void **unused) {
    (void)unused;
    for (uint32_t profile = VCS_PROFILE_STUDY2007; profile <= VCS_PROFILE_CURRENT; profile++) {
        case_records c;
        double noted[4] = {0};
        begin(&c, profile, 1, 25);
        add_project(&c);
        add_project(&c);
        c.hooks.fetch = note_timers;
        c.hooks.context = noted;
        run(&c);
        const double failures = profile == VCS_PROFILE_STUDY2007 ? 1 : 0;
        assert_true(noted[0] == failures && noted[2] == failures);
    }
}

/*
 * Rule 13.11: at 1000 s a task ends that is due at 3000 s, and is reported at once. That asks for nothing, and uses the
 * moment up: the other project, asked at 600 s, is called again at 6000 s.
 */
static void a_call_that_only_reports_uses_up_the_moment_of_connection(void **unused) {
    (void)unused;
    case_records c;
    for (uint32_t late = 0; late < 2; late++) {
        begin(&c, VCS_PROFILE_STUDY2007, 1, late == 0 ? 5900 : 6100);
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        add_app(&c, add_project(&c), 1000, 9 * DAY);
        add_task(&c, 0, 1000, 3000);
        add_task(&c, 0, 2500, 9 * DAY);
        c.emulation.connection_interval = 5000;
        c.parameters.min_buffer = 3000;
        c.parameters.additional_buffer = 0;
        run(&c);
        assert_int_equal(c.project_outcomes[0].calls, 1);
        assert_int_equal(c.project_outcomes[1].calls, 1 + late);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scheduler_that_moved_is_found_in_the_master_file),
        cmocka_unit_test(a_master_file_that_cannot_be_read_is_a_failure),
        cmocka_unit_test(without_a_network_nothing_is_reached),
        cmocka_unit_test(each_round_tries_every_scheduler_once),
        cmocka_unit_test(each_scheduler_is_up_and_down_for_itself),
        cmocka_unit_test(an_empty_reply_is_not_asked_for_twice),
        cmocka_unit_test(a_server_is_not_called_twice_in_a_second),
        cmocka_unit_test(the_study_knows_no_master_files),
        cmocka_unit_test(the_study_reports_all_results_in_one_call),
        cmocka_unit_test(the_study_reports_a_day_before_the_deadline),
        cmocka_unit_test(sessions_fetch_from_mark_to_mark),
        cmocka_unit_test(a_host_may_begin_before_time_0),
        cmocka_unit_test(the_study_makes_one_call_at_a_moment_of_connection),
        cmocka_unit_test(the_study_calls_on_while_a_cpu_has_no_task),
        cmocka_unit_test(a_call_that_brings_nothing_leaves_the_study_connected),
        cmocka_unit_test(a_call_that_fails_uses_up_the_moment_of_connection),
        cmocka_unit_test(a_call_that_only_reports_uses_up_the_moment_of_connection),
        cmocka_unit_test(a_session_reports_what_is_due),
        cmocka_unit_test(a_session_does_not_ask_who_may_not_be_asked),
        cmocka_unit_test(a_session_does_not_ask_for_what_is_not_wanted),
        cmocka_unit_test(a_session_fills_gpus_to_the_same_mark),
        cmocka_unit_test(the_callers_function_replaces_a_session),
        cmocka_unit_test(nobody_is_backed_off_for_what_is_not_wanted),
        cmocka_unit_test(each_project_is_backed_off_for_itself),
        cmocka_unit_test(what_is_known_of_a_project_resource_is_of_no_other),
        cmocka_unit_test(a_failed_call_shows_in_the_records),
        cmocka_unit_test(the_study_takes_an_empty_reply_for_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

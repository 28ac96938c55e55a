/*
 * The emulator: runs worked out by hand, an observer's own books over random scenarios, and errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/effort.h"
#include "support/kernel.h"

#include <vcsched/emulator.h>

#define MOST 8
#define DAY 86400.0
#define MOST_CONTACTS 12

/* ---- A scenario under construction ---- */

typedef struct case_records {
    vcs_host host;
    vcs_resource resources[MOST];
    vcs_project projects[MOST];
    vcs_app apps[MOST];
    vcs_task tasks[MOST];
    vcs_job_model models[MOST];
    vcs_server_model servers[MOST];
    double sizes[MOST], switches[MOST];
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_scenario scenario;
    vcs_hooks hooks;
    vcs_outcome outcome;
    vcs_project_outcome project_outcomes[MOST];
    vcs_resource_outcome resource_outcomes[MOST];
} case_records;

static vcs_array array_of(const void *base, size_t size, uint32_t count) {
    vcs_array array = {.base_as_bits = 0};
    array.base = base;
    array.element_size = (uint32_t)size;
    array.count = count;
    return array;
}

/* A host of CPUs of 1 FLOPS, so that operations are seconds; always on; no project. */
static void begin(case_records *c, uint32_t profile, uint32_t cpus, double duration) {
    memset(c, 0, sizeof *c);
    c->resources[0] = (vcs_resource){.id = 1, .flops = 1, .usable = 1, .instances = cpus};
    vcs_parameters_init(&c->parameters, sizeof c->parameters, profile);
    vcs_emulation_init(&c->emulation, sizeof c->emulation, profile);
    c->emulation.duration = duration;
    c->scenario.struct_size = sizeof c->scenario;
    c->scenario.snapshot.struct_size = sizeof c->scenario.snapshot;
    c->scenario.snapshot.host = array_of(&c->host, sizeof c->host, 1);
    c->scenario.snapshot.resources = array_of(c->resources, sizeof *c->resources, 1);
    c->scenario.snapshot.projects = array_of(c->projects, sizeof *c->projects, 0);
    c->scenario.snapshot.apps = array_of(c->apps, sizeof *c->apps, 0);
    c->scenario.snapshot.tasks = array_of(c->tasks, sizeof *c->tasks, 0);
    c->scenario.emulation = array_of(&c->emulation, sizeof c->emulation, 1);
    c->scenario.models = array_of(c->models, sizeof *c->models, 0);
    c->scenario.servers = array_of(c->servers, sizeof *c->servers, 0);
    c->scenario.sizes = array_of(c->sizes, sizeof *c->sizes, 0);
    c->scenario.switches = array_of(c->switches, sizeof *c->switches, 0);
    c->hooks.struct_size = sizeof c->hooks;
}

/* A project with a share of 100 and a server that always answers. */
static uint32_t add_project(case_records *c) {
    uint32_t index = c->scenario.snapshot.projects.count++;
    c->projects[index] = (vcs_project){.id = index + 1, .share = 100};
    c->scenario.servers.count++;
    return index;
}

/* An application whose jobs take `seconds` of a CPU, all alike. */
static vcs_job_model *add_app(case_records *c, uint32_t project, double seconds, double latency_bound) {
    uint32_t index = c->scenario.snapshot.apps.count++;
    c->apps[index] = (vcs_app){.id = index + 1, .project = project};
    c->scenario.models.count++;
    c->models[index] = (vcs_job_model){.latency_bound = latency_bound,
                                       .est_flops = seconds,
                                       .mean_flops = seconds,
                                       .cpus = 1,
                                       .weight = 1,
                                       .distribution = VCS_SIZES_CONSTANT};
    return &c->models[index];
}

static int emulate(case_records *c, vcs_error *error) {
    c->outcome.struct_size = sizeof c->outcome;
    return vcs_emulate(&c->scenario, &c->parameters, &c->hooks, &c->outcome, c->project_outcomes,
                       sizeof *c->project_outcomes, c->scenario.snapshot.projects.count, c->resource_outcomes,
                       sizeof *c->resource_outcomes, c->scenario.snapshot.resources.count, error);
}

static void run(case_records *c) {
    vcs_error error = {.struct_size = sizeof error};
    if (emulate(c, &error) != VCS_OK) {
        fail_msg("%s", error.message);
    }
}

/* ---- By hand ---- */

/* Two CPUs, jobs of 1000 s, 10,500 s: 10 jobs have ended on each CPU, and the 11th is half done. No idle time. */
static void jobs_follow_each_other(void **unused) {
    (void)unused;
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        case_records c;
        begin(&c, profile, 2, 10500);
        c.emulation.study_rules = 0;
        add_app(&c, add_project(&c), 1000, 1e6);
        run(&c);
        assert_int_equal(c.outcome.ended, 20);
        assert_true(c.outcome.flops_used == 21000 && c.outcome.flops_available == 21000);
        assert_true(c.outcome.idleness == 0 && c.outcome.waste == 0 && c.outcome.share_violation == 0);
        assert_int_equal(c.project_outcomes[0].ended, 20);
        assert_int_equal(c.project_outcomes[0].id, 1);
    }
}

/*
 * Rules 13.12 and 13.14: on for 1000 s, off for 500 s, on for 1500 s. A job of 2000 s takes until 2500 s; then half a
 * job is done.
 */
static void nothing_progresses_while_the_host_is_off(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 3500);
    c.switches[0] = 1000;
    c.switches[1] = 1500;
    c.switches[2] = 3000;
    c.scenario.switches.count = 3;
    add_app(&c, add_project(&c), 2000, 1e6);
    run(&c);
    assert_true(c.outcome.available_time == 2500);
    assert_true(c.outcome.flops_used == 2500);
    assert_int_equal(c.outcome.ended, 1);
}

/* Times of events. */
typedef struct calls {
    double times[MOST_CONTACTS];
    uint32_t count;
    uint32_t projects;
} calls;

static int note_switch(void *context, const vcs_event *event) {
    calls *noted = context;
    if ((event->kind == VCS_EVENT_ON || event->kind == VCS_EVENT_OFF) && noted->count < 20) {
        noted->times[noted->count++] = event->time;
    }
    return VCS_OK;
}

/*
 * Rule 13.14: switched off at 1000 s, on at 1010, off at 1090, on at 1200. With steps of 60 s that is seen at 1020 and,
 * since only one switch is seen in a step, at 1080; then at 1140 and 1200.
 */
static void switches_are_seen_once_in_a_step(void **unused) {
    (void)unused;
    static const double seen[] = {1020, 1080, 1140, 1200}, given[] = {1000, 1010, 1090, 1200};
    case_records c;
    calls noted = {0};
    begin(&c, VCS_PROFILE_CURRENT, 1, 2000);
    add_project(&c);
    memcpy(c.switches, given, sizeof given);
    c.scenario.switches.count = 4;
    c.hooks.observe = note_switch;
    c.hooks.context = &noted;
    c.emulation.available_step = 60;
    run(&c);
    assert_int_equal(noted.count, 4);
    assert_memory_equal(noted.times, seen, sizeof seen);
    assert_true(c.outcome.available_time == 2000 - 2 * 60);
    noted.count = 0;
    c.emulation.available_step = 0;
    run(&c);
    assert_memory_equal(noted.times, given, sizeof given);
}

/* Notes the usable fraction that the client believes in at its first look. */
static int note_usable(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                       vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    double *noted = context;
    (void)question;
    (void)decisions;
    (void)summary;
    *noted = *noted == 0 ? ((const vcs_resource *)situation->snapshot->resources.base)->usable : *noted;
    return VCS_OK;
}

static double believed_usable(case_records *c) {
    double noted = 0;
    add_project(c);
    c->hooks.fetch = note_usable;
    c->hooks.context = &noted;
    run(c);
    return noted;
}

/* Rule 12.1: on for half of the time; on for 1000 of 3500 s and for 1500 s more; hardly ever; as given; learned. */
static void a_client_knows_when_it_is_on(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.emulation.available = 0.5;
    c.emulation.available_mean = 100;
    assert_true(believed_usable(&c) == 0.5);
    begin(&c, VCS_PROFILE_CURRENT, 1, 3500);
    c.switches[0] = 1000;
    c.switches[1] = 1500;
    c.switches[2] = 3000;
    c.switches[3] = 9000;
    c.scenario.switches.count = 4;
    assert_true(believed_usable(&c) == 2500.0 / 3500);
    begin(&c, VCS_PROFILE_CURRENT, 1, 3500);
    c.switches[0] = 1;
    c.scenario.switches.count = 1;
    assert_true(believed_usable(&c) == 0.001);
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.emulation.available = 0.5;
    c.emulation.available_mean = 100;
    c.emulation.flags = VCS_EMULATION_USABLE_GIVEN;
    c.resources[0].usable = 0.75;
    assert_true(believed_usable(&c) == 0.75);
    c.parameters.learn_usable = 1;
    assert_true(believed_usable(&c) == 1);
}

/* Rule 12.2: a project that sends nothing leaves the host idle, and wastes nothing. Nothing is reported. */
static void without_jobs_the_host_is_idle(void **unused) {
    (void)unused;
    const uint32_t undefined =
        VCS_UNDEFINED_SHARE | VCS_UNDEFINED_RPCS | VCS_UNDEFINED_STUDY | VCS_UNDEFINED_STUDY_SHARE;
    case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 1, DAY);
    add_project(&c);
    run(&c);
    assert_int_equal(c.outcome.flags, undefined);
    assert_true(c.outcome.waste == 0 && c.outcome.idleness == 1);
    assert_true(c.outcome.study_waste == 0 && c.outcome.study_idleness == 0);
    begin(&c, VCS_PROFILE_STUDY2007, 1, DAY);
    run(&c);
    assert_int_equal(c.outcome.flags, undefined | VCS_UNDEFINED_MONOTONY);
    c.scenario.switches.count = 1; /* switched off at once */
    run(&c);
    assert_int_equal(c.outcome.flags, undefined | VCS_UNDEFINED_MONOTONY | VCS_UNDEFINED_WASTE);
    assert_true(c.outcome.idleness == 0 && c.resource_outcomes[0].idleness == 0);
}

/* A task of a CPU alone that is there from the start. */
static void add_task(case_records *c, uint32_t project, double seconds, double deadline) {
    const uint32_t index = c->scenario.snapshot.tasks.count++;
    c->tasks[index] = (vcs_task){
        .id = 10 + index, .project = project, .app = VCS_NONE, .cpus = 1, .remaining = seconds, .deadline = deadline};
}

/*
 * Rule 12.2: a CPU and a GPU for 1000 s. A task of 300 s is due at 100 s and not reported at the end: all of it is
 * waste. One of 1000 s is due later: what it got is none. The GPU idles, and so do half of both.
 */
static void waste_and_idleness_are_of_the_time_of_all_instances(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 1};
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 300, 100);
    add_task(&c, 0, 1000, 1e6);
    c.parameters.report_delay = 1e5;
    c.parameters.min_buffer = 0;
    c.projects[0].min_rpc_time = 1e5;
    run(&c);
    assert_int_equal(c.outcome.late, 0);
    assert_int_equal(c.outcome.ended, 1);
    assert_true(c.resource_outcomes[0].available == 1000 && c.resource_outcomes[0].used == 1000);
    assert_true(c.resource_outcomes[0].wasted == 300 && c.resource_outcomes[0].waste == 0.3);
    assert_true(c.resource_outcomes[0].idleness == 0 && c.resource_outcomes[1].idleness == 1);
    assert_true(c.resource_outcomes[1].waste == 0);
    assert_true(c.outcome.waste == 0.15 && c.outcome.idleness == 0.5);
}

/*
 * Why instances are idle (rule 12.2), one reason at a time on a host of 4 CPUs for 1000 s; the sum is what is idle.
 */
static void idle_time_has_reasons(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 4, 1000); /* nobody sends anything */
    add_project(&c);
    run(&c);
    assert_true(c.resource_outcomes[0].idle_no_work == 4000 && c.outcome.idleness == 1);

    begin(&c, VCS_PROFILE_CURRENT, 4, 1000); /* a task of 3 CPUs runs, another does not fit */
    c.parameters.cpu_fit = VCS_CPU_FIT_STRICT;
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 5000, 1e6);
    add_task(&c, 0, 5000, 1e6);
    c.tasks[0].cpus = c.tasks[1].cpus = 3;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_unfit == 1000 && c.outcome.idleness == 0.25);

    begin(&c, VCS_PROFILE_CURRENT, 4, 1000); /* of three tasks one may run; there is nobody else */
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    c.projects[0].max_concurrent = 1;
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&c, 0, 5000, 1e6);
    }
    run(&c);
    assert_true(c.resource_outcomes[0].idle_limit == 3000);

    begin(&c, VCS_PROFILE_CURRENT, 4, 1000); /* the only task is suspended */
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 5000, 1e6);
    c.tasks[0].flags = VCS_TASK_SUSPENDED;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_held == 4000);

    begin(&c, VCS_PROFILE_CURRENT, 4, 1000); /* it may be called after 400 s, then jobs come; off from 900 s on */
    c.projects[add_project(&c)].min_rpc_time = 400;
    add_app(&c, 0, 5000, 1e6);
    c.switches[0] = 900;
    c.scenario.switches.count = 1;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_backed_off == 1600 && c.resource_outcomes[0].used == 2000);
    assert_true(c.resource_outcomes[0].off == 400 && c.resource_outcomes[0].idle_unexplained == 0);

    begin(&c, VCS_PROFILE_CURRENT, 4, 1000); /* jobs of 100 s in small replies, and a connection each 300 s */
    c.parameters.min_buffer = c.parameters.additional_buffer = 0;
    c.emulation.connection_interval = 300;
    add_app(&c, add_project(&c), 100, 1e6);
    run(&c);
    assert_true(c.resource_outcomes[0].idle_disconnected == 4 * 600);
}

/* Runs nothing, though tasks are there. */
static int run_nothing(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                       vcs_schedule_summary *summary) {
    (void)context;
    (void)situation;
    (void)decisions;
    summary->next_check = 100;
    return VCS_OK;
}

/* What a policy leaves idle without need has no reason. */
static void idle_time_without_need_is_unexplained(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 5000, 1e6);
    c.hooks.schedule = run_nothing;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_unexplained == 1000);
}

static int run_all(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                   vcs_schedule_summary *summary);

/*
 * Rule 12.2: a GPU task of 100 s takes half of the only CPU, and gets it. The CPU task of 100 s has the other half for
 * 100 s, then all: it ends at 150 s. The CPU is never idle before that.
 */
static void gpu_tasks_get_their_cpus_first(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 200);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 100, 1e6);
    add_task(&c, 0, 100, 1e6);
    c.tasks[0].gpu = 1;
    c.tasks[0].gpus = 1;
    c.tasks[0].cpus = 0.5;
    c.parameters.cpu_fit = VCS_CPU_FIT_ANY;
    c.hooks.schedule = run_all;
    run(&c);
    assert_int_equal(c.outcome.ended, 2);
    assert_true(c.resource_outcomes[0].used == 150 && c.resource_outcomes[1].used == 100);
    assert_true(c.outcome.idleness == 150.0 / 400);
}

/* Rule 12.2: jobs take longer than their latency bound, but the study's server sends them: all of it is wasted. */
static void late_results_are_waste(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 1, 10 * DAY);
    c.parameters.deadline_origin = VCS_ORIGIN_START;
    c.emulation.available = 0.5;
    c.emulation.available_mean = 100;
    add_app(&c, add_project(&c), 10000, 10000);
    run(&c);
    assert_true(c.outcome.late > 20);
    assert_int_equal(c.outcome.in_time, 0);
    assert_true(c.outcome.study_waste == 1);
    assert_true(c.outcome.waste > 0.95 && c.outcome.waste <= 1);
}

/* 3 initial tasks of 100 s on 2 CPUs: of 400 CPU seconds, 100 are idle. */
static void initial_tasks_run(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 2, 200);
    uint32_t project = add_project(&c);
    c.projects[project].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < 3; i++) {
        c.tasks[i] =
            (vcs_task){.id = 10 + i, .project = project, .app = VCS_NONE, .cpus = 1, .remaining = 100, .deadline = 1e6};
    }
    c.scenario.snapshot.tasks.count = 3;
    run(&c);
    assert_int_equal(c.outcome.ended, 3);
    assert_true(c.outcome.flops_used == 300 && c.outcome.flops_available == 400);
    assert_int_equal(c.outcome.received, 0);
}

/*
 * Rule 12.2: two projects with equal shares, a CPU for each. One has reported 100 operations; the task of the other has
 * run for 500 s. The study counts only what was reported: (|100 - 50| + |0 - 50|) / (2 * 100). All work: 200 / 600.
 */
static void shares_are_of_all_work(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 2, 500);
    const double seconds[] = {100, 1000};
    for (uint32_t i = 0; i < 2; i++) {
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        c.tasks[i] = (vcs_task){
            .id = 10 + i, .project = i, .app = VCS_NONE, .cpus = 1, .remaining = seconds[i], .deadline = 1e6};
    }
    c.tasks[0].deadline = 200 + c.parameters.min_buffer; /* reported at 200 s (rule 13.10) */
    c.scenario.snapshot.tasks.count = 2;
    run(&c);
    assert_true(c.project_outcomes[0].flops_in_time == 100 && c.project_outcomes[1].flops_in_time == 0);
    assert_true(c.project_outcomes[0].flops_used == 100 && c.project_outcomes[1].flops_used == 500);
    assert_true(c.outcome.study_share_violation == 0.5);
    assert_true(fabs(c.outcome.share_violation - 1.0 / 3) < 1e-15);
}

/* Rule 12.2: a job of length 0 ends immediately, and time goes on. */
static void empty_jobs_end_immediately(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 1, 600);
    vcs_job_model *model = add_app(&c, add_project(&c), 1000, DAY);
    model->mean_flops = 0;
    run(&c);
    assert_true(c.outcome.ended > 0);
    assert_true(c.outcome.flops_used == 0);
    /* If jobs are also expected to take no time, no number of them fills the buffer: the reply is full. */
    begin(&c, VCS_PROFILE_CURRENT, 1, 600);
    c.emulation.max_reply = 10;
    add_app(&c, add_project(&c), 0, DAY);
    run(&c);
    assert_true(c.outcome.ended > 0);
}

static int estimate_whole(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    int code = vcs_estimate_remaining(progress, rule, device_seconds, NULL);
    assert_true(progress->fraction_done == 0 && *device_seconds == 1000);
    ++*(uint32_t *)context;
    return code;
}

/* Only running a job shows that it has 0 operations: until then it is expected to take its 1000 s. */
static void an_empty_job_that_has_not_begun_is_not_done(void **unused) {
    (void)unused;
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        case_records c;
        uint32_t estimates = 0;
        begin(&c, profile, 1, 600);
        c.parameters.use_dcf = 0; /* so nothing is learned from jobs that have ended */
        c.hooks.context = &estimates;
        c.hooks.estimate = estimate_whole;
        add_app(&c, add_project(&c), 1000, DAY)->mean_flops = 0;
        run(&c);
        assert_true(estimates > 0 && c.outcome.ended > 0);
    }
}

/* Sizes from a list, in order, then from the first again: 100 + 200 + 300 + 100 s. */
static void sizes_come_from_a_list(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 700);
    vcs_job_model *model = add_app(&c, add_project(&c), 200, DAY);
    model->distribution = VCS_SIZES_LIST;
    model->first_size = 1;
    model->size_count = 3;
    c.sizes[1] = 100;
    c.sizes[2] = 200;
    c.sizes[3] = 300;
    c.scenario.sizes.count = 4;
    run(&c);
    assert_int_equal(c.outcome.ended, 4);
}

/* ---- What servers send ---- */

/* Jobs of one application cannot meet their deadlines, those of the other can; both are equally frequent. */
static void begin_tight_and_loose(case_records *c, uint32_t profile) {
    begin(c, profile, 1, 1000);
    uint32_t project = add_project(c);
    add_app(c, project, 1000, 500);
    add_app(c, project, 1000, 1e6);
}

/* Rule 9.1: of the 50 or more jobs that fill the buffer, about half are refused; the others are sent. */
static void a_refused_job_leaves_space_for_those_after_it(void **unused) {
    (void)unused;
    case_records c;
    begin_tight_and_loose(&c, VCS_PROFILE_CURRENT);
    run(&c);
    assert_true(c.outcome.refused > 10 && c.outcome.received > 10);
    assert_int_equal(c.outcome.idleness, 0);
}

/* Rule 13.6: the first refusal ends the reply. */
static void the_studys_server_ends_the_reply_at_the_first_refusal(void **unused) {
    (void)unused;
    for (uint32_t work_send = VCS_WORK_SEND_WS1; work_send <= VCS_WORK_SEND_WS2; work_send++) {
        case_records c;
        begin_tight_and_loose(&c, VCS_PROFILE_STUDY2007);
        c.parameters.work_send = work_send;
        run(&c);
        assert_true(c.outcome.refused > 0 && c.outcome.received > 0);
        assert_true(c.outcome.refused <= c.outcome.calls);
    }
}

/* Rule 9.1: a job that does not fit into the host's memory, or needs more CPUs than there are, is not sent. */
static void what_cannot_run_is_not_sent(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 2, DAY);
        vcs_job_model *model = add_app(&c, add_project(&c), 1000, DAY);
        c.host.ram = 1e9;
        model->ram = i == 0 ? 2e9 : 0;
        model->cpus = i == 0 ? 1 : 3;
        run(&c);
        assert_true(c.outcome.calls > 0);
        assert_int_equal(c.outcome.received, 0);
    }
}

/* No host can do 1e30 operations: the jobs are refused because of their deadlines, and the emulation goes on. */
static void jobs_of_any_size_are_offered(void **unused) {
    (void)unused;
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        case_records c;
        begin(&c, profile, 1, DAY);
        add_app(&c, add_project(&c), 1e30, DAY);
        run(&c);
        assert_true(c.outcome.refused > 0);
        assert_int_equal(c.outcome.received, 0);
    }
}

/* The sizes of the jobs that arrive, and the most jobs in one reply. */
typedef struct arrivals {
    double sizes[1000];
    uint32_t count, of_reply, most;
} arrivals;

static int note_arrival(void *context, const vcs_event *event) {
    arrivals *noted = context;
    if (event->kind == VCS_EVENT_CALLED) {
        noted->of_reply = 0;
    } else if (event->kind == VCS_EVENT_RECEIVED && noted->count < 1000) {
        noted->sizes[noted->count++] = event->amount;
        noted->of_reply++;
        noted->most = noted->of_reply > noted->most ? noted->of_reply : noted->most;
    }
    return VCS_OK;
}

static arrivals arrivals_of(uint32_t profile, uint32_t max_reply) {
    case_records c;
    arrivals noted = {.count = 0};
    begin(&c, profile, 2, 5 * DAY);
    uint32_t project = add_project(&c);
    for (uint32_t i = 1; i <= 2; i++) {
        vcs_job_model *model = add_app(&c, project, 5000 * i, 9 * DAY);
        model->distribution = VCS_SIZES_NORMAL;
        model->sd_flops = 1000;
    }
    c.emulation.max_reply = max_reply;
    c.hooks.observe = note_arrival;
    c.hooks.context = &noted;
    run(&c);
    return noted;
}

/* Jobs that were offered but not considered are the next ones: the same jobs arrive for every size of reply. */
static void the_same_jobs_come_in_small_replies(void **unused) {
    (void)unused;
    for (uint32_t profile = VCS_PROFILE_STUDY2007; profile <= VCS_PROFILE_CURRENT; profile++) {
        const arrivals one = arrivals_of(profile, 1), many = arrivals_of(profile, 50);
        const uint32_t both = one.count < many.count ? one.count : many.count;
        assert_true(both > 50);
        assert_memory_equal(one.sizes, many.sizes, both * sizeof *one.sizes);
        assert_int_equal(one.most, 1);
        assert_true(many.most > 3 && many.most <= 50);
    }
}

/* A project may have three jobs on the host, for all resources together; reported jobs do not count. */
static void jobs_in_progress_are_limited(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 4, DAY);
    c.resources[1] = (vcs_resource){.id = 2, .flops = 10, .usable = 1, .instances = 2};
    c.scenario.snapshot.resources.count = 2;
    uint32_t project = add_project(&c);
    add_app(&c, project, 1e5, 9 * DAY);
    vcs_job_model *model = add_app(&c, project, 1e6, 9 * DAY);
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0;
    c.servers[project].max_in_progress = 3;
    run(&c);
    assert_int_equal(c.outcome.received, 3); /* two for the GPU, which come first, and one for the CPU; none ends */
    assert_int_equal(c.outcome.starts, 3);
}

/* ---- Servers that fail ---- */

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

/* ---- Reports ---- */

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

/* ---- Moments of connection ---- */

/* Calls of servers, in order; the projects take turns. */
static int note_call(void *context, const vcs_event *event) {
    calls *noted = context;
    if (event->kind == VCS_EVENT_CALLED) {
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

/* ---- An observer's books ---- */

typedef struct booked_task {
    uint64_t id;
    double size, ran; /* operations; seconds at full speed */
    double deadline;
    uint32_t ended, reported, late, resource;
    uint32_t place; /* in the list of those that run; VCS_NONE = it does not */
} booked_task;

#define MOST_BOOKED 60000
#define MOST_RUNNING 64

typedef struct books {
    const case_records *c;
    booked_task *tasks;
    uint32_t count;
    uint32_t running[MOST_RUNNING]; /* indices of tasks */
    uint32_t running_count;
    uint32_t on;
    double now, active;
    double idle;    /* operations that were not done while the host was on */
    double used[2]; /* instance-seconds of each resource */
    uint64_t stops;
    uint64_t hash;
} books;

static booked_task *find(books *b, uint64_t id) {
    for (uint32_t i = b->count; i-- > 0;) {
        if (b->tasks[i].id == id) {
            return &b->tasks[i];
        }
    }
    fail_msg("task %llu is not known", (unsigned long long)id);
    return NULL;
}

/* All jobs for one kind of processor use the same amount, so any application for it shows what a task uses. */
static const vcs_job_model *model_of(const books *b, const booked_task *task) {
    for (uint32_t i = 0; i < b->c->scenario.models.count; i++) {
        if (b->c->models[i].gpu == task->resource) {
            return &b->c->models[i];
        }
    }
    fail_msg("no application for resource %u", task->resource);
    return NULL;
}

static double use_of(const books *b, const booked_task *task, uint32_t resource) {
    const vcs_job_model *model = model_of(b, task);
    return resource == 0 ? model->cpus : resource == task->resource ? model->gpus : 0;
}

/* Operations per second at full speed. */
static double speed_of(const books *b, const booked_task *task) {
    double speed = 0;
    for (uint32_t r = 0; r < b->c->scenario.snapshot.resources.count; r++) {
        speed += use_of(b, task, r) * b->c->resources[r].flops;
    }
    return speed;
}

static double capacity(const case_records *c) {
    double flops = 0;
    for (uint32_t r = 0; r < c->scenario.snapshot.resources.count; r++) {
        flops += c->resources[r].instances * c->resources[r].flops;
    }
    return flops;
}

/* Instances that the running tasks use; the greatest use by one task is written to `most`. */
static double used(const books *b, uint32_t resource, double *most) {
    double sum = 0;
    *most = 0;
    for (uint32_t i = 0; i < b->running_count; i++) {
        double use = use_of(b, &b->tasks[b->running[i]], resource);
        sum += use;
        *most = use > *most ? use : *most;
    }
    return sum;
}

/* Less than a CPU may be missing, or whatever a single CPU task uses beside GPU tasks; with any, what one task uses. */
static double excess_of_cpus(const books *b, double most) {
    uint32_t cpu_tasks = 0;
    for (uint32_t i = 0; i < b->running_count; i++) {
        cpu_tasks += use_of(b, &b->tasks[b->running[i]], 1) == 0;
    }
    return b->c->parameters.cpu_fit == VCS_CPU_FIT_ANY || cpu_tasks == 1 ? most + 1 : 1;
}

/* Tasks do not use more of a GPU type than there is, and but for fractions no more CPUs. */
static void check_use(const books *b) {
    for (uint32_t r = 0; r < b->c->scenario.snapshot.resources.count; r++) {
        double most, use = used(b, r, &most);
        const double beyond = r == 0 ? excess_of_cpus(b, most) : 1e-4 * b->c->resources[r].instances;
        assert_true(use <= b->c->resources[r].instances + beyond + 1e-6);
    }
    assert_true(b->c->host.ram <= 0 || b->running_count * b->c->models[0].ram <= b->c->host.ram);
}

/* Instances of CPUs that the running tasks of GPUs use, or the others. */
static double cpus_used(const books *b, int by_gpu_tasks) {
    double sum = 0;
    for (uint32_t i = 0; i < b->running_count; i++) {
        const booked_task *task = &b->tasks[b->running[i]];
        sum += (task->resource != 0) == by_gpu_tasks ? use_of(b, task, 0) : 0;
    }
    return sum;
}

/* If tasks use more CPUs than there are, those of GPUs get theirs first. */
static double rate_of(const books *b, const booked_task *task) {
    double cpus = b->c->resources[0].instances, for_gpus = cpus_used(b, 1), most;
    double left = task->resource != 0 ? cpus : cpus > for_gpus ? cpus - for_gpus : 0;
    double wanted = task->resource != 0 ? for_gpus : cpus_used(b, 0);
    double rate = use_of(b, task, 0) > 0 && wanted > left ? left / wanted : 1;
    if (task->resource != 0) {
        double part = b->c->resources[task->resource].instances / used(b, task->resource, &most);
        rate = part < rate ? part : rate;
    }
    return rate;
}

/* Time goes on to `now`: running tasks make progress if the host is on. */
static void pass(books *b, double now) {
    double passed = now - b->now;
    assert_true(passed >= 0);
    b->now = now;
    if (!b->on || passed == 0) {
        return;
    }
    check_use(b);
    b->active += passed;
    b->idle += passed * capacity(b->c);
    for (uint32_t r = 0; r < b->c->scenario.snapshot.resources.count; r++) {
        double most, use = used(b, r, &most);
        b->used[r] += passed * (use < b->c->resources[r].instances ? use : b->c->resources[r].instances);
    }
    for (uint32_t i = 0; i < b->running_count; i++) {
        booked_task *task = &b->tasks[b->running[i]];
        double ran = passed * rate_of(b, task);
        task->ran += ran;
        b->idle -= ran * speed_of(b, task);
    }
}

static void start(books *b, booked_task *task) {
    assert_int_equal(task->place, VCS_NONE);
    assert_int_equal(task->ended, 0);
    assert_true(b->running_count < MOST_RUNNING);
    task->place = b->running_count;
    b->running[b->running_count++] = (uint32_t)(task - b->tasks);
}

static void stop(books *b, booked_task *task) {
    assert_int_not_equal(task->place, VCS_NONE);
    uint32_t last = b->running[--b->running_count];
    b->running[task->place] = last;
    b->tasks[last].place = task->place;
    task->place = VCS_NONE;
}

static void arrive(books *b, uint64_t id, uint32_t resource, double size, double deadline) {
    assert_true(b->count < MOST_BOOKED);
    b->tasks[b->count++] =
        (booked_task){.id = id, .size = size, .resource = resource, .deadline = deadline, .place = VCS_NONE};
}

static void add_hash(books *b, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        b->hash = (b->hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    }
}

static int keep_books(void *context, const vcs_event *event) {
    books *b = context;
    add_hash(b, event, sizeof *event);
    pass(b, event->time);
    switch (event->kind) {
    case VCS_EVENT_ON:
    case VCS_EVENT_OFF:
        assert_int_equal(b->on, event->kind == VCS_EVENT_OFF);
        b->on = event->kind == VCS_EVENT_ON;
        return VCS_OK;
    case VCS_EVENT_RECEIVED:
        arrive(b, event->task, event->resource, event->amount, event->deadline);
        break;
    case VCS_EVENT_STARTED:
        start(b, find(b, event->task));
        break;
    case VCS_EVENT_STOPPED:
        stop(b, find(b, event->task));
        b->stops++;
        break;
    case VCS_EVENT_ENDED:
        stop(b, find(b, event->task));
        assert_int_equal(find(b, event->task)->ended++, 0);
        break;
    case VCS_EVENT_REPORTED:
    case VCS_EVENT_LATE:
        assert_int_equal(find(b, event->task)->ended, 1);
        assert_int_equal(find(b, event->task)->reported++, 0);
        assert_int_equal(event->time > event->deadline, event->kind == VCS_EVENT_LATE);
        find(b, event->task)->late = event->kind == VCS_EVENT_LATE;
        break;
    default:
        break;
    }
    assert_true(b->on); /* nothing happens while the host is off */
    return VCS_OK;
}

/* A task takes exactly its size; more if it was stopped after its last checkpoint. */
static void compare_task(const books *b, const booked_task *task) {
    double speed = speed_of(b, task);
    double done = task->ran * speed, rounding = 1e-6 * (task->size + 1) * speed;
    int may_lose_work = model_of(b, task)->checkpoint_interval > 0;
    assert_true(!task->ended || done >= task->size - rounding);
    assert_true(may_lose_work || done <= task->size + rounding);
}

/* What was used of each resource, and how much of it for tasks reported late or late at the end. */
static void compare_resources(const books *b) {
    const case_records *c = b->c;
    const double end = c->emulation.start + c->emulation.duration;
    double all_available = 0, all_used = 0, all_wasted = 0;
    for (uint32_t r = 0; r < c->scenario.snapshot.resources.count; r++) {
        const vcs_resource_outcome *outcome = &c->resource_outcomes[r];
        double available = b->active * c->resources[r].instances, wasted = 0, rounding = 1e-6 * (1 + available);
        for (uint32_t i = 0; i < b->count; i++) {
            const booked_task *task = &b->tasks[i];
            wasted += task->late || (!task->reported && task->deadline < end) ? task->ran * use_of(b, task, r) : 0;
        }
        assert_true(fabs(outcome->available - available) <= rounding);
        assert_true(fabs(outcome->used - b->used[r]) <= rounding);
        assert_true(fabs(outcome->wasted - wasted) <= rounding);
        assert_true(available == 0 || fabs(outcome->idleness - (1 - b->used[r] / available)) <= 1e-6);
        assert_true(available == 0 || fabs(outcome->waste - wasted / available) <= 1e-6);
        const double idle = outcome->idle_unfit + outcome->idle_limit + outcome->idle_held + outcome->idle_backed_off +
                            outcome->idle_disconnected + outcome->idle_no_work + outcome->idle_unexplained;
        assert_true(fabs(idle - (available - b->used[r])) <= rounding);
        assert_true(fabs(outcome->off + available - c->emulation.duration * c->resources[r].instances) <= rounding);
        all_available += available;
        all_used += b->used[r];
        all_wasted += wasted;
    }
    assert_true(all_available == 0 || fabs(c->outcome.idleness - (1 - all_used / all_available)) <= 1e-6);
    assert_true(all_available == 0 || fabs(c->outcome.waste - all_wasted / all_available) <= 1e-6);
    assert_int_equal(c->outcome.stops, b->stops);
}

/* The outcome must agree with the books. */
static void compare(books *b) {
    const case_records *c = b->c;
    const vcs_outcome *outcome = &c->outcome;
    double done = 0;
    uint64_t ended = 0, reported = 0;
    pass(b, c->emulation.start + c->emulation.duration);
    for (uint32_t i = 0; i < b->count; i++) {
        compare_task(b, &b->tasks[i]);
        done += b->tasks[i].ran * speed_of(b, &b->tasks[i]);
        ended += b->tasks[i].ended;
        reported += b->tasks[i].reported;
    }
    assert_int_equal(outcome->ended, ended);
    assert_int_equal(outcome->in_time + outcome->late, reported);
    assert_int_equal(outcome->received + c->scenario.snapshot.tasks.count, b->count);
    double available = b->active * capacity(c), rounding = 1e-6 * (1 + available);
    assert_true(fabs(outcome->available_time - b->active) <= 1e-6 * (1 + b->active));
    assert_true(fabs(outcome->flops_available - available) <= rounding);
    assert_true(fabs(outcome->flops_used - done) <= rounding);
    assert_true(fabs(outcome->flops_used + b->idle - outcome->flops_available) <= rounding);
    assert_true(b->idle >= -rounding);
    compare_resources(b);
}

/* ---- Random scenarios ---- */

/* What jobs use: the same for one kind of processor, so that the observer knows. */
typedef struct random_use {
    double cpus;           /* of a job for CPUs alone */
    double gpus, gpu_cpus; /* of a job for a GPU; 0 = there is none */
    double ram, checkpoint_interval;
} random_use;

static random_use draw_use(const case_records *c, random_stream *random) {
    static const double cpus[] = {0.5, 1, 1, 2}, gpus[] = {0.5, 1}, gpu_cpus[] = {0, 0.2, 1};
    random_use use = {.cpus = 1, .ram = 1};
    if (c->parameters.discipline == VCS_DISCIPLINE_SLICED) {
        use.cpus = c->resources[0].instances > 1 ? cpus[random_below(random, 4)] : 1;
    }
    if (c->scenario.snapshot.resources.count > 1) {
        use.gpus = gpus[random_below(random, 2)];
        use.gpu_cpus = gpu_cpus[random_below(random, 3)];
    }
    use.checkpoint_interval = random_below(random, 3) == 0 ? random_between(random, 60, 2000) : 0;
    return use;
}

static void add_random_app(case_records *c, random_stream *random, uint32_t project, const random_use *use) {
    vcs_job_model *model =
        add_app(c, project, random_between(random, 500, 30000), random_between(random, 20000, 400000));
    model->distribution = random_below(random, 4);
    model->mean_flops *= random_between(random, 0.3, 2);
    model->sd_flops = model->mean_flops * random_between(random, 0, 2);
    model->first_size = random_below(random, MOST / 2);
    model->size_count = 1 + random_below(random, MOST / 2);
    model->ram = use->ram;
    model->checkpoint_interval = use->checkpoint_interval;
    model->cpus = use->cpus;
    if (use->gpus > 0 && project % 2) {
        model->gpu = 1;
        model->gpus = use->gpus;
        model->cpus = use->gpu_cpus;
    }
}

static void add_random_project(case_records *c, random_stream *random, const random_use *use) {
    uint32_t project = add_project(c);
    c->projects[project].share = random_below(random, 4) * 100;
    c->servers[project].max_in_progress = random_below(random, 2) * (1 + random_below(random, 5));
    c->servers[project].scheduler_failure = random_below(random, 2) * random_draw(random) * 0.5;
    c->servers[project].network_failure = random_below(random, 2) * random_draw(random) * 0.5;
    c->servers[project].up_mean = random_below(random, 2) * random_between(random, 1000, DAY);
    c->servers[project].down_mean = random_between(random, 1000, DAY);
    c->servers[project].request_delay = random_below(random, 2) * 300;
    add_random_app(c, random, project, use);
    add_random_app(c, random, project, use);
}

/* On and off by a trace, or in random periods, or always on. */
static void draw_availability(case_records *c, random_stream *random) {
    switch (random_below(random, 4)) {
    case 0:
        c->scenario.switches.count = 1 + random_below(random, MOST);
        for (uint32_t i = 0; i < c->scenario.switches.count; i++) {
            c->switches[i] = (i == 0 ? 0 : c->switches[i - 1]) + random_between(random, 1, DAY);
        }
        break;
    case 1:
        break;
    default:
        c->emulation.available = random_between(random, 0.2, 1);
        c->emulation.available_mean = random_between(random, 100, 20000);
        break;
    }
}

/* Initial tasks, for CPUs only. */
static void add_random_tasks(case_records *c, random_stream *random, const random_use *use) {
    for (uint32_t count = random_below(random, MOST); count > 0; count--) {
        uint32_t index = c->scenario.snapshot.tasks.count++;
        c->tasks[index] = (vcs_task){
            .id = 1 + index,
            .project = random_below(random, c->scenario.snapshot.projects.count),
            .app = VCS_NONE,
            .cpus = use->cpus,
            .ram = use->ram,
            .remaining = random_between(random, 100, 50000),
            .deadline = random_between(random, 1000, 10 * DAY),
        };
    }
}

static void begin_random(case_records *c, random_stream *random, uint32_t profile) {
    begin(c, profile, 1 + random_below(random, 4), random_between(random, 2, 12) * DAY);
    c->emulation.seed = random_bits(random);
    c->emulation.connection_interval = random_below(random, 3) == 0 ? random_between(random, 100, 2 * DAY) : 0;
    c->host.ram = random_below(random, 3) == 0 ? 1 + random_below(random, 4) : 0;
    c->parameters.cpu_fit = random_below(random, 2);
    draw_availability(c, random);
    if (profile == VCS_PROFILE_CURRENT && random_below(random, 2) == 0) {
        c->resources[1] = (vcs_resource){.id = 2, .flops = 5, .usable = 1, .instances = 1 + random_below(random, 3)};
        c->scenario.snapshot.resources.count = 2;
        c->parameters.accounting = random_below(random, 2);
    }
    c->scenario.sizes.count = MOST;
    for (uint32_t i = 0; i < MOST; i++) {
        c->sizes[i] = random_between(random, 0, 30000);
    }
    const random_use use = draw_use(c, random);
    for (uint32_t count = 1 + random_below(random, 4); count > 0; count--) {
        add_random_project(c, random, &use);
    }
    add_random_tasks(c, random, &use);
}

static uint64_t run_with_books(case_records *c) {
    books b = {.c = c, .on = 1, .now = c->emulation.start};
    b.tasks = calloc(MOST_BOOKED, sizeof *b.tasks);
    for (uint32_t i = 0; i < c->scenario.snapshot.tasks.count; i++) {
        arrive(&b, c->tasks[i].id, 0, c->tasks[i].remaining * c->tasks[i].cpus, c->tasks[i].deadline);
    }
    c->hooks.observe = keep_books;
    c->hooks.context = &b;
    run(c);
    compare(&b);
    add_hash(&b, &c->outcome, sizeof c->outcome);
    free(b.tasks);
    return b.hash;
}

static void books_agree_with_the_outcome(void **unused) {
    (void)unused;
    random_stream random = {2007};
    const uint64_t least = 8 * VCS_PROFILE_COUNT, tried = cases_to_try(120);
    for (uint32_t i = 0; i < (tried > least ? tried : least); i++) {
        case_records c;
        begin_random(&c, &random, i % VCS_PROFILE_COUNT);
        uint64_t first = run_with_books(&c);
        assert_true(first == run_with_books(&c)); /* and the same seed gives the same events, byte for byte */
    }
}

/* ---- Memory ---- */

typedef struct heap {
    size_t used, most;
    uint32_t pieces, fail_at;
} heap;

static void *allocate(void *context, size_t size) {
    heap *h = context;
    if (h->fail_at != 0 && --h->fail_at == 0) {
        return NULL;
    }
    h->used += size;
    h->most = h->used > h->most ? h->used : h->most;
    h->pieces++;
    return malloc(size);
}

static void release(void *context, void *memory, size_t size) {
    heap *h = context;
    h->used -= size;
    h->pieces--;
    free(memory);
}

static void begin_with_heap(case_records *c, heap *h, double duration) {
    begin(c, VCS_PROFILE_STUDY2007, 2, duration);
    add_app(c, add_project(c), 13000, 9 * DAY);
    *h = (heap){0};
    c->hooks.allocate = allocate;
    c->hooks.release = release;
    c->hooks.context = h;
}

/* Memory grows with the queue, which is no longer after 100 days than after 10; and all of it is released. */
static void memory_does_not_grow_with_time(void **unused) {
    (void)unused;
    case_records c;
    heap short_run, long_run;
    begin_with_heap(&c, &short_run, 10 * DAY);
    run(&c);
    begin_with_heap(&c, &long_run, 100 * DAY);
    run(&c);
    assert_int_equal(short_run.used, 0);
    assert_int_equal(short_run.pieces, 0);
    assert_int_equal(long_run.used, 0);
    assert_true(long_run.most == short_run.most);
}

/* Whichever allocation fails, the emulation ends with an error, the outcome is untouched, and nothing is leaked. */
static void missing_memory_is_an_error(void **unused) {
    (void)unused;
    case_records c;
    heap h;
    uint32_t failures = 0;
    for (uint32_t fail_at = 1;; fail_at++) {
        begin_with_heap(&c, &h, DAY);
        h.fail_at = fail_at;
        vcs_error error = {.struct_size = sizeof error};
        int code = emulate(&c, &error);
        assert_int_equal(h.pieces, 0);
        if (code == VCS_OK) {
            break;
        }
        failures++;
        assert_int_equal(code, VCS_ERR_MEMORY);
        assert_true(c.outcome.flops_used == 0);
    }
    assert_true(failures >= 5);
}

/* ---- Callbacks ---- */

static int refuse_task(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                       vcs_schedule_summary *summary) {
    (void)context;
    (void)situation;
    (void)decisions;
    (void)summary;
    return -4711;
}

static int run_all(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                   vcs_schedule_summary *summary) {
    (void)context;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        decisions[i].run = 1;
    }
    summary->next_check = 3600;
    return VCS_OK;
}

/* As the library chooses. Notes where the second task, of id 11, runs already; it runs on the second GPU. */
static int choose_and_note_devices(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                                   vcs_schedule_summary *summary) {
    const vcs_task *task = situation->snapshot->tasks.base;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        if (task[i].id == 11 && (task[i].flags & VCS_TASK_RUNNING) != 0) {
            assert_int_equal(task[i].devices, 2);
            ++*(uint32_t *)context;
        }
    }
    assert_int_equal(vcs_schedule(situation->state, VCS_SCHEDULE_EXPLAIN, summary), VCS_OK);
    return vcs_schedule_tasks(situation->state, decisions, sizeof *decisions, situation->snapshot->tasks.count);
}

static int fetch_nothing(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                         vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)situation;
    (void)question;
    (void)decisions;
    ++*(uint32_t *)context;
    summary->project = VCS_NONE;
    summary->next_check = 600;
    return VCS_OK;
}

static int fetch_no_number(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                           vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)situation;
    (void)question;
    decisions[0].seconds = *(const double *)context;
    summary->project = 0;
    summary->next_check = 600;
    return VCS_OK;
}

static int send_nothing(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)context;
    assert_true(candidate < situation->snapshot->candidates.count);
    admission->admitted = 0;
    return VCS_OK;
}

static int estimate_double(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    int code = vcs_estimate_remaining(progress, rule, device_seconds, NULL);
    ++*(uint32_t *)context;
    *device_seconds *= 2;
    return code;
}

static void callers_functions_replace_decisions(void **unused) {
    (void)unused;
    case_records c;
    uint32_t calls = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(&c, add_project(&c), 1000, 9 * DAY);
    c.hooks.context = &calls;
    c.hooks.fetch = fetch_nothing;
    run(&c);
    assert_int_equal(calls, DAY / 600 + 1);
    assert_int_equal(c.outcome.calls, 0);
    c.hooks.fetch = NULL;
    c.hooks.send = send_nothing;
    run(&c);
    assert_true(c.outcome.calls > 0 && c.outcome.refused > 0);
    assert_int_equal(c.outcome.received, 0);
    c.hooks.send = NULL;
    run(&c);
    uint64_t received = c.outcome.received;
    c.hooks.estimate = estimate_double;
    calls = 0;
    run(&c);
    assert_true(calls > 0 && c.outcome.received <= received);
}

/* When the first task ends, the first GPU is free; the second task stays on the second. */
static void running_tasks_keep_their_devices(void **unused) {
    (void)unused;
    case_records c;
    uint32_t seen = 0;
    begin(&c, VCS_PROFILE_CURRENT, 2, 2000);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 2};
    add_project(&c);
    c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&c, 0, i == 1 ? 1500 : 500, 1e6);
        c.tasks[i].gpu = 1;
        c.tasks[i].gpus = 1;
        c.tasks[i].cpus = 0;
    }
    c.hooks.context = &seen;
    c.hooks.schedule = choose_and_note_devices;
    run(&c);
    assert_int_equal(c.outcome.ended, 3);
    assert_true(seen >= 2);
}

/* Runs the first task on device 0 until 700 s, and on device 1 from then on. */
static int move_once(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                     vcs_schedule_summary *summary) {
    (void)context;
    decisions[0].run = 1;
    decisions[0].devices = situation->now < 700 ? 1 : 2;
    summary->next_check = situation->now < 700 ? 700 - situation->now : 100;
    return VCS_OK;
}

/* On other devices a task starts again from its checkpoint, here at 600 s: it ends at 1100 s. */
static void a_task_that_moves_starts_again(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1099);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 2};
    vcs_job_model *model = add_app(&c, add_project(&c), 1000, 9 * DAY);
    model->checkpoint_interval = 300;
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0;
    c.hooks.schedule = move_once;
    run(&c);
    assert_int_equal(c.outcome.ended, 0);
    assert_int_equal(c.outcome.stops, 1);
    c.emulation.duration = 1101;
    run(&c);
    assert_int_equal(c.outcome.ended, 1);
}

/* Runs the first task until 700 s, and again from 800 s on. Notes how much of it is left then. */
static int stop_for_a_while(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                            vcs_schedule_summary *summary) {
    const vcs_task *tasks = situation->snapshot->tasks.base;
    const double now = situation->now;
    decisions[0].run = now < 700 || now >= 800;
    summary->next_check = now < 700 ? 700 - now : now < 800 ? 800 - now : INFINITY;
    if (now == 800) {
        *(double *)context = tasks[0].remaining;
    }
    return VCS_OK;
}

/* Of 1000 s, 700 are done, but what follows the checkpoint at 600 s is lost. The client knows that 400 s are left. */
static void work_since_the_checkpoint_is_lost(void **unused) {
    (void)unused;
    case_records c;
    double left = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1199);
    add_app(&c, add_project(&c), 1000, 9 * DAY)->checkpoint_interval = 300;
    c.hooks.context = &left;
    c.hooks.schedule = stop_for_a_while;
    run(&c);
    assert_true(fabs(left - 400) < 1e-9);
    assert_int_equal(c.outcome.ended, 0); /* 700 s, a pause of 100, and 399 of the 400 */
    c.emulation.duration = 1201;
    run(&c);
    assert_int_equal(c.outcome.ended, 1);
}

static void callers_errors_end_the_emulation(void **unused) {
    (void)unused;
    case_records c;
    vcs_error error = {.struct_size = sizeof error};
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(&c, add_project(&c), 1000, 9 * DAY);
    c.hooks.schedule = refuse_task;
    assert_int_equal(emulate(&c, &error), -4711);
    assert_string_equal(error.message, "schedule returned an error");
    c.hooks.schedule = run_all; /* more than the one CPU */
    assert_int_equal(emulate(&c, &error), VCS_ERR_RANGE);
    assert_string_equal(error.field, "schedule");
    c.hooks.schedule = NULL;
    c.hooks.fetch = fetch_no_number;
    const double amounts[] = {-1, INFINITY, NAN};
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        double amount = amounts[i];
        c.hooks.context = &amount;
        assert_int_equal(emulate(&c, &error), VCS_ERR_RANGE);
        assert_string_equal(error.field, "fetch");
    }
}

/* ---- Errors ---- */

static void refuse(case_records *c, int code, const char *field) {
    vcs_error error = {.struct_size = sizeof error};
    c->outcome.struct_size = sizeof c->outcome;
    const vcs_outcome before = c->outcome;
    assert_int_equal(emulate(c, &error), code);
    assert_string_equal(error.field, field);
    assert_memory_equal(&c->outcome, &before, sizeof before);
}

static void begin_good(case_records *c) {
    begin(c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(c, add_project(c), 1000, DAY);
}

#define REFUSE(change, code, field)                                                                                    \
    do {                                                                                                               \
        case_records c;                                                                                                \
        begin_good(&c);                                                                                                \
        change;                                                                                                        \
        refuse(&c, code, field);                                                                                       \
    } while (0)

static void bad_scenarios_are_refused(void **unused) {
    (void)unused;
    REFUSE(c.emulation.duration = 0, VCS_ERR_RANGE, "duration");
    REFUSE(c.emulation.duration = NAN, VCS_ERR_NOT_FINITE, "duration");
    REFUSE(c.emulation.available = 1.5, VCS_ERR_RANGE, "available");
    REFUSE(c.emulation.available = 0.5, VCS_ERR_RANGE, "available_mean");
    REFUSE(c.emulation.study_rules = 2, VCS_ERR_FLAGS, "study_rules");
    REFUSE(c.emulation.max_reply = 0, VCS_ERR_RANGE, "max_reply");
    REFUSE(c.emulation.flags = 2, VCS_ERR_FLAGS, "flags");
    REFUSE(c.emulation.reserved[1] = 1, VCS_ERR_ABI_NEWER, "reserved");
    REFUSE(c.models[0].latency_bound = 0, VCS_ERR_RANGE, "latency_bound");
    REFUSE(c.models[0].sd_flops = -1, VCS_ERR_RANGE, "sd_flops");
    REFUSE(c.models[0].gpu = 1, VCS_ERR_INDEX, "gpu");
    REFUSE(c.models[0].gpus = 1, VCS_ERR_RANGE, "gpus");
    REFUSE(c.models[0].distribution = 4, VCS_ERR_FLAGS, "distribution");
    REFUSE(c.models[0].distribution = VCS_SIZES_LIST, VCS_ERR_INDEX, "size_count");
    REFUSE(c.servers[0].network_failure = 2, VCS_ERR_RANGE, "network_failure");
    REFUSE(c.servers[0].up_mean = 1, VCS_ERR_RANGE, "down_mean");
    REFUSE(c.servers[0].master_failure = 2, VCS_ERR_RANGE, "master_failure");
    REFUSE(c.servers[0].moves_at = -1, VCS_ERR_RANGE, "moves_at");
    REFUSE(c.projects[0].share = -1, VCS_ERR_RANGE, "share");
    REFUSE(c.scenario.models.count = 0, VCS_ERR_COUNT, "models");
    REFUSE(c.scenario.servers.count = 2, VCS_ERR_COUNT, "servers");
    REFUSE(c.scenario.emulation.count = 0, VCS_ERR_COUNT, "emulation");
    REFUSE((c.switches[0] = 2, c.switches[1] = 1, c.scenario.switches.count = 2), VCS_ERR_RANGE, "switches");
    REFUSE((c.sizes[0] = -1, c.scenario.sizes.count = 1), VCS_ERR_RANGE, "sizes");
    REFUSE((c.parameters.discipline = VCS_DISCIPLINE_FLUID, c.models[0].cpus = 2), VCS_ERR_UNSUPPORTED, "cpus");
    REFUSE(c.resources[0].instances = 1000000000, VCS_ERR_RANGE, "snapshot");
    REFUSE(c.scenario.struct_size = 12, VCS_ERR_ABI_SIZE, "");
    REFUSE(c.scenario.struct_size -= 8, VCS_ERR_ABI_OLDER, "");
    REFUSE(c.scenario.snapshot.struct_size = 0, VCS_ERR_ABI_SIZE, "");
    REFUSE(c.scenario.snapshot.struct_size -= 8, VCS_ERR_ABI_OLDER, "");
    REFUSE(c.scenario.snapshot.struct_size = 4096, VCS_ERR_ABI_SIZE, ""); /* does not fit in the scenario */
    REFUSE(c.hooks.struct_size -= 8, VCS_ERR_ABI_OLDER, "");
    REFUSE(c.hooks.allocate = allocate, VCS_ERR_FLAGS, "");
}

/* ---- Callers of another age ---- */

/* A scenario of a newer caller: its snapshot and itself are longer, by a number that this library does not know. */
typedef struct longer_scenario {
    uint32_t struct_size, flags;
    vcs_snapshot snapshot;
    uint64_t new_in_snapshot;
    vcs_array emulation, models, servers, sizes, switches;
    uint64_t new_in_scenario;
} longer_scenario;

typedef struct longer_hooks {
    vcs_hooks known;
    uint64_t new_in_hooks;
} longer_hooks;

static longer_scenario lengthen(const vcs_scenario *scenario) {
    longer_scenario longer = {sizeof longer,       0,
                              scenario->snapshot,  0,
                              scenario->emulation, scenario->models,
                              scenario->servers,   scenario->sizes,
                              scenario->switches,  0};
    longer.snapshot.struct_size += sizeof longer.new_in_snapshot;
    return longer;
}

static int emulate_longer(const case_records *c, const longer_scenario *scenario, const longer_hooks *hooks,
                          vcs_outcome *outcome) {
    outcome->struct_size = sizeof *outcome;
    return vcs_emulate((const vcs_scenario *)(const void *)scenario, &c->parameters,
                       (const vcs_hooks *)(const void *)hooks, outcome, NULL, 0, 0, NULL, 0, 0, NULL);
}

static void newer_scenarios_and_hooks_are_understood(void **unused) {
    (void)unused;
    case_records c;
    vcs_outcome outcome;
    begin_good(&c);
    run(&c);
    longer_scenario scenario = lengthen(&c.scenario);
    longer_hooks hooks = {c.hooks, 0};
    hooks.known.struct_size = sizeof hooks;
    assert_int_equal(emulate_longer(&c, &scenario, &hooks, &outcome), VCS_OK);
    assert_true(outcome.ended > 0);
    assert_memory_equal(&outcome, &c.outcome, sizeof outcome);
    uint64_t *const unknown[] = {&scenario.new_in_snapshot, &scenario.new_in_scenario, &hooks.new_in_hooks};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        *unknown[i] = 1;
        assert_int_equal(emulate_longer(&c, &scenario, &hooks, &outcome), VCS_ERR_ABI_NEWER);
        *unknown[i] = 0;
    }
}

/* ---- The table of fields ---- */

static void fields_are_described(void **unused) {
    (void)unused;
    vcs_field_info info = {.struct_size = sizeof info};
    assert_int_equal(vcs_struct_size(VCS_TYPE_OUTCOME), sizeof(vcs_outcome));
    assert_string_equal(vcs_struct_name(VCS_TYPE_JOB_MODEL), "job_model");
    uint32_t end = 0;
    for (uint32_t i = 0; i < vcs_field_count(VCS_TYPE_EVENT); i++) {
        assert_int_equal(vcs_field_at(VCS_TYPE_EVENT, i, &info), VCS_OK);
        assert_int_equal(info.offset, end);
        end += info.size;
    }
    assert_int_equal(end, sizeof(vcs_event));
    assert_int_equal(vcs_field_at(VCS_TYPE_EVENT, 99, &info), VCS_ERR_INDEX);
    assert_string_equal(vcs_event_name(VCS_EVENT_LATE), "late");
    assert_string_equal(vcs_event_name(VCS_EVENT_KINDS), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_follow_each_other),
        cmocka_unit_test(nothing_progresses_while_the_host_is_off),
        cmocka_unit_test(a_client_knows_when_it_is_on),
        cmocka_unit_test(switches_are_seen_once_in_a_step),
        cmocka_unit_test(without_jobs_the_host_is_idle),
        cmocka_unit_test(waste_and_idleness_are_of_the_time_of_all_instances),
        cmocka_unit_test(idle_time_has_reasons),
        cmocka_unit_test(idle_time_without_need_is_unexplained),
        cmocka_unit_test(gpu_tasks_get_their_cpus_first),
        cmocka_unit_test(late_results_are_waste),
        cmocka_unit_test(initial_tasks_run),
        cmocka_unit_test(shares_are_of_all_work),
        cmocka_unit_test(empty_jobs_end_immediately),
        cmocka_unit_test(an_empty_job_that_has_not_begun_is_not_done),
        cmocka_unit_test(sizes_come_from_a_list),
        cmocka_unit_test(a_refused_job_leaves_space_for_those_after_it),
        cmocka_unit_test(sessions_fetch_from_mark_to_mark),
        cmocka_unit_test(the_studys_server_ends_the_reply_at_the_first_refusal),
        cmocka_unit_test(what_cannot_run_is_not_sent),
        cmocka_unit_test(jobs_of_any_size_are_offered),
        cmocka_unit_test(the_same_jobs_come_in_small_replies),
        cmocka_unit_test(jobs_in_progress_are_limited),
        cmocka_unit_test(a_scheduler_that_moved_is_found_in_the_master_file),
        cmocka_unit_test(a_master_file_that_cannot_be_read_is_a_failure),
        cmocka_unit_test(without_a_network_nothing_is_reached),
        cmocka_unit_test(the_study_knows_no_master_files),
        cmocka_unit_test(the_study_reports_all_results_in_one_call),
        cmocka_unit_test(the_study_reports_a_day_before_the_deadline),
        cmocka_unit_test(the_study_makes_one_call_at_a_moment_of_connection),
        cmocka_unit_test(the_study_calls_on_while_a_cpu_has_no_task),
        cmocka_unit_test(a_call_that_brings_nothing_leaves_the_study_connected),
        cmocka_unit_test(books_agree_with_the_outcome),
        cmocka_unit_test(memory_does_not_grow_with_time),
        cmocka_unit_test(missing_memory_is_an_error),
        cmocka_unit_test(callers_functions_replace_decisions),
        cmocka_unit_test(running_tasks_keep_their_devices),
        cmocka_unit_test(a_task_that_moves_starts_again),
        cmocka_unit_test(work_since_the_checkpoint_is_lost),
        cmocka_unit_test(callers_errors_end_the_emulation),
        cmocka_unit_test(bad_scenarios_are_refused),
        cmocka_unit_test(newer_scenarios_and_hooks_are_understood),
        cmocka_unit_test(fields_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

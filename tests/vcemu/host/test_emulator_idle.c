/*
 * Why instances are idle.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

/*
 * Why instances are idle (rule 12.2), one reason at a time on a host of 4 CPUs for 1000 s; the sum is all idle time.
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

/* ---- Why the tasks at hand do not run ---- */

/* A GPU of one device beside the CPUs. */
static void add_gpu(case_records *c) {
    c->scenario.snapshot.resources.count = 2;
    c->resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
}

/* Four CPUs for 1000 s and a project that may not be asked; tasks of 5000 s with a CPU each. */
static void begin_at_hand(case_records *c, uint32_t tasks) {
    begin(c, VCS_PROFILE_CURRENT, 4, 1000);
    c->projects[add_project(c)].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < tasks; i++) {
        add_task(c, 0, 5000, 1e6);
    }
}

/* Of two tasks of an application that may run one at a time, one waits: three CPUs are idle. */
static void an_application_is_at_its_limit(void **unused) {
    (void)unused;
    case_records c;
    begin_at_hand(&c, 2);
    add_app(&c, 0, 5000, 1e6)->weight = 0;
    c.apps[0].max_concurrent = 1;
    c.tasks[0].app = c.tasks[1].app = 0;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_limit == 3000);
}

/* A task of six CPUs can never run on four. */
static void a_task_that_cannot_run_does_not_fit(void **unused) {
    (void)unused;
    case_records c;
    begin_at_hand(&c, 1);
    c.tasks[0].cpus = 6;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_unfit == 4000);
}

/* Of two devices, the project may use the first, where one of its tasks runs; another waits for it. */
static void an_exclusion_keeps_a_task_waiting(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_gpu = {.resource = 1, .excluded = 2};
    begin_at_hand(&c, 2);
    add_gpu(&c);
    c.resources[1].instances = 2;
    c.scenario.snapshot.project_resources = array_of(&on_gpu, sizeof on_gpu, 1);
    for (uint32_t i = 0; i < 2; i++) {
        c.tasks[i].gpu = 1;
        c.tasks[i].gpus = 1;
    }
    run(&c);
    assert_true(c.resource_outcomes[1].used == 1000 && c.resource_outcomes[1].idle_limit == 1000);
}

/* Two tasks have begun on the first of two devices. One goes on there, the other waits for it beside an idle one. */
static void a_task_waits_for_the_device_on_which_it_has_begun(void **unused) {
    (void)unused;
    case_records c;
    begin_at_hand(&c, 2);
    add_gpu(&c);
    c.resources[1].instances = 2;
    for (uint32_t i = 0; i < 2; i++) {
        c.tasks[i].gpu = 1;
        c.tasks[i].gpus = 1;
        c.tasks[i].flags = VCS_TASK_STARTED;
        c.tasks[i].devices = 1;
    }
    c.parameters.device_bound = VCS_DEVICES_REQUIRED;
    run(&c);
    assert_true(c.resource_outcomes[1].used == 1000 && c.resource_outcomes[1].idle_unfit == 1000);
    c.parameters.device_bound = VCS_DEVICES_PREFERRED;
    run(&c);
    assert_true(c.resource_outcomes[1].used == 2000);
}

/* One CPU is kept for other programs: it is idle for that, whether a task waits for it or not. */
static void a_reserve_is_a_limit(void **unused) {
    (void)unused;
    for (uint32_t tasks = 3; tasks <= 4; tasks++) {
        case_records c;
        begin_at_hand(&c, tasks);
        c.resources[0].reserve = 1;
        run(&c);
        assert_true(c.resource_outcomes[0].used == 3000 && c.resource_outcomes[0].idle_limit == 1000);
        assert_true(c.resource_outcomes[0].idle_unexplained == 0);
    }
}

/* Runs the first task alone. */
static int run_first(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                     vcs_schedule_summary *summary) {
    (void)context;
    (void)situation;
    decisions[0].run = 1;
    summary->next_check = 300;
    return VCS_OK;
}

/*
 * The caller's function runs a task of three CPUs of four, and leaves another waiting, which will be late. If that has
 * two CPUs, it did not fit beside the first, although the library would have preferred it: with a rule by which any
 * task fits where something is free (4.7), it would have fitted. So would one of a CPU.
 */
static void a_task_that_is_left_waiting_may_not_have_fitted(void **unused) {
    (void)unused;
    static const struct {
        uint32_t cpu_fit, cpus, fits;
    } cases[] = {
        {VCS_CPU_FIT_STRICT, 2, 0}, {VCS_CPU_FIT_FRACTION, 2, 0}, {VCS_CPU_FIT_ANY, 2, 1}, {VCS_CPU_FIT_STRICT, 1, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        case_records c;
        begin_at_hand(&c, 2);
        c.tasks[0].cpus = 3;
        c.tasks[1].cpus = cases[i].cpus;
        c.tasks[1].deadline = 6000;
        c.parameters.cpu_fit = cases[i].cpu_fit;
        c.hooks.schedule = run_first;
        run(&c);
        assert_true(c.resource_outcomes[0].idle_unexplained == (cases[i].fits ? 1000 : 0));
        assert_true(c.resource_outcomes[0].idle_unfit == (cases[i].fits ? 0 : 1000));
    }
}

/* Two tasks of GPUs, of half a device each: the second fits beside the first; one of a whole device does not. */
static void parts_of_a_device_fit_beside_each_other(void **unused) {
    (void)unused;
    for (uint32_t i = 1; i <= 2; i++) {
        case_records c;
        begin_at_hand(&c, 2);
        add_gpu(&c);
        for (uint32_t k = 0; k < 2; k++) {
            c.tasks[k].gpu = 1;
            c.tasks[k].gpus = k == 0 ? 0.5 : 0.5 * i;
            c.tasks[k].cpus = 0;
        }
        c.hooks.schedule = run_first;
        run(&c);
        assert_true(c.resource_outcomes[1].idle_unexplained == (i == 1 ? 500 : 0));
        assert_true(c.resource_outcomes[1].idle_unfit == (i == 1 ? 0 : 500));
    }
}

/* ---- Why no project is asked ---- */

static int fetch_nothing(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                         vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)context;
    (void)situation;
    (void)question;
    (void)decisions;
    summary->next_check = 100;
    return VCS_OK;
}

/* One CPU for 1000 s, and a project that has work for it. */
static void begin_with_work(case_records *c, vcs_project_resource *on_cpu) {
    begin(c, VCS_PROFILE_CURRENT, 1, 1000);
    add_app(c, add_project(c), 5000, 1e6);
    *on_cpu = (vcs_project_resource){.id = 1};
    c->scenario.snapshot.project_resources = array_of(on_cpu, sizeof *on_cpu, 1);
}

#define CHECK_IDLE(change, member)                                                                                     \
    do {                                                                                                               \
        case_records c;                                                                                                \
        vcs_project_resource on_cpu;                                                                                   \
        begin_with_work(&c, &on_cpu);                                                                                  \
        change;                                                                                                        \
        run(&c);                                                                                                       \
        assert_true(c.resource_outcomes[0].member == 1000);                                                            \
    } while (0)

/* Each of them keeps the project from being asked; the whole time is idle for it. */
static void what_keeps_a_project_from_being_asked(void **unused) {
    (void)unused;
    CHECK_IDLE(c.projects[0].flags = VCS_PROJECT_SUSPENDED, idle_no_work);
    CHECK_IDLE(c.projects[0].flags = VCS_PROJECT_NO_NEW_WORK, idle_no_work);
    CHECK_IDLE(c.projects[0].wait = VCS_WAIT_USER, idle_no_work);
    CHECK_IDLE(on_cpu.flags = VCS_PROJECT_RESOURCE_NOT_WANTED, idle_no_work);
    CHECK_IDLE(on_cpu.flags = VCS_PROJECT_RESOURCE_NO_APPS, idle_no_work);
    CHECK_IDLE(c.models[0].weight = 0, idle_no_work);
    CHECK_IDLE(c.projects[0].uploading = 100, idle_limit);
    CHECK_IDLE(c.projects[0].wait = VCS_WAIT_UPLOADS, idle_limit);
    CHECK_IDLE(on_cpu.backoff_until = 1e4, idle_backed_off);
    CHECK_IDLE(c.projects[0].min_rpc_time = 1e4, idle_backed_off);
}

/* Work was to be had, but the caller's function asks for none; that a suspended task waits does not excuse it. */
static void work_that_was_to_be_had_explains_nothing(void **unused) {
    (void)unused;
    CHECK_IDLE(c.hooks.fetch = fetch_nothing, idle_unexplained);
    CHECK_IDLE((c.hooks.fetch = fetch_nothing, c.projects[0].dcf = 100), idle_unexplained); /* little is asked for */
    CHECK_IDLE((c.hooks.fetch = fetch_nothing, add_task(&c, 0, 5000, 1e6), c.tasks[0].flags = VCS_TASK_SUSPENDED),
               idle_unexplained);
}

/*
 * Of two tasks of 2000 s one waits, since only one may run at once. They last for less than the buffer of 8640 s, so
 * that the project would be asked; but of what it sent, nothing could run on the three idle CPUs.
 */
static void work_for_the_buffer_alone_is_none_for_idle_cpus(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 4, 1000);
    add_app(&c, add_project(&c), 5000, 1e6);
    c.projects[0].max_concurrent = 1;
    add_task(&c, 0, 2000, 1e6);
    add_task(&c, 0, 2000, 1e6);
    c.hooks.fetch = fetch_nothing;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_limit == 3000);
    add_app(&c, add_project(&c), 5000, 1e6); /* but what this one sent could */
    run(&c);
    assert_true(c.resource_outcomes[0].idle_unexplained == 3000);
}

/* The project may be called after 100 s, and asked for CPU work after 600 s: both waits explain idle time. */
static void the_longer_of_two_waits_explains(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_cpu;
    begin_with_work(&c, &on_cpu);
    c.projects[0].min_rpc_time = 100;
    on_cpu.backoff_until = 600;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_backed_off == 600 && c.resource_outcomes[0].used == 400);
    assert_true(c.resource_outcomes[0].idle_unexplained == 0);
}

/* A wait of 600 s ends while the host is off, from 500 s to 800 s: work is fetched as soon as it is on. */
static void a_wait_that_ends_while_the_host_is_off_explains_all(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_cpu;
    begin_with_work(&c, &on_cpu);
    c.projects[0].min_rpc_time = 600;
    c.switches[0] = 500;
    c.switches[1] = 800;
    c.scenario.switches.count = 2;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_backed_off == 500 && c.resource_outcomes[0].off == 300);
    assert_true(c.resource_outcomes[0].used == 200 && c.resource_outcomes[0].idle_unexplained == 0);
}

static int fetch_nothing_for_long(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                                  vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const int code = fetch_nothing(context, situation, question, decisions, summary);
    summary->next_check = 1e6;
    return code;
}

/*
 * A wait of 400 s is over, and the caller's function looks no more: the time after it has no reason, but for what the
 * host is off, from 600 s to 800 s.
 */
static void a_wait_that_is_over_explains_nothing(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_cpu;
    begin_with_work(&c, &on_cpu);
    c.hooks.fetch = fetch_nothing_for_long;
    c.parameters.period = 1e6;
    c.projects[0].min_rpc_time = 400;
    c.switches[0] = 600;
    c.switches[1] = 800;
    c.scenario.switches.count = 2;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_backed_off == 400 && c.resource_outcomes[0].off == 200);
    assert_true(c.resource_outcomes[0].idle_unexplained == 400);
}

/* The GPU waits for 700 s, since the second project sends it nothing before; after that, nobody asks. */
static void each_resource_waits_for_its_own(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource pair[2];
    begin_with_work(&c, &pair[0]);
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 1};
    c.scenario.snapshot.resources.count = 2;
    vcs_job_model *model = add_app(&c, add_project(&c), 1000, DAY);
    model->gpu = 1;
    model->gpus = 1;
    pair[1] = (vcs_project_resource){.id = 2, .project = 1, .resource = 1, .backoff_until = 700};
    c.scenario.snapshot.project_resources.count = 2;
    c.hooks.fetch = fetch_nothing_for_long;
    c.parameters.period = 1e6;
    run(&c);
    assert_true(c.resource_outcomes[1].idle_backed_off == 700 && c.resource_outcomes[1].idle_unexplained == 300);
}

/* Nobody knows how long a master file stays missing: the wait explains nothing once it is over. */
static void a_project_waits_for_its_master_file(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_cpu;
    begin_with_work(&c, &on_cpu);
    c.projects[0].wait = VCS_WAIT_MASTER_FILE;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_backed_off + c.resource_outcomes[0].idle_unexplained == 1000);
    assert_int_equal(c.outcome.calls, 0);
}

/* Its own task holds it back, so that there is no work, or its server's limit of jobs does. */
static void a_project_waits_for_its_own_tasks(void **unused) {
    (void)unused;
    static const uint32_t waits[] = {VCS_WAIT_TASK, VCS_WAIT_DOWNLOAD, VCS_WAIT_NONE};
    for (uint32_t i = 0; i < 3; i++) {
        case_records c;
        vcs_project_resource on_cpu;
        begin_with_work(&c, &on_cpu);
        c.projects[0].wait = waits[i];
        on_cpu.flags |= waits[i] == VCS_WAIT_NONE ? VCS_PROJECT_RESOURCE_SERVER_LIMIT : 0;
        on_cpu.backoff_until = 1e6;
        on_cpu.backoff_interval = 600;
        run(&c);
        const vcs_resource_outcome *cpus = &c.resource_outcomes[0];
        assert_true((waits[i] == VCS_WAIT_NONE ? cpus->idle_server_limit : cpus->idle_no_work) == 1000);
        assert_int_equal(c.outcome.calls, 0);
    }
}

/* Rule 12.2: the server sends the one job that it allows, and says why it sends no second: one CPU waits for that. */
static void a_server_has_a_limit_of_jobs(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 2, 1000);
    add_app(&c, add_project(&c), 5000, 1e6);
    c.servers[0].max_in_progress = 1;
    run(&c);
    assert_int_equal(c.outcome.received, 1);
    assert_true(c.outcome.calls > 1); /* it is backed off after a call in vain, and that is no other reason */
    assert_true(c.resource_outcomes[0].idle_server_limit == 1000);
}

/* The limit is the host's: a job for the GPU takes up what a job for the CPU would need. */
static void a_limit_of_jobs_holds_for_all_resources(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 1};
    c.scenario.snapshot.resources.count = 2;
    add_app(&c, add_project(&c), 5000, 1e6);
    vcs_job_model *model = add_app(&c, 0, 50000, 1e6);
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0;
    c.servers[0].max_in_progress = 1;
    run(&c);
    assert_true(c.resource_outcomes[1].used == 1000 && c.resource_outcomes[0].idle_server_limit == 1000);
}

/* Until 300 s the project waits because of the limit. Then its server sends nothing, since no job could be in time. */
static void a_reply_without_a_limit_ends_it(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_cpu;
    begin_with_work(&c, &on_cpu);
    c.models[0].latency_bound = 10;
    on_cpu.flags = VCS_PROJECT_RESOURCE_SERVER_LIMIT;
    on_cpu.backoff_until = 300;
    on_cpu.backoff_interval = 60;
    run(&c);
    assert_int_equal(c.outcome.received, 0);
    assert_true(c.resource_outcomes[0].idle_server_limit == 300 && c.resource_outcomes[0].idle_backed_off == 700);
}

/* A call that is not answered says nothing of a limit. */
static void a_call_without_an_answer_ends_no_limit(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_cpu;
    begin_with_work(&c, &on_cpu);
    c.servers[0].network_failure = 1;
    on_cpu.flags = VCS_PROJECT_RESOURCE_SERVER_LIMIT;
    run(&c);
    assert_true(c.outcome.calls > 0 && c.resource_outcomes[0].idle_server_limit == 1000);
}

/* A project is at its limit of one task, which runs for as long as can be looked ahead: the other CPU is idle. */
static void a_project_at_its_limit_is_not_asked(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 2, 1000);
    add_app(&c, add_project(&c), 5000, 1e6);
    c.projects[0].max_concurrent = 1;
    add_task(&c, 0, 1e6, 1e9);
    run(&c);
    assert_int_equal(c.outcome.calls, 0);
    assert_true(c.resource_outcomes[0].idle_limit == 1000);
}

/* A project with as many tasks as it may have is not asked for more, although they leave a CPU idle. */
static void a_project_with_too_many_tasks_is_not_asked(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 2, 1000);
    add_app(&c, add_project(&c), 5000, 1e6);
    c.parameters.max_runnable = 1;
    add_task(&c, 0, 5000, 1e6);
    run(&c);
    assert_true(c.resource_outcomes[0].idle_limit == 1000);
}

/* Work for the GPU is excluded from its only device. */
static void a_project_that_is_excluded_is_not_asked(void **unused) {
    (void)unused;
    case_records c;
    vcs_project_resource on_gpu = {.resource = 1, .excluded = 1};
    begin_at_hand(&c, 0);
    c.projects[0].flags = 0;
    for (uint32_t i = 0; i < 4; i++) {
        add_task(&c, 0, 1e6, 1e9); /* nothing is wanted for the CPUs */
    }
    add_gpu(&c);
    c.scenario.snapshot.project_resources = array_of(&on_gpu, sizeof on_gpu, 1);
    vcs_job_model *model = add_app(&c, 0, 5000, 1e6);
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0;
    run(&c);
    assert_true(c.resource_outcomes[1].idle_limit == 1000);
}

static int note_idleness(void *context, const vcs_event *event) {
    vcs_event *noted = context;
    if (event->kind == VCS_EVENT_IDLE) {
        noted[1] = *event;
        noted[0].kind++;
    }
    return VCS_OK;
}

/* The CPU has no work. The GPU is suspended, so it is not reported as idle. */
static void of_what_is_suspended_nobody_is_told(void **unused) {
    (void)unused;
    case_records c;
    vcs_event noted[2] = {{.kind = 0}};
    begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 4, .flags = VCS_RESOURCE_SUSPENDED};
    c.hooks.observe = note_idleness;
    c.hooks.context = noted;
    run(&c);
    assert_int_equal(noted[0].kind, 1);
    assert_true(noted[1].resource == 0 && noted[1].amount == 1);
}

/* Two CPUs run out of work at 100 and at 300 s: of each a listener hears, though the reason is the same. */
static void of_more_idleness_for_the_same_reason_a_listener_hears(void **unused) {
    (void)unused;
    case_records c;
    vcs_event noted[2] = {{.kind = 0}};
    begin(&c, VCS_PROFILE_CURRENT, 2, 1000);
    c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
    add_task(&c, 0, 100, 1e6);
    add_task(&c, 0, 300, 1e6);
    c.hooks.observe = note_idleness;
    c.hooks.context = noted;
    run(&c);
    assert_true(c.resource_outcomes[0].idle_no_work == 900 + 700);
    assert_int_equal(noted[0].kind, 2);
    assert_true(noted[1].time == 300 && noted[1].amount == 2 && noted[1].reason == VCS_IDLE_NO_WORK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_time_has_reasons),
        cmocka_unit_test(idle_time_without_need_is_unexplained),
        cmocka_unit_test(an_application_is_at_its_limit),
        cmocka_unit_test(a_task_that_cannot_run_does_not_fit),
        cmocka_unit_test(an_exclusion_keeps_a_task_waiting),
        cmocka_unit_test(a_task_waits_for_the_device_on_which_it_has_begun),
        cmocka_unit_test(a_reserve_is_a_limit),
        cmocka_unit_test(a_task_that_is_left_waiting_may_not_have_fitted),
        cmocka_unit_test(parts_of_a_device_fit_beside_each_other),
        cmocka_unit_test(what_keeps_a_project_from_being_asked),
        cmocka_unit_test(work_that_was_to_be_had_explains_nothing),
        cmocka_unit_test(work_for_the_buffer_alone_is_none_for_idle_cpus),
        cmocka_unit_test(the_longer_of_two_waits_explains),
        cmocka_unit_test(a_wait_that_ends_while_the_host_is_off_explains_all),
        cmocka_unit_test(a_wait_that_is_over_explains_nothing),
        cmocka_unit_test(each_resource_waits_for_its_own),
        cmocka_unit_test(a_project_waits_for_its_master_file),
        cmocka_unit_test(a_project_waits_for_its_own_tasks),
        cmocka_unit_test(a_server_has_a_limit_of_jobs),
        cmocka_unit_test(a_limit_of_jobs_holds_for_all_resources),
        cmocka_unit_test(a_reply_without_a_limit_ends_it),
        cmocka_unit_test(a_call_without_an_answer_ends_no_limit),
        cmocka_unit_test(a_project_at_its_limit_is_not_asked),
        cmocka_unit_test(a_project_with_too_many_tasks_is_not_asked),
        cmocka_unit_test(a_project_that_is_excluded_is_not_asked),
        cmocka_unit_test(of_what_is_suspended_nobody_is_told),
        cmocka_unit_test(of_more_idleness_for_the_same_reason_a_listener_hears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

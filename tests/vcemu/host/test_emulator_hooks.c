/*
 * The caller's functions in the place of decisions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

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

/* The next_check that a function sets is *context. */
static int run_none_and_check_at(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                                 vcs_schedule_summary *summary) {
    (void)situation;
    (void)decisions;
    summary->next_check = *(const double *)context;
    return VCS_OK;
}

static int fetch_nothing_and_check_at(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                                      vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)situation;
    (void)question;
    (void)decisions;
    summary->next_check = *(const double *)context;
    return VCS_OK;
}

static void the_next_check_is_a_number(void **unused) {
    (void)unused;
    static const struct {
        double next_check;
        int code;
    } cases[] = {{NAN, VCS_ERR_RANGE}, {-1, VCS_OK}, {0, VCS_OK}, {600, VCS_OK}, {INFINITY, VCS_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int fetches = 0; fetches < 2; fetches++) {
            case_records c;
            vcs_error error = {.struct_size = sizeof error};
            double next_check = cases[i].next_check;
            begin(&c, VCS_PROFILE_CURRENT, 1, 5000);
            add_app(&c, add_project(&c), 1000, DAY);
            c.hooks.context = &next_check;
            c.hooks.schedule = fetches ? NULL : run_none_and_check_at;
            c.hooks.fetch = fetches ? fetch_nothing_and_check_at : NULL;
            assert_int_equal(emulate(&c, &error), cases[i].code);
            if (cases[i].code != VCS_OK) {
                assert_string_equal(error.field, fetches ? "fetch" : "schedule");
            }
        }
    }
}

/* ---- What the caller's functions do wrong ---- */

/* Refuses from the second time on, and counts. */
static int fail_second_estimate(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    return ++*(uint32_t *)context >= 2 ? -77 : vcs_estimate_remaining(progress, rule, device_seconds, NULL);
}

static int fail_event(void *context, const vcs_event *event) {
    *(uint32_t *)context += event->kind == VCS_EVENT_ENDED;
    return event->kind == VCS_EVENT_ENDED ? -78 : VCS_OK;
}

static int fail_send(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)situation;
    (void)candidate;
    (void)admission;
    ++*(uint32_t *)context;
    return -79;
}

/* After a failure no function is called again: three tasks are to be estimated, and two of them end at a moment. */
static void nothing_is_called_after_a_failure(void **unused) {
    (void)unused;
    case_records c;
    uint32_t called = 0;
    vcs_error error = {.struct_size = sizeof error};
    begin(&c, VCS_PROFILE_CURRENT, 2, DAY);
    add_app(&c, add_project(&c), 1000, 9 * DAY);
    for (uint32_t i = 0; i < 3; i++) {
        add_task(&c, 0, 100, 1e6);
    }
    c.hooks.context = &called;
    c.hooks.estimate = fail_second_estimate;
    assert_int_equal(emulate(&c, &error), -77);
    assert_string_equal(error.message, "estimate returned an error");
    assert_int_equal(called, 2);
    c.hooks.estimate = NULL;
    c.hooks.observe = fail_event;
    called = 0;
    assert_int_equal(emulate(&c, &error), -78);
    assert_string_equal(error.message, "observe returned an error");
    assert_int_equal(called, 1);
    c.hooks.observe = NULL;
    c.hooks.send = fail_send;
    called = 0;
    assert_int_equal(emulate(&c, &error), -79);
    assert_string_equal(error.message, "send returned an error");
    assert_int_equal(called, 1);
}

/* Asks for a number of instances that is none, or for a latency bound that is none. */
static int fetch_no_instances(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                              vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)situation;
    (void)question;
    (void)summary;
    *(context == NULL ? &decisions[0].instances : &decisions[0].latency_bound) = -1;
    return VCS_OK;
}

static void instances_asked_for_are_checked(void **unused) {
    (void)unused;
    case_records c;
    vcs_error error = {.struct_size = sizeof error};
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_project(&c);
    c.hooks.fetch = fetch_no_instances;
    for (int i = 0; i < 2; i++) {
        c.hooks.context = i == 0 ? NULL : &c;
        assert_int_equal(emulate(&c, &error), VCS_ERR_RANGE);
        assert_string_equal(error.message,
                            "fetch asks for seconds, instances or a latency bound that are negative or not finite");
    }
}

/* Asks for 1,000,000 s whenever it is asked, with what the decision at *context says beside. */
static int fetch_much(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                      vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)situation;
    (void)question;
    decisions[0] = *(const vcs_fetch_decision *)context;
    decisions[0].seconds = 1e6;
    summary->project = 0;
    summary->next_check = 3600;
    return VCS_OK;
}

static int send_all(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)context;
    (void)situation;
    (void)candidate;
    admission->admitted = 1;
    return VCS_OK;
}

/* A day in which the project is called every hour: at 0, 1, ... 24 h. */
static void run_requests(case_records *c, const vcs_fetch_decision *wish, double bound) {
    begin(c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(c, add_project(c), 600, bound);
    c->hooks.fetch = fetch_much;
    c->hooks.context = (void *)wish;
    run(c);
}

/* So many jobs a call, not as many as fill the seconds; and none that are due sooner than a day after they are sent. */
static void servers_keep_to_jobs_and_bounds_that_are_asked_for(void **unused) {
    (void)unused;
    const vcs_fetch_decision two = {.jobs = 2}, late = {.latency_bound = DAY}, longer = {.latency_bound = DAY + 1};
    case_records c;
    run_requests(&c, &two, 9 * DAY);
    assert_true(c.outcome.calls >= 24);
    assert_int_equal(c.outcome.received, 2 * c.outcome.calls);
    run_requests(&c, &late, DAY);
    assert_true(c.outcome.received > 100);
    run_requests(&c, &longer, DAY);
    assert_true(c.outcome.refused > 100);
    assert_int_equal(c.outcome.received, 0);
    c.hooks.send = send_all; /* decides on deadlines, of the jobs that are wanted */
    run(&c);
    assert_int_equal(c.outcome.received, 0);
}

/* Runs every task on the devices that the caller says. */
static int run_on_devices(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                          vcs_schedule_summary *summary) {
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        decisions[i].run = 1;
        decisions[i].devices = *(const uint64_t *)context;
    }
    summary->next_check = 1e6;
    return VCS_OK;
}

/*
 * Devices that do not exist are refused when the next decision is prepared. A GPU of two devices has the second; a host
 * of one CPU, on which a task runs, has none, and the next decision there is one on fetching.
 */
static void devices_that_do_not_exist_are_refused(void **unused) {
    (void)unused;
    static const uint32_t profiles[] = {VCS_PROFILE_CURRENT, VCS_PROFILE_RPC2003};
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        for (uint64_t devices = 2; devices <= 4; devices += 2) {
            case_records c;
            vcs_error error = {.struct_size = sizeof error};
            begin(&c, profiles[i], 1, DAY);
            c.parameters.discipline = VCS_DISCIPLINE_SLICED; /* the other one knows no GPUs */
            c.parameters.min_buffer = 1000;                  /* so that fetching is decided on while the task runs */
            c.scenario.snapshot.resources.count = 2;
            c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 2};
            add_project(&c);
            add_task(&c, 0, 5000, 1e6);
            c.tasks[0].gpu = 1;
            c.tasks[0].gpus = 2;
            c.hooks.schedule = run_on_devices;
            c.hooks.context = &devices;
            assert_int_equal(emulate(&c, &error), devices == 2 ? VCS_OK : VCS_ERR_INDEX);
            if (devices == 4) {
                assert_string_equal(error.field, "devices");
            }
            c.scenario.snapshot.resources.count = 1;
            c.tasks[0].gpu = 0;
            c.tasks[0].gpus = 0;
            assert_int_equal(emulate(&c, &error), VCS_ERR_RANGE);
            assert_string_equal(error.field, "devices");
        }
    }
}

/* More tasks than instances are refused: of CPUs by what the policy lets fit, of GPUs always. */
static void tasks_that_run_are_limited(void **unused) {
    (void)unused;
    static const struct {
        uint32_t cpu_fit, cpu_tasks, gpu_tasks;
        int code;
    } cases[] = {
        {VCS_CPU_FIT_STRICT, 2, 1, VCS_OK},   {VCS_CPU_FIT_STRICT, 3, 1, VCS_ERR_RANGE},
        {VCS_CPU_FIT_FRACTION, 3, 1, VCS_OK}, {VCS_CPU_FIT_FRACTION, 4, 1, VCS_ERR_RANGE},
        {VCS_CPU_FIT_ANY, 6, 1, VCS_OK},      {VCS_CPU_FIT_ANY, 0, 2, VCS_ERR_RANGE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        case_records c;
        vcs_error error = {.struct_size = sizeof error};
        begin(&c, VCS_PROFILE_CURRENT, 2, 1000);
        c.scenario.snapshot.resources.count = 2;
        c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        for (uint32_t k = 0; k < cases[i].cpu_tasks + cases[i].gpu_tasks; k++) {
            add_task(&c, 0, 5000, 1e6);
            c.tasks[k].gpu = k >= cases[i].cpu_tasks;
            c.tasks[k].gpus = k >= cases[i].cpu_tasks;
        }
        c.parameters.cpu_fit = cases[i].cpu_fit;
        c.hooks.schedule = run_all;
        assert_int_equal(emulate(&c, &error), cases[i].code);
    }
}

/* The function that decides on sending is not asked about jobs too large for the host's memory. */
static void only_what_would_be_sent_is_asked_about(void **unused) {
    (void)unused;
    case_records c;
    uint32_t called = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(&c, add_project(&c), 1000, 9 * DAY)->ram = 2e9;
    c.host.ram = 1e9;
    c.hooks.context = &called;
    c.hooks.send = fail_send;
    run(&c);
    assert_true(c.outcome.calls > 0);
    assert_int_equal(called, 0);
}

/* The library sends no job of 1000 s that is due after 500 s; a function that decides in its place may. */
static void the_callers_function_alone_judges_deadlines(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 10500);
    add_app(&c, add_project(&c), 1000, 500);
    run(&c);
    assert_true(c.outcome.received == 0 && c.outcome.refused > 0);
    c.hooks.send = send_all;
    run(&c);
    assert_true(c.outcome.refused == 0);
    assert_int_equal(c.outcome.ended, 10);
}

/* A host and a resource of a newer caller. */
typedef struct longer_host {
    vcs_host known;
    uint64_t new_in_host;
} longer_host;

typedef struct longer_resource {
    vcs_resource known;
    uint64_t new_in_resource;
} longer_resource;

static int see_longer_resources(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                                vcs_schedule_summary *summary) {
    const longer_resource *resources = situation->snapshot->resources.base;
    const vcs_project *projects = situation->snapshot->projects.base;
    uint32_t *calls = context;
    assert_int_equal(situation->snapshot->host.element_size, sizeof(longer_host));
    assert_int_equal(situation->snapshot->resources.element_size, sizeof *resources);
    assert_int_equal(situation->snapshot->resources.count, 2);
    assert_int_equal(resources[0].known.id, 1);
    assert_int_equal(resources[1].known.id, 2);
    assert_int_equal(resources[1].new_in_resource, 0);
    assert_int_equal(projects[0].id, 1);
    /* the scenario does not say */
    assert_int_equal(situation->snapshot->tasks.element_size, vcs_struct_size(VCS_TYPE_TASK));
    ++*calls;
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        decisions[i].run = i == 0;
    }
    summary->next_check = 3600;
    return VCS_OK;
}

static void hooks_see_records_of_the_callers_size(void **unused) {
    (void)unused;
    case_records c;
    uint32_t calls = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(&c, add_project(&c), 1000, DAY);
    longer_host host = {c.host, 0};
    longer_resource resources[2] = {{c.resources[0], 0}, {{.id = 2, .flops = 1, .usable = 1, .instances = 1}, 0}};
    c.scenario.snapshot.host = array_of(&host, sizeof host, 1);
    c.scenario.snapshot.resources = array_of(resources, sizeof *resources, 2);
    c.scenario.snapshot.tasks.element_size = 3;
    c.hooks.context = &calls;
    c.hooks.schedule = see_longer_resources;
    run(&c);
    assert_true(calls > 10 && c.outcome.ended > 10);
}

/* The seed that each decision was shown. */
typedef struct seeds_shown {
    uint64_t schedule, fetch, send;
} seeds_shown;

static int note_seed_of_schedule(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                                 vcs_schedule_summary *summary) {
    ((seeds_shown *)context)->schedule = situation->seed;
    return run_all(NULL, situation, decisions, summary);
}

static int note_seed_of_fetch(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                              vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)question;
    ((seeds_shown *)context)->fetch = situation->seed;
    decisions[0].seconds = situation->snapshot->tasks.count == 0 ? 1 : 0;
    summary->project = situation->snapshot->tasks.count == 0 ? 0 : VCS_NONE;
    summary->next_check = 600;
    return VCS_OK;
}

static int note_seed_of_send(void *context, const vcs_situation *situation, uint32_t candidate,
                             vcs_admission *admission) {
    (void)candidate;
    ((seeds_shown *)context)->send = situation->seed;
    admission->admitted = 1;
    return VCS_OK;
}

static void hooks_see_the_seed(void **unused) {
    (void)unused;
    static const uint64_t seeds[] = {0, 7, UINT64_MAX};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        case_records c;
        seeds_shown shown = {1, 1, 1};
        begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
        add_app(&c, add_project(&c), 1000, DAY);
        c.emulation.seed = seeds[i];
        c.hooks.context = &shown;
        c.hooks.schedule = note_seed_of_schedule;
        c.hooks.fetch = note_seed_of_fetch;
        c.hooks.send = note_seed_of_send;
        run(&c);
        assert_true(c.outcome.received > 10);
        assert_true(shown.schedule == seeds[i]);
        assert_true(shown.fetch == seeds[i]);
        assert_true(shown.send == seeds[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_functions_replace_decisions),
        cmocka_unit_test(callers_errors_end_the_emulation),
        cmocka_unit_test(nothing_is_called_after_a_failure),
        cmocka_unit_test(instances_asked_for_are_checked),
        cmocka_unit_test(servers_keep_to_jobs_and_bounds_that_are_asked_for),
        cmocka_unit_test(the_next_check_is_a_number),
        cmocka_unit_test(devices_that_do_not_exist_are_refused),
        cmocka_unit_test(tasks_that_run_are_limited),
        cmocka_unit_test(only_what_would_be_sent_is_asked_about),
        cmocka_unit_test(the_callers_function_alone_judges_deadlines),
        cmocka_unit_test(hooks_see_records_of_the_callers_size),
        cmocka_unit_test(hooks_see_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

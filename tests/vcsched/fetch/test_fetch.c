/*
 * When to fetch work, from whom and how much (rules 6.3 to 6.10); by the rules of the study, see test_fetch_study.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "support/kernel.h"

#include <math.h>
#include <stdbool.h>

#define HOUR 3600.0
#define DAY 86400.0
#define FOREVER ((double)INFINITY)

/* What was decided, with the project_resources project by project. */
typedef struct decision {
    vcs_fetch_summary summary;
    vcs_fetch_decision project_resources[HOST_MOST];
    uint32_t resources;
} decision;

/* Asked briefly, the library says the same. */
static void assert_same_in_brief(const test_host *h, const vcs_fetch_question *question,
                                 const vcs_fetch_summary *expected) {
    vcs_fetch_question brief = {.struct_size = sizeof brief};
    vcs_fetch_summary found = {.struct_size = sizeof found};
    if (question != NULL) {
        brief = *question;
    }
    brief.flags = VCS_FETCH_BRIEF;
    assert_int_equal(vcs_fetch(h->state, &brief, &found), VCS_OK);
    assert_int_equal(found.project, expected->project);
    assert_int_equal(found.reason, expected->project == VCS_NONE ? VCS_REASON_NONE : expected->reason);
    assert_true(found.next_check == expected->next_check);
}

/* Fetching as far as the simulation sees, or after tasks were chosen too. */
static decision ask(test_host *h, const vcs_fetch_question *question, bool chooses_tasks) {
    decision d;
    memset(&d, 0, sizeof d);
    d.summary.struct_size = sizeof d.summary;
    d.resources = h->snapshot.resources.count;
    host_prepare(h);
    assert_int_equal(vcs_wrr(h->state, NULL), VCS_OK);
    if (chooses_tasks) {
        assert_int_equal(vcs_schedule(h->state, VCS_SCHEDULE_RUNNING, NULL), VCS_OK);
    }
    assert_int_equal(vcs_fetch(h->state, question, &d.summary), VCS_OK);
    assert_int_equal(
        vcs_fetch_decisions(h->state, ARRAY(d.project_resources, h->snapshot.projects.count * d.resources)), VCS_OK);
    assert_same_in_brief(h, question, &d.summary);
    return d;
}

static decision choose(test_host *h) {
    return ask(h, NULL, false);
}

static decision piggyback(test_host *h, uint32_t project) {
    const vcs_fetch_question question = {
        .struct_size = sizeof question, .purpose = VCS_FETCH_PIGGYBACK, .project = project};
    return ask(h, &question, false);
}

static const vcs_fetch_decision *project_resource_of(const decision *d, uint32_t project, uint32_t resource) {
    return &d->project_resources[project * d->resources + resource];
}

static void assert_project_resource(const decision *d, uint32_t project, uint32_t resource, uint32_t reason,
                                    double seconds, double instances) {
    const vcs_fetch_decision *pair = project_resource_of(d, project, resource);
    assert_string_equal(vcs_reason_name(pair->reason), vcs_reason_name(reason));
    assert_number(pair->seconds, seconds);
    assert_number(pair->instances, instances);
}

/* A project is asked for nothing, and this is why. */
static void assert_not_asked(const decision *d, uint32_t project, uint32_t resource, uint32_t reason) {
    assert_project_resource(d, project, resource, reason, 0, 0);
}

/* Profile current with a minimum buffer and an additional one, seconds, which count as they are. */
static void begin(test_host *h, uint32_t cpus, double min_buffer, double additional_buffer) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->parameters.min_buffer = min_buffer;
    h->parameters.additional_buffer = additional_buffer;
    h->parameters.least_buffer = 0;
    h->parameters.least_shortfall = 0;
}

static vcs_task *add_gpu_task(test_host *h, uint32_t project, double remaining) {
    vcs_task *task = host_add_task(h, project, remaining, FOREVER);
    task->gpu = 1;
    task->gpus = 1;
    task->cpus = 0;
    return task;
}

/* ---- How much ---- */

/*
 * A limit of eight CPUs of 24, and three tasks of eight CPUs, one after the other for 60,000 s. That is longer than the
 * minimum buffer, so idle CPUs are no reason to call. Until the end of the buffer 8 * 26,400 instance-seconds are
 * missing. With two tasks more too much is queued. The half CPU of the limit serves no task.
 */
static void a_limit_in_instances_is_what_a_project_could_use(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 24, DAY / 2, DAY / 2);
    host_add_project(&h, 100);
    host_add_project_resource(&h, 0, 0)->max_instances = 8.5;
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, 0, 20000, FOREVER)->cpus = 8;
    }
    decision d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_ENOUGH);
    assert_number(d.summary.next_check, 60000 - DAY / 2);
    d = piggyback(&h, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 8 * 26400, 0);
    for (int i = 0; i < 2; i++) {
        host_add_task(&h, 0, 20000, FOREVER)->cpus = 8;
    }
    d = piggyback(&h, 0);
    assert_not_asked(&d, 0, 0, VCS_REASON_AT_LIMIT);
    host_end(&h);
}

/* Half-card tasks, one on each of two cards, for an hour: then one card's worth is missing for the rest of a day. */
static void a_limit_per_device_is_what_a_project_could_use(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, HOUR, DAY - HOUR);
    host_add_resource(&h, 2, 10);
    host_add_project(&h, 100);
    host_add_project_resource(&h, 0, 0)->flags = VCS_PROJECT_RESOURCE_NO_APPS;
    host_add_project_resource(&h, 0, 1)->max_per_device = 1;
    for (int i = 0; i < 2; i++) {
        add_gpu_task(&h, 0, HOUR)->gpus = 0.5;
    }
    decision d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 23 * HOUR, 0);
    host_end(&h);
}

/* A limit of one task and 63,420 s queued: of a buffer of 86,400 s 22,980 s are left. */
static void a_limited_project_fills_its_own_buffer(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, DAY, 0);
    h.projects[host_add_project(&h, 100)].max_concurrent = 1;
    host_add_task(&h, 0, 63420, FOREVER)->flags = VCS_TASK_RUNNING;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 22980, 0);
    host_end(&h);
}

/* 24 CPUs. A may run 12 tasks and has 40 of 6 h: 20 h for 12 CPUs, more than the buffer of 14 h. B has none. */
static void a_project_at_its_limit_leaves_the_rest_to_others(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 24, 2 * HOUR, 12 * HOUR);
    h.projects[host_add_project(&h, 100)].max_concurrent = 12;
    host_add_project(&h, 100);
    for (uint32_t i = 0; i < 40; i++) {
        host_add_task(&h, 0, 6 * HOUR, FOREVER)->flags = i < 12 ? VCS_TASK_RUNNING : 0;
    }
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_int_equal(d.summary.reason, VCS_REASON_ASKED);
    assert_not_asked(&d, 0, 0, VCS_REASON_AT_LIMIT);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED, 12 * 14 * HOUR, 12);
    host_end(&h);
}

/* 16 CPUs, tasks of 2 CPUs, at most 4 of them, 2 run: 2 more of them use 4 CPUs, though 12 are idle. */
static void limits_count_tasks_not_instances(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 16, DAY, 0);
    h.projects[host_add_project(&h, 100)].max_concurrent = 4;
    for (uint32_t i = 0; i < 2; i++) {
        vcs_task *task = host_add_task(&h, 0, DAY, FOREVER);
        task->cpus = 2;
        task->flags = VCS_TASK_RUNNING;
    }
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 4 * DAY, 4);
    host_end(&h);
}

/* All applications are listed, two, both with a limit: together 3 tasks. A third one without, and there is none. */
static void limits_of_applications_add_up(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, HOUR, 0);
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_APPS_LISTED;
    host_add_app(&h, 0, 1);
    host_add_app(&h, 0, 2);
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 3 * HOUR, 3);
    h.projects[0].max_concurrent = 2; /* the tighter one */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 2 * HOUR, 2);
    h.projects[0].max_concurrent = 0;
    host_add_app(&h, 0, 0);
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 8 * HOUR, 8);
    host_end(&h);
}

/* To list the one application that is limited leaves the others alone. */
static void an_application_that_is_listed_alone_limits_itself_alone(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, HOUR, 0);
    host_add_project(&h, 100);
    host_add_app(&h, 0, 1);
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 8 * HOUR, 8);
    h.projects[0].flags = VCS_PROJECT_APPS_LISTED;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, HOUR, 1);
    host_end(&h);
}

/*
 * 3 CPUs, a share of a ninth. Its only application may run one task at a time and has tasks for 1823.94 s, in a buffer
 * of 1900.8 s: what is left of that is 76.86 s, and not a third of it. B has no new work, and keeps two CPUs busy.
 */
static void an_application_at_its_limit_fills_its_own_buffer(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 3, 1900.8, 0);
    h.projects[host_add_project(&h, 1)].flags = VCS_PROJECT_APPS_LISTED;
    h.projects[host_add_project(&h, 8)].flags = VCS_PROJECT_NO_NEW_WORK;
    host_add_app(&h, 0, 1);
    const double lengths[] = {98.18, 106.28, 161.95, 161.95, 1295.58};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        host_add_task(&h, 0, lengths[i], FOREVER)->app = 0;
    }
    host_add_task(&h, 1, 722, FOREVER);
    host_add_task(&h, 1, 766, FOREVER);
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_string_equal(vcs_reason_name(project_resource_of(&d, 0, 0)->reason), "asked");
    assert_close(project_resource_of(&d, 0, 0)->seconds, 76.86L, 1e-12);
    assert_number(project_resource_of(&d, 0, 0)->instances, 0);
    host_end(&h);
}

/* At most 2 tasks, which last 10 h and 1 h, and a buffer of 2 h: the second place is free for an hour of it. */
static void a_task_longer_than_the_buffer_fills_one_place_in_it(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, 2 * HOUR, 0);
    h.projects[host_add_project(&h, 100)].max_concurrent = 2;
    host_add_task(&h, 0, 10 * HOUR, FOREVER);
    host_add_task(&h, 0, HOUR, FOREVER);
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, HOUR, 0);
    host_add_task(&h, 0, HOUR, FOREVER); /* it came; nothing more fits within the limit */
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_AT_LIMIT);
    host_end(&h);
}

static vcs_task *add_part_of_gpu(test_host *h, double gpus, double remaining) {
    vcs_task *task = add_gpu_task(h, 0, remaining);
    task->gpus = gpus;
    task->app = 0;
    return task;
}

/*
 * Two cards, four tasks on one of them, and 20 of 10,000 s: they use one card for 50,000 s of the buffer of 51,840 s.
 * 1,840 s are left, for which nobody is called while more than the minimum of 8,640 s is at hand: for 41,360 s.
 */
static void a_limit_on_parts_of_gpus_is_filled_to_the_part(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, 8640, 43200);
    host_add_resource(&h, 2, 10);
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_APPS_LISTED;
    host_add_project_resource(&h, 0, 0)->flags = VCS_PROJECT_RESOURCE_NO_APPS;
    host_add_app(&h, 0, 4);
    for (uint32_t i = 0; i < 20; i++) {
        add_part_of_gpu(&h, 0.25, 10000);
    }
    decision d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_ENOUGH);
    assert_int_equal(d.summary.reason, VCS_REASON_ENOUGH);
    assert_number(d.summary.next_check, 41360);
    d = piggyback(&h, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 1840, 0);
    assert_number(d.summary.next_check, 41360);
    h.snapshot.tasks.count = 2; /* two places are free */
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 51840 - 5000, 0.5);
    host_end(&h);
}

/* The project goes first for the cards, but has enough: the other one is called, and it is asked along another time. */
static void who_has_enough_by_its_limit_does_not_keep_others_from_being_called(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, HOUR, HOUR);
    h.projects[host_add_project(&h, 100)].max_concurrent = 1;
    h.projects[host_add_project(&h, 100)].rec = 1e9;
    host_add_task(&h, 0, 1.5 * HOUR, FOREVER)->flags = VCS_TASK_RUNNING;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_not_asked(&d, 0, 0, VCS_REASON_ENOUGH);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED, 2.5 * HOUR, 1);
    host_add_resource(&h, 1, 10); /* a GPU, for which it is called */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 0.5 * HOUR, 0);
    host_end(&h);
}

/* An application with tasks for the CPUs alone does not count for the cards; one without tasks might. */
static void limits_of_applications_count_where_they_have_tasks(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, 8640, 43200);
    host_add_resource(&h, 2, 10);
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_APPS_LISTED;
    host_add_app(&h, 0, 4);
    host_add_app(&h, 0, 4);
    for (uint32_t i = 0; i < 20; i++) {
        add_part_of_gpu(&h, 0.25, 10000);
        host_add_task(&h, 0, 10000, FOREVER)->app = 1;
    }
    decision d = piggyback(&h, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 1840, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 4 * 1840, 0);
    for (uint32_t i = 0; i < 20; i++) {
        h.tasks[2 * i + 1].app = 0;
    }
    d = piggyback(&h, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 2 * 51840 - 50000, 1); /* 8 tasks of a quarter */
    host_end(&h);
}

/* 4 tasks of a project, a quarter and three quarters of a card by turns: on average half of one. CPU tasks likewise. */
static void a_limit_counts_tasks_of_the_average_use(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, 8640, 43200);
    host_add_resource(&h, 4, 10);
    h.projects[host_add_project(&h, 100)].max_concurrent = 4;
    host_add_app(&h, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        add_part_of_gpu(&h, i % 2 == 0 ? 0.25 : 0.75, 10000);
    }
    decision d = piggyback(&h, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 2 * 51840 - 20000, 0);
    h.snapshot.tasks.count = 0;
    h.projects[0].max_concurrent = 3;
    host_add_task(&h, 0, 1800, FOREVER)->cpus = 0.5;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 1.5 * 51840 - 900, 1);
    h.tasks[0].cpus = 0; /* tasks of nothing count as one */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 3 * 51840, 3);
    host_end(&h);
}

/* Declares what tasks of an application use of a resource. */
static vcs_app_resource *declare(test_host *h, uint32_t app, uint32_t resource, double use) {
    vcs_app_resource *of = host_add_app_resource(h, app, resource);
    of->use = use;
    return of;
}

/*
 * Four tasks at a time, each of a quarter of a card, as the application declares: one card for the whole buffer, though
 * no task has come yet, and no CPUs. A task that has come counts for itself.
 */
static void what_applications_declare_counts_before_the_first_task(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, 8640, 43200);
    host_add_resource(&h, 2, 10);
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_APPS_LISTED;
    const uint32_t other = host_add_project(&h, 100); /* of which no application is known at all */
    h.projects[other].flags = VCS_PROJECT_APPS_LISTED;
    h.projects[other].priority_class = -1;
    host_add_app(&h, 0, 4);
    declare(&h, 0, 1, 0.25);
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 51840, 1);
    assert_not_asked(&d, 0, 0, VCS_REASON_NO_APPS);
    assert_not_asked(&d, 1, 0, VCS_REASON_BETTER_PROJECT);
    h.projects[0].flags = 0; /* it may have others */
    h.projects[0].max_concurrent = 4;
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 51840, 1);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 4 * 51840, 4);
    h.projects[0].max_concurrent = 0;
    h.projects[0].flags = VCS_PROJECT_APPS_LISTED;
    host_add_app(&h, 0, 4); /* which may have tasks for anything */
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 2 * 51840, 2);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 4 * 51840, 4);
    declare(&h, 1, 0, 1.5);
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 51840, 1);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 6 * 51840, 6);
    add_part_of_gpu(&h, 0.125, 8640); /* four like this one use half a card */
    d = piggyback(&h, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 0.5 * 51840 - 0.125 * 8640, 0.375);
    host_end(&h);
}

/* Parts of a card and a whole one: one task may use a card, and under a limit of 1.5 that is what counts. */
static void of_several_declared_uses_the_greatest_counts(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, 8640, 43200);
    host_add_resource(&h, 2, 10);
    host_add_project(&h, 100);
    host_add_app(&h, 0, 0);
    host_add_app(&h, 0, 0);
    host_add_app(&h, 0, 0);
    declare(&h, 0, 1, 1);
    declare(&h, 1, 1, 0.5);
    declare(&h, 2, 1, 0.75);
    h.projects[0].max_concurrent = 1;
    decision d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 51840, 1);
    h.projects[0].max_concurrent = 0;
    host_add_project_resource(&h, 0, 1)->max_instances = 1.5;
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 1.5 * 51840, 1.5);
    h.app_resources[1].use = h.app_resources[2].use = 1; /* whole cards: one */
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 51840, 1);
    host_end(&h);
}

/* 3 CPUs and tasks of 2 CPUs for 5 days: one CPU is idle, and another project is asked for a task for it. */
static void an_instance_that_no_queued_task_fits_wants_another(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 3, DAY, 0);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    for (uint32_t i = 0; i < 5; i++) {
        host_add_task(&h, 0, DAY, FOREVER)->cpus = 2;
    }
    h.tasks[0].flags = VCS_TASK_RUNNING;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED, DAY, 1.5); /* its share */
    assert_not_asked(&d, 0, 0, VCS_REASON_WAITS_FOR_FIT);
    host_end(&h);
}

/*
 * 8 CPUs: one is busy for another hour, and an 8-CPU task of A, 2 h long, waits for it. A is not asked to fill the
 * other 7, B is. When A's work is down to the minimum buffer it is asked again, for what lies behind its last task.
 */
static void a_project_whose_task_waits_for_fit_is_not_asked_to_fill_the_rest(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, HOUR, 9 * HOUR);
    host_add_project(&h, 100);
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_NO_NEW_WORK;
    host_add_task(&h, 1, HOUR, FOREVER)->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    h.projects[0].rec = 1; /* so that B's task goes first */
    host_add_task(&h, 0, 2 * HOUR, FOREVER)->cpus = 8;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_WAITS_FOR_FIT);
    assert_number(d.summary.next_check, 2 * HOUR); /* its last task ends in 3 h, and the minimum is 1 h */
    h.projects[1].flags = 0;
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED, 7 * HOUR + 7 * 8 * HOUR, 7);
    h.projects[1].flags = VCS_PROJECT_NO_NEW_WORK;
    h.parameters.min_buffer = 3 * HOUR; /* exactly */
    h.parameters.additional_buffer = 7 * HOUR;
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 7 * 8 * HOUR, 0);
    h.tasks[1].cpus = 9; /* which never fits, so nobody waits for it */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 7 * HOUR + 9 * 8 * HOUR, 8);
    host_end(&h);
}

/*
 * 3 CPUs. A's tasks use all three, B's two of them, an hour each, and they take turns: while one of B's runs, a CPU is
 * idle. The simulation begins with A, so that is an hour away, within the minimum buffer of two. But neither is asked
 * for it: each has a task that would not fit on one CPU. Their last one ends in 4 h. C has no task, and is asked.
 */
static void nor_is_it_asked_for_what_will_be_idle_beside_its_task(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 3, 2 * HOUR, 3 * HOUR);
    host_add_project(&h, 100);
    h.projects[host_add_project(&h, 100)].rec = 1;
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_NO_NEW_WORK;
    for (uint32_t i = 0; i < 4; i++) {
        host_add_task(&h, i % 2, HOUR, FOREVER)->cpus = i % 2 == 0 ? 3 : 2;
    }
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_not_asked(&d, 0, 0, VCS_REASON_WAITS_FOR_FIT);
    assert_not_asked(&d, 1, 0, VCS_REASON_WAITS_FOR_FIT);
    h.projects[2].flags = 0;
    d = choose(&h);
    assert_int_equal(d.summary.project, 2);
    host_end(&h);
}

/* ---- What the choice of tasks leaves idle (rule 6.3) ---- */

static decision choose_after_schedule(test_host *h) {
    return ask(h, NULL, true);
}

/*
 * 4 CPUs. A task of A has been running on one for ten minutes, so its slice lasts; B's uses all four. By the simulation
 * it is B's turn, and all are busy for 10 h. But A's task keeps its CPU for now, and the other three are idle. B's own
 * task waits for them, and more of A's would make it wait longer. C, a backup project, is asked for a task for each.
 */
static void begin_with_three_left(test_host *h) {
    begin(h, 4, HOUR, HOUR);
    h->parameters.hold = 0; /* else the simulation knows that slices last, and A's yields */
    for (uint32_t p = 0; p < 3; p++) {
        host_add_project(h, 100);
    }
    h->projects[0].rec = 1e6;
    vcs_task *task = host_add_task(h, 0, 10 * HOUR, FOREVER);
    task->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = h->now - 600;
    host_add_task(h, 1, 10 * HOUR, FOREVER)->cpus = 4;
    h->projects[2].share = 0;
}

static void what_the_choice_leaves_idle_is_asked_of_a_backup_project(void **unused) {
    (void)unused;
    test_host h;
    begin_with_three_left(&h);
    decision d = choose(&h); /* as far as the simulation sees */
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_not_asked(&d, 2, 0, VCS_REASON_FULL);
    d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, 2);
    assert_project_resource(&d, 2, 0, VCS_REASON_ASKED, 3, 3);
    assert_not_asked(&d, 0, 0, VCS_REASON_FULL);
    assert_not_asked(&d, 1, 0, VCS_REASON_FULL);
    host_add_task(&h, 0, HOUR, FOREVER)->flags = VCS_TASK_DOWNLOADING; /* it will take one of the three */
    d = choose_after_schedule(&h);
    assert_project_resource(&d, 2, 0, VCS_REASON_ASKED, 2, 2);
    h.projects[2].max_concurrent = 1;
    d = choose_after_schedule(&h);
    assert_project_resource(&d, 2, 0, VCS_REASON_ASKED, 1, 1);
    h.projects[2].max_concurrent = 0;
    host_add_task(&h, 2, HOUR, FOREVER)->cpus = 4; /* it waits, as another one might */
    d = choose_after_schedule(&h);
    assert_not_asked(&d, 2, 0, VCS_REASON_WAITS_FOR_FIT);
    host_end(&h);
}

/*
 * The same where a project is called anyway, and with D, a second backup project: the first of both is asked, and only
 * if it is the one that is called.
 */
static void what_is_left_idle_is_asked_of_the_first_backup_project(void **unused) {
    (void)unused;
    test_host h;
    begin_with_three_left(&h);
    h.projects[host_add_project(&h, 100)].share = 0;
    decision d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, 2);
    assert_not_asked(&d, 3, 0, VCS_REASON_BETTER_PROJECT);
    vcs_fetch_question question = {.struct_size = sizeof question, .purpose = VCS_FETCH_PIGGYBACK, .project = 2};
    d = ask(&h, &question, true);
    assert_project_resource(&d, 2, 0, VCS_REASON_ASKED, 3, 3);
    question.project = 3;
    d = ask(&h, &question, true);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_BETTER_PROJECT);
    question.project = 0;
    d = ask(&h, &question, true);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_FULL);
    host_add_resource(&h, 1, 10); /* a card, for which only C has applications */
    for (uint32_t p = 0; p < 4; p++) {
        host_add_project_resource(&h, p, 1)->flags = p == 2 ? 0 : VCS_PROJECT_RESOURCE_NO_APPS;
    }
    d = choose_after_schedule(&h);
    assert_project_resource(&d, 2, 1, VCS_REASON_ASKED, 1, 1);
    assert_project_resource(&d, 2, 0, VCS_REASON_ASKED_ALONG, 3, 3);
    host_end(&h);
}

/*
 * 6 CPUs without a task, and 4 cards: a task of half a card runs on each, and whole ones wait beside them. So the
 * choice leaves half of each card idle, though the simulation sees them in use for 6,000 s and more, longer than the
 * minimum of 1,800 s. Of the 4 * 37,800 s in the buffer the halves use 12,000 s and the whole ones 90,000 s. A is
 * called for the CPUs, and asked for the rest along with them.
 */
static void what_is_left_idle_takes_nothing_from_others(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 6, 1800, 36000);
    host_add_resource(&h, 4, 10);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    for (uint32_t i = 0; i < 4; i++) {
        vcs_task *task = add_gpu_task(&h, 0, 6000);
        task->gpus = 0.5;
        task->flags = VCS_TASK_RUNNING | VCS_TASK_UNINTERRUPTIBLE; /* of which the simulation knows nothing */
        task->devices = UINT64_C(1) << i;
        task->running_since = h.now - 2 * HOUR;
    }
    for (uint32_t i = 0; i < 3; i++) {
        add_gpu_task(&h, 1, 30000);
    }
    decision d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 6 * 37800.0, 6);
    assert_int_equal(project_resource_of(&d, 0, 1)->reason, VCS_REASON_ASKED_ALONG);
    const double lacking = project_resource_of(&d, 0, 1)->seconds;
    assert_number(lacking, 4 * 37800.0 - 12000 - 90000);
    h.projects[host_add_project(&h, 0)].priority_class = -1; /* for the cards, a backup project is called */
    d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, 2);
    assert_project_resource(&d, 2, 1, VCS_REASON_ASKED, 2, 2);
    assert_not_asked(&d, 0, 1, VCS_REASON_ENOUGH); /* not full */
    assert_not_asked(&d, 0, 0, VCS_REASON_BETTER_PROJECT);
    host_add_project_resource(&h, 2, 1)->backoff_until = h.now + 700; /* which it may not be now */
    d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED_ALONG, lacking, 0);
    for (uint32_t p = 0; p < 3; p++) { /* nobody is called for the CPUs */
        host_add_project_resource(&h, p, 0)->flags = VCS_PROJECT_RESOURCE_NO_APPS;
    }
    d = choose_after_schedule(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_BACKED_OFF);
    assert_number(d.summary.next_check, 700);
    h.snapshot.projects.count = 2;
    h.snapshot.project_resources.count = 0;
    const vcs_fetch_question question = {.struct_size = sizeof question, .purpose = VCS_FETCH_PIGGYBACK};
    d = ask(&h, &question, true);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, lacking, 0);
    host_end(&h);
}

/* Nobody can be asked now: the next look is when C's backoff ends, not at once again and again. */
static void the_next_check_knows_what_is_left_idle(void **unused) {
    (void)unused;
    test_host h;
    begin_with_three_left(&h);
    host_add_project_resource(&h, 2, 0)->backoff_until = h.now + 700;
    decision d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_number(d.summary.next_check, 700);
    host_end(&h);
}

/*
 * As before, but B's task ends in half an hour: less than the minimum buffer of an hour is at hand, and A and B may not
 * be asked. For that C is not asked either, since by the simulation nothing is idle; but for the three that are.
 */
static void a_backup_project_is_asked_where_nobody_else_can_be(void **unused) {
    (void)unused;
    test_host h;
    begin_with_three_left(&h);
    h.projects[0].flags = h.projects[1].flags = VCS_PROJECT_NO_NEW_WORK;
    h.tasks[1].remaining = HOUR / 2;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    d = choose_after_schedule(&h);
    assert_project_resource(&d, 2, 0, VCS_REASON_ASKED, 3, 3);
    h.projects[2].max_concurrent = 1; /* and its one task runs */
    vcs_task *task = host_add_task(&h, 2, 10 * HOUR, FOREVER);
    task->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = h.now - 600;
    d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    host_end(&h);
}

/* Two of 3 bytes run where there are 7, and a third waits for memory: more tasks would do so too. */
static void where_memory_is_short_nobody_is_asked_for_the_rest(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, HOUR, HOUR);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    h.host.ram = 7;
    for (uint32_t i = 0; i < 4; i++) {
        host_add_task(&h, 0, 10 * HOUR, FOREVER)->ram = 3;
    }
    decision d = choose_after_schedule(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_not_asked(&d, 1, 0, VCS_REASON_FULL);
    host_end(&h);
}

/* Once more with a limit: then it is not the fit that holds A's task back, and A is at its limit. */
static void a_task_that_waits_for_a_limit_does_not_wait_for_fit(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, HOUR, 9 * HOUR);
    h.projects[host_add_project(&h, 100)].max_concurrent = 1;
    host_add_task(&h, 0, 10 * HOUR, FOREVER);
    host_add_task(&h, 0, 2 * HOUR, FOREVER);
    decision d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_AT_LIMIT);
    host_end(&h);
}

/*
 * 2 CPUs. One is idle for 100 s, until a task of two CPUs has room for two days: that is little of a buffer of a day,
 * but a whole instance. B is asked for it.
 */
static void a_whole_instance_that_is_idle_is_never_little(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, HOUR, 23 * HOUR);
    h.parameters.least_shortfall = 0.02;
    host_add_project(&h, 100);
    h.projects[0].rec = 1;
    host_add_project(&h, 100);
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_NO_NEW_WORK;
    host_add_task(&h, 0, 2 * DAY, FOREVER)->cpus = 2;
    vcs_task *task = host_add_task(&h, 2, 100, FOREVER);
    task->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED, 100, 1);
    host_end(&h);
}

/*
 * One of 2 CPUs is idle, and the one task of a project fills its limit for two hours, longer than the minimum buffer of
 * one: it has enough. By the study's rules it is asked for the rest of the buffer.
 */
static void by_the_study_a_limited_project_never_has_enough(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, HOUR, 9 * HOUR);
    h.projects[host_add_project(&h, 100)].max_concurrent = 1;
    host_add_task(&h, 0, 2 * HOUR, FOREVER);
    decision d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_ENOUGH);
    h.parameters.work_fetch = VCS_WORK_FETCH_WF2;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 8 * HOUR, 0);
    host_end(&h);
}

/* The share of 3 : 1 of 8 CPUs is 6; 2 of its tasks run. 1 is idle: the project is still due 4. */
static void a_share_is_asked_for_to_the_fraction(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, HOUR, 0);
    host_add_project(&h, 300);
    host_add_project(&h, 100);
    for (uint32_t i = 0; i < 7; i++) {
        host_add_task(&h, i < 2 ? 0 : 1, 10 * HOUR, FOREVER)->flags = VCS_TASK_RUNNING;
    }
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, HOUR, 4);
    h.tasks[0].cpus = 1.5; /* due 6 - 2.5 = 3.5 */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 0.5 * HOUR, 3.5);
    h.tasks[0].cpus = 1;
    h.projects[0].share = 200; /* 2/7 of 8 */
    h.projects[1].share = 500;
    for (uint32_t i = 0; i < 2; i++) {
        h.tasks[i].project = 1;
    }
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_true(fabs(project_resource_of(&d, 0, 0)->instances - 16.0 / 7) < 0x1p-20); /* 2.29 */
    host_end(&h);
}

/* With no buffer at all, an idle CPU still wants a task: a second for each. */
static void an_empty_buffer_asks_a_second_for_each_idle_instance(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, 0, 0);
    host_add_project(&h, 100);
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 4, 4);
    h.projects[0].max_concurrent = 3;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 3, 3);
    for (uint32_t i = 0; i < 4; i++) {
        host_add_task(&h, 0, HOUR, FOREVER)->flags = VCS_TASK_RUNNING;
    }
    d = choose(&h); /* 3 of them run, the fourth CPU is idle */
    assert_not_asked(&d, 0, 0, VCS_REASON_AT_LIMIT);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_AT_LIMIT);
    host_end(&h);
}

/* 100 s of work on each of 4 CPUs, and no buffer: the minimum counts as 180 s, of which 4 * 80 are missing. */
static void a_minimum_counts_as_three_minutes_at_least(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, 0, 0);
    host_add_project(&h, 100);
    for (uint32_t i = 0; i < 4; i++) {
        host_add_task(&h, 0, 100, FOREVER)->flags = VCS_TASK_RUNNING;
    }
    decision d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_FULL);
    h.parameters.least_buffer = 180;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 320, 0);
    h.parameters.additional_buffer = 86.4; /* a thousandth of a day; the additional one comes on top */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 4 * (80 + 86.4), 0);
    for (uint32_t i = 0; i < 4; i++) {
        h.tasks[i].remaining = 200;
    }
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_ENOUGH);
    assert_number(d.summary.next_check, 20);
    h.parameters.work_fetch = VCS_WORK_FETCH_ORIGINAL;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 4 * 66.4, 0);
    h.parameters.work_fetch = VCS_WORK_FETCH_CURRENT;
    h.parameters.min_buffer = 190; /* more than that counts as it is */
    d = choose(&h);
    assert_number(d.summary.next_check, 10);
    h.parameters.min_buffer = h.parameters.additional_buffer = 0;
    h.projects[0].share = 0; /* a backup project is asked once less than its lead time is left */
    h.parameters.backup_lead = 150;
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_FULL);
    assert_number(d.summary.next_check, 50);
    for (uint32_t i = 0; i < 4; i++) {
        h.tasks[i].remaining = 150;
    }
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 4, 4);
    host_end(&h);
}

static void wacky_estimates_are_asked_for_a_second(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, HOUR, 0);
    host_add_project(&h, 100);
    const double sane[] = {0, 0.02, 1, 80};
    const double wacky[] = {0.019, 80.1, 100};
    for (size_t i = 0; i < COUNT_OF(sane); i++) {
        h.projects[0].dcf = sane[i];
        decision d = choose(&h);
        assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 4 * HOUR, 4);
    }
    for (size_t i = 0; i < COUNT_OF(wacky); i++) {
        h.projects[0].dcf = wacky[i];
        decision d = choose(&h);
        assert_int_equal(d.summary.reason, VCS_REASON_ASKED);
        assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_LITTLE, 1, 1);
    }
    host_end(&h);
}

/* ---- GPUs ---- */

/*
 * A may use the first GPU alone, B the second. What is short is asked of each by the part of the GPUs that it may use:
 * of A half of 2 days, then of B half of the day that is left. When both have a task for a day, that is all.
 */
static void exclusions_feed_both_gpus_and_no_more(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    host_add_resource(&h, 2, 10);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    host_add_project_resource(&h, 0, 1)->excluded = 2;
    host_add_project_resource(&h, 1, 1)->excluded = 1;
    host_add_project_resource(&h, 0, 0)->flags = VCS_PROJECT_RESOURCE_NO_APPS;
    host_add_project_resource(&h, 1, 0)->flags = VCS_PROJECT_RESOURCE_NO_APPS;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, DAY, 1);
    add_gpu_task(&h, 0, DAY); /* it came */
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project_resource(&d, 1, 1, VCS_REASON_ASKED, 0.5 * DAY, 1);
    assert_not_asked(&d, 0, 1, VCS_REASON_EXCLUDED);
    add_gpu_task(&h, 1, DAY);
    d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_not_asked(&d, 0, 1, VCS_REASON_EXCLUDED); /* both have just what their GPU can run in the buffer */
    assert_not_asked(&d, 1, 1, VCS_REASON_EXCLUDED);
    host_end(&h);
}

static void a_suspended_gpu_is_asked_nothing(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    host_add_resource(&h, 2, 10);
    h.resources[1].flags = VCS_RESOURCE_SUSPENDED;
    host_add_project(&h, 100);
    decision d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_RESOURCE_SUSPENDED);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, DAY, 1);
    host_end(&h);
}

/* GPU types from the last to the CPU choose the project; its other best resources are asked too (rule 3.3). */
static void one_call_covers_all_that_the_project_is_best_for(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    host_add_resource(&h, 2, 10);
    host_add_project(&h, 300);
    host_add_project(&h, 100);
    h.projects[0].rec = 1; /* so that the second one goes first */
    host_add_project_resource(&h, 1, 0)->backoff_until = 1000;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project_resource(&d, 1, 1, VCS_REASON_ASKED, 2 * DAY, 2);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED_ALONG, DAY, 1); /* backed off, but called anyway */
    assert_not_asked(&d, 0, 1, VCS_REASON_BETTER_PROJECT);
    assert_not_asked(&d, 0, 0, VCS_REASON_BETTER_PROJECT);
    assert_int_equal(project_resource_of(&d, 0, 0)->better, 1);
    host_add_project_resource(&h, 1, 1)->backoff_until = 1000; /* for both: the other one is called */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, DAY, 1);
    assert_not_asked(&d, 1, 0, VCS_REASON_BACKED_OFF);
    assert_number(project_resource_of(&d, 1, 0)->wait, 1000);
    assert_true(project_resource_of(&d, 1, 0)->priority == -FOREVER);
    host_end(&h);
}

/* Local accounting: each project has had one resource, so it goes first for the other. The GPU decides on the call. */
static void local_accounting_ranks_by_resource(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    h.parameters.accounting = VCS_ACCOUNTING_LOCAL;
    host_add_resource(&h, 1, 10);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    host_add_project_resource(&h, 0, 0)->rec = 10;
    host_add_project_resource(&h, 1, 1)->rec = 10;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, DAY, 1);
    assert_not_asked(&d, 0, 0, VCS_REASON_BETTER_PROJECT);
    assert_int_equal(project_resource_of(&d, 0, 0)->better, 1);
    /* project 1 is the best for the CPU, but the call goes to project 0 */
    assert_not_asked(&d, 1, 0, VCS_REASON_BETTER_PROJECT);
    assert_int_equal(project_resource_of(&d, 1, 0)->better, 0);
    /* -(10 / 10) / (100 / 200) = -2 */
    assert_number(project_resource_of(&d, 0, 0)->priority, -2);
    assert_number(project_resource_of(&d, 0, 1)->priority, 0);
    host_end(&h);
}

/* ---- Whom ---- */

/*
 * One CPU of 1 GFLOPS, a buffer of a day; an hour is left of the task of A. Its priority is -(3 / 4) / (2 / 3) less
 * 1 / 24 of a buffer, that of B -(1 / 4) / (1 / 3).
 */
static void priority_counts_what_is_queued(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    host_add_project(&h, 200);
    host_add_project(&h, 100);
    h.projects[0].rec = 3;
    h.projects[1].rec = 1;
    host_add_task(&h, 0, HOUR, FOREVER);
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_close(project_resource_of(&d, 0, 0)->priority, -9.0L / 8 - 1.0L / 24, 1e-15);
    assert_close(project_resource_of(&d, 1, 0)->priority, -3.0L / 4, 1e-15);
    h.projects[0].rec = 2; /* -(2/3) / (2/3) - 1/24 against -(1/3) / (1/3): the queue alone decides */
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    host_end(&h);
}

static void classes_go_before_shares_and_shares_before_none(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    host_add_project(&h, 1000);
    host_add_project(&h, 1);
    host_add_project(&h, 0);
    h.projects[1].rec = 1e6;
    h.projects[1].priority_class = 1;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    h.projects[2].priority_class = 2; /* a backup project of a higher class, and an idle CPU */
    d = choose(&h);
    assert_int_equal(d.summary.project, 2);
    host_add_task(&h, 0, HOUR, FOREVER); /* which is now busy for longer than the lead time */
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_not_asked(&d, 2, 0, VCS_REASON_BACKUP);
    h.projects[1].priority_class = h.projects[2].priority_class = 0;
    h.snapshot.tasks.count = 0;
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    h.projects[0].id = 20; /* equal: the lower id */
    h.projects[1].id = 10;
    h.projects[1].share = 1000;
    h.projects[1].rec = 0;
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_number(signbit(project_resource_of(&d, 1, 0)->priority) ? 1 : 0, 0); /* 0, not -0 */
    host_end(&h);
}

static void other_rankings(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    h.parameters.ranking = VCS_RANK_RESOURCE_DEBT;
    h.projects[0].exp_avg_cpu = 50;
    h.projects[1].exp_avg_cpu = 200;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_number(project_resource_of(&d, 0, 0)->priority, 2);
    h.projects[1].exp_avg_cpu = 0; /* never ran */
    h.projects[1].share = 1e-3;
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    h.parameters.ranking = VCS_RANK_DEBT;
    h.projects[0].long_term_debt = -7;
    h.projects[1].long_term_debt = -8;
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_number(project_resource_of(&d, 0, 0)->priority, -7);
    host_end(&h);
}

/* ---- What is no reason to call (rule 6.3) ---- */

/*
 * Two GPUs, and 6 days of work for them. One task of half a GPU ends after 4,000 s, and until then the other half of it
 * is idle: 2,000 s are missing of 2 * 51,840, less than 2 %. Nobody is called for that, though the gap is near.
 */
static void begin_with_a_gap(test_host *h) {
    begin(h, 1, 8640, 43200);
    h->parameters.least_shortfall = 0.02;
    host_add_resource(h, 2, 10);
    host_add_project(h, 100);
    host_add_project(h, 100);
    host_add_task(h, 1, 10 * DAY, FOREVER);
    vcs_task *half = add_gpu_task(h, 0, 4000);
    half->gpus = 0.5;
    half->received = -1;
    for (uint32_t i = 0; i < 12; i++) {
        add_gpu_task(h, 1, 43200);
    }
}

static void little_that_is_missing_is_no_reason_to_call(void **unused) {
    (void)unused;
    test_host h;
    begin_with_a_gap(&h);
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_LITTLE_MISSING);
    assert_not_asked(&d, 0, 1, VCS_REASON_LITTLE_MISSING);
    assert_not_asked(&d, 0, 0, VCS_REASON_FULL);
    /* One GPU is busy for 6 * 43,200 s, and the other 4,000 s longer: when it is idle is also when enough is missing.
       That is known 8,640 s before. */
    assert_number(d.summary.next_check, 6 * 43200 - 8640);
    d = piggyback(&h, 0); /* it is called anyway */
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 2000, 0.5);
    h.tasks[0].remaining = HOUR; /* or for the CPU */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED_ALONG, 2000, 0.5);
    h.tasks[0].remaining = 10 * DAY;
    h.tasks[1].remaining = 4200; /* 2,100 of 2,073.6 */
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 2100, 0.5);
    h.parameters.least_shortfall = 0.03;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_LITTLE_MISSING);
    h.parameters.work_fetch = VCS_WORK_FETCH_ORIGINAL;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_LITTLE_MISSING);
    h.parameters.simulation_effort = 1; /* stopped at once, it does not know what is missing */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    host_end(&h);
}

/* A backup project does not get half a GPU either, unless any shortfall is enough. */
static void nor_is_a_backup_project_called_for_little(void **unused) {
    (void)unused;
    test_host h;
    begin_with_a_gap(&h);
    h.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    h.projects[host_add_project(&h, 0)].id = 3;
    decision d = choose_after_schedule(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_LITTLE_MISSING);
    h.parameters.least_shortfall = 0;
    d = choose_after_schedule(&h);
    assert_project_resource(&d, 2, 1, VCS_REASON_ASKED, 0.5, 0.5);
    host_end(&h);
}

/* 40 CPUs: 2 % of what they do is most of a buffer of one, which is not to run dry. So half of that counts. */
static void no_instance_runs_dry_for_little(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 40, 1000, 9000);
    h.parameters.least_shortfall = 0.02;
    host_add_project(&h, 100);
    for (uint32_t i = 0; i < 40; i++) {
        host_add_task(&h, 0, i < 39 ? 20000 : 1000, FOREVER)->flags = VCS_TASK_RUNNING;
    }
    decision d = choose(&h); /* one CPU lacks 9,000 of 10,000 s */
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 9000, 0);
    h.parameters.min_buffer = 6000;
    h.parameters.additional_buffer = 4000;
    h.tasks[39].remaining = 5500; /* 4,500 of 5,000, which are missing 500 s later */
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_LITTLE_MISSING);
    assert_number(d.summary.next_check, 500);
    h.tasks[39].remaining = 5000; /* exactly */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 5000, 0);
    h.snapshot.tasks.count = 39; /* an instance that is idle is always reason, however little that is */
    h.parameters.least_shortfall = 1;
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    host_end(&h);
}

/* One CPU and no additional buffer: it is called once 2 % of the buffer are missing, not for each second. */
static void a_buffer_without_room_is_filled_by_parts(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, 10000, 0);
    h.parameters.least_shortfall = 0.02;
    host_add_project(&h, 100);
    host_add_task(&h, 0, 9900, FOREVER)->flags = VCS_TASK_RUNNING;
    decision d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_LITTLE_MISSING);
    assert_number(d.summary.next_check, 100);
    h.tasks[0].remaining = 9800;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 200, 0);
    host_end(&h);
}

/* ---- Backup projects (rule 6.5) ---- */

/* Three tasks of 1 CPU run; that of 7 CPUs, which came later, does not fit. 5 CPUs are idle. */
static void a_backup_project_fills_what_is_idle(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, DAY, 0);
    host_add_project(&h, 100);
    host_add_project(&h, 0);
    for (uint32_t i = 0; i < 3; i++) {
        host_add_task(&h, 0, DAY, FOREVER)->flags = VCS_TASK_RUNNING;
    }
    host_add_task(&h, 0, DAY, FOREVER)->cpus = 7;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 1); /* the task of the other one waits until it fits */
    h.tasks[3].cpus = 6;
    h.tasks[3].project = 1;
    d = choose(&h);
    assert_int_equal(d.summary.project, 0); /* the one with a share goes first */
    h.tasks[3].project = 0;
    h.projects[0].flags = VCS_PROJECT_NO_NEW_WORK;
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED, 5, 5);
    assert_not_asked(&d, 0, 0, VCS_REASON_NO_NEW_WORK);
    host_end(&h);
}

/* 300 s between calls and tasks of 120 s: with one task a call, 31 of 32 CPUs would be idle for ever. */
static void a_backup_project_fills_all_instances_in_one_call(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 32, HOUR, 0);
    host_add_project(&h, 0);
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 32, 32);
    host_end(&h);
}

/* 4 CPUs busy for 100, 100, 150 and 1000 s. */
static void a_backup_project_is_asked_within_the_lead_time(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, HOUR, 0);
    host_add_project(&h, 0);
    const double lengths[] = {100, 100, 150, 1000};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        host_add_task(&h, 0, lengths[i], FOREVER)->flags = VCS_TASK_RUNNING;
    }
    decision d = choose(&h); /* lead time 180 s: 3 of them will be idle by then */
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 3, 3);
    h.parameters.backup_lead = 90;
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_BACKUP);
    assert_int_equal(d.summary.reason, VCS_REASON_BACKUP);
    assert_number(d.summary.next_check, 10); /* the first is idle in 100 s */
    h.parameters.backup_lead = 100;          /* exactly */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 2, 2);
    h.parameters.backup_lead = 99.9999; /* at least a second */
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_BACKUP);
    assert_number(d.summary.next_check, 1);
    h.parameters.backup_lead = 0; /* none before one is idle */
    h.parameters.look_interval = 0;
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_BACKUP);
    assert_number(d.summary.next_check, 100);
    host_end(&h);
}

/* ---- The next check (rule 6.10) ---- */

/* One CPU with work for 3 hours; minimum buffer 2 h, additional 10 h. */
static void current_waits_for_the_minimum_and_original_does_not(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, 2 * HOUR, 10 * HOUR);
    host_add_project(&h, 100);
    host_add_task(&h, 0, 3 * HOUR, FOREVER)->flags = VCS_TASK_RUNNING;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_ENOUGH);
    assert_not_asked(&d, 0, 0, VCS_REASON_ENOUGH);
    assert_number(d.summary.next_check, HOUR);
    h.parameters.work_fetch = VCS_WORK_FETCH_ORIGINAL;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 9 * HOUR, 0);
    assert_number(d.summary.next_check, 60);
    h.parameters.work_fetch = VCS_WORK_FETCH_CURRENT;
    h.tasks[0].remaining = 1.5 * HOUR; /* below the minimum: up to the whole buffer */
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 10.5 * HOUR, 0);
    h.tasks[0].remaining = 13 * HOUR;
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_FULL);
    assert_int_equal(d.summary.reason, VCS_REASON_FULL);
    assert_number(d.summary.next_check, 11 * HOUR);
    h.parameters.work_fetch = VCS_WORK_FETCH_ORIGINAL;
    d = choose(&h);
    assert_number(d.summary.next_check, HOUR);
    host_end(&h);
}

/* One CPU with work for exactly the minimum buffer of 2 h; for exactly the whole one of 12 h. */
static void a_threshold_met_exactly_counts_as_crossed(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, 2 * HOUR, 10 * HOUR);
    host_add_project(&h, 100);
    host_add_task(&h, 0, 2 * HOUR, FOREVER)->flags = VCS_TASK_RUNNING;
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 10 * HOUR, 0);
    h.tasks[0].remaining = 12 * HOUR;
    h.parameters.work_fetch = VCS_WORK_FETCH_ORIGINAL;
    d = choose(&h); /* nothing is short yet: a second, so that the answer changes now */
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 1, 0);
    h.tasks[0].remaining += 0.5;
    d = choose(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_FULL);
    assert_number(d.summary.next_check, 1);
    h.tasks[0].remaining -= 4;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 3.5, 0);
    host_end(&h);
}

/* What keeps a project from being asked is looked at again when it ends, and not before there is something to ask. */
static void a_wait_counts_once_work_is_needed(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, 2 * HOUR, 0);
    host_add_project(&h, 100);
    host_add_task(&h, 0, 3 * HOUR, FOREVER)->flags = VCS_TASK_RUNNING;
    h.projects[0].min_rpc_time = 1000;
    decision d = choose(&h);
    assert_number(d.summary.next_check, HOUR); /* the wait is over by then */
    h.projects[0].min_rpc_time = 2 * HOUR;
    d = choose(&h);
    assert_number(d.summary.next_check, 2 * HOUR);
    host_add_project_resource(&h, 0, 0)->backoff_until = 2.5 * HOUR;
    d = choose(&h);
    assert_number(d.summary.next_check, 2.5 * HOUR);
    h.projects[0].wait = VCS_WAIT_MASTER_FILE; /* nobody can be asked, however long it waits */
    d = choose(&h);
    assert_int_equal(project_resource_of(&d, 0, 0)->reason, VCS_REASON_MASTER_FILE);
    assert_true(d.summary.next_check == FOREVER);
    host_end(&h);
}

/* At most 2 tasks at once on 4 CPUs, buffer 2 h. Two CPUs are idle, but there is nothing to ask before a place is. */
static void a_limited_project_is_looked_at_when_its_limits_allow(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, 2 * HOUR, 0);
    h.projects[host_add_project(&h, 100)].max_concurrent = 2;
    host_add_task(&h, 0, 10 * HOUR, FOREVER);
    host_add_task(&h, 0, 5 * HOUR, FOREVER);
    decision d = choose(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_AT_LIMIT);
    assert_number(d.summary.next_check, 3 * HOUR); /* in 3 h the shorter one has 2 h left */
    h.tasks[1].remaining = 0.75 * HOUR;            /* and two more of them wait: the last one ends in 2.25 h */
    host_add_task(&h, 0, 0.75 * HOUR, FOREVER);
    host_add_task(&h, 0, 0.75 * HOUR, FOREVER);
    d = choose(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_AT_LIMIT);
    assert_number(d.summary.next_check, 0.25 * HOUR);
    host_end(&h);
}

/*
 * 8 CPUs. A's task is done with one in 100 s; B, a backup project, has one of 50 s that waits for all of them, and ends
 * within the lead time. As long as B's task waits B is not asked, whatever its limit still allows, and no time of its
 * own makes it so. The next look is for the GPU, where B's task ends in 2 h: the lead time before that.
 */
static void no_limit_is_waited_for_where_a_task_waits_for_fit(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8, HOUR, 0);
    host_add_resource(&h, 1, 10);
    h.projects[host_add_project(&h, 100)].flags = VCS_PROJECT_NO_NEW_WORK;
    h.projects[host_add_project(&h, 0)].max_concurrent = 4;
    host_add_task(&h, 0, 100, FOREVER)->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    host_add_task(&h, 1, 50, FOREVER)->cpus = 8;
    add_gpu_task(&h, 1, 2 * HOUR);
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_not_asked(&d, 1, 0, VCS_REASON_WAITS_FOR_FIT);
    assert_number(d.summary.next_check, 2 * HOUR - 180);
    host_end(&h);
}

/*
 * Kept by mistake, the answer to a question about a call that is made anyway does no harm: it says when to ask whom to
 * call. Project 0 is called, is full at its limit and has nothing to say for an hour; project 1 is to be asked now.
 */
static void a_call_for_another_reason_tells_when_to_choose(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, 2 * HOUR, 10 * HOUR);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    h.projects[0].max_concurrent = 1;
    host_add_task(&h, 0, 20 * HOUR, FOREVER)->flags = VCS_TASK_RUNNING;
    decision d = piggyback(&h, 0);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_number(d.summary.next_check, 1); /* a CPU is idle, and the other project could fill it */
    h.projects[1].min_rpc_time = 500;
    d = piggyback(&h, 0);
    assert_number(d.summary.next_check, 500);
    d = piggyback(&h, 1); /* it is called though it is deferred; chosen it would be when that is over */
    assert_int_equal(d.summary.project, 1);
    assert_number(d.summary.next_check, 500);
    host_end(&h);
}

static void looks_again_when_a_wait_is_over(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, 2 * HOUR, 0);
    h.now = 1e6;
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    h.projects[0].min_rpc_time = 1e6 + 500;
    host_add_project_resource(&h, 1, 0)->backoff_until = 1e6 + 200;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_NO_PROJECT); /* they have no reason in common */
    assert_not_asked(&d, 0, 0, VCS_REASON_DEFERRED);
    assert_number(project_resource_of(&d, 0, 0)->wait, 500);
    assert_not_asked(&d, 1, 0, VCS_REASON_BACKED_OFF);
    assert_number(d.summary.next_check, 200);
    h.project_resources[0].backoff_until = 1e6 + 20;
    d = choose(&h);
    assert_number(d.summary.next_check, 20);
    h.project_resources[0].backoff_until = 1e6 + 0.2;
    d = choose(&h);
    assert_number(d.summary.next_check, 1);     /* at least */
    h.project_resources[0].backoff_until = 1e6; /* it is over */
    d = choose(&h);
    assert_int_equal(d.summary.project, 1);
    host_end(&h);
}

/* ---- A call that is made anyway (rule 6.4) ---- */

static void a_call_for_another_reason_asks_if_it_is_the_best(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, 2 * HOUR, 10 * HOUR);
    host_add_project(&h, 100);
    host_add_project(&h, 100);
    host_add_task(&h, 0, 3 * HOUR, FOREVER);
    host_add_task(&h, 0, 3 * HOUR, FOREVER);
    decision d = choose(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_ENOUGH);
    d = piggyback(&h, 1); /* no hysteresis: 2 CPUs for 9 h; by its share it is due one of them */
    assert_int_equal(d.summary.project, 1);
    assert_project_resource(&d, 1, 0, VCS_REASON_ASKED, 18 * HOUR, 1);
    d = piggyback(&h, 0);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_BETTER_PROJECT);
    assert_int_equal(project_resource_of(&d, 0, 0)->better, 1);
    assert_not_asked(&d, 1, 0, VCS_REASON_NONE); /* nobody asked about it */
    h.projects[1].min_rpc_time = 100;            /* it may not be called: project 0 is the best of the others */
    d = piggyback(&h, 0);
    assert_int_equal(d.summary.project, 0);
    d = piggyback(&h, 1); /* it is called all the same */
    assert_int_equal(d.summary.project, 1);
    h.tasks[0].remaining = h.tasks[1].remaining = 20 * HOUR;
    d = piggyback(&h, 1);
    assert_int_equal(d.summary.reason, VCS_REASON_FULL);
    host_end(&h);
}

/* Backed off for one resource and not for the other: asked for the one, it is asked for both; else for none. */
static void a_call_asks_for_what_is_backed_off_only_along_with_another(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, DAY, 0);
    host_add_resource(&h, 1, 10);
    host_add_project(&h, 100);
    host_add_project_resource(&h, 0, 1)->backoff_until = 1000;
    decision d = piggyback(&h, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, DAY, 1);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED_ALONG, DAY, 1);
    host_add_project_resource(&h, 0, 0)->backoff_until = 1000;
    d = piggyback(&h, 0);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_BACKED_OFF);
    assert_not_asked(&d, 0, 0, VCS_REASON_BACKED_OFF);
    host_end(&h);
}

/* ---- What prevents it ---- */

/* It waits for one thing or two. */
static void assert_waits(const decision *d, uint32_t project, uint32_t resource, uint32_t reason, double wait,
                         uint32_t also, double also_wait) {
    const vcs_fetch_decision *pair = project_resource_of(d, project, resource);
    assert_not_asked(d, project, resource, reason);
    assert_number(pair->wait, wait);
    assert_string_equal(vcs_reason_name(pair->also), vcs_reason_name(also));
    assert_number(pair->also_wait, also_wait);
}

/* Called for the CPUs, it is not asked along for the GPU either, on which a task of it waits to be tried again. */
static void a_deferred_task_keeps_its_resource_from_being_asked_for(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, DAY, 0);
    host_add_resource(&h, 1, 10);
    host_add_project(&h, 100);
    decision d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, DAY, 1);
    host_add_project_resource(&h, 0, 1)->flags = VCS_PROJECT_RESOURCE_DEFERRED;
    d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 2 * DAY, 2);
    assert_not_asked(&d, 0, 1, VCS_REASON_TASK_DEFERRED);
    d = piggyback(&h, 0);
    assert_not_asked(&d, 0, 1, VCS_REASON_TASK_DEFERRED);
    h.project_resources[0].resource = 0;
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, DAY, 1);
    host_end(&h);
}

/* Twice as many results as CPUs or, if there are more, as GPUs of all types together. */
static void uploads_are_counted_by_cpus_or_gpus(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 4, DAY, 0);
    host_add_resource(&h, 2, 10);
    host_add_resource(&h, 3, 10);
    host_add_project(&h, 100);
    h.projects[0].uploading = 10;
    decision d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    h.projects[0].uploading = 11;
    d = choose(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_UPLOADS);
    h.snapshot.resources.count = 2; /* more CPUs than GPUs */
    h.projects[0].uploading = 9;
    d = choose(&h);
    assert_int_equal(d.summary.reason, VCS_REASON_UPLOADS);
    h.projects[0].uploading = 8;
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    host_end(&h);
}

static void obstacles_have_an_order(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, DAY, 0);
    host_add_resource(&h, 1, 10);
    host_add_project(&h, 100);
    for (uint32_t i = 0; i < 3; i++) {
        host_add_task(&h, 0, HOUR, FOREVER);
    }
    vcs_project *project = &h.projects[0];
    project->flags = VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK;
    project->uploading = 5; /* more than 2 for each of 2 CPUs */
    project->min_rpc_time = 50;
    h.resources[1].flags = VCS_RESOURCE_SUSPENDED;
    vcs_project_resource *pair = host_add_project_resource(&h, 0, 1);
    pair->flags = VCS_PROJECT_RESOURCE_NOT_WANTED | VCS_PROJECT_RESOURCE_NO_APPS;
    pair->excluded = 1;
    pair->backoff_until = 70;
    decision d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_PROJECT_SUSPENDED);
    project->flags = VCS_PROJECT_NO_NEW_WORK;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_NO_NEW_WORK);
    assert_int_equal(d.summary.reason, VCS_REASON_NO_NEW_WORK);
    project->flags = 0;
    h.parameters.max_runnable = 3;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_TOO_MANY_TASKS);
    h.parameters.max_runnable = 0; /* no limit */
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_UPLOADS);
    project->uploading = 4;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_RESOURCE_SUSPENDED);
    assert_number(project_resource_of(&d, 0, 1)->wait, 0);
    h.resources[1].flags = 0;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_NOT_WANTED);
    pair->flags = VCS_PROJECT_RESOURCE_NO_APPS;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_NO_APPS);
    pair->flags = 0;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_EXCLUDED);
    pair->excluded = 0;
    pair->flags = VCS_PROJECT_RESOURCE_DEFERRED;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_TASK_DEFERRED);
    assert_number(d.summary.next_check, 50); /* for the CPUs; nobody knows when for the GPU */
    pair->flags = 0;
    d = choose(&h);
    assert_waits(&d, 0, 1, VCS_REASON_BACKED_OFF, 70, VCS_REASON_DEFERRED, 50); /* the wait that ends last */
    assert_waits(&d, 0, 0, VCS_REASON_DEFERRED, 50, VCS_REASON_NONE, 0);
    project->min_rpc_time = 70;
    d = choose(&h);
    assert_waits(&d, 0, 1, VCS_REASON_DEFERRED, 70, VCS_REASON_BACKED_OFF, 70);
    assert_number(d.summary.next_check, 70);
    d = piggyback(&h, 0); /* it is called, deferred or not */
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 2 * DAY - 3 * HOUR, 0);
    project->min_rpc_time = 0;
    h.projects[0].uploading = 1000;
    h.parameters.max_uploads = 0; /* no limit */
    host_add_project(&h, 0);
    h.projects[1].priority_class = 1; /* for the GPU a backup project of a higher class is called, backed off or not */
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_BACKED_OFF);
    assert_number(project_resource_of(&d, 0, 1)->wait, 70);
    host_end(&h);
}

/* Rule 6.9: a wait that follows from the server's limit of jobs is called by that; nothing else is different. */
static void a_server_at_its_limit_of_jobs_is_named(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, DAY, 0);
    host_add_resource(&h, 1, 10);
    host_add_project(&h, 100);
    vcs_project_resource *pair = host_add_project_resource(&h, 0, 0);
    pair->flags = VCS_PROJECT_RESOURCE_SERVER_LIMIT;
    decision d = choose(&h); /* nothing to wait for: it may have reported some */
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 2 * DAY, 2);
    pair->backoff_until = 600;
    d = choose(&h);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, DAY, 1);
    h.resources[1].flags = VCS_RESOURCE_SUSPENDED;
    d = choose(&h);
    assert_waits(&d, 0, 0, VCS_REASON_SERVER_LIMIT, 600, VCS_REASON_NONE, 0);
    assert_int_equal(d.summary.reason, VCS_REASON_SERVER_LIMIT);
    assert_number(d.summary.next_check, 600);
    h.projects[0].min_rpc_time = 300;
    d = choose(&h);
    assert_waits(&d, 0, 0, VCS_REASON_SERVER_LIMIT, 600, VCS_REASON_DEFERRED, 300);
    h.projects[0].min_rpc_time = 900;
    d = choose(&h);
    assert_waits(&d, 0, 0, VCS_REASON_SERVER_LIMIT, 900, VCS_REASON_BACKED_OFF, 600);
    pair->backoff_until = 0;
    d = choose(&h);
    assert_waits(&d, 0, 0, VCS_REASON_SERVER_LIMIT, 900, VCS_REASON_NONE, 0);
    pair->flags |= VCS_PROJECT_RESOURCE_NO_APPS; /* what does not end by itself goes first */
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_NO_APPS);
    host_end(&h);
}

/* A task that is downloading is work at hand, and a GPU that is paused wants work: as if neither were so. */
static void downloads_and_pauses_change_nothing(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, DAY, 0);
    host_add_resource(&h, 1, 10);
    host_add_project(&h, 100);
    host_add_task(&h, 0, 6 * HOUR, FOREVER)->flags = VCS_TASK_DOWNLOADING;
    add_gpu_task(&h, 0, 4 * HOUR);
    h.resources[1].flags = VCS_RESOURCE_PAUSED;
    h.parameters.max_runnable = 3;
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED_ALONG, 42 * HOUR, 1);
    assert_project_resource(&d, 0, 1, VCS_REASON_ASKED, 20 * HOUR, 0);
    h.parameters.max_runnable = 2;
    d = choose(&h);
    assert_not_asked(&d, 0, 1, VCS_REASON_TOO_MANY_TASKS);
    host_end(&h);
}

/* Just more than enough: time brings a need only while the CPU computes, and for the GPU beside it in an hour. */
static void time_changes_nothing_for_a_paused_resource(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, 2 * HOUR, HOUR);
    host_add_project(&h, 100);
    host_add_task(&h, 0, 2 * HOUR + 30, FOREVER);
    decision d = choose(&h);
    assert_number(d.summary.next_check, 30);
    h.resources[0].flags = VCS_RESOURCE_PAUSED;
    d = choose(&h);
    assert_not_asked(&d, 0, 0, VCS_REASON_ENOUGH);
    assert_true(d.summary.next_check == INFINITY);
    host_add_resource(&h, 1, 10);
    add_gpu_task(&h, 0, 3 * HOUR);
    d = choose(&h);
    assert_number(d.summary.next_check, HOUR);
    h.tasks[0].remaining = HOUR; /* too little: it is asked for all the same */
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    host_end(&h);
}

static void a_project_that_cannot_be_asked_says_why(void **unused) {
    (void)unused;
    const uint32_t reasons[][2] = {{VCS_WAIT_USER, VCS_REASON_BY_USER},
                                   {VCS_WAIT_MASTER_FILE, VCS_REASON_MASTER_FILE},
                                   {VCS_WAIT_DOWNLOAD, VCS_REASON_DOWNLOAD_STALLED},
                                   {VCS_WAIT_UPLOADS, VCS_REASON_UPLOADS_WAIT},
                                   {VCS_WAIT_TASK, VCS_REASON_TASK_BY_USER}};
    test_host h;
    begin(&h, 2, DAY, 0);
    host_add_project(&h, 100);
    for (size_t i = 0; i < COUNT_OF(reasons); i++) {
        h.projects[0].wait = reasons[i][0];
        decision d = choose(&h);
        assert_not_asked(&d, 0, 0, reasons[i][1]);
        assert_int_equal(d.summary.reason, reasons[i][1]);
        d = piggyback(&h, 0);
        assert_not_asked(&d, 0, 0, reasons[i][1]);
    }
    host_end(&h);
}

/* ---- Ordinary states ---- */

static void no_project_and_no_share(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2, DAY, 0);
    decision d = choose(&h);
    assert_int_equal(d.summary.project, VCS_NONE);
    assert_int_equal(d.summary.reason, VCS_REASON_NO_PROJECT);
    assert_true(d.summary.next_check == FOREVER);
    host_add_project(&h, 0); /* shares of 0 everywhere: idle CPUs are filled all the same */
    host_add_project(&h, 0);
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, 2, 2);
    host_end(&h);
}

/* A task of no CPU keeps none busy; one of no length has the CPU at the first instant, and for no time. */
static void tasks_of_nothing_leave_the_host_idle(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, HOUR, 0);
    host_add_project(&h, 100);
    host_add_task(&h, 0, 2 * HOUR, FOREVER)->cpus = 0;
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, HOUR, 1);
    h.tasks[0].cpus = 1;
    h.tasks[0].remaining = 0;
    d = choose(&h);
    assert_int_equal(d.summary.project, 0);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, HOUR, 0);
    host_end(&h);
}

/* The fluid discipline cannot plan with tasks of GPUs, so it does not fetch any. */
static void the_fluid_discipline_leaves_gpus_out(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1, HOUR, 0);
    h.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host_add_resource(&h, 1, 10);
    host_add_project(&h, 100);
    decision d = choose(&h);
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, HOUR, 1);
    assert_not_asked(&d, 0, 1, VCS_REASON_NONE);
    d = choose_after_schedule(&h); /* nor for what the choice of tasks leaves idle */
    assert_project_resource(&d, 0, 0, VCS_REASON_ASKED, HOUR, 1);
    assert_not_asked(&d, 0, 1, VCS_REASON_NONE);
    host_end(&h);
}

/* ---- Bad input leaves outputs untouched ---- */

static void refuses_bad_questions(void **unused) {
    (void)unused;
    static const bad_field table[] = {
        BAD_WORD(vcs_fetch_question, struct_size, 0, VCS_ERR_ABI_SIZE),
        BAD_WORD(vcs_fetch_question, struct_size, sizeof(vcs_fetch_question) - 8, VCS_ERR_ABI_OLDER),
        BAD_WORD(vcs_fetch_question, flags, 2 * VCS_FETCH_BRIEF, VCS_ERR_FLAGS),
        BAD_WORD(vcs_fetch_question, flags, VCS_FETCH_PIGGYBACK, VCS_ERR_FLAGS), /* one in place of the other */
        BAD_WORD(vcs_fetch_question, purpose, VCS_FETCH_BRIEF, VCS_ERR_FLAGS),
        BAD_WORD(vcs_fetch_question, purpose, VCS_FETCH_BRIEF + 1, VCS_ERR_FLAGS),
        BAD_WORD(vcs_fetch_question, project, 2, VCS_ERR_INDEX),
        BAD_WORD(vcs_fetch_question, project, VCS_NONE, VCS_ERR_INDEX),
        BAD_WORD(vcs_fetch_question, reserved, 1, VCS_ERR_ABI_NEWER),
    };
    test_host h;
    host_begin_with_two_of_everything(&h, VCS_PROFILE_CURRENT);
    host_prepare(&h);
    assert_int_equal(vcs_wrr(h.state, NULL), VCS_OK);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        vcs_fetch_question question = {.struct_size = sizeof question, .purpose = VCS_FETCH_PIGGYBACK};
        vcs_fetch_summary summary = {.struct_size = sizeof summary, .next_check = 17}, before = summary;
        spoil(&question, &table[i]);
        assert_int_equal(vcs_fetch(h.state, &question, &summary), table[i].code);
        assert_memory_equal(&summary, &before, sizeof before);
        vcs_fetch_decision project_resources[4];
        assert_int_equal(vcs_fetch_decisions(h.state, ARRAY(project_resources, 4)), VCS_ERR_SEQUENCE);
    }
    host_end(&h);
}

static void refuses_bad_arguments(void **unused) {
    (void)unused;
    test_host h;
    host_begin_with_two_of_everything(&h, VCS_PROFILE_CURRENT);
    host_prepare(&h);
    vcs_fetch_summary summary = {.struct_size = sizeof summary, .next_check = 17}, before = summary;
    vcs_fetch_decision project_resources[4], untouched[4];
    memset(project_resources, 0x5a, sizeof project_resources);
    memcpy(untouched, project_resources, sizeof project_resources);
    assert_int_equal(vcs_fetch(NULL, NULL, &summary), VCS_ERR_NULL);
    assert_int_equal(vcs_fetch(h.state, NULL, &summary), VCS_ERR_SEQUENCE); /* before vcs_wrr() */
    assert_memory_equal(&summary, &before, sizeof before);
    assert_int_equal(vcs_wrr(h.state, NULL), VCS_OK);
    summary.struct_size = before.struct_size = sizeof summary - 8;
    assert_int_equal(vcs_fetch(h.state, NULL, &summary), VCS_ERR_ABI_OLDER);
    assert_memory_equal(&summary, &before, sizeof before);
    assert_int_equal(vcs_fetch_decisions(h.state, ARRAY(project_resources, 4)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_fetch(h.state, NULL, NULL), VCS_OK);
    assert_int_equal(vcs_fetch_decisions(NULL, ARRAY(project_resources, 4)), VCS_ERR_NULL);
    assert_int_equal(vcs_fetch_decisions(h.state, ARRAY(project_resources, 3)), VCS_ERR_COUNT);
    assert_memory_equal(project_resources, untouched, sizeof project_resources);
    assert_int_equal(vcs_fetch_decisions(h.state, ARRAY(project_resources, 4)), VCS_OK);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_in_instances_is_what_a_project_could_use),
        cmocka_unit_test(a_limit_per_device_is_what_a_project_could_use),
        cmocka_unit_test(a_limited_project_fills_its_own_buffer),
        cmocka_unit_test(a_project_at_its_limit_leaves_the_rest_to_others),
        cmocka_unit_test(limits_count_tasks_not_instances),
        cmocka_unit_test(limits_of_applications_add_up),
        cmocka_unit_test(an_instance_that_no_queued_task_fits_wants_another),
        cmocka_unit_test(a_limit_on_parts_of_gpus_is_filled_to_the_part),
        cmocka_unit_test(who_has_enough_by_its_limit_does_not_keep_others_from_being_called),
        cmocka_unit_test(limits_of_applications_count_where_they_have_tasks),
        cmocka_unit_test(a_limit_counts_tasks_of_the_average_use),
        cmocka_unit_test(what_applications_declare_counts_before_the_first_task),
        cmocka_unit_test(of_several_declared_uses_the_greatest_counts),
        cmocka_unit_test(a_whole_instance_that_is_idle_is_never_little),
        cmocka_unit_test(by_the_study_a_limited_project_never_has_enough),
        cmocka_unit_test(a_share_is_asked_for_to_the_fraction),
        cmocka_unit_test(a_project_whose_task_waits_for_fit_is_not_asked_to_fill_the_rest),
        cmocka_unit_test(nor_is_it_asked_for_what_will_be_idle_beside_its_task),
        cmocka_unit_test(what_the_choice_leaves_idle_is_asked_of_a_backup_project),
        cmocka_unit_test(what_is_left_idle_is_asked_of_the_first_backup_project),
        cmocka_unit_test(what_is_left_idle_takes_nothing_from_others),
        cmocka_unit_test(the_next_check_knows_what_is_left_idle),
        cmocka_unit_test(a_backup_project_is_asked_where_nobody_else_can_be),
        cmocka_unit_test(where_memory_is_short_nobody_is_asked_for_the_rest),
        cmocka_unit_test(a_task_that_waits_for_a_limit_does_not_wait_for_fit),
        cmocka_unit_test(an_application_that_is_listed_alone_limits_itself_alone),
        cmocka_unit_test(an_application_at_its_limit_fills_its_own_buffer),
        cmocka_unit_test(a_task_longer_than_the_buffer_fills_one_place_in_it),
        cmocka_unit_test(an_empty_buffer_asks_a_second_for_each_idle_instance),
        cmocka_unit_test(a_minimum_counts_as_three_minutes_at_least),
        cmocka_unit_test(wacky_estimates_are_asked_for_a_second),
        cmocka_unit_test(exclusions_feed_both_gpus_and_no_more),
        cmocka_unit_test(a_suspended_gpu_is_asked_nothing),
        cmocka_unit_test(one_call_covers_all_that_the_project_is_best_for),
        cmocka_unit_test(local_accounting_ranks_by_resource),
        cmocka_unit_test(priority_counts_what_is_queued),
        cmocka_unit_test(classes_go_before_shares_and_shares_before_none),
        cmocka_unit_test(other_rankings),
        cmocka_unit_test(little_that_is_missing_is_no_reason_to_call),
        cmocka_unit_test(nor_is_a_backup_project_called_for_little),
        cmocka_unit_test(no_instance_runs_dry_for_little),
        cmocka_unit_test(a_buffer_without_room_is_filled_by_parts),
        cmocka_unit_test(a_backup_project_fills_what_is_idle),
        cmocka_unit_test(a_backup_project_fills_all_instances_in_one_call),
        cmocka_unit_test(a_backup_project_is_asked_within_the_lead_time),
        cmocka_unit_test(current_waits_for_the_minimum_and_original_does_not),
        cmocka_unit_test(a_threshold_met_exactly_counts_as_crossed),
        cmocka_unit_test(a_wait_counts_once_work_is_needed),
        cmocka_unit_test(a_limited_project_is_looked_at_when_its_limits_allow),
        cmocka_unit_test(no_limit_is_waited_for_where_a_task_waits_for_fit),
        cmocka_unit_test(a_call_for_another_reason_tells_when_to_choose),
        cmocka_unit_test(looks_again_when_a_wait_is_over),
        cmocka_unit_test(a_call_for_another_reason_asks_if_it_is_the_best),
        cmocka_unit_test(a_call_asks_for_what_is_backed_off_only_along_with_another),
        cmocka_unit_test(obstacles_have_an_order),
        cmocka_unit_test(a_deferred_task_keeps_its_resource_from_being_asked_for),
        cmocka_unit_test(a_server_at_its_limit_of_jobs_is_named),
        cmocka_unit_test(uploads_are_counted_by_cpus_or_gpus),
        cmocka_unit_test(time_changes_nothing_for_a_paused_resource),
        cmocka_unit_test(downloads_and_pauses_change_nothing),
        cmocka_unit_test(a_project_that_cannot_be_asked_says_why),
        cmocka_unit_test(no_project_and_no_share),
        cmocka_unit_test(tasks_of_nothing_leave_the_host_idle),
        cmocka_unit_test(the_fluid_discipline_leaves_gpus_out),
        cmocka_unit_test(refuses_bad_questions),
        cmocka_unit_test(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

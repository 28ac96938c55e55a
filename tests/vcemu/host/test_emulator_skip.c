/*
 * Skipping decisions with a certain result changes nothing: neither an event nor a figure.
 *
 * A task that needs memory makes the library decide each time, on a host whose memory has no limit too. There a byte a
 * job changes no decision, so that with it and without it the same must happen.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"
#include "support/effort.h"

#include <stdbool.h>

#define MOST_EVENTS 20000

typedef struct history {
    uint32_t count;
    vcs_event events[MOST_EVENTS];
} history;

static int note_event(void *context, const vcs_event *event) {
    history *noted = context;
    if (noted->count < MOST_EVENTS) {
        noted->events[noted->count++] = *event;
    }
    return VCS_OK;
}

static void set_memory(case_records *c, double ram) {
    for (uint32_t i = 0; i < c->scenario.models.count; i++) {
        c->models[i].ram = ram;
    }
    for (uint32_t i = 0; i < c->scenario.snapshot.tasks.count; i++) {
        c->tasks[i].ram = ram;
    }
}

static case_records run_with(case_records *c, double ram, history *noted) {
    noted->count = 0;
    c->hooks.context = noted;
    set_memory(c, ram);
    run(c);
    return *c;
}

/* Observers are told of forecasts, so that with one more has to be decided. */
static void must_be_the_same(case_records *c, bool is_observed) {
    static history leaving, asking;
    static case_records other;
    c->hooks.observe = is_observed ? note_event : NULL;
    other = run_with(c, 0, &leaving);
    run_with(c, 1, &asking);
    assert_int_equal(leaving.count, asking.count);
    assert_memory_equal(leaving.events, asking.events, leaving.count * sizeof *leaving.events);
    assert_memory_equal(&other.outcome, &c->outcome, sizeof other.outcome);
    assert_memory_equal(other.project_outcomes, c->project_outcomes, sizeof other.project_outcomes);
    assert_memory_equal(other.resource_outcomes, c->resource_outcomes, sizeof other.resource_outcomes);
}

/* ---- Random hosts ---- */

static uint32_t one_in(random_stream *r, uint32_t in, uint32_t value) {
    return random_below(r, in) == 0 ? value : 0;
}

/* Mostly in time, often tight, sometimes hopeless. */
static double random_bound(random_stream *r, double seconds) {
    return seconds * random_magnitude(r, 0.5, 100);
}

static void add_random_app(case_records *c, random_stream *r, uint32_t project, double cpus) {
    const double seconds = random_magnitude(r, 300, 40000);
    vcs_job_model *model = add_app(c, project, seconds, random_bound(r, seconds));
    model->distribution = random_below(r, 2) == 0 ? VCS_SIZES_NORMAL : VCS_SIZES_CONSTANT;
    model->sd_flops = seconds * random_draw(r) * 0.3;
    model->checkpoint_interval = random_below(r, 2) == 0 ? 0 : random_magnitude(r, 100, 10000);
    model->est_flops = seconds * (random_below(r, 2) == 0 ? 1 : random_magnitude(r, 0.3, 3));
    model->cpus = random_below(r, 10) == 0 ? 0.5 : cpus;
    c->apps[c->scenario.snapshot.apps.count - 1].max_concurrent = one_in(r, 20, 1);
}

static void add_random_task(case_records *c, random_stream *r, uint32_t project, double cpus) {
    const double seconds = random_magnitude(r, 300, 40000);
    add_task(c, project, seconds, random_bound(r, 4 * seconds));
    vcs_task *task = &c->tasks[c->scenario.snapshot.tasks.count - 1];
    task->flags = one_in(r, 4, VCS_TASK_WAS_LATE) | one_in(r, 10, VCS_TASK_IN_MEMORY) |
                  one_in(r, 10, VCS_TASK_SUSPENDED) | one_in(r, 4, VCS_TASK_STARTED);
    task->usable = random_below(r, 10) == 0 ? 0.3 : 0;
    task->cpus = cpus;
}

/* The fluid discipline knows no others, nor limits. */
static void take_to_one_cpu(case_records *c) {
    for (uint32_t i = 0; i < c->scenario.models.count; i++) {
        c->models[i].cpus = 1;
        c->apps[i].max_concurrent = 0;
    }
    for (uint32_t i = 0; i < c->scenario.snapshot.tasks.count; i++) {
        c->tasks[i].cpus = 1;
    }
}

/* Mostly of one project, and tasks of one CPU. */
static void fill(case_records *c, random_stream *r, uint32_t profile) {
    begin(c, profile, 1 + random_below(r, 6), 4 * DAY);
    const uint32_t projects = 1 + one_in(r, 5, 1);
    const double cpus = random_below(r, 5) == 0 && c->resources[0].instances > 1 ? 2 : 1;
    for (uint32_t p = 0; p < projects; p++) {
        add_project(c);
        c->projects[p].max_concurrent = one_in(r, 20, 2);
        c->servers[p].max_in_progress = 30; /* or a client that the limit keeps idle would never stop asking */
        add_random_app(c, r, p, cpus);
    }
    add_random_app(c, r, 0, cpus);
    for (uint32_t tasks = random_below(r, 5); tasks > 0; tasks--) {
        add_random_task(c, r, random_below(r, projects), cpus);
    }
    if (c->parameters.discipline == VCS_DISCIPLINE_FLUID) {
        take_to_one_cpu(c);
    }
    c->resources[0].reserve = random_below(r, 20) == 0 ? 0.5 : 0;
    c->emulation.seed = random_bits(r);
    c->emulation.available = random_below(r, 2) == 0 ? 1 : 0.6;
    c->emulation.available_mean = random_magnitude(r, 500, 50000);
    c->emulation.connection_interval = one_in(r, 5, 20000);
    c->parameters.min_buffer = random_draw(r) * 20000;
    c->parameters.additional_buffer = random_draw(r) * 40000;
    c->parameters.learn_usable = random_below(r, 2);
    c->parameters.use_dcf = random_below(r, 2);
    c->parameters.hysteresis = random_below(r, 2);
    c->parameters.switch_cost = random_below(r, 2) * 60.0;
    c->parameters.period = random_magnitude(r, 600, 7200);
}

static void nothing_changes_on_random_hosts(void **unused) {
    (void)unused;
    static case_records c;
    random_stream r = {20};
    const uint64_t cases = cases_to_try(150);
    for (uint64_t i = 0; i < cases; i++) {
        fill(&c, &r, (uint32_t)(i % VCS_PROFILE_COUNT));
        must_be_the_same(&c, true);
        must_be_the_same(&c, false);
    }
}

static void nothing_changes_under_limits_of_applications(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        case_records c;
        vcs_app_resource of_app = {.app = 0, .max_instances = i};
        begin(&c, VCS_PROFILE_CURRENT, 2, DAY);
        add_project(&c);
        add_app(&c, 0, 5000, 1e6);
        c.scenario.snapshot.app_resources = array_of(&of_app, sizeof of_app, 1);
        must_be_the_same(&c, true);
        assert_true(c.outcome.idleness == (i == 0 ? 0 : 0.5)); /* without a limit, and with one of an instance */
    }
}

/* Long tasks that have run before go before short ones that arrived earlier, and a task may not run at all. */
static void nothing_changes_where_the_order_differs(void **unused) {
    (void)unused;
    static case_records c;
    random_stream r = {21};
    const uint64_t cases = cases_to_try(400);
    for (uint64_t i = 0; i < cases; i++) {
        begin(&c, VCS_PROFILE_STUDY2007, 2, DAY);
        add_app(&c, add_project(&c), 5000, 1e6);
        for (uint32_t task = 0; task < 4; task++) {
            const bool is_long = task % 2 != 0;
            add_task(&c, 0, random_between(&r, 0.9, 1.1) * (is_long ? 15000 : 5000), 1e6);
            c.tasks[task].flags = one_in(&r, 8, VCS_TASK_SUSPENDED) | (is_long ? VCS_TASK_STARTED : 0);
        }
        c.parameters.min_buffer = 1000;
        c.parameters.additional_buffer = random_draw(&r) * 20000;
        must_be_the_same(&c, false);
    }
}

/* Two CPUs and two tasks: nothing waits that could keep them busy. */
static void nothing_changes_where_no_task_waits(void **unused) {
    (void)unused;
    static case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 2, DAY);
    add_app(&c, add_project(&c), 5000, 9 * DAY);
    c.servers[0].max_in_progress = 2;
    c.parameters.min_buffer = 1000;
    c.parameters.additional_buffer = 1000;
    must_be_the_same(&c, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_where_no_task_waits),
        cmocka_unit_test(nothing_changes_on_random_hosts),
        cmocka_unit_test(nothing_changes_under_limits_of_applications),
        cmocka_unit_test(nothing_changes_where_the_order_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * A grid of one host that works for projects which never fail, with one copy of each unit, is that host alone.
 *
 * Rule 14.2. The events of vcs_emulate() come out to the byte wherever both draw the same jobs. They do not where a
 * project has several applications of jobs of random size: alone, each application draws its own sizes, while in a grid
 * the project draws those of its units. Nor do they where a server refuses jobs of random size: alone it draws other
 * ones for the next request, while in a grid the unit that was refused is still there. So these two have jobs of one
 * size here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/grid_case.h"

/* All events of a run, one behind the other. */
typedef struct trace {
    vcs_event *events;
    size_t count, room;
} trace;

static void keep_event(trace *t, const vcs_event *event) {
    if (t->count == t->room) {
        t->room = 2 * t->room + 1024;
        t->events = realloc(t->events, t->room * sizeof *t->events);
        assert_non_null(t->events);
    }
    t->events[t->count++] = *event;
}

static int watch_host(void *context, const vcs_event *event) {
    keep_event(context, event);
    return VCS_OK;
}

/* Those of the host alone, as vcs_emulate() would tell them. */
static int watch_grid(void *context, const vcs_grid_event *event) {
    if (event->kind < VCS_EVENT_KINDS) {
        keep_event(context, &(vcs_event){
                                .time = event->time,
                                .kind = event->kind,
                                .project = event->project,
                                .task = event->unit,
                                .resource = event->resource,
                                .track = event->copy,
                                .amount = event->amount,
                                .deadline = event->deadline,
                                .reason = event->reason,
                            });
    }
    return VCS_OK;
}

/* A grid whose one class is the host of `alone`, and whose projects send what its models say. */
static void make_grid_of(grid_case *g, const case_records *alone) {
    begin_grid(g, alone->emulation.duration);
    g->terms.seed = alone->emulation.seed;
    g->terms.start = alone->emulation.start;
    for (uint32_t i = 0; i < alone->scenario.snapshot.projects.count; i++) {
        uint32_t app = 0;
        while (alone->apps[app].project != i) {
            app++;
        }
        const vcs_job_model *model = &alone->models[app];
        vcs_grid_project *project = add_units(g, model->est_flops, model->latency_bound);
        project->mean_flops = model->mean_flops;
        project->sd_flops = model->sd_flops;
        project->distribution = model->distribution;
    }
    add_hosts(g, 1, 1);
    case_records *host = &g->hosts[0];
    const vcs_scenario mine = host->scenario;
    *host = *alone;
    host->scenario.snapshot = mine.snapshot;
    host->scenario.snapshot.resources.count = alone->scenario.snapshot.resources.count;
    host->scenario.snapshot.apps.count = host->scenario.models.count = alone->scenario.snapshot.apps.count;
    host->scenario.emulation = mine.emulation;
    host->scenario.models = mine.models;
    host->scenario.servers = mine.servers;
    host->scenario.sizes = mine.sizes;
    host->scenario.switches = mine.switches;
    host->scenario.switches.count = alone->scenario.switches.count;
    /* Neither is read in a grid, where the grid's own count. */
    host->emulation.seed = 99;
    host->emulation.start = host->emulation.duration = 1.0;
    g->hooks.observe = watch_grid;
}

static void expect_the_same(case_records *alone) {
    static grid_case g;
    trace expected = {0}, found = {0};
    make_grid_of(&g, alone);
    alone->hooks.observe = watch_host;
    alone->hooks.context = &expected;
    run(alone);
    g.hooks.context = &found;
    run_grid(&g);
    assert_true(expected.count > 20);
    for (size_t i = 0; i < expected.count && i < found.count; i++) {
        if (memcmp(&expected.events[i], &found.events[i], sizeof *found.events) != 0) {
            fail_msg("event %zu is of kind %u at %.17g instead of kind %u at %.17g", i, found.events[i].kind,
                     found.events[i].time, expected.events[i].kind, expected.events[i].time);
        }
    }
    assert_int_equal(found.count, expected.count);
    assert_int_equal(g.outcome.calls, alone->outcome.calls);
    assert_true(g.outcome.flops_used == alone->outcome.flops_used);
    free(expected.events);
    free(found.events);
}

/* ---- The scenarios ---- */

/* The base case of the study (rule 12.1): one project, a host of two CPUs that is on for 0.8 of the time. */
static void begin_base(case_records *c, uint32_t profile, double sd) {
    begin(c, profile, 2, 30 * DAY);
    c->emulation.available = 0.8;
    c->emulation.available_mean = 1000;
    vcs_job_model *jobs = add_app(c, add_project(c), 13000, 9 * DAY);
    jobs->sd_flops = sd;
    jobs->distribution = VCS_SIZES_NORMAL;
}

static const uint32_t profiles[] = {VCS_PROFILE_CURRENT, VCS_PROFILE_STUDY2007, VCS_PROFILE_RPC2003};

static void the_base_case(void **unused) {
    (void)unused;
    case_records c;
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            begin_base(&c, profiles[i], 3000);
            c.emulation.seed = seed;
            c.emulation.start = seed == 3 ? 1.7e9 : 0.0;
            expect_the_same(&c);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * A grid of one host that works for projects which never fail, with one copy of each unit, is that host alone.
 *
 * Rule 14.2. The events are the same as of vcs_emulate(), to the byte, if both draw the same jobs. They differ if a
 * project has several applications and jobs of random size: alone, each application draws its own sizes, while in a
 * grid each project draws the sizes of its units. They also differ if a server refuses jobs of random size: alone it
 * draws other jobs for the next request, while in a grid the refused unit is still there. So jobs have one size in
 * these two cases here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/grid_case.h"
#include "support/effort.h"

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
                                .track = event->copy_index,
                                .amount = event->amount,
                                .deadline = event->deadline,
                                .reason = event->reason,
                            });
    }
    return VCS_OK;
}

/* A grid with the host of `alone` as its only class, and with projects that send the jobs of its models. */
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
    host->scenario.emulation = mine.emulation;
    host->scenario.models = mine.models;
    host->scenario.servers = mine.servers;
    host->scenario.sizes = mine.sizes;
    host->scenario.switches = mine.switches;
    host->scenario.snapshot.apps.count = host->scenario.models.count = alone->scenario.snapshot.apps.count;
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
            const vcs_event *a = &expected.events[i], *b = &found.events[i];
            fail_msg("event %zu: kind %u of task %llu at %.17g, %.17g, not kind %u of task %llu at %.17g, %.17g", i,
                     b->kind, (unsigned long long)b->task, b->time, b->amount, a->kind, (unsigned long long)a->task,
                     a->time, a->amount);
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

/* The mix of jobs of the study's figures 1 and 4: project i has jobs of i times the base size. */
static void a_mix_of_projects(void **unused) {
    (void)unused;
    case_records c;
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        begin_base(&c, profiles[i], 1000);
        const uint32_t kinds[] = {VCS_SIZES_NORMAL, VCS_SIZES_EXPONENTIAL, VCS_SIZES_LOG_NORMAL};
        for (uint32_t k = 2; k <= 5; k++) {
            const uint32_t project = add_project(&c);
            vcs_job_model *jobs = add_app(&c, project, 13000.0 * k, 9 * DAY * k);
            c.projects[project].share = 100.0 * k;
            jobs->mean_flops = 1.3 * jobs->est_flops;
            jobs->distribution = kinds[k % 3];
            jobs->sd_flops = 0.2 * jobs->est_flops;
        }
        expect_the_same(&c);
    }
}

/* Figures 2 and 3: so little slack that jobs are late or, tested by deadline, refused. */
static void little_slack(void **unused) {
    (void)unused;
    case_records c;
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        for (uint32_t slack = 1; slack <= 4; slack++) {
            begin_base(&c, profiles[i], 0);
            c.models[0].latency_bound = 13000.0 * slack;
            c.parameters.work_send = slack % 2 != 0 ? VCS_WORK_SEND_WS2 : VCS_WORK_SEND_WS1;
            expect_the_same(&c);
        }
    }
}

/* Figure 5: two projects, sizes as 1 to 10, and calls every two days at most. */
static void rare_connections(void **unused) {
    (void)unused;
    case_records c;
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        begin_base(&c, profiles[i], 0);
        add_app(&c, add_project(&c), 130000, 9 * DAY)->mean_flops = 100000;
        c.emulation.connection_interval = c.parameters.min_buffer = 2 * DAY;
        expect_the_same(&c);
    }
}

/* Two applications of one project for the CPU and one for each GPU, chosen by weight; GPUs of two kinds. */
static void gpus_and_applications(void **unused) {
    (void)unused;
    case_records c;
    for (uint64_t seed = 1; seed <= cases_to_try(5); seed++) {
        begin_base(&c, VCS_PROFILE_CURRENT, 0); /* the others know CPUs alone */
        c.emulation.seed = seed;
        c.models[0].distribution = VCS_SIZES_CONSTANT;
        c.resources[1] = (vcs_resource){.id = 2, .flops = 8, .usable = 1, .instances = 2};
        c.resources[2] = (vcs_resource){.id = 3, .flops = 3, .usable = 1, .instances = 1};
        c.scenario.snapshot.resources.count = 3;
        add_app(&c, 0, 13000, 9 * DAY)->weight = 2.5;
        for (uint32_t gpu = 1; gpu <= 2; gpu++) {
            vcs_job_model *jobs = add_app(&c, 0, 13000, 9 * DAY);
            jobs->gpu = gpu;
            jobs->gpus = 1.0 / gpu;
            jobs->cpus = 0.25;
            jobs->checkpoint_interval = 600;
        }
        expect_the_same(&c);
    }
}

/* A server that is down at times, loses calls, holds the client off, and moves; a limit of jobs; memory. */
static void an_unreliable_server(void **unused) {
    (void)unused;
    case_records c;
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        begin_base(&c, profiles[i], 2000);
        add_app(&c, add_project(&c), 5000, DAY)->ram = 1e9;
        c.host.ram = 3e9;
        for (uint32_t p = 0; p < 2; p++) {
            c.servers[p] = (vcs_server_model){
                .up_mean = 2 * DAY,
                .down_mean = 0.3 * DAY,
                .scheduler_failure = 0.1,
                .network_failure = 0.05,
                .master_failure = 0.2,
                .request_delay = 1000,
                .max_in_progress = 4 * p,
                .schedulers = 3 * p,
                .moves_at = 11 * DAY,
            };
        }
        expect_the_same(&c);
    }
}

/* The host is on by a trace, or is looked at each minute. */
static void traces_of_availability(void **unused) {
    (void)unused;
    case_records c;
    for (size_t i = 0; i < COUNT_OF(profiles); i++) {
        begin_base(&c, profiles[i], 2000);
        c.emulation.available_step = 60;
        expect_the_same(&c);
        begin_base(&c, profiles[i], 2000);
        for (uint32_t k = 0; k < MOST; k++) {
            c.switches[k] = DAY * (k + 1.0) * (k + 1.0) / 3.0;
        }
        c.scenario.switches.count = MOST;
        expect_the_same(&c);
    }
}

/* ---- Anything at all ---- */

static double any_of(random_stream *r, double a, double b, double c) {
    const double choices[] = {a, b, c};
    return choices[random_below(r, 3)];
}

/* Jobs of random size only where each project has one application and none is refused. */
static void add_any_project(case_records *c, random_stream *r, uint32_t apps) {
    const uint32_t project = add_project(c);
    const double size = random_magnitude(r, 1000, 50000), bound = size * random_magnitude(r, 3, 3000);
    const double truth = size * any_of(r, 1, 1.5, 0.7);
    for (uint32_t i = 0; i < apps && c->scenario.snapshot.apps.count < MOST; i++) {
        vcs_job_model *jobs = add_app(c, project, size, bound);
        jobs->mean_flops = truth;
        jobs->weight = random_between(r, 0.5, 2.0);
        jobs->cpus = c->scenario.snapshot.resources.count > 1 ? any_of(r, 1, 1, 2) : 1.0;
        jobs->checkpoint_interval = any_of(r, 0, 0, 1000);
        if (apps == 1 && c->parameters.work_send == VCS_WORK_SEND_WS1 && bound > 20 * DAY) {
            jobs->distribution = random_below(r, 3);
            jobs->sd_flops = 0.3 * size;
        } else if (i == 1 && c->scenario.snapshot.resources.count > 1) {
            jobs->gpu = 1;
            jobs->gpus = 1.0;
        }
    }
    c->projects[project].share = any_of(r, 100, 10, 300);
    c->servers[project].scheduler_failure = any_of(r, 0, 0, 0.2);
    c->servers[project].request_delay = any_of(r, 0, 0, 500);
    c->servers[project].max_in_progress = random_below(r, 4) == 0 ? 3 : 0;
}

static void check_any(random_stream *r, uint32_t round) {
    case_records c;
    const uint32_t profile = profiles[round % COUNT_OF(profiles)], apps = 1 + random_below(r, 2);
    begin(&c, profile, 1 + random_below(r, 4), any_of(r, 3, 5, 10) * DAY);
    c.emulation.available = any_of(r, 1, 0.8, 0.4);
    c.emulation.available_mean = random_magnitude(r, 300, DAY);
    c.emulation.connection_interval = any_of(r, 0, 0, HOUR);
    c.emulation.seed = random_bits(r);
    c.emulation.start = any_of(r, 0, 5e5, 1.7e9);
    c.emulation.max_reply = random_below(r, 2) == 0 ? 2 : c.emulation.max_reply;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 5, .usable = 1, .instances = 1};
    c.scenario.snapshot.resources.count = profile == VCS_PROFILE_CURRENT ? 2 : 1;
    c.parameters.min_buffer = random_magnitude(r, 100, DAY);
    c.parameters.additional_buffer = random_magnitude(r, 100, DAY);
    c.parameters.work_send = random_below(r, 2) == 0 ? VCS_WORK_SEND_WS1 : VCS_WORK_SEND_WS2;
    for (uint32_t i = 1 + random_below(r, 4); i > 0; i--) {
        add_any_project(&c, r, apps);
    }
    expect_the_same(&c);
}

static void any_scenario(void **unused) {
    (void)unused;
    random_stream r = {20260};
    const uint64_t least = 30, tried = cases_to_try(150);
    for (uint32_t round = 0; round < (tried > least ? tried : least); round++) {
        check_any(&r, round);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_case),          cmocka_unit_test(a_mix_of_projects),
        cmocka_unit_test(little_slack),           cmocka_unit_test(rare_connections),
        cmocka_unit_test(gpus_and_applications),  cmocka_unit_test(an_unreliable_server),
        cmocka_unit_test(traces_of_availability), cmocka_unit_test(any_scenario),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Emulations of small scenarios (chapter 12): the same twice, to the last event; what is counted agrees; an emulation
 * that is refused, or broken off by the caller or for want of memory, writes no outcome and gives all memory back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"
#include "support/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vcemu/emulator.h>

enum { PROJECTS = 3, GPUS = 1, TASKS = 4, SWITCHES = 4, SIZES = 3 };

/* An emulation is broken off after this many events. */
#define MOST_EVENTS 400
#define TOO_LONG (-4711)

typedef struct world {
    vcs_host host;
    vcs_resource resources[1 + GPUS];
    vcs_project projects[PROJECTS];
    vcs_app apps[PROJECTS];
    vcs_task tasks[TASKS];
    vcs_emulation emulation;
    vcs_job_model models[PROJECTS];
    vcs_server_model servers[PROJECTS];
    double sizes[SIZES], switches[SWITCHES];
    vcs_parameters parameters;
    vcs_scenario scenario;
} world;

/* ---- A scenario ---- */

static void fill_project(fuzz_input *in, world *w, uint32_t i) {
    const double size = 1e12 + 1e13 * fuzz_fraction(in);
    const uint32_t kind = fuzz_byte(in);
    w->projects[i] = (vcs_project){.id = i, .share = kind % 5 * 25};
    w->apps[i] = (vcs_app){.id = i, .project = i, .max_concurrent = kind / 32 == 0 ? 1 : 0};
    w->models[i] = (vcs_job_model){.latency_bound = 2e4 * (1 + kind % 8),
                                   .est_flops = size,
                                   .mean_flops = size,
                                   .sd_flops = 0.3 * size,
                                   .cpus = 1,
                                   .weight = 1,
                                   .distribution = kind / 8 % 5,
                                   .size_count = kind / 8 % 4 == VCS_SIZES_LIST ? SIZES : 0};
    if (kind >= 192) {
        w->models[i].gpu = 1;
        w->models[i].gpus = 0.5;
        w->models[i].cpus = 0.25;
    }
    w->servers[i] = (vcs_server_model){.up_mean = kind % 3 * 40000,
                                       .down_mean = 5000,
                                       .scheduler_failure = kind % 7 * 0.05,
                                       .network_failure = kind % 4 * 0.1,
                                       .moves_at = kind % 11 == 0 ? 3e5 : 0};
}

static void begin(fuzz_input *in, world *w) {
    const uint32_t shape = fuzz_byte(in);
    memset(w, 0, sizeof *w);
    w->resources[0] = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 1 + shape % 4};
    w->resources[1] = (vcs_resource){.id = 2, .flops = 1e10, .usable = 1, .instances = 1};
    assert_int_equal(vcs_emulation_init(&w->emulation, sizeof w->emulation, shape / 4 % VCS_PROFILE_COUNT), VCS_OK);
    assert_int_equal(vcs_parameters_init(&w->parameters, sizeof w->parameters, shape / 4 % VCS_PROFILE_COUNT), VCS_OK);
    w->emulation.seed = fuzz_byte(in);
    w->emulation.duration = 20000.0 * (1 + fuzz_byte(in) % 10);
    w->emulation.available = shape >= 128 ? 1 : 0.5;
    w->emulation.available_mean = 5000;
    for (uint32_t i = 0; i < PROJECTS; i++) {
        fill_project(in, w, i);
    }
    for (uint32_t i = 0; i < TASKS; i++) {
        w->tasks[i] = (vcs_task){.id = 100 + i,
                                 .project = i % PROJECTS,
                                 .app = VCS_NONE,
                                 .cpus = 1,
                                 .remaining = 5000.0 * i,
                                 .deadline = 50000.0 * (i + 1)};
    }
    for (uint32_t i = 0; i < SWITCHES; i++) {
        w->switches[i] = 20000.0 * (i + 1);
    }
    for (uint32_t i = 0; i < SIZES; i++) {
        w->sizes[i] = 1e12 * (i + 1);
    }
    const uint32_t gpus = w->parameters.discipline == VCS_DISCIPLINE_FLUID ? 0 : shape / 16 % 2;
    for (uint32_t i = 0; i < PROJECTS && gpus == 0; i++) {
        w->models[i].gpu = 0;
        w->models[i].gpus = 0;
        w->models[i].cpus = 1;
        w->apps[i].max_concurrent = 0;
    }
    w->scenario.struct_size = sizeof w->scenario;
    w->scenario.snapshot.struct_size = sizeof w->scenario.snapshot;
    w->scenario.snapshot.host = array_of(&w->host, sizeof w->host, 1);
    w->scenario.snapshot.resources = array_of(w->resources, sizeof *w->resources, 1 + gpus);
    w->scenario.snapshot.projects = array_of(w->projects, sizeof *w->projects, PROJECTS);
    w->scenario.snapshot.apps = array_of(w->apps, sizeof *w->apps, PROJECTS);
    w->scenario.snapshot.tasks = array_of(w->tasks, sizeof *w->tasks, shape / 32 % (TASKS + 1));
    w->scenario.emulation = array_of(&w->emulation, sizeof w->emulation, 1);
    w->scenario.models = array_of(w->models, sizeof *w->models, PROJECTS);
    w->scenario.servers = array_of(w->servers, sizeof *w->servers, PROJECTS);
    w->scenario.sizes = array_of(w->sizes, sizeof *w->sizes, SIZES);
    w->scenario.switches = array_of(w->switches, sizeof *w->switches, shape / 64 == 1 ? SWITCHES : 0);
}

static void change(fuzz_input *in, world *w) {
    const fuzz_records records[] = {
        {VCS_TYPE_EMULATION, &w->emulation, sizeof w->emulation, 1},
        {VCS_TYPE_JOB_MODEL, w->models, sizeof *w->models, PROJECTS},
        {VCS_TYPE_SERVER_MODEL, w->servers, sizeof *w->servers, PROJECTS},
        {VCS_TYPE_PARAMETERS, &w->parameters, sizeof w->parameters, 1},
        {VCS_TYPE_RESOURCE, w->resources, sizeof *w->resources, 1 + GPUS},
        {VCS_TYPE_PROJECT, w->projects, sizeof *w->projects, PROJECTS},
        {VCS_TYPE_APP, w->apps, sizeof *w->apps, PROJECTS},
        {VCS_TYPE_TASK, w->tasks, sizeof *w->tasks, TASKS},
    };
    if (fuzz_byte(in) < 16) {
        w->switches[fuzz_byte(in) % SWITCHES] = fuzz_number(in);
        w->sizes[fuzz_byte(in) % SIZES] = fuzz_number(in);
    } else {
        fuzz_edit(in, records, sizeof records / sizeof *records);
    }
}

/* ---- One emulation ---- */

/* What comes out of it, and what was seen on the way. */
typedef struct result {
    vcs_outcome outcome;
    vcs_project_outcome projects[PROJECTS];
    vcs_resource_outcome resources[1 + GPUS];
    uint64_t hash, events;
    uint64_t counted[VCS_EVENT_KINDS];
    double last;
    int code;
} result;

typedef struct observer {
    result *seen;
    uint64_t allocations, blocks, most_allocations;
} observer;

static void *allocate(void *context, size_t size) {
    observer *o = context;
    if (o->allocations++ == o->most_allocations) {
        return NULL;
    }
    o->blocks++;
    return malloc(size);
}

static void release(void *context, void *memory, size_t size) {
    observer *o = context;
    (void)size;
    assert_true(o->blocks > 0 || memory == NULL);
    o->blocks -= memory != NULL;
    free(memory);
}

static int observe(void *context, const vcs_event *event) {
    observer *o = context;
    unsigned char bytes[sizeof *event];
    assert_true(event->kind < VCS_EVENT_KINDS);
    assert_true(event->reason < VCS_IDLE_REASONS);
    assert_true(o->seen->events == 0 || event->time >= o->seen->last);
    assert_false(isnan(event->amount));
    memcpy(bytes, event, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        o->seen->hash = (o->seen->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    o->seen->last = event->time;
    o->seen->counted[event->kind]++;
    return ++o->seen->events > MOST_EVENTS ? TOO_LONG : VCS_OK;
}

static void emulate(const world *w, uint64_t most_allocations, result *r) {
    observer o = {r, 0, 0, most_allocations};
    const vcs_hooks hooks = {
        .struct_size = sizeof hooks, .context = &o, .allocate = allocate, .release = release, .observe = observe};
    vcs_error error = {.struct_size = sizeof error};
    memset(r, 0, sizeof *r);
    fuzz_mark(&r->outcome, sizeof r->outcome);
    fuzz_mark(r->projects, sizeof r->projects);
    fuzz_mark(r->resources, sizeof r->resources);
    r->outcome.struct_size = sizeof r->outcome;
    r->code = vcs_emulate(&w->scenario, &w->parameters, &hooks, &r->outcome, ARRAY(r->projects, PROJECTS),
                          ARRAY(r->resources, w->scenario.snapshot.resources.count), &error);
    assert_int_equal(o.blocks, 0);
    if (r->code != VCS_OK) {
        assert_true(r->code == TOO_LONG || r->code == VCS_ERR_MEMORY || vcs_error_name(r->code)[0] != 'u');
        fuzz_unmarked("outcome", &r->outcome.flags, sizeof r->outcome - offsetof(vcs_outcome, flags));
        fuzz_unmarked("outcomes of projects", r->projects, sizeof r->projects);
        fuzz_unmarked("outcomes of resources", r->resources, sizeof r->resources);
    }
}

/* ---- What must agree ---- */

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)) + 1e-3;
}

static void check_counts(const world *w, const result *r) {
    const vcs_outcome *o = &r->outcome;
    uint64_t received = 0, ended = 0, in_time = 0, late = 0, calls = 0;
    double flops = 0;
    for (uint32_t i = 0; i < PROJECTS; i++) {
        received += r->projects[i].received;
        ended += r->projects[i].ended;
        in_time += r->projects[i].in_time;
        late += r->projects[i].late;
        calls += r->projects[i].calls;
        flops += r->projects[i].flops_used;
    }
    assert_true(received == o->received && ended == o->ended && in_time == o->in_time && late == o->late);
    assert_int_equal(calls, o->calls);
    assert_true(is_near(flops, o->flops_used));
    assert_true(o->ended <= o->received + w->scenario.snapshot.tasks.count);
    assert_true(o->in_time + o->late <= o->ended);
    assert_true(o->failed_calls <= o->calls);
    assert_int_equal(r->counted[VCS_EVENT_RECEIVED], o->received);
    assert_int_equal(r->counted[VCS_EVENT_ENDED], o->ended);
    assert_int_equal(r->counted[VCS_EVENT_REPORTED], o->in_time);
    assert_int_equal(r->counted[VCS_EVENT_LATE], o->late);
    assert_int_equal(r->counted[VCS_EVENT_STARTED], o->starts);
    assert_int_equal(r->counted[VCS_EVENT_STOPPED], o->stops);
}

static void check_figures(const world *w, const result *r) {
    const vcs_outcome *o = &r->outcome;
    const double parts[] = {o->waste, o->idleness, o->share_violation, o->monotony, o->study_waste, o->study_idleness};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_true(parts[i] >= 0 && parts[i] <= 1 + 1e-9);
    }
    for (uint32_t i = 0; i < w->scenario.snapshot.resources.count; i++) {
        const vcs_resource_outcome *of = &r->resources[i];
        const double idle = of->idle_unfit + of->idle_limit + of->idle_held + of->idle_backed_off +
                            of->idle_disconnected + of->idle_no_work + of->idle_unexplained + of->idle_server_limit;
        assert_true(is_near(idle, of->idleness * of->available));
        assert_true(of->wasted <= of->used * (1 + 1e-9) + 1e-3);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static world w;
    static result first, second;
    fuzz_input in = {bytes, size};
    const uint32_t failing = fuzz_byte(&in);
    begin(&in, &w);
    for (uint32_t edits = 0; edits < 16 && fuzz_more(&in); edits++) {
        change(&in, &w);
    }
    emulate(&w, UINT64_MAX, &first);
    if (failing % 4 == 0) {
        emulate(&w, UINT64_MAX, &second);
        fuzz_same("emulation, again", &first, &second, sizeof first);
    }
    if (first.code == VCS_OK) {
        check_counts(&w, &first);
        check_figures(&w, &first);
    }
    if (failing % 4 == 1) {
        emulate(&w, failing / 4, &second);
        assert_true(second.code == VCS_ERR_MEMORY || second.code == first.code);
    }
    return 0;
}

/*
 * Emulations of small grids (chapter 14): the same twice, to the last event; in order of time; nothing gets lost; and a
 * grid that is refused, or broken off by the caller or for want of memory, writes no outcome and gives all memory back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"
#include "support/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vcemu/grid.h>

enum { PROJECTS = 2, CLASSES = 2, ROWS = 2, HOSTS = 40, SAMPLES = 6 };

/* An emulation is broken off after so many events; and gets no more memory than this, bytes. */
#define MOST_EVENTS 1500
#define MOST_BYTES 64000000u
#define TOO_LONG (-4711)

typedef struct host {
    vcs_host record;
    vcs_resource resource;
    vcs_project projects[PROJECTS];
    vcs_app apps[PROJECTS];
    vcs_job_model models[PROJECTS];
    vcs_server_model servers[PROJECTS];
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_scenario scenario;
} host;

typedef struct world {
    vcs_grid_terms terms;
    vcs_grid_project projects[PROJECTS];
    host hosts[CLASSES];
    vcs_host_model models[CLASSES];
    vcs_host_row rows[CLASSES][ROWS];
    uint32_t attached[PROJECTS];
    vcs_host_class classes[CLASSES];
    vcs_grid grid;
} world;

/* ---- A grid ---- */

static void fill_project(fuzz_input *in, vcs_grid_project *p) {
    static const uint32_t by_deadline[] = {VCS_GRID_CHECK_NONE, VCS_GRID_CHECK_DIRECT, VCS_GRID_CHECK_RECOMPUTATION,
                                           VCS_GRID_CHECK_ADAPTIVE};
    static const uint32_t by_reply[] = {VCS_GRID_CHECK_NONE, VCS_GRID_CHECK_DIRECT, VCS_GRID_CHECK_INVERSE,
                                        VCS_GRID_CHECK_RECOMPUTATION, VCS_GRID_CHECK_CREDIBILITY};
    const uint32_t kind = fuzz_byte(in);
    assert_int_equal(vcs_grid_project_init(p, sizeof *p), VCS_OK);
    p->est_flops = 1e12 + 1e13 * fuzz_fraction(in);
    p->mean_flops = p->est_flops * (0.5 + fuzz_fraction(in));
    p->sd_flops = 0.4 * p->mean_flops;
    p->delay_bound = 5e3 * (1 + fuzz_byte(in) % 32);
    p->units = kind % 3 == 0 ? 0 : fuzz_byte(in);
    p->unit_rate = kind % 5 == 0 ? 1e-3 : 0;
    p->distribution = kind / 8 % 3;
    p->dispatch = kind / 32 % 4 == 0 ? VCS_GRID_BY_REPLY : VCS_GRID_BY_DEADLINE;
    p->verification = p->dispatch == VCS_GRID_BY_REPLY ? by_reply[fuzz_byte(in) % 5] : by_deadline[fuzz_byte(in) % 4];
    p->flags = fuzz_byte(in) % 32;
    p->min_quorum = 1 + fuzz_byte(in) % 3;
    if (p->dispatch == VCS_GRID_BY_REPLY || p->verification == VCS_GRID_CHECK_RECOMPUTATION) {
        p->min_quorum = 1;
    }
    p->target_nresults = p->min_quorum + fuzz_byte(in) % 3;
    p->max_total = p->target_nresults + fuzz_byte(in) % 8;
    p->max_error = fuzz_byte(in) % 4;
    p->max_success = fuzz_byte(in) % 6;
    p->quorum_rule = kind % 2;
    p->recomputation = 1 + 3 * fuzz_fraction(in);
    p->input_bytes = kind / 4 % 2 * 1e6;
    p->output_bytes = kind / 2 % 2 * 1e6;
    p->quota = kind / 16 % 4;
    p->max_refusals = kind / 64;
    p->order = fuzz_byte(in) % 3;
    p->spot_checks = kind % 7 == 0 ? 0.3 : 0;
}

static void fill_class(fuzz_input *in, world *w, uint32_t index) {
    host *h = &w->hosts[index];
    vcs_host_model *model = &w->models[index];
    const uint32_t kind = fuzz_byte(in), profile = kind % VCS_PROFILE_COUNT;
    h->resource = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 1 + kind / 4 % 4};
    assert_int_equal(vcs_emulation_init(&h->emulation, sizeof h->emulation, profile), VCS_OK);
    assert_int_equal(vcs_parameters_init(&h->parameters, sizeof h->parameters, profile), VCS_OK);
    h->emulation.available = kind / 16 % 2 != 0 ? 0.5 : 1;
    h->emulation.available_mean = 5000;
    h->parameters.report_delay = kind / 32 % 2 * 86400.0;
    for (uint32_t i = 0; i < PROJECTS; i++) {
        h->projects[i] = (vcs_project){.id = i, .share = 50.0 + 50.0 * i};
        h->apps[i] = (vcs_app){.id = i, .project = i};
        h->models[i] = (vcs_job_model){
            .latency_bound = 1e5, .est_flops = 1e12, .mean_flops = 1e12, .cpus = 1, .weight = 1, .distribution = 2};
    }
    model->count = fuzz_byte(in) % 8;
    model->speed_sd = kind / 64 * 0.2;
    model->arrivals = fuzz_byte(in) % 3 * 40000.0;
    model->lifetime = fuzz_byte(in) % 3 * 30000.0;
    model->rate = fuzz_byte(in) % 3 * 1000.0;
    model->client_error = fuzz_byte(in) % 4 * 0.1;
    model->no_reply = fuzz_byte(in) % 4 * 0.1;
    model->wrong = fuzz_byte(in) % 4 * 0.1;
    model->saboteurs = fuzz_byte(in) % 4 * 0.33;
    model->sabotage = fuzz_fraction(in);
    model->flags = fuzz_byte(in) % 4;
    for (uint32_t i = 0; i < ROWS; i++) {
        w->rows[index][i] = (vcs_host_row){.weight = 1 + fuzz_byte(in) % 3, .cpus = kind % (3 + i)};
    }
    h->scenario.struct_size = sizeof h->scenario;
    h->scenario.snapshot.struct_size = sizeof h->scenario.snapshot;
    h->scenario.snapshot.host = array_of(&h->record, sizeof h->record, 1);
    h->scenario.snapshot.resources = array_of(&h->resource, sizeof h->resource, 1);
    h->scenario.snapshot.projects = array_of(h->projects, sizeof *h->projects, PROJECTS);
    h->scenario.snapshot.apps = array_of(h->apps, sizeof *h->apps, PROJECTS);
    h->scenario.emulation = array_of(&h->emulation, sizeof h->emulation, 1);
    h->scenario.models = array_of(h->models, sizeof *h->models, PROJECTS);
    h->scenario.servers = array_of(h->servers, sizeof *h->servers, PROJECTS);
    w->classes[index] = (vcs_host_class){
        .struct_size = sizeof *w->classes,
        .scenario = &h->scenario,
        .parameters = &h->parameters,
        .projects = array_of(w->attached, sizeof *w->attached, PROJECTS),
        .model = array_of(model, sizeof *model, 1),
        .rows = array_of(w->rows[index], sizeof **w->rows, kind % 2 * ROWS),
    };
}

static void begin(fuzz_input *in, world *w) {
    memset(w, 0, sizeof *w);
    assert_int_equal(vcs_grid_terms_init(&w->terms, sizeof w->terms), VCS_OK);
    w->terms.seed = fuzz_byte(in);
    w->terms.duration = 20000.0 * (1 + fuzz_byte(in) % 10);
    w->terms.sample = fuzz_byte(in) % 2 * w->terms.duration / 5;
    for (uint32_t i = 0; i < PROJECTS; i++) {
        fill_project(in, &w->projects[i]);
        w->attached[i] = i;
    }
    for (uint32_t i = 0; i < CLASSES; i++) {
        fill_class(in, w, i);
    }
    w->grid.struct_size = sizeof w->grid;
    w->grid.terms = array_of(&w->terms, sizeof w->terms, 1);
    w->grid.projects = array_of(w->projects, sizeof *w->projects, PROJECTS);
    w->grid.classes = array_of(w->classes, sizeof *w->classes, CLASSES);
}

static void change(fuzz_input *in, world *w) {
    host *h = &w->hosts[fuzz_byte(in) % CLASSES];
    const fuzz_records records[] = {
        {VCS_TYPE_GRID_TERMS, &w->terms, sizeof w->terms, 1},
        {VCS_TYPE_GRID_PROJECT, w->projects, sizeof *w->projects, PROJECTS},
        {VCS_TYPE_HOST_MODEL, w->models, sizeof *w->models, CLASSES},
        {VCS_TYPE_HOST_ROW, w->rows[0], sizeof **w->rows, ROWS},
        {VCS_TYPE_EMULATION, &h->emulation, sizeof h->emulation, 1},
        {VCS_TYPE_JOB_MODEL, h->models, sizeof *h->models, PROJECTS},
        {VCS_TYPE_PARAMETERS, &h->parameters, sizeof h->parameters, 1},
        {VCS_TYPE_RESOURCE, &h->resource, sizeof h->resource, 1},
        {VCS_TYPE_PROJECT, h->projects, sizeof *h->projects, PROJECTS},
        {VCS_TYPE_APP, h->apps, sizeof *h->apps, PROJECTS},
    };
    fuzz_edit(in, records, sizeof records / sizeof *records);
}

/* ---- One emulation ---- */

typedef struct result {
    vcs_grid_outcome outcome;
    vcs_grid_project_outcome projects[PROJECTS];
    vcs_grid_host_outcome hosts[HOSTS];
    vcs_grid_sample samples[PROJECTS][SAMPLES];
    uint64_t hash, events, sent;
    double last;
    int code;
} result;

typedef struct observer {
    result *seen;
    uint64_t allocations, blocks, bytes, most_allocations;
} observer;

static void *allocate(void *context, size_t size) {
    observer *o = context;
    if (o->allocations++ == o->most_allocations || size > MOST_BYTES - o->bytes) {
        return NULL;
    }
    o->blocks++;
    o->bytes += size;
    return malloc(size);
}

static void release(void *context, void *memory, size_t size) {
    observer *o = context;
    assert_true(o->blocks > 0);
    o->blocks--;
    o->bytes -= size;
    free(memory);
}

static int observe(void *context, const vcs_grid_event *event) {
    observer *o = context;
    unsigned char bytes[sizeof *event];
    assert_true(o->seen->events == 0 || event->time >= o->seen->last);
    assert_false(isnan(event->amount));
    memcpy(bytes, event, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        o->seen->hash = (o->seen->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    o->seen->last = event->time;
    o->seen->sent += event->kind == VCS_GRID_EVENT_SENT;
    return ++o->seen->events > MOST_EVENTS ? TOO_LONG : VCS_OK;
}

static void emulate(const world *w, uint64_t most_allocations, result *r) {
    observer o = {.seen = r, .most_allocations = most_allocations};
    const vcs_grid_hooks hooks = {
        .struct_size = sizeof hooks, .context = &o, .allocate = allocate, .release = release, .observe = observe};
    vcs_error error = {.struct_size = sizeof error};
    memset(r, 0, sizeof *r);
    const vcs_grid_results results = {
        .struct_size = sizeof results,
        .outcome = &r->outcome,
        .projects = r->projects,
        .hosts = r->hosts,
        .samples = r->samples[0],
        .project_size = sizeof *r->projects,
        .project_count = PROJECTS,
        .host_size = sizeof *r->hosts,
        .host_count = HOSTS,
        .sample_size = sizeof **r->samples,
        .sample_count = SAMPLES,
    };
    fuzz_mark(&r->outcome, sizeof r->outcome);
    fuzz_mark(r->projects, sizeof r->projects);
    r->outcome.struct_size = sizeof r->outcome;
    r->code = vcs_emulate_grid(&w->grid, &hooks, &results, &error);
    assert_int_equal(o.blocks, 0);
    assert_int_equal(o.bytes, 0);
    if (r->code != VCS_OK) {
        assert_true(r->code == TOO_LONG || r->code == VCS_ERR_MEMORY || vcs_error_name(r->code)[0] != 'u');
        assert_int_equal(error.code, r->code);
        fuzz_unmarked("outcome", &r->outcome.flags, sizeof r->outcome - offsetof(vcs_grid_outcome, flags));
        fuzz_unmarked("outcomes of projects", r->projects, sizeof r->projects);
    }
}

/* ---- What must agree ---- */

static void check_conservation(const result *r) {
    const vcs_grid_outcome *all = &r->outcome;
    uint64_t sent = 0;
    double flops = 0.0;
    assert_true(fabs(all->present - all->off - all->used - all->idle) <= 1e-6 * all->present + 1e-3);
    for (uint32_t i = 0; i < PROJECTS; i++) {
        const vcs_grid_project_outcome *p = &r->projects[i];
        assert_int_equal(p->units, p->done + p->failed + p->open);
        assert_int_equal(p->copies, p->valid + p->invalid + p->not_judged + p->errors + p->no_reply + p->aborted +
                                        p->detached + p->in_progress);
        assert_true(p->wrong_accepted <= p->done);
        assert_true(p->mean_in_progress >= 0 && p->time_in_progress >= 0);
        sent += p->copies;
        flops += p->flops_useful + p->flops_redundant + p->flops_invalid + p->flops_late + p->flops_failed +
                 p->flops_checks + p->flops_lost + p->flops_held;
    }
    assert_int_equal(sent, r->sent);
    assert_true(fabs(flops - all->flops_used) <= 1e-6 * all->flops_used + 1e-3);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static world w;
    static result first, second;
    fuzz_input in = {bytes, size};
    const uint32_t failing = fuzz_byte(&in);
    begin(&in, &w);
    for (uint32_t i = 0; i < 3 && fuzz_more(&in); i++) {
        change(&in, &w);
    }
    emulate(&w, UINT64_MAX, &first);
    emulate(&w, UINT64_MAX, &second);
    fuzz_same("the second time", &first, &second, sizeof first);
    if (first.code == VCS_OK) {
        check_conservation(&first);
    }
    emulate(&w, failing, &second);
    return 0;
}

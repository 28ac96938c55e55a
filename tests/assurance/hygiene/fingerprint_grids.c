/*
 * The fingerprint of whole grids: each event of hosts and servers, and what came of it; and of odd ones, of which some
 * fields have been changed at random: also what is refused, and why.
 *
 * SPDX-License-Identifier: MIT
 */
#include "assurance/hygiene/fingerprint.h"
#include "support/array.h"

#include <string.h>
#include <vcemu/grid.h>
#include <vcsched/vcsched.h>

#define GRIDS 12
#define GRID_PROJECTS 2
#define HOSTS 12
#define SAMPLES 8
#define ODD_GRIDS 100

/* An odd grid that has more to tell is broken off. */
#define MOST_EVENTS 6000
#define TOO_LONG (-4711)

typedef struct grid_records {
    vcs_host host;
    vcs_resource cpu;
    vcs_project attached[GRID_PROJECTS];
    vcs_app apps[GRID_PROJECTS];
    vcs_job_model models[GRID_PROJECTS];
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_scenario scenario;
    vcs_grid_terms terms;
    vcs_grid_project projects[GRID_PROJECTS];
    uint32_t numbers[GRID_PROJECTS];
    vcs_host_model model;
    vcs_host_row rows[3];
} grid_records;

typedef struct observer {
    fingerprint *print;
    uint32_t events, most_events;
} observer;

/* Spells of each distribution, hosts that differ, that come and go, fail and lie. */
static void fill_hosts(grid_records *r, int i) {
    r->cpu = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 2};
    vcs_emulation_init(&r->emulation, sizeof r->emulation, VCS_PROFILE_CURRENT);
    vcs_parameters_init(&r->parameters, sizeof r->parameters, VCS_PROFILE_CURRENT);
    r->emulation.available = 0.6;
    r->emulation.available_mean = 8000;
    r->emulation.spells = (uint32_t)i % 3;
    r->emulation.spell_shape = 0.7;
    for (uint32_t p = 0; p < GRID_PROJECTS; p++) {
        r->attached[p] = (vcs_project){.id = p, .share = 100.0 + 50.0 * p};
        r->apps[p] = (vcs_app){.id = p, .project = p};
        r->models[p] = (vcs_job_model){.latency_bound = 1e5, .cpus = 1, .weight = 1};
        r->numbers[p] = p;
    }
    r->model = (vcs_host_model){.count = HOSTS,
                                .speed_sd = 0.4,
                                .arrivals = 20000,
                                .lifetime = 4e5,
                                .rate = 1e5,
                                .client_error = 0.05,
                                .no_reply = 0.05,
                                .wrong = 0.02,
                                .saboteurs = 0.2,
                                .sabotage = 0.5,
                                .flags = (uint32_t)i % 4};
    for (int k = 0; k < 3; k++) {
        r->rows[k] = (vcs_host_row){.weight = 1 + spread(i + k), .cpus = 1 + k, .flops = 1e9 * (1 + spread(i - k))};
    }
    r->scenario.struct_size = sizeof r->scenario;
    r->scenario.snapshot.struct_size = sizeof r->scenario.snapshot;
    r->scenario.snapshot.host = array_of(&r->host, sizeof r->host, 1);
    r->scenario.snapshot.resources = array_of(&r->cpu, sizeof r->cpu, 1);
    r->scenario.snapshot.projects = array_of(r->attached, sizeof *r->attached, GRID_PROJECTS);
    r->scenario.snapshot.apps = array_of(r->apps, sizeof *r->apps, GRID_PROJECTS);
    r->scenario.emulation = array_of(&r->emulation, sizeof r->emulation, 1);
    r->scenario.models = array_of(r->models, sizeof *r->models, GRID_PROJECTS);
}

/* Both ways of giving out work, with each check that they have. */
static void fill_projects(grid_records *r, int i) {
    static const uint32_t checks[2][4] = {
        {VCS_GRID_CHECK_NONE, VCS_GRID_CHECK_DIRECT, VCS_GRID_CHECK_RECOMPUTATION, VCS_GRID_CHECK_ADAPTIVE},
        {VCS_GRID_CHECK_NONE, VCS_GRID_CHECK_INVERSE, VCS_GRID_CHECK_RECOMPUTATION, VCS_GRID_CHECK_CREDIBILITY}};
    vcs_grid_terms_init(&r->terms, sizeof r->terms);
    r->terms.seed = (uint64_t)i;
    r->terms.duration = 8 * 86400.0;
    r->terms.sample = 86400;
    for (uint32_t p = 0; p < GRID_PROJECTS; p++) {
        vcs_grid_project *project = &r->projects[p];
        vcs_grid_project_init(project, sizeof *project);
        project->dispatch = p;
        project->verification = checks[p][i % 4];
        project->order = (uint32_t)i % 3;
        project->units = i % 2 == 0 ? 0 : 200;
        project->flags = (uint32_t)i % 32;
        project->distribution = (uint32_t)i % 3;
        project->sd_flops = 1e12;
        project->input_bytes = 1e7;
        project->output_bytes = 1e6;
        const int has_quorum = p == VCS_GRID_BY_DEADLINE && project->verification != VCS_GRID_CHECK_RECOMPUTATION;
        project->min_quorum = has_quorum ? 1 + (uint32_t)i / 2 % 2 : 1;
        project->target_nresults = project->min_quorum;
        project->recomputation = 1.5;
        project->quota = 30;
        project->spot_checks = 0.1;
    }
}

static void fill_grid(grid_records *r, int i) {
    memset(r, 0, sizeof *r);
    fill_hosts(r, i);
    fill_projects(r, i);
}

static int add_event(void *context, const vcs_grid_event *event) {
    observer *o = context;
    add_record(o->print, VCS_TYPE_GRID_EVENT, event);
    return ++o->events < o->most_events ? VCS_OK : TOO_LONG;
}

/* Of one class of hosts, whose table says what differs, or of a second one without a table too. */
static void emulate(fingerprint *print, const grid_records *r, uint32_t class_count, uint32_t most_events) {
    const vcs_host_class classes[2] = {{.struct_size = sizeof *classes,
                                        .scenario = &r->scenario,
                                        .parameters = &r->parameters,
                                        .projects = array_of(r->numbers, sizeof *r->numbers, GRID_PROJECTS),
                                        .model = array_of(&r->model, sizeof r->model, 1),
                                        .rows = array_of(r->rows, sizeof *r->rows, 3)},
                                       {.struct_size = sizeof *classes,
                                        .scenario = &r->scenario,
                                        .parameters = &r->parameters,
                                        .projects = array_of(r->numbers, sizeof *r->numbers, GRID_PROJECTS),
                                        .model = array_of(&r->model, sizeof r->model, 1)}};
    const vcs_grid grid = {.struct_size = sizeof grid,
                           .terms = array_of(&r->terms, sizeof r->terms, 1),
                           .projects = array_of(r->projects, sizeof *r->projects, GRID_PROJECTS),
                           .classes = array_of(classes, sizeof *classes, class_count)};
    observer o = {print, 0, most_events};
    const vcs_grid_hooks hooks = {.struct_size = sizeof hooks, .context = &o, .observe = add_event};
    static uint64_t turnarounds[GRID_PROJECTS * VCS_GRID_BINS];
    vcs_grid_outcome outcome = {.struct_size = sizeof outcome};
    vcs_grid_project_outcome projects[GRID_PROJECTS];
    vcs_grid_host_outcome hosts[HOSTS];
    vcs_grid_sample samples[GRID_PROJECTS * SAMPLES];
    vcs_error error = {.struct_size = sizeof error};
    const vcs_grid_results results = {.struct_size = sizeof results,
                                      .outcome = &outcome,
                                      .projects = projects,
                                      .turnarounds = turnarounds,
                                      .hosts = hosts,
                                      .samples = samples,
                                      .project_size = sizeof *projects,
                                      .project_count = GRID_PROJECTS,
                                      .host_size = sizeof *hosts,
                                      .host_count = HOSTS,
                                      .sample_size = sizeof *samples,
                                      .sample_count = SAMPLES};
    memset(turnarounds, 0, sizeof turnarounds);
    memset(hosts, 0, sizeof hosts);
    memset(samples, 0, sizeof samples);
    const int code = vcs_emulate_grid(&grid, &hooks, &results, &error);
    add_integer(print, (uint64_t)code);
    if (code != VCS_OK && code != TOO_LONG) {
        add_error(print, &error);
    }
    if (code == VCS_OK) {
        add_record(print, VCS_TYPE_GRID_OUTCOME, &outcome);
        add_records(print, VCS_TYPE_GRID_PROJECT_OUTCOME, projects, GRID_PROJECTS);
        add_records(print, VCS_TYPE_GRID_HOST_OUTCOME, hosts, HOSTS);
        add_records(print, VCS_TYPE_GRID_SAMPLE, samples, GRID_PROJECTS * SAMPLES);
        for (uint32_t i = 0; i < GRID_PROJECTS * VCS_GRID_BINS; i++) {
            if (turnarounds[i] != 0) {
                add_integer(print, i);
                add_integer(print, turnarounds[i]);
            }
        }
    }
}

/* ---- Odd ones ---- */

static void change(grid_records *r, int number) {
    switch (number % 8) {
    case 0:
        change_records(VCS_TYPE_GRID_TERMS, &r->terms, sizeof r->terms, 1, number);
        break;
    case 1:
        change_records(VCS_TYPE_HOST_MODEL, &r->model, sizeof r->model, 1, number);
        break;
    case 2:
        change_records(VCS_TYPE_HOST_ROW, r->rows, sizeof *r->rows, 3, number);
        break;
    case 3:
        change_records(VCS_TYPE_EMULATION, &r->emulation, sizeof r->emulation, 1, number);
        break;
    case 4:
        change_records(VCS_TYPE_PARAMETERS, &r->parameters, sizeof r->parameters, 1, number);
        break;
    default:
        change_records(VCS_TYPE_GRID_PROJECT, r->projects, sizeof *r->projects, GRID_PROJECTS, number);
    }
}

/* So much time, so many hosts and units that something happens, and no more. */
static void keep_short(grid_records *r) {
    r->terms.duration = 3 * 86400.0;
    r->terms.sample = r->terms.sample < 20000 ? 0 : r->terms.sample;
    r->model.count = r->model.count > HOSTS ? HOSTS : r->model.count;
    r->emulation.available_mean = r->emulation.available_mean < 600 ? 600 : r->emulation.available_mean;
    r->parameters.period = r->parameters.period < 600 ? 600 : r->parameters.period;
    for (uint32_t p = 0; p < GRID_PROJECTS; p++) {
        vcs_grid_project *project = &r->projects[p];
        project->delay_bound = project->delay_bound < 3600 ? 3600 : project->delay_bound;
        project->unit_rate = project->unit_rate > 0.01 ? 0.01 : project->unit_rate;
    }
}

static void report_odd_grids(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < ODD_GRIDS; i++) {
        grid_records r;
        fill_grid(&r, i);
        for (uint32_t p = 0; p < GRID_PROJECTS; p++) {
            r.projects[p].est_flops = r.projects[p].mean_flops = 2e13;
            r.projects[p].unit_rate = ((uint32_t)i + p) % 3 == 0 ? 0.001 : 0;
        }
        for (int k = 0; k < 1 + i % 3; k++) {
            change(&r, 13 * i + 5 * k);
        }
        keep_short(&r);
        emulate(&print, &r, 1 + (uint32_t)i % 2, MOST_EVENTS);
    }
    report("odd grids", print);
}

void report_grids(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < GRIDS; i++) {
        grid_records r;
        fill_grid(&r, i);
        emulate(&print, &r, 1, UINT32_MAX);
    }
    report("grids", print);
    report_odd_grids();
}

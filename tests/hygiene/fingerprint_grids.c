/*
 * The fingerprint of whole grids: each event of hosts and servers, and what came of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hygiene/fingerprint.h"

#include <string.h>
#include <vcsched/grid.h>
#include <vcsched/vcsched.h>

#define GRIDS 12
#define GRID_PROJECTS 2
#define HOSTS 12

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

static vcs_array array_of(const void *base, size_t size, uint32_t count) {
    vcs_array array;
    memset(&array, 0, sizeof array);
    array.base = base;
    array.element_size = (uint32_t)size;
    array.count = count;
    return array;
}

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

static int add_event(void *context, const vcs_grid_event *event) {
    add_record(context, VCS_TYPE_GRID_EVENT, event);
    return VCS_OK;
}

static void emulate(fingerprint *print, const grid_records *r) {
    const vcs_host_class class_of_hosts = {.struct_size = sizeof class_of_hosts,
                                           .scenario = &r->scenario,
                                           .parameters = &r->parameters,
                                           .projects = array_of(r->numbers, sizeof *r->numbers, GRID_PROJECTS),
                                           .model = array_of(&r->model, sizeof r->model, 1),
                                           .rows = array_of(r->rows, sizeof *r->rows, 3)};
    const vcs_grid grid = {.struct_size = sizeof grid,
                           .terms = array_of(&r->terms, sizeof r->terms, 1),
                           .projects = array_of(r->projects, sizeof *r->projects, GRID_PROJECTS),
                           .classes = array_of(&class_of_hosts, sizeof class_of_hosts, 1)};
    const vcs_grid_hooks hooks = {.struct_size = sizeof hooks, .context = print, .observe = add_event};
    vcs_grid_outcome outcome = {.struct_size = sizeof outcome};
    vcs_grid_project_outcome projects[GRID_PROJECTS];
    vcs_grid_sample samples[GRID_PROJECTS * 8];
    const vcs_grid_results results = {.struct_size = sizeof results,
                                      .outcome = &outcome,
                                      .projects = projects,
                                      .project_size = sizeof *projects,
                                      .project_count = GRID_PROJECTS,
                                      .samples = samples,
                                      .sample_size = sizeof *samples,
                                      .sample_count = 8};
    vcs_error error = {.struct_size = sizeof error};
    require(vcs_emulate_grid(&grid, &hooks, &results, &error) == VCS_OK, error.message);
    add_record(print, VCS_TYPE_GRID_OUTCOME, &outcome);
    add_records(print, VCS_TYPE_GRID_PROJECT_OUTCOME, projects, GRID_PROJECTS);
    add_records(print, VCS_TYPE_GRID_SAMPLE, samples, GRID_PROJECTS * 8);
}

void report_grids(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < GRIDS; i++) {
        grid_records r;
        memset(&r, 0, sizeof r);
        fill_hosts(&r, i);
        fill_projects(&r, i);
        emulate(&print, &r);
    }
    report("grids", print);
}

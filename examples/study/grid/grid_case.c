/* SPDX-License-Identifier: MIT */
#include "grid_case.h"

#include <stdlib.h>
#include <string.h>

void grid_begin(struct grid_case *g, const vcs_parameters *parameters, uint64_t hosts, double duration, uint64_t seed) {
    memset(g, 0, sizeof *g);
    case_begin(&g->host, parameters, seed);
    g->host.resources[0].instances = 1;
    g->host.emulation.available = 1;
    g->hosts.count = hosts;
    vcs_grid_terms_init(&g->terms, sizeof g->terms);
    g->terms.duration = duration;
    g->terms.seed = seed;
}

void grid_mix_hosts(struct grid_case *g) {
    static const vcs_host_row rows[] = {
        {.weight = 5, .cpus = 1, .available = 0.3},  {.weight = 10, .cpus = 1, .available = 0.6},
        {.weight = 5, .cpus = 1, .available = 0.9},  {.weight = 7.5, .cpus = 2, .available = 0.3},
        {.weight = 15, .cpus = 2, .available = 0.6}, {.weight = 7.5, .cpus = 2, .available = 0.9},
        {.weight = 10, .cpus = 4, .available = 0.3}, {.weight = 20, .cpus = 4, .available = 0.6},
        {.weight = 10, .cpus = 4, .available = 0.9}, {.weight = 2.5, .cpus = 8, .available = 0.3},
        {.weight = 5, .cpus = 8, .available = 0.6},  {.weight = 2.5, .cpus = 8, .available = 0.9},
    };
    g->rows = rows;
    g->row_count = sizeof rows / sizeof *rows;
    g->hosts.speed_sd = 0.4;
    g->host.emulation.available = 0.6;
    g->host.emulation.available_mean = 8 * HOUR;
}

void grid_add_project(struct grid_case *g, const vcs_grid_project *project, double share) {
    const uint32_t index = case_add_project(&g->host, share);
    case_add_app(&g->host, index, project->est_flops / CPU_FLOPS, project->delay_bound);
    g->projects[index] = *project;
    g->projects[index].id = index + 1;
    g->project_count = index + 1;
}

static vcs_array array(const void *base, size_t element_size, uint32_t count) {
    vcs_array a = {.element_size = (uint32_t)element_size, .count = count};
    a.base = base;
    return a;
}

int grid_run(const struct grid_case *g, struct grid_run *run, vcs_error *error) {
    uint32_t attached[MOST_PROJECTS];
    vcs_scenario scenario;
    case_describe(&g->host, &scenario);
    for (uint32_t i = 0; i < g->project_count; i++) {
        attached[i] = i;
    }
    const vcs_host_class hosts = {
        .struct_size = sizeof hosts,
        .scenario = &scenario,
        .parameters = &g->host.parameters,
        .projects = array(attached, sizeof *attached, g->project_count),
        .model = array(&g->hosts, sizeof g->hosts, 1),
        .rows = array(g->rows, sizeof *g->rows, g->row_count),
    };
    const vcs_grid grid = {
        .struct_size = sizeof grid,
        .terms = array(&g->terms, sizeof g->terms, 1),
        .projects = array(g->projects, sizeof *g->projects, g->project_count),
        .classes = array(&hosts, sizeof hosts, 1),
    };
    memset(run, 0, sizeof *run);
    run->outcome.struct_size = sizeof run->outcome;
    run->host_count = (uint32_t)g->hosts.count;
    run->hosts = calloc(run->host_count, sizeof *run->hosts);
    *error = (vcs_error){.struct_size = sizeof *error};
    if (run->hosts == NULL) {
        return VCS_ERR_MEMORY;
    }
    const vcs_grid_results results = {
        .struct_size = sizeof results,
        .outcome = &run->outcome,
        .projects = run->projects,
        .project_size = sizeof *run->projects,
        .project_count = g->project_count,
        .hosts = run->hosts,
        .host_size = sizeof *run->hosts,
        .host_count = run->host_count,
    };
    return vcs_emulate_grid(&grid, NULL, &results, error);
}

/*
 * A grid under construction: what the tests of grids have in common.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CASE_H
#define GRID_CASE_H

#include "support/array.h"
#include "support/emulation_case.h"

#include <vcemu/grid.h>

#define MOST_CLASSES 4
#define MOST_ROWS 8
#define HOUR 3600.0

typedef struct grid_case {
    case_records hosts[MOST_CLASSES]; /* the host of each class */
    vcs_grid_terms terms;
    vcs_grid_project projects[MOST];
    vcs_host_class classes[MOST_CLASSES];
    vcs_host_model models[MOST_CLASSES];
    vcs_host_row rows[MOST_CLASSES][MOST_ROWS];
    uint32_t attached[MOST_CLASSES][MOST];
    vcs_grid grid;
    vcs_grid_hooks hooks;
    vcs_grid_outcome outcome;
    vcs_grid_project_outcome project_outcomes[MOST];
    vcs_grid_results results;
} grid_case;

/* A grid without projects or hosts. */
static inline void begin_grid(grid_case *g, double duration) {
    memset(g, 0, sizeof *g);
    vcs_grid_terms_init(&g->terms, sizeof g->terms);
    g->terms.duration = duration;
    g->grid.struct_size = sizeof g->grid;
    g->grid.terms = array_of(&g->terms, sizeof g->terms, 1);
    g->grid.projects = array_of(g->projects, sizeof *g->projects, 0);
    g->grid.classes = array_of(g->classes, sizeof *g->classes, 0);
    g->hooks.struct_size = sizeof g->hooks;
    g->outcome.struct_size = sizeof g->outcome;
    g->results.struct_size = sizeof g->results;
    g->results.outcome = &g->outcome;
    g->results.projects = g->project_outcomes;
    g->results.project_size = sizeof *g->project_outcomes;
}

/* A project with units of `seconds` of a CPU of 1 FLOPS, all alike, and as many as are asked for. */
static inline vcs_grid_project *add_units(grid_case *g, double seconds, double delay_bound) {
    vcs_grid_project *project = &g->projects[g->grid.projects.count++];
    vcs_grid_project_init(project, sizeof(vcs_grid_project));
    project->id = g->grid.projects.count;
    project->est_flops = project->mean_flops = seconds;
    project->delay_bound = delay_bound;
    g->results.project_count = g->grid.projects.count;
    return project;
}

/* A class of hosts of CPUs of 1 FLOPS, always on, attached to all projects that there are: one application of each. */
static inline vcs_host_model *add_hosts(grid_case *g, uint64_t count, uint32_t cpus) {
    const uint32_t index = g->grid.classes.count++;
    case_records *host = &g->hosts[index];
    begin(host, VCS_PROFILE_CURRENT, cpus, g->terms.duration);
    for (uint32_t i = 0; i < g->grid.projects.count; i++) {
        add_app(host, add_project(host), g->projects[i].est_flops, g->projects[i].delay_bound);
        g->attached[index][i] = i;
    }
    g->models[index].count = count;
    g->classes[index] = (vcs_host_class){
        .struct_size = sizeof g->classes[index],
        .scenario = &host->scenario,
        .parameters = &host->parameters,
        .projects = array_of(g->attached[index], sizeof **g->attached, g->grid.projects.count),
        .model = array_of(&g->models[index], sizeof *g->models, 1),
        .rows = array_of(g->rows[index], sizeof **g->rows, 0),
    };
    return &g->models[index];
}

/* A batch of so many units of 1000 operations, due two days after a copy is sent. */
static inline vcs_grid_project *add_batch(grid_case *g, uint64_t units) {
    vcs_grid_project *project = add_units(g, 1000, 2 * DAY);
    project->units = units;
    return project;
}

/* Hosts of one CPU that ask for a job at a time and report it at once. */
static inline vcs_host_model *add_prompt_hosts(grid_case *g, uint64_t count) {
    vcs_host_model *model = add_hosts(g, count, 1);
    case_records *host = &g->hosts[g->grid.classes.count - 1];
    host->parameters.min_buffer = host->parameters.additional_buffer = host->parameters.least_buffer = 0;
    host->parameters.report_delay = 0;
    host->emulation.max_reply = 1;
    return model;
}

static inline int emulate_grid(grid_case *g, vcs_error *error) {
    return vcs_emulate_grid(&g->grid, &g->hooks, &g->results, error);
}

/* What must hold of any grid, however it went (rule 14.4). */
static inline void check_conservation(const grid_case *g) {
    const vcs_grid_outcome *hosts = &g->outcome;
    double flops = 0.0;
    assert_true(fabs(hosts->present - hosts->off - hosts->used - hosts->idle) <= 1e-9 * hosts->present);
    for (uint32_t i = 0; i < g->grid.projects.count; i++) {
        const vcs_grid_project_outcome *p = &g->project_outcomes[i];
        assert_int_equal(p->units, p->done + p->failed + p->open);
        assert_int_equal(p->copies, p->valid + p->invalid + p->not_judged + p->errors + p->no_reply + p->aborted +
                                        p->detached + p->in_progress);
        assert_true(p->wrong_accepted <= p->done);
        assert_true(p->done == 0 || p->turnaround_p50 <= p->turnaround_p95);
        assert_true(p->turnaround_p95 <= p->turnaround_p99);
        flops += p->flops_useful + p->flops_redundant + p->flops_invalid + p->flops_late + p->flops_failed +
                 p->flops_checks + p->flops_lost + p->flops_held;
    }
    assert_true(fabs(flops - hosts->flops_used) <= 1e-9 * hosts->flops_used);
}

/* Emulates it, and checks that nothing got lost. */
static inline void run_grid(grid_case *g) {
    vcs_error error = {.struct_size = sizeof error};
    if (emulate_grid(g, &error) != VCS_OK) {
        fail_msg("%s", error.message);
    }
    check_conservation(g);
}

#endif

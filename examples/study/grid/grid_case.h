/*
 * One run of a grid: its hosts, its projects, and its outcome.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_GRID_CASE_H
#define STUDY_GRID_CASE_H

#include <vcemu/grid.h>

#include "case.h"

struct grid_case {
    struct study_case host; /* one host; the others differ from it by `hosts` and `rows` */
    vcs_host_model hosts;
    const vcs_host_row *rows; /* kinds of hosts; NULL = all are of one kind */
    uint32_t row_count;
    vcs_grid_project projects[MOST_PROJECTS]; /* all hosts are attached to all of them */
    uint32_t project_count;
    vcs_grid_terms terms;
};

/* What came out. */
struct grid_run {
    vcs_grid_outcome outcome;
    vcs_grid_project_outcome projects[MOST_PROJECTS];
    vcs_grid_host_outcome *hosts; /* in the order of their numbers; as many as there is room for */
    uint32_t host_count;
};

/* So many hosts of one CPU of 1 GFLOPS that are always on; no project yet. */
void grid_begin(struct grid_case *g, const vcs_parameters *parameters, uint64_t hosts, double duration, uint64_t seed);

/* Makes the hosts a mixed population: 1 to 8 CPUs, on for 30 to 90 % of the time, faster and slower ones;
   doc/grid_study.md has the numbers. */
void grid_mix_hosts(struct grid_case *g);

/* Attaches all hosts to a project with such units. */
void grid_add_project(struct grid_case *g, const vcs_grid_project *project, double share);

/* Runs the emulation. The caller frees run->hosts, one record per host of the case. Returns the code of
   vcs_emulate_grid(). */
int grid_run(const struct grid_case *g, struct grid_run *run, vcs_error *error);

#endif

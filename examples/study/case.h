/*
 * One run: a host, its projects, and their jobs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_CASE_H
#define STUDY_CASE_H

#include <vcemu/emulator.h>

#define HOUR 3600.0
#define DAY 86400.0
#define CPU_FLOPS 1e9
#define JOB_SECONDS 13000.0
#define MOST_PROJECTS 20
#define MOST_APPS 20

struct study_case {
    vcs_host host;
    vcs_resource resources[2]; /* CPUs, and a GPU type if there is one */
    vcs_project projects[MOST_PROJECTS];
    vcs_app apps[MOST_APPS];
    vcs_job_model models[MOST_APPS];
    vcs_emulation emulation;
    vcs_parameters parameters;
    uint32_t resource_count, project_count, app_count;
};

/* The study's host: 2 CPUs, on for 80 % of the time in spells of 1000 s; no project yet. */
void case_begin(struct study_case *c, const vcs_parameters *parameters, uint64_t seed);

void case_add_gpu(struct study_case *c, double flops);
uint32_t case_add_project(struct study_case *c, double share);

/* Adds an application with equal jobs for one CPU each. The caller may change the model returned. */
vcs_job_model *case_add_app(struct study_case *c, uint32_t project, double seconds, double latency_bound);

/* Fills in the scenario, with pointers into the case. */
void case_describe(const struct study_case *c, vcs_scenario *scenario);

/* Runs the emulation. Returns what vcs_emulate() returns. */
int case_run(const struct study_case *c, vcs_outcome *outcome, vcs_error *error);

#endif

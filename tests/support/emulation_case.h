/*
 * A scenario under construction: what the tests of the emulator have in common.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef EMULATION_CASE_H
#define EMULATION_CASE_H

#include "support/array.h"
#include "support/kernel.h"

#include <vcemu/emulator.h>

#define MOST 8
#define DAY 86400.0

typedef struct case_records {
    vcs_host host;
    vcs_resource resources[MOST];
    vcs_project projects[MOST];
    vcs_app apps[MOST];
    vcs_task tasks[MOST];
    vcs_job_model models[MOST];
    vcs_server_model servers[MOST];
    double sizes[MOST], switches[MOST];
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_scenario scenario;
    vcs_hooks hooks;
    vcs_outcome outcome;
    vcs_project_outcome project_outcomes[MOST];
    vcs_resource_outcome resource_outcomes[MOST];
} case_records;

/* A host of CPUs of 1 FLOPS, so that operations are seconds; always on; no project. */
static inline void begin(case_records *c, uint32_t profile, uint32_t cpus, double duration) {
    memset(c, 0, sizeof *c);
    c->resources[0] = (vcs_resource){.id = 1, .flops = 1, .usable = 1, .instances = cpus};
    vcs_parameters_init(&c->parameters, sizeof c->parameters, profile);
    c->parameters.least_buffer = 0; /* buffers count as a test sets them */
    vcs_emulation_init(&c->emulation, sizeof c->emulation, profile);
    c->emulation.duration = duration;
    c->scenario.struct_size = sizeof c->scenario;
    c->scenario.snapshot.struct_size = sizeof c->scenario.snapshot;
    c->scenario.snapshot.host = array_of(&c->host, sizeof c->host, 1);
    c->scenario.snapshot.resources = array_of(c->resources, sizeof *c->resources, 1);
    c->scenario.snapshot.projects = array_of(c->projects, sizeof *c->projects, 0);
    c->scenario.snapshot.apps = array_of(c->apps, sizeof *c->apps, 0);
    c->scenario.snapshot.tasks = array_of(c->tasks, sizeof *c->tasks, 0);
    c->scenario.emulation = array_of(&c->emulation, sizeof c->emulation, 1);
    c->scenario.models = array_of(c->models, sizeof *c->models, 0);
    c->scenario.servers = array_of(c->servers, sizeof *c->servers, 0);
    c->scenario.sizes = array_of(c->sizes, sizeof *c->sizes, 0);
    c->scenario.switches = array_of(c->switches, sizeof *c->switches, 0);
    c->hooks.struct_size = sizeof c->hooks;
}

/* A project with a share of 100 and a server that always answers. */
static inline uint32_t add_project(case_records *c) {
    uint32_t index = c->scenario.snapshot.projects.count++;
    c->projects[index] = (vcs_project){.id = index + 1, .share = 100};
    c->scenario.servers.count++;
    return index;
}

/* An application with jobs of `seconds` of a CPU, all alike. */
static inline vcs_job_model *add_app(case_records *c, uint32_t project, double seconds, double latency_bound) {
    uint32_t index = c->scenario.snapshot.apps.count++;
    c->apps[index] = (vcs_app){.id = index + 1, .project = project};
    c->scenario.models.count++;
    c->models[index] = (vcs_job_model){.latency_bound = latency_bound,
                                       .est_flops = seconds,
                                       .mean_flops = seconds,
                                       .cpus = 1,
                                       .weight = 1,
                                       .distribution = VCS_SIZES_CONSTANT};
    return &c->models[index];
}

/* A task of a CPU alone that is there from the start. */
static inline void add_task(case_records *c, uint32_t project, double seconds, double deadline) {
    const uint32_t index = c->scenario.snapshot.tasks.count++;
    c->tasks[index] = (vcs_task){
        .id = 10 + index, .project = project, .app = VCS_NONE, .cpus = 1, .remaining = seconds, .deadline = deadline};
}

static inline int emulate(case_records *c, vcs_error *error) {
    c->outcome.struct_size = sizeof c->outcome;
    return vcs_emulate(&c->scenario, &c->parameters, &c->hooks, &c->outcome,
                       ARRAY(c->project_outcomes, c->scenario.snapshot.projects.count),
                       ARRAY(c->resource_outcomes, c->scenario.snapshot.resources.count), error);
}

static inline void run(case_records *c) {
    vcs_error error = {.struct_size = sizeof error};
    if (emulate(c, &error) != VCS_OK) {
        fail_msg("%s", error.message);
    }
}

#endif

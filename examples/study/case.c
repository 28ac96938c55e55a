/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <string.h>

void case_begin(struct study_case *c, const vcs_parameters *parameters, uint64_t seed) {
    memset(c, 0, sizeof *c);
    c->parameters = *parameters;
    c->resources[0] = (vcs_resource){.flops = CPU_FLOPS, .usable = 1, .instances = 2};
    c->resource_count = 1;
    vcs_emulation_init(&c->emulation, sizeof c->emulation, parameters->profile);
    c->emulation.seed = seed;
    c->emulation.available = 0.8;
    c->emulation.available_mean = 1000;
}

void case_add_gpu(struct study_case *c, double flops) {
    c->resources[1] = (vcs_resource){.id = 1, .flops = flops, .usable = 1, .instances = 1};
    c->resource_count = 2;
}

uint32_t case_add_project(struct study_case *c, double share) {
    uint32_t i = c->project_count++;
    c->projects[i] = (vcs_project){.id = i, .share = share};
    return i;
}

vcs_job_model *case_add_app(struct study_case *c, uint32_t project, double seconds, double latency_bound) {
    uint32_t i = c->app_count++;
    c->apps[i] = (vcs_app){.id = i, .project = project};
    c->models[i] = (vcs_job_model){
        .latency_bound = latency_bound,
        .est_flops = seconds * CPU_FLOPS,
        .mean_flops = seconds * CPU_FLOPS,
        .cpus = 1,
        .weight = 1,
    };
    return &c->models[i];
}

#define ARRAY(records, number)                                                                                         \
    { {(records)}, sizeof *(records), (number) }

void case_describe(const struct study_case *c, vcs_scenario *scenario) {
    *scenario = (vcs_scenario){
        .struct_size = sizeof *scenario,
        .snapshot = {.struct_size = sizeof scenario->snapshot,
                     .host = ARRAY(&c->host, 1),
                     .resources = ARRAY(c->resources, c->resource_count),
                     .projects = ARRAY(c->projects, c->project_count),
                     .apps = ARRAY(c->apps, c->app_count)},
        .emulation = ARRAY(&c->emulation, 1),
        .models = ARRAY(c->models, c->app_count),
    };
}

int case_run(const struct study_case *c, vcs_outcome *outcome, vcs_error *error) {
    vcs_scenario scenario;
    case_describe(c, &scenario);
    *outcome = (vcs_outcome){.struct_size = sizeof *outcome};
    *error = (vcs_error){.struct_size = sizeof *error};
    return vcs_emulate(&scenario, &c->parameters, NULL, outcome, NULL, NULL, error);
}

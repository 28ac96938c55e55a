/*
 * The fingerprint of whole emulations: each event, and what came of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "assurance/hygiene/fingerprint.h"
#include "support/array.h"

#include <string.h>
#include <vcemu/emulator.h>
#include <vcsched/vcsched.h>

#define EMULATIONS 60

#define EMULATED_PROJECTS 4

typedef struct emulated_host {
    vcs_host host;
    vcs_resource cpu;
    vcs_project projects[EMULATED_PROJECTS];
    vcs_app apps[EMULATED_PROJECTS];
    vcs_job_model models[EMULATED_PROJECTS];
    vcs_server_model servers[EMULATED_PROJECTS];
    vcs_emulation emulation;
    vcs_parameters parameters;
} emulated_host;

/* Hosts that are off now and then, sizes of each distribution, servers that fail, move, or have their files lost. */
static void fill_host(emulated_host *host, int i) {
    memset(host, 0, sizeof *host);
    host->cpu = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 1 + (uint32_t)i % 4};
    vcs_emulation_init(&host->emulation, sizeof host->emulation, (uint32_t)i % (VCS_PROFILE_CURRENT + 1));
    vcs_parameters_init(&host->parameters, sizeof host->parameters, (uint32_t)i % (VCS_PROFILE_CURRENT + 1));
    host->parameters.work_send = (uint32_t)i / 3 % 2;
    host->emulation.seed = (uint64_t)i;
    host->emulation.duration = 10 * 86400.0;
    host->emulation.available = 0.5 + 0.5 * spread(i);
    host->emulation.available_mean = 5000;
    for (uint32_t p = 0; p < EMULATED_PROJECTS; p++) {
        const double size = 1e13 * spread((int)p + 5 * i) + 1e12;
        host->projects[p] = (vcs_project){.id = p, .share = 100 * spread(3 * i + (int)p)};
        host->apps[p] = (vcs_app){.id = p, .project = p};
        host->models[p] = (vcs_job_model){.latency_bound = 1e5,
                                          .est_flops = size,
                                          .mean_flops = size,
                                          .sd_flops = 0.3 * size,
                                          .cpus = 1,
                                          .weight = 1,
                                          .distribution = p % 3};
        host->servers[p] = (vcs_server_model){.up_mean = 50000,
                                              .down_mean = 5000,
                                              .scheduler_failure = 0.1,
                                              .network_failure = 0.1,
                                              .master_failure = 0.2,
                                              .moves_at = p == 0 ? 3e5 : 0};
    }
}

static int add_event(void *context, const vcs_event *event) {
    add_record(context, VCS_TYPE_EVENT, event);
    return VCS_OK;
}

static void emulate(fingerprint *print, const emulated_host *host) {
    vcs_scenario scenario;
    memset(&scenario, 0, sizeof scenario);
    scenario.struct_size = sizeof scenario;
    scenario.snapshot.struct_size = sizeof scenario.snapshot;
    scenario.snapshot.host = array_of(&host->host, sizeof host->host, 1);
    scenario.snapshot.resources = array_of(&host->cpu, sizeof host->cpu, 1);
    scenario.snapshot.projects = array_of(host->projects, sizeof *host->projects, EMULATED_PROJECTS);
    scenario.snapshot.apps = array_of(host->apps, sizeof *host->apps, EMULATED_PROJECTS);
    scenario.emulation = array_of(&host->emulation, sizeof host->emulation, 1);
    scenario.models = array_of(host->models, sizeof *host->models, EMULATED_PROJECTS);
    scenario.servers = array_of(host->servers, sizeof *host->servers, EMULATED_PROJECTS);
    const vcs_hooks hooks = {.struct_size = sizeof hooks, .context = print, .observe = add_event};
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    vcs_project_outcome projects[EMULATED_PROJECTS];
    vcs_resource_outcome resource;
    vcs_error error = {.struct_size = sizeof error};
    require(vcs_emulate(&scenario, &host->parameters, &hooks, &outcome, ARRAY(projects, EMULATED_PROJECTS),
                        ARRAY(&resource, 1), &error) == VCS_OK,
            error.message);
    add_record(print, VCS_TYPE_OUTCOME, &outcome);
    add_records(print, VCS_TYPE_PROJECT_OUTCOME, projects, EMULATED_PROJECTS);
    add_record(print, VCS_TYPE_RESOURCE_OUTCOME, &resource);
}

void report_emulations(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < EMULATIONS; i++) {
        emulated_host host;
        fill_host(&host, i);
        emulate(&print, &host);
    }
    report("emulations", print);
}

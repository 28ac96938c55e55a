/*
 * The fingerprint of emulations of odd hosts: with a GPU, initial tasks, several applications of a project, and some
 * fields changed at random; what is refused, and why.
 *
 * SPDX-License-Identifier: MIT
 */
#include "assurance/hygiene/fingerprint.h"
#include "support/array.h"

#include <string.h>
#include <vcemu/emulator.h>
#include <vcsched/vcsched.h>

#define ODD_HOSTS 200

enum { RESOURCES = 2, PROJECTS = 3, APPS = 4, TASKS = 5, SIZES = 3, SWITCHES = 6 };

/* An emulation that has more to tell is broken off. */
#define MOST_EVENTS 1500
#define TOO_LONG (-4711)

typedef struct odd_host {
    vcs_host host;
    vcs_resource resources[RESOURCES];
    vcs_project projects[PROJECTS];
    vcs_project_resource pairs[2];
    vcs_app apps[APPS];
    vcs_task tasks[TASKS];
    vcs_emulation emulation;
    vcs_job_model models[APPS];
    vcs_server_model servers[PROJECTS];
    vcs_parameters parameters;
    double sizes[SIZES], switches[SWITCHES];
    vcs_scenario scenario;
} odd_host;

typedef struct observer {
    fingerprint *print;
    uint32_t events;
} observer;

/* ---- A host ---- */

static int has_gpu(int i) {
    return i % 2;
}

static void fill_work(odd_host *h, int i) {
    const int is_fluid = h->parameters.discipline == VCS_DISCIPLINE_FLUID;
    for (uint32_t p = 0; p < PROJECTS; p++) {
        h->projects[p] = (vcs_project){.id = p, .share = 50 + 100 * spread(i + (int)p)};
        h->servers[p] = (vcs_server_model){.request_delay = p == 0 ? 600 : 0,
                                           .up_mean = p == 1 ? 50000 : 0,
                                           .down_mean = 20000,
                                           .scheduler_failure = p == 2 ? 0.2 : 0};
    }
    for (uint32_t a = 0; a < APPS; a++) {
        const double size = 1e12 + 2e13 * spread(7 * i + (int)a);
        const uint32_t gpu = a == APPS - 1 ? 1 : 0;
        h->apps[a] = (vcs_app){.id = a, .project = a % PROJECTS};
        h->models[a] = (vcs_job_model){.latency_bound = 2e4 + 2e5 * spread(3 * i + (int)a),
                                       .est_flops = size,
                                       .mean_flops = size,
                                       .sd_flops = 0.3 * size,
                                       .cpus = gpu != 0   ? 0.25
                                               : is_fluid ? 1
                                                          : 1 + (a + (uint32_t)i) % 2,
                                       .gpus = gpu != 0 ? 0.5 : 0,
                                       .gpu = gpu,
                                       .weight = 1 + spread(i),
                                       .ram = 1e9 * spread(11 * i + (int)a),
                                       .checkpoint_interval = 300 * (i % 3),
                                       .distribution = (a + (uint32_t)i) % 4,
                                       .size_count = (a + (uint32_t)i) % 4 == VCS_SIZES_LIST ? SIZES : 0};
    }
    for (uint32_t t = 0; t < TASKS; t++) {
        h->tasks[t] = (vcs_task){.id = 100 + t,
                                 .project = t % PROJECTS,
                                 .app = t % PROJECTS,
                                 .cpus = 1,
                                 .ram = 5e8,
                                 .remaining = 20000 * spread(i + (int)t),
                                 .deadline = 1e5 * spread(5 * i + (int)t)};
    }
}

static void fill_host(odd_host *h, int i) {
    const uint32_t profile = (uint32_t)i % (VCS_PROFILE_CURRENT + 1);
    memset(h, 0, sizeof *h);
    h->host.ram = i % 3 == 0 ? 0 : 3e9;
    h->resources[0] = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 1 + (uint32_t)i / 3 % 4};
    h->resources[1] = (vcs_resource){.id = 2, .flops = 8e9, .usable = 1, .instances = 1 + (uint32_t)i / 5 % 2};
    require(vcs_emulation_init(&h->emulation, sizeof h->emulation, profile) == VCS_OK &&
                vcs_parameters_init(&h->parameters, sizeof h->parameters, profile) == VCS_OK,
            "no parameters");
    h->parameters.discipline = has_gpu(i) ? VCS_DISCIPLINE_SLICED : h->parameters.discipline;
    h->emulation.seed = (uint64_t)i;
    h->emulation.available = i % 4 == 0 ? 1 : 0.5 + 0.5 * spread(i);
    h->emulation.available_mean = 9000;
    h->emulation.spells = (uint32_t)i % 3;
    h->emulation.spell_shape = 0.7;
    h->emulation.connection_interval = i % 5 == 0 ? 20000 : 0;
    h->parameters.learn_usable = (uint32_t)i / 2 % 2;
    fill_work(h, i);
    h->pairs[0] = (vcs_project_resource){.id = 1, .project = 0, .resource = 0, .backoff_until = 5000};
    h->pairs[1] = (vcs_project_resource){.id = 2, .project = 1, .resource = 0, .rec = 100};
    for (uint32_t s = 0; s < SIZES; s++) {
        h->sizes[s] = 3e12 * (s + 1);
    }
    for (uint32_t s = 0; s < SWITCHES; s++) {
        h->switches[s] = 15000 * (s + 1 + spread(i));
    }
}

static void change(odd_host *h, int number) {
    switch (number % 9) {
    case 0:
        change_records(VCS_TYPE_EMULATION, &h->emulation, sizeof h->emulation, 1, number);
        break;
    case 1:
        change_records(VCS_TYPE_JOB_MODEL, h->models, sizeof *h->models, APPS, number);
        break;
    case 2:
        change_records(VCS_TYPE_SERVER_MODEL, h->servers, sizeof *h->servers, PROJECTS, number);
        break;
    case 3:
        change_records(VCS_TYPE_RESOURCE, h->resources, sizeof *h->resources, RESOURCES, number);
        break;
    case 4:
        change_records(VCS_TYPE_PROJECT, h->projects, sizeof *h->projects, PROJECTS, number);
        break;
    case 5:
        change_records(VCS_TYPE_APP, h->apps, sizeof *h->apps, APPS, number);
        break;
    case 6:
        change_records(VCS_TYPE_TASK, h->tasks, sizeof *h->tasks, TASKS, number);
        break;
    default:
        change_records(VCS_TYPE_PARAMETERS, &h->parameters, sizeof h->parameters, 1, number);
    }
}

/* So much time that something happens, and no more. */
static void keep_short(odd_host *h) {
    h->emulation.duration = 4 * 86400.0;
    h->emulation.available_mean = h->emulation.available_mean < 600 ? 600 : h->emulation.available_mean;
    h->parameters.period = h->parameters.period < 600 ? 600 : h->parameters.period;
}

static void fill_scenario(odd_host *h, int i) {
    const int has_pairs = i % 7 == 0;
    h->scenario.struct_size = sizeof h->scenario;
    h->scenario.snapshot.struct_size = sizeof h->scenario.snapshot;
    h->scenario.snapshot.host = array_of(&h->host, sizeof h->host, 1);
    h->scenario.snapshot.resources = array_of(h->resources, sizeof *h->resources, has_gpu(i) ? RESOURCES : 1);
    h->scenario.snapshot.projects = array_of(h->projects, sizeof *h->projects, PROJECTS);
    h->scenario.snapshot.project_resources = array_of(h->pairs, sizeof *h->pairs, has_pairs ? 2 : 0);
    h->scenario.snapshot.apps = array_of(h->apps, sizeof *h->apps, has_gpu(i) ? APPS : PROJECTS);
    h->scenario.snapshot.tasks = array_of(h->tasks, sizeof *h->tasks, (uint32_t)i % (TASKS + 1));
    h->scenario.emulation = array_of(&h->emulation, sizeof h->emulation, 1);
    h->scenario.models = array_of(h->models, sizeof *h->models, has_gpu(i) ? APPS : PROJECTS);
    h->scenario.servers = array_of(h->servers, sizeof *h->servers, PROJECTS);
    h->scenario.sizes = array_of(h->sizes, sizeof *h->sizes, SIZES);
    h->scenario.switches = array_of(h->switches, sizeof *h->switches, i % 8 == 3 ? SWITCHES : 0);
}

/* ---- Its emulation ---- */

static int add_event(void *context, const vcs_event *event) {
    observer *o = context;
    add_record(o->print, VCS_TYPE_EVENT, event);
    return ++o->events < MOST_EVENTS ? VCS_OK : TOO_LONG;
}

static int send_in_time(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)context;
    (void)situation;
    admission->admitted = candidate % 3 != 1;
    return VCS_OK;
}

static int estimate_high(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    (void)context;
    const int code = vcs_estimate_remaining(progress, rule, device_seconds, NULL);
    *device_seconds *= 1.25;
    return code;
}

static void emulate(fingerprint *print, const odd_host *h, int i) {
    observer o = {print, 0};
    vcs_hooks hooks = {.struct_size = sizeof hooks, .context = &o, .observe = add_event};
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    vcs_project_outcome projects[PROJECTS];
    vcs_resource_outcome resources[RESOURCES];
    vcs_error error = {.struct_size = sizeof error};
    hooks.send = i % 10 == 5 ? send_in_time : NULL;
    hooks.estimate = i % 10 == 7 ? estimate_high : NULL;
    const int code = vcs_emulate(&h->scenario, &h->parameters, &hooks, &outcome, ARRAY(projects, PROJECTS),
                                 ARRAY(resources, h->scenario.snapshot.resources.count), &error);
    add_integer(print, (uint64_t)code);
    if (code == VCS_OK) {
        add_record(print, VCS_TYPE_OUTCOME, &outcome);
        add_records(print, VCS_TYPE_PROJECT_OUTCOME, projects, PROJECTS);
        add_records(print, VCS_TYPE_RESOURCE_OUTCOME, resources, h->scenario.snapshot.resources.count);
    } else if (code != TOO_LONG) {
        add_error(print, &error);
    }
}

void report_odd_hosts(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < ODD_HOSTS; i++) {
        odd_host host;
        fill_host(&host, i);
        for (int k = 0; k < i % 4; k++) {
            change(&host, 11 * i + 5 * k);
        }
        keep_short(&host);
        fill_scenario(&host, i);
        emulate(&print, &host, i);
    }
    report("odd hosts", print);
}

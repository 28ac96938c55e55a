/*
 * A fingerprint of what the library decides: hashes over its answers to many random questions.
 *
 * Programs made of it by different compilers, for different processors, must print the same. It needs no test
 * framework, so that it runs wherever the library does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core/number.h"
#include "support/random_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vcsched/emulator.h>
#include <vcsched/vcsched.h>

#define HOSTS 2000
#define NUMBERS 200000
#define EMULATIONS 60

/* ---- the hash: FNV-1a over the values, not over the bytes of memory, whose order differs ---- */

typedef struct fingerprint {
    uint64_t hash;
    uint64_t values;
} fingerprint;

static const fingerprint nothing_yet = {UINT64_C(0xcbf29ce484222325), 0};

static void add_integer(fingerprint *print, uint64_t value) {
    for (int byte = 0; byte < 8; byte++) {
        print->hash = (print->hash ^ ((value >> (8 * byte)) & 0xff)) * UINT64_C(0x100000001b3);
    }
    print->values++;
}

static void add_number(fingerprint *print, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_integer(print, bits);
}

static void report(const char *what, fingerprint print) {
    printf("%-12s %016llx over %llu values\n", what, (unsigned long long)print.hash, (unsigned long long)print.values);
}

static void require(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

/* ---- kernels ---- */

/* 0 ... 1, in an order that looks random: multiples of the golden ratio, less their whole parts. */
static double spread(int i) {
    const double multiple = i * 0.6180339887498949;
    return multiple - (double)(int64_t)multiple;
}

static void report_numbers(void) {
    fingerprint exp2 = nothing_yet, log2 = nothing_yet;
    for (int i = 0; i < NUMBERS; i++) {
        const double x = 2200 * spread(i) - 1100;
        add_number(&exp2, vcs_exp2(x));
        add_number(&exp2, vcs_exp2m1(x / 1100));
        add_number(&log2, vcs_log2(vcs_exp2(x) * (1 + spread(7 * i))));
    }
    report("exp2", exp2);
    report("log2", log2);
}

static void add_estimates(fingerprint *print, vcs_correction *correction, int i) {
    const vcs_progress task = {
        .struct_size = sizeof task,
        .est_flops = 1e12 + 1e14 * spread(i),
        .flops = 1e9,
        .dcf = correction->dcf,
        .elapsed = 1e5 * spread(3 * i),
        .fraction_done = 1.1 * spread(5 * i),
    };
    double remaining;
    require(vcs_correction_update(correction, &task, NULL) == VCS_OK &&
                vcs_estimate_remaining(&task, (uint32_t)i % 3, &remaining, NULL) == VCS_OK,
            "an estimate was refused");
    add_number(print, correction->dcf);
    add_number(print, remaining);
}

static void add_averages(fingerprint *print, vcs_average *sum, vcs_average *mean, int i) {
    const double now = 10000.0 * i;
    require(vcs_average_add(sum, 3600 * spread(i), 1 / 604800.0, now) == VCS_OK &&
                vcs_average_blend(mean, 100 * spread(3 * i), 864000, now) == VCS_OK,
            "an average was refused");
    add_number(print, sum->value);
    add_number(print, mean->value);
}

static void add_wait(fingerprint *print, vcs_backoff_range *range, int i) {
    double wait;
    range->rule = VCS_BACKOFF_EXPONENT + (uint32_t)i % 3;
    require(vcs_backoff((uint32_t)i % 14, range, spread(i), &wait) == VCS_OK, "a wait was refused");
    add_number(print, wait);
}

static void report_kernels(void) {
    fingerprint print = nothing_yet;
    vcs_parameters policy;
    vcs_backoff_range range;
    require(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT) == VCS_OK &&
                vcs_backoff_range_init(&range, sizeof range, &policy, VCS_BACKOFF_OF_SCHEDULER, NULL) == VCS_OK,
            "the parameters were refused");
    vcs_average sum = {0}, mean = {0};
    vcs_correction correction = {0};
    for (int i = 0; i < NUMBERS / 10; i++) {
        add_estimates(&print, &correction, i);
        add_averages(&print, &sum, &mean, i);
        add_wait(&print, &range, i);
    }
    report("kernels", print);
}

/* ---- decisions ---- */

static void add_wrr(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot) {
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    vcs_task_forecast tasks[RANDOM_MOST_TASKS];
    vcs_resource_forecast resources[RANDOM_MOST_RESOURCES];
    vcs_project_resource_forecast project_resources[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
    const uint32_t pair_count = snapshot->projects.count * snapshot->resources.count;
    require(vcs_wrr(state, &summary) == VCS_OK &&
                vcs_wrr_tasks(state, tasks, sizeof *tasks, snapshot->tasks.count) == VCS_OK &&
                vcs_wrr_resources(state, resources, sizeof *resources, snapshot->resources.count) == VCS_OK &&
                vcs_wrr_project_resources(state, project_resources, sizeof *project_resources, pair_count) == VCS_OK,
            "the round-robin was refused");
    add_number(print, summary.simulated_until);
    add_integer(print, summary.flags);
    add_integer(print, summary.steps);
    add_integer(print, summary.misses);
    add_integer(print, summary.unknown);
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        add_number(print, tasks[i].finish);
        add_integer(print, tasks[i].verdict);
    }
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        add_number(print, resources[i].shortfall);
        add_number(print, resources[i].idle_now);
        add_number(print, resources[i].saturated);
    }
    for (uint32_t i = 0; i < pair_count; i++) {
        add_number(print, project_resources[i].shortfall);
        add_integer(print, project_resources[i].misses);
        add_integer(print, project_resources[i].tasks);
    }
}

static void add_edf(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot, uint32_t which) {
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    vcs_edf_task tasks[RANDOM_MOST_TASKS];
    vcs_edf_resource resources[RANDOM_MOST_RESOURCES];
    require(vcs_edf(state, which, &summary) == VCS_OK &&
                vcs_edf_tasks(state, tasks, sizeof *tasks, snapshot->tasks.count) == VCS_OK &&
                vcs_edf_resources(state, resources, sizeof *resources, snapshot->resources.count) == VCS_OK,
            "earliest deadline first was refused");
    add_number(print, summary.latest_finish);
    add_integer(print, summary.flags);
    add_integer(print, summary.tasks);
    add_integer(print, summary.misses);
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        add_number(print, tasks[i].start);
        add_number(print, tasks[i].finish);
        add_integer(print, tasks[i].verdict);
    }
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        add_number(print, resources[i].busy);
    }
}

static void add_admissions(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot) {
    for (uint32_t i = 0; i < snapshot->candidates.count; i++) {
        vcs_admission admission = {.struct_size = sizeof admission};
        require(vcs_admit(state, i, &admission) == VCS_OK, "admission was refused");
        add_integer(print, admission.reason);
        add_number(print, admission.finish);
        add_integer(print, admission.harmed);
        add_integer(print, admission.harmed_candidate);
    }
}

static vcs_state *prepare(const random_state *host, void **work) {
    size_t size;
    vcs_state *state = NULL;
    vcs_error error = {.struct_size = sizeof error};
    require(vcs_state_size(&host->snapshot, &size) == VCS_OK, "a snapshot was refused");
    *work = malloc(size);
    require(*work != NULL, "out of memory");
    require(vcs_state_prepare(&host->snapshot, &host->parameters, host->now, *work, size, &state, &error) == VCS_OK,
            error.message);
    return state;
}

static void report_hosts(const char *discipline, random_kind kind) {
    fingerprint wrr = nothing_yet, edf = nothing_yet, admit = nothing_yet;
    for (uint64_t seed = 0; seed < HOSTS; seed++) {
        random_state host;
        void *work;
        random_state_fill(&host, kind, seed);
        vcs_state *state = prepare(&host, &work);
        add_wrr(&wrr, state, &host.snapshot);
        add_edf(&edf, state, &host.snapshot, VCS_EDF_MISSED);
        add_edf(&edf, state, &host.snapshot, VCS_EDF_ALL);
        add_admissions(&admit, state, &host.snapshot);
        free(work);
    }
    printf("%s\n", discipline);
    report("  wrr", wrr);
    report("  edf", edf);
    report("  admit", admit);
}

/* ---- emulations ---- */

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

static vcs_array array_of(const void *base, size_t size, uint32_t count) {
    vcs_array array;
    memset(&array, 0, sizeof array);
    array.base = base;
    array.element_size = (uint32_t)size;
    array.count = count;
    return array;
}

/* Hosts that are off now and then, sizes of each distribution, servers that fail, move, or have their files lost. */
static void fill_host(emulated_host *host, int i) {
    memset(host, 0, sizeof *host);
    host->cpu = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 1 + (uint32_t)i % 4};
    vcs_emulation_init(&host->emulation, sizeof host->emulation, (uint32_t)i % VCS_PROFILE_COUNT);
    vcs_parameters_init(&host->parameters, sizeof host->parameters, (uint32_t)i % VCS_PROFILE_COUNT);
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
    fingerprint *print = context;
    add_number(print, event->time);
    add_integer(print, event->kind);
    add_integer(print, event->project);
    add_integer(print, event->task);
    add_integer(print, event->resource);
    add_integer(print, event->track);
    add_number(print, event->amount);
    add_number(print, event->deadline);
    return VCS_OK;
}

static void add_outcome(fingerprint *print, const vcs_outcome *outcome) {
    add_number(print, outcome->waste);
    add_number(print, outcome->idleness);
    add_number(print, outcome->share_violation);
    add_number(print, outcome->monotony);
    add_number(print, outcome->rpcs_per_job);
    add_number(print, outcome->flops_used);
    add_integer(print, outcome->ended);
    add_integer(print, outcome->refused);
    add_integer(print, outcome->master_fetches);
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
    vcs_error error = {.struct_size = sizeof error};
    require(vcs_emulate(&scenario, &host->parameters, &hooks, &outcome, NULL, 0, 0, NULL, 0, 0, &error) == VCS_OK,
            error.message);
    add_outcome(print, &outcome);
}

static void report_emulations(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < EMULATIONS; i++) {
        emulated_host host;
        fill_host(&host, i);
        emulate(&print, &host);
    }
    report("emulations", print);
}

int main(void) {
    report_numbers();
    report_kernels();
    report_hosts("fluid", RANDOM_FLUID);
    report_hosts("sliced", RANDOM_ANY);
    report_emulations();
    return 0;
}

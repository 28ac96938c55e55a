/*
 * What the calls of bench.lua cost in C, through the shared libraries: the least of several hundred short rounds.
 *
 *     ninja -C build bindings/lua/bench_calls && build/bindings/lua/bench_calls
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vcemu/emulator.h>
#include <vcsched/vcsched.h>

static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* What is measured: this many calls. */
typedef void work(long calls);

static void call_nothing(long calls) {
    for (long i = 0; i < calls; i++) {
        vcs_abi_version();
    }
}

static void call_credits(long calls) {
    double credits;
    for (long i = 0; i < calls; i++) {
        vcs_credits((double)i, &credits);
    }
}

static void call_average_add(long calls) {
    vcs_average average = {.value = 0};
    for (long i = 0; i < calls; i++) {
        vcs_average_add(&average, 1, 1e-5, (double)i);
    }
}

static void call_emulate(long calls) {
    const vcs_host host = {.id = 0};
    const vcs_resource cpu = {.flops = 1e9, .usable = 0.8, .instances = 4};
    const vcs_project projects[2] = {{.id = 1, .share = 100}, {.id = 2, .share = 100}};
    const vcs_app apps[2] = {{.id = 1, .project = 0}, {.id = 2, .project = 1}};
    const vcs_job_model models[2] = {
        {.latency_bound = 40000, .est_flops = 1e13, .mean_flops = 1e13, .sd_flops = 3e12, .cpus = 1, .weight = 1},
        {.latency_bound = 500000, .est_flops = 8e13, .mean_flops = 8e13, .sd_flops = 2e13, .cpus = 1, .weight = 1}};
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_emulation_init(&emulation, sizeof emulation, VCS_PROFILE_CURRENT);
    vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT);
    const vcs_scenario scenario = {.struct_size = sizeof scenario,
        .snapshot = {.struct_size = sizeof scenario.snapshot, .host = {{&host}, sizeof host, 1},
            .resources = {{&cpu}, sizeof cpu, 1}, .projects = {{projects}, sizeof *projects, 2},
            .apps = {{apps}, sizeof *apps, 2}},
        .emulation = {{&emulation}, sizeof emulation, 1}, .models = {{models}, sizeof *models, 2}};
    for (long i = 0; i < calls; i++) {
        vcs_outcome outcome = {.struct_size = sizeof outcome};
        if (vcs_emulate(&scenario, &parameters, NULL, &outcome, NULL, 0, 0, NULL, 0, 0, NULL) != VCS_OK) {
            exit(EXIT_FAILURE);
        }
    }
}

/* The seconds of one call. */
static double least(long calls, int rounds, work *f) {
    double best = 1e9;
    for (int i = 0; i < rounds; i++) {
        const double started = cpu_seconds();
        f(calls);
        const double taken = cpu_seconds() - started;
        best = taken < best ? taken : best;
    }
    return best / (double)calls;
}

int main(void) {
    printf("%-44s %12.1f ns\n", "vcs_abi_version()", least(100000, 500, call_nothing) * 1e9);
    printf("%-44s %12.1f ns\n", "vcs_credits(number, out)", least(100000, 500, call_credits) * 1e9);
    printf("%-44s %12.1f ns\n", "vcs_average_add(record, ...)", least(50000, 500, call_average_add) * 1e9);
    printf("%-44s %12.0f us\n", "vcs_emulate, 100 days", least(1, 15, call_emulate) * 1e6);
}

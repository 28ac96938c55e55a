/*
 * How long a whole grid takes, and how much memory, as the number of hosts grows.
 *
 *     bench_grid [HOSTS DAYS]
 *
 * Hosts of 4 CPUs that are on for half of the time, jobs of two hours of which two equal results are wanted. Without
 * arguments, grids of 250, 500, 1,000 and 2,000 hosts for a week, and what a copy costs in each by what it costs in the
 * first: that it stays near 1 is what linear growth means. With arguments, one grid.
 *
 * The seconds are those of this machine, in the time of this process; the memory is what the emulation asked for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "support/array.h"

#include <vcemu/grid.h>

#define DAY 86400.0
#define HOUR 3600.0

/* What was asked for and has not been given back, and the most of it. */
typedef struct memory {
    size_t used, most;
} memory;

static void *allocate(void *context, size_t size) {
    memory *m = context;
    m->used += size;
    m->most = m->used > m->most ? m->used : m->most;
    return malloc(size);
}

static void release(void *context, void *bytes, size_t size) {
    memory *m = context;
    m->used -= size;
    free(bytes);
}

/* Emulates a grid; returns the seconds that a copy took. */
static double measure(uint64_t hosts, double days, double first) {
    vcs_host host = {.ram = 0.0};
    vcs_resource cpu = {.id = 1, .flops = 1e9, .usable = 1.0, .instances = 4};
    vcs_project attached = {.id = 1, .share = 100.0};
    vcs_app app = {.id = 1};
    vcs_job_model version = {.latency_bound = 7 * DAY, .cpus = 1.0, .weight = 1.0};
    vcs_emulation emulation;
    vcs_parameters parameters;
    must(vcs_emulation_init(&emulation, sizeof emulation, VCS_PROFILE_CURRENT), "emulation");
    must(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT), "parameters");
    emulation.available = 0.5;
    emulation.available_mean = 8 * HOUR;
    vcs_scenario scenario = {.struct_size = sizeof scenario};
    scenario.snapshot.struct_size = sizeof scenario.snapshot;
    scenario.snapshot.host = array_of(&host, sizeof host, 1);
    scenario.snapshot.resources = array_of(&cpu, sizeof cpu, 1);
    scenario.snapshot.projects = array_of(&attached, sizeof attached, 1);
    scenario.snapshot.apps = array_of(&app, sizeof app, 1);
    scenario.emulation = array_of(&emulation, sizeof emulation, 1);
    scenario.models = array_of(&version, sizeof version, 1);

    vcs_grid_terms terms;
    vcs_grid_project project;
    must(vcs_grid_terms_init(&terms, sizeof terms), "terms");
    must(vcs_grid_project_init(&project, sizeof project), "project");
    terms.duration = days * DAY;
    project.est_flops = project.mean_flops = 2 * HOUR * cpu.flops;
    project.sd_flops = 0.1 * project.mean_flops;
    project.distribution = VCS_SIZES_NORMAL;
    project.min_quorum = project.target_nresults = 2;
    const vcs_host_model model = {.count = hosts};
    const uint32_t number = 0;
    const vcs_host_class all = {.struct_size = sizeof all,
                                .scenario = &scenario,
                                .parameters = &parameters,
                                .projects = array_of(&number, sizeof number, 1),
                                .model = array_of(&model, sizeof model, 1)};
    const vcs_grid grid = {.struct_size = sizeof grid,
                           .terms = array_of(&terms, sizeof terms, 1),
                           .projects = array_of(&project, sizeof project, 1),
                           .classes = array_of(&all, sizeof all, 1)};
    memory used = {0, 0};
    const vcs_grid_hooks hooks = {
        .struct_size = sizeof hooks, .context = &used, .allocate = allocate, .release = release};
    vcs_grid_project_outcome outcome;
    const vcs_grid_results results = {
        .struct_size = sizeof results, .projects = &outcome, .project_size = sizeof outcome, .project_count = 1};
    const double begin = nanoseconds();
    must(vcs_emulate_grid(&grid, &hooks, &results, NULL), "grid");
    const double seconds = (nanoseconds() - begin) / 1e9, of_copy = seconds / (double)outcome.copies;
    printf("%8llu hosts %4g days %10llu copies %8.2f s %6.0f host-days/s %6.2f us a copy", (unsigned long long)hosts,
           days, (unsigned long long)outcome.copies, seconds, (double)hosts * days / seconds, of_copy * 1e6);
    printf(" %8.1f MB %6.1f kB a host", (double)used.most / 1e6, (double)used.most / 1e3 / (double)hosts);
    if (first > 0.0) {
        printf(" %5.2f x", of_copy / first);
    }
    printf("\n");
    return of_copy;
}

int main(int argc, char **argv) {
    if (argc == 3) {
        measure(strtoull(argv[1], NULL, 10), strtod(argv[2], NULL), 0.0);
        return 0;
    }
    measure(100, 7, 0.0); /* so that the first one does not pay for what is done once */
    const double first = measure(250, 7, 0.0);
    measure(500, 7, first);
    measure(1000, 7, first);
    measure(2000, 7, first);
    return 0;
}

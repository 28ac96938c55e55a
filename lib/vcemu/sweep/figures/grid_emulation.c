/* One emulation of a grid, and what its hosts are like. SPDX-License-Identifier: MIT */
#include "vcemu/sweep/figures/grid_emulation.h"

#include <math.h>
#include <stdlib.h>

/* Ends an emulation that is no longer wanted; no error code of the library. */
#define STOPPED (-1000)

/* ---- hosts by population ---- */

static void add_fraction(struct grid_fractions *fractions, double value) {
    const double place = value * GRID_FRACTION_BINS;
    fractions->sum += value;
    fractions->count++;
    fractions->bins[place < GRID_FRACTION_BINS ? (uint32_t)(place < 0 ? 0 : place) : GRID_FRACTION_BINS - 1]++;
}

static void compare_host(struct grid_comparison *compared, const vcs_grid_host_outcome *host) {
    if (!isnan(host->least_loss)) {
        compared->used += host->flops_used;
        compared->lost += host->flops_used * host->lost;
        compared->least += host->flops_used * host->least_loss;
    }
}

static void add_host(struct grid_population_outcome *population, const vcs_grid_host_outcome *host) {
    population->hosts++;
    population->saboteurs += (host->flags & VCS_GRID_HOST_SABOTEUR) != 0;
    population->reported += host->reported;
    population->calls += host->calls;
    population->too_slow += host->idleness == 1 && host->refused > 0;
    population->cpus += host->cpus;
    population->flops += host->cpus * host->flops;
    population->on += host->on;
    if (host->on > 0) {
        add_fraction(&population->fractions[GRID_IDLENESS], host->idleness);
        add_fraction(&population->fractions[GRID_WASTE], host->waste);
        add_fraction(&population->fractions[GRID_SHARE_VIOLATION], host->share_violation);
    }
}

double vcs_swp_grid_fraction_quantile(const struct grid_fractions *fractions, double part) {
    const double wanted = part * (double)fractions->count;
    double sum = 0;
    if (fractions->count == 0) {
        return NAN;
    }
    for (uint32_t i = 0; i < GRID_FRACTION_BINS; i++) {
        const double here = (double)fractions->bins[i];
        if (here > 0 && sum + here >= wanted) {
            /* hosts of a bin count as spread evenly over it, but zeros stay 0 */
            return i == 0 && sum == 0 && fractions->sum == 0 ? 0 : (i + (wanted - sum) / here) / GRID_FRACTION_BINS;
        }
        sum += here;
    }
    return 1;
}

/* ---- the emulation ---- */

struct watcher {
    const struct worker *worker;
    const struct grid_observer *observer; /* NULL = none */
};

static int observe(void *context, const vcs_grid_event *event) {
    const struct watcher *watcher = context;
    return watcher->observer->observe(watcher->observer->context, event);
}

static int note_progress(void *context, double done) {
    const struct watcher *watcher = context;
    return vcs_swp_worker_tells(watcher->worker, done) ? VCS_OK : STOPPED;
}

static bool allocate(struct grid_emulation *run, const struct grid_emulated *emulated, uint32_t hosts) {
    const size_t projects = emulated->grid->project_count;
    run->projects = calloc(projects, sizeof *run->projects);
    run->turnarounds = calloc(projects * VCS_GRID_BINS, sizeof *run->turnarounds);
    run->samples = calloc(projects * emulated->sample_room + 1, sizeof *run->samples);
    run->populations = calloc(emulated->grid->population_count, sizeof *run->populations);
    run->hosts = calloc(hosts, sizeof *run->hosts);
    run->host_count = hosts;
    return run->projects != NULL && run->turnarounds != NULL && run->samples != NULL && run->populations != NULL &&
           run->hosts != NULL;
}

static void sum_up_hosts(struct grid_emulation *run, bool bounds) {
    run->host_count = run->total.hosts < run->host_count ? (uint32_t)run->total.hosts : run->host_count;
    for (uint32_t i = 0; i < run->host_count; i++) {
        struct grid_population_outcome *population = &run->populations[run->hosts[i].host_class];
        add_host(population, &run->hosts[i]);
        if (bounds) {
            compare_host(&population->compared, &run->hosts[i]);
            compare_host(&run->compared, &run->hosts[i]);
        }
    }
}

bool vcs_swp_grid_emulate(struct grid_emulation *run, const struct grid_emulated *emulated, const struct worker *worker,
                          const struct grid_observer *observer, struct fault *fault) {
    struct watcher watcher = {worker, observer};
    const uint64_t hosts = vcs_scn_grid_scenario_most_hosts(emulated->grid);
    if (!allocate(run, emulated, hosts < UINT32_MAX ? (uint32_t)hosts : UINT32_MAX)) {
        return vcs_scn_fault_memory(fault, emulated->file->document.file);
    }
    vcs_grid_terms terms;
    const vcs_grid grid = vcs_scn_grid_scenario_grid(emulated->grid, run->seed, emulated->sample, &terms);
    terms.flags = emulated->bounds ? VCS_GRID_BOUNDS : 0;
    const vcs_grid_hooks hooks = {.struct_size = sizeof hooks,
                                  .context = &watcher,
                                  .observe = observer != NULL ? observe : NULL,
                                  .progress = note_progress};
    run->total.struct_size = sizeof run->total;
    const vcs_grid_results results = {
        .struct_size = sizeof results,
        .outcome = &run->total,
        .projects = run->projects,
        .turnarounds = run->turnarounds,
        .hosts = run->hosts,
        .samples = run->samples,
        .project_size = sizeof *run->projects,
        .project_count = emulated->grid->project_count,
        .host_size = sizeof *run->hosts,
        .host_count = run->host_count,
        .sample_size = sizeof *run->samples,
        .sample_count = emulated->sample_room,
    };
    vcs_error error = {.struct_size = sizeof error};
    error.code = vcs_emulate_grid(&grid, &hooks, &results, &error);
    if (error.code != VCS_OK) {
        return vcs_scn_grid_scenario_refuse(emulated->file, &error, fault);
    }
    sum_up_hosts(run, emulated->bounds);
    return true;
}

void vcs_swp_grid_emulation_forget_hosts(struct grid_emulation *run) {
    free(run->hosts);
    run->hosts = NULL;
    run->host_count = 0;
}

void vcs_swp_grid_emulation_free(struct grid_emulation *run) {
    free(run->projects);
    free(run->turnarounds);
    free(run->samples);
    free(run->populations);
    free(run->hosts);
}

/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "grid_run.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "grid_trace.h"
#include "progress.h"

#define DEFAULT_SAMPLES 100
#define MOST_SAMPLES 1e6
#define WAIT_NS 100000000L

/* How finely the bar knows what is done. */
#define WHOLE_EMULATION 1000000u

/* What the workers share. */
struct work {
    struct grid_emulated *emulated;
    struct grid_trace *trace; /* NULL = none */
    pthread_mutex_t lock;     /* of all that follows */
    pthread_cond_t changed;
    uint32_t next_run;
    uint32_t ended;
    double *done; /* of each run, from 0 to 1 */
    bool failed;
    struct fault fault;
};

/* ---- hosts by population ---- */

static void add_fraction(struct grid_fractions *fractions, double value) {
    const double place = value * GRID_FRACTION_BINS;
    fractions->sum += value;
    fractions->count++;
    fractions->bins[place < GRID_FRACTION_BINS ? (uint32_t)(place < 0 ? 0 : place) : GRID_FRACTION_BINS - 1]++;
}

static void add_host(struct grid_population_outcome *population, const vcs_grid_host_outcome *host) {
    population->hosts++;
    population->saboteurs += host->flags & 1u;
    population->reported += host->reported;
    population->calls += host->calls;
    population->cpus += host->cpus;
    population->flops += host->cpus * host->flops;
    population->on += host->on;
    if (host->on > 0) {
        add_fraction(&population->fractions[GRID_IDLENESS], host->idleness);
        add_fraction(&population->fractions[GRID_WASTE], host->waste);
        add_fraction(&population->fractions[GRID_SHARE_VIOLATION], host->share_violation);
    }
}

double grid_fraction_quantile(const struct grid_fractions *fractions, double part) {
    const double wanted = part * (double)fractions->count;
    double sum = 0;
    if (fractions->count == 0) {
        return NAN;
    }
    for (uint32_t i = 0; i < GRID_FRACTION_BINS; i++) {
        const double here = (double)fractions->bins[i];
        if (here > 0 && sum + here >= wanted) {
            /* as if those of a bin were spread over it evenly; all that are 0 stay 0 */
            return i == 0 && sum == 0 && fractions->sum == 0 ? 0 : (i + (wanted - sum) / here) / GRID_FRACTION_BINS;
        }
        sum += here;
    }
    return 1;
}

/* ---- one emulation ---- */

struct watcher {
    struct work *work;
    uint32_t run;
};

static int observe(void *context, const vcs_grid_event *event) {
    const struct watcher *watcher = context;
    grid_trace_event(watcher->work->trace, event);
    return VCS_OK;
}

static int note_progress(void *context, double done) {
    const struct watcher *watcher = context;
    struct work *work = watcher->work;
    pthread_mutex_lock(&work->lock);
    work->done[watcher->run] = done;
    const bool failed = work->failed;
    pthread_mutex_unlock(&work->lock);
    return failed ? VCS_ERR_MEMORY : VCS_OK; /* another one failed: this one is not needed any more */
}

static bool make_room(struct grid_emulation *run, const struct grid_emulated *emulated, uint32_t hosts) {
    const size_t projects = emulated->grid->project_count;
    run->projects = calloc(projects, sizeof *run->projects);
    run->turnarounds = calloc(projects * VCS_GRID_BINS, sizeof *run->turnarounds);
    run->samples = calloc(projects * emulated->sample_room, sizeof *run->samples);
    run->populations = calloc(emulated->grid->population_count, sizeof *run->populations);
    run->hosts = calloc(hosts, sizeof *run->hosts);
    run->host_count = hosts;
    return run->projects != NULL && run->turnarounds != NULL && run->samples != NULL && run->populations != NULL &&
           run->hosts != NULL;
}

static void sum_up_hosts(struct grid_emulation *run, bool keep) {
    run->host_count = run->total.hosts < run->host_count ? (uint32_t)run->total.hosts : run->host_count;
    for (uint32_t i = 0; i < run->host_count; i++) {
        add_host(&run->populations[run->hosts[i].host_class], &run->hosts[i]);
    }
    if (!keep) {
        free(run->hosts);
        run->hosts = NULL;
    }
}

static bool emulate(struct work *work, uint32_t index, struct fault *fault) {
    struct grid_emulated *emulated = work->emulated;
    struct grid_emulation *run = &emulated->runs[index];
    struct watcher watcher = {work, index};
    const uint64_t hosts = grid_scenario_most_hosts(emulated->grid);
    if (!make_room(run, emulated, hosts < UINT32_MAX ? (uint32_t)hosts : UINT32_MAX)) {
        return fault_set(fault, "%s: there is not enough memory", emulated->file->document.file);
    }
    vcs_grid_terms terms;
    const vcs_grid grid = grid_scenario_grid(emulated->grid, run->seed, emulated->sample, &terms);
    const vcs_grid_hooks hooks = {.struct_size = sizeof hooks,
                                  .context = &watcher,
                                  .observe = work->trace != NULL ? observe : NULL,
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
        return grid_scenario_refuse(emulated->file, &error, fault);
    }
    sum_up_hosts(run, index == 0);
    return true;
}

/* ---- several at a time ---- */

static void *work_on(void *context) {
    struct work *work = context;
    pthread_mutex_lock(&work->lock);
    while (work->next_run < work->emulated->run_count && !work->failed) {
        const uint32_t run = work->next_run++;
        struct fault fault;
        pthread_mutex_unlock(&work->lock);
        const bool done = emulate(work, run, &fault);
        pthread_mutex_lock(&work->lock);
        work->done[run] = 1;
        if (!done && !work->failed) {
            work->failed = true;
            work->fault = fault;
        }
    }
    work->ended++;
    pthread_cond_signal(&work->changed);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

static struct timespec deadline_of_wait(void) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += WAIT_NS;
    if (deadline.tv_nsec >= 1000000000L) {
        deadline.tv_nsec -= 1000000000L;
        deadline.tv_sec++;
    }
    return deadline;
}

static double sum_done(const struct work *work) {
    double sum = 0;
    for (uint32_t i = 0; i < work->emulated->run_count; i++) {
        sum += work->done[i];
    }
    return sum;
}

/* Shows how far they are until all have ended. */
static void wait_for(struct work *work, uint32_t threads) {
    const uint64_t total = (uint64_t)WHOLE_EMULATION * work->emulated->run_count;
    struct progress progress;
    progress_start(&progress, "emulating", PROGRESS_AT_ONCE);
    pthread_mutex_lock(&work->lock);
    while (work->ended < threads) {
        const struct timespec deadline = deadline_of_wait();
        progress_step(&progress, (uint64_t)(WHOLE_EMULATION * sum_done(work)), total);
        pthread_cond_timedwait(&work->changed, &work->lock, &deadline);
    }
    pthread_mutex_unlock(&work->lock);
    progress_end(&progress);
}

static uint32_t count_workers(const struct grid_options *options) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t wanted = options->workers > 0 ? options->workers : processors > 1 ? (uint32_t)processors : 1;
    return wanted < options->seeds ? wanted : options->seeds;
}

static bool start_and_wait(struct work *work, uint32_t wanted, struct fault *fault) {
    pthread_t *threads = calloc(wanted, sizeof *threads);
    uint32_t count = 0;
    while (threads != NULL && count < wanted && pthread_create(&threads[count], NULL, work_on, work) == 0) {
        count++; /* fewer are enough */
    }
    if (count > 0) {
        wait_for(work, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    free(threads);
    if (count == 0) {
        return fault_set(fault, "the workers could not be started");
    }
    if (work->failed) {
        *fault = work->fault;
    }
    return !work->failed;
}

static bool run_all(struct grid_emulated *emulated, const struct grid_options *options, struct grid_trace *trace,
                    struct fault *fault) {
    struct work work = {.emulated = emulated, .trace = trace};
    work.done = calloc(emulated->run_count, sizeof *work.done);
    if (work.done == NULL) {
        return fault_set(fault, "%s: there is not enough memory", emulated->file->document.file);
    }
    pthread_mutex_init(&work.lock, NULL);
    pthread_cond_init(&work.changed, NULL);
    const bool done = start_and_wait(&work, count_workers(options), fault);
    pthread_cond_destroy(&work.changed);
    pthread_mutex_destroy(&work.lock);
    free(work.done);
    return done;
}

/* ---- all of it ---- */

static bool prepare(struct grid_emulated *emulated, const struct grid_options *options, struct fault *fault) {
    const double duration = emulated->grid->terms.duration;
    emulated->sample = options->every > 0 ? options->every : duration / DEFAULT_SAMPLES;
    if (duration / emulated->sample > MOST_SAMPLES) {
        return fault_set(fault, "--every: that would be more than a million samples");
    }
    emulated->sample_room = (uint32_t)(duration / emulated->sample) + 1;
    emulated->run_count = options->seeds;
    emulated->runs = calloc(options->seeds, sizeof *emulated->runs);
    for (uint32_t i = 0; emulated->runs != NULL && i < options->seeds; i++) {
        emulated->runs[i].seed = emulated->grid->terms.seed + i;
    }
    return emulated->runs != NULL || fault_set(fault, "there is not enough memory for so many seeds");
}

bool grid_emulated_run(struct grid_emulated *emulated, const struct state_file *file,
                       const struct grid_options *options, struct fault *fault) {
    struct grid_trace trace;
    *emulated = (struct grid_emulated){.file = file, .grid = grid_scenario_of(file)};
    if (!grid_scenario_check(file, fault) || !prepare(emulated, options, fault)) {
        return false;
    }
    if (options->trace != NULL && !grid_trace_open(&trace, options->trace, file, fault)) {
        return false;
    }
    bool done = run_all(emulated, options, options->trace != NULL ? &trace : NULL, fault);
    if (options->trace != NULL) {
        done = grid_trace_close(&trace, fault) && done;
    }
    emulated->sample_count = emulated->sample_room;
    for (uint32_t i = 0; i < emulated->run_count; i++) {
        const uint64_t samples = emulated->runs[i].total.samples;
        emulated->sample_count = samples < emulated->sample_count ? (uint32_t)samples : emulated->sample_count;
    }
    return done;
}

const vcs_grid_sample *grid_sample_at(const struct grid_emulated *emulated, uint32_t run, uint32_t project,
                                      uint32_t index) {
    return &emulated->runs[run].samples[(size_t)project * emulated->sample_room + index];
}

void grid_emulated_free(struct grid_emulated *emulated) {
    for (uint32_t i = 0; i < emulated->run_count && emulated->runs != NULL; i++) {
        struct grid_emulation *run = &emulated->runs[i];
        free(run->projects);
        free(run->turnarounds);
        free(run->samples);
        free(run->populations);
        free(run->hosts);
    }
    free(emulated->runs);
    emulated->runs = NULL;
}

/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "grid/grid_seeds.h"

#include <stdlib.h>
#include <unistd.h>

#include "grid/grid_trace.h"
#include "text/progress.h"
#include "command/interrupt.h"

#define DEFAULT_SAMPLES 100
#define MOST_SAMPLES 1e6

/* ---- each seed ---- */

/* What the workers share. */
struct seeds {
    struct grid_emulated *emulated;
    const struct grid_observer *observer; /* NULL = none */
    bool keep_hosts;
};

static void *begin_work(void *context, struct fault *fault) {
    (void)fault;
    return context;
}

static void end_work(void *own) {
    (void)own;
}

/* The outcome stays in its run; no other result is handed in. */
static bool do_run(void *own, const struct worker *worker, uint64_t index, void *result, struct fault *fault) {
    const struct seeds *seeds = own;
    struct grid_emulation *run = &seeds->emulated->runs[index];
    (void)result;
    if (!vcs_swp_grid_emulate(run, seeds->emulated, worker, seeds->observer, fault)) {
        return false;
    }
    if (!seeds->keep_hosts) {
        vcs_swp_grid_emulation_forget_hosts(run);
    }
    return true;
}

/* ---- all seeds ---- */

static bool interrupted(struct grid_emulated *emulated, struct fault *fault) {
    emulated->interrupted = true;
    return vcs_scn_fault_set(fault, "%s: interrupted with %u of %u seeds", emulated->file->document.file,
                             (unsigned)emulated->run_count, (unsigned)emulated->run_room);
}

/* Waits for the seeds in order. If interrupted, the outcome is the seeds before the first unfinished one. */
static bool collect_all(struct grid_emulated *emulated, struct workers *workers, struct fault *fault) {
    bool going_on = true;
    struct progress progress;
    progress_start(&progress, "emulating", PROGRESS_AT_ONCE);
    while (emulated->run_count < emulated->run_room && going_on) {
        char nothing;
        progress_step(&progress, vcs_swp_workers_parts(workers), (uint64_t)WORKERS_PARTS * emulated->run_room);
        const enum workers_answer answer = vcs_swp_workers_next(workers, &nothing, fault);
        emulated->run_count += answer == WORKERS_RESULT;
        going_on = answer != WORKERS_FAULT;
        if (going_on && interrupt_has_come() && emulated->run_count < emulated->run_room) {
            going_on = interrupted(emulated, fault);
        }
    }
    progress_end(&progress);
    return going_on;
}

static bool run_all(struct grid_emulated *emulated, const struct grid_options *options,
                    const struct grid_observer *observer, struct fault *fault) {
    struct seeds seeds = {.emulated = emulated, .observer = observer, .keep_hosts = options->hosts};
    const struct work work = {.context = &seeds, .begin = begin_work, .run = do_run, .end = end_work};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t most = options->workers > 0 ? options->workers : processors > 1 ? (uint32_t)processors : 1;
    interrupt_catch();
    struct workers *workers = vcs_swp_workers_start(&work, most, 0, emulated->run_room, fault);
    const bool done = workers != NULL && collect_all(emulated, workers, fault);
    vcs_swp_workers_stop(workers);
    interrupt_release();
    return done;
}

/* ---- the whole ---- */

static bool prepare(struct grid_emulated *emulated, const struct grid_options *options, struct fault *fault) {
    const double duration = emulated->grid->terms.duration;
    emulated->sample = options->every > 0 ? options->every : duration / DEFAULT_SAMPLES;
    if (duration / emulated->sample > MOST_SAMPLES) {
        return vcs_scn_fault_set(fault, "--every: that would be more than a million samples");
    }
    emulated->sample_room = (uint32_t)(duration / emulated->sample) + 1;
    emulated->runs = calloc(options->seeds, sizeof *emulated->runs);
    if (emulated->runs == NULL) {
        return vcs_scn_fault_set(fault, "there is not enough memory for so many seeds");
    }
    emulated->run_room = options->seeds;
    for (uint32_t i = 0; i < options->seeds; i++) {
        emulated->runs[i].seed = emulated->grid->terms.seed + i;
    }
    return true;
}

bool grid_emulated_run(struct grid_emulated *emulated, const struct state_file *file,
                       const struct grid_options *options, struct fault *fault) {
    struct grid_trace trace;
    const struct grid_observer observer = {.observe = grid_trace_event, .context = &trace};
    *emulated = (struct grid_emulated){.file = file, .grid = vcs_scn_grid_scenario_of(file), .bounds = options->bounds};
    if (!vcs_scn_grid_scenario_check(file, fault) || !prepare(emulated, options, fault)) {
        return false;
    }
    if (options->trace != NULL && !grid_trace_open(&trace, options->trace, options->trace_host, file, fault)) {
        return false;
    }
    bool done = run_all(emulated, options, options->trace != NULL ? &observer : NULL, fault);
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
    for (uint32_t i = 0; i < emulated->run_room; i++) {
        vcs_swp_grid_emulation_free(&emulated->runs[i]);
    }
    free(emulated->runs);
    emulated->runs = NULL;
    emulated->run_room = 0;
}

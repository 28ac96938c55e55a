/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "vcemu/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "vcemu/sweep/table/sweep_file.h"
#include "vcemu/sweep/table/sweep_part.h"
#include "vcemu/sweep/plan/sweep_scenario.h"
#include "vcemu/sweep/sweep_receive.h"
#include "vcemu/sweep/workers.h"

struct sweep {
    struct sweep_plan *plan;
    const struct state_file *scenarios;
    const struct policy_wish *wish;
    struct sweep_watch *watch;
    struct sweep_table table;
    struct sweep_file file;
    struct sweep_part part;
    struct sweep_receiver receiver;
    struct sweep_sample *samples; /* of each figure in the row at hand */
    double *values;               /* of the last run */
    uint64_t next;                /* the run that comes next */
    struct fault *fault;
};

/* ---- callbacks ---- */

void vcs_swp_watch_step(struct sweep_watch *watch, uint32_t stage, uint64_t done, uint64_t total) {
    const vcs_sweep *sweep = watch->sweep;
    if (sweep->progress != NULL && sweep->progress(sweep->context, stage, done, total) != 0) {
        watch->ended = true;
    }
}

void vcs_swp_watch_tell(const struct sweep_watch *watch, uint32_t kind, const char *message) {
    if (watch->sweep->tell != NULL && message[0] != '\0') {
        watch->sweep->tell(watch->sweep->context, kind, message);
    }
}

/* ---- before it begins ---- */

/* Warns once about assumptions for a point that the state file itself did not need. */
static void warn(const struct sweep *sweep, const struct sweep_scenario *scenario, bool *has_warned) {
    const struct state_file *base = &scenario->bases[scenario->base];
    const struct fault *const notes[][2] = {{&scenario->file.former, &base->former},
                                            {&scenario->file.note, &base->note}};
    for (size_t i = 0; i < 2 && !*has_warned; i++) {
        if (notes[i][0]->message[0] != '\0' && notes[i][1]->message[0] == '\0') {
            vcs_swp_watch_tell(sweep->watch, VCS_SWEEP_WARNING, notes[i][0]->message);
            *has_warned = true;
        }
    }
}

/* Looks at each value of a dimension, with the first value of all others. */
static int check_dimension(const struct sweep *sweep, struct sweep_scenario *scenario,
                           const struct sweep_dimension *dimension, bool *has_warned) {
    int end = VCS_SWEEP_DONE;
    for (uint64_t value = 0; value < dimension->count && end == VCS_SWEEP_DONE; value++) {
        vcs_swp_watch_step(sweep->watch, VCS_SWEEP_CHECKING, value, dimension->count);
        if (sweep->watch->ended) {
            vcs_scn_fault_set(sweep->fault, "interrupted while the values were checked; nothing was written");
            end = VCS_SWEEP_INTERRUPTED;
        } else if (!vcs_swp_scenario_check(scenario, value * dimension->stride, sweep->fault)) {
            end = VCS_SWEEP_REFUSED;
        } else {
            warn(sweep, scenario, has_warned);
        }
    }
    return end;
}

/* Refuses wrong values now rather than after hours. */
static int check_dimensions(const struct sweep *sweep) {
    const struct sweep_grid *grid = &sweep->plan->grid;
    struct sweep_scenario scenario;
    int end = VCS_SWEEP_REFUSED;
    bool has_warned = false;
    if (vcs_swp_scenario_make(&scenario, sweep->plan, sweep->scenarios, sweep->wish, sweep->fault) &&
        vcs_swp_scenario_check(&scenario, 0, sweep->fault)) {
        end = VCS_SWEEP_DONE;
    }
    for (size_t i = grid->dimension_count; i-- > 0 && end == VCS_SWEEP_DONE;) {
        end = check_dimension(sweep, &scenario, &grid->dimensions[i], &has_warned);
    }
    vcs_swp_scenario_free(&scenario);
    return end;
}

/* Finds the parts of the scenarios behind the figures. */
static bool bind_figures(const struct sweep *sweep) {
    struct sweep_plan *plan = sweep->plan;
    for (size_t i = 0; i < plan->sweep->file_count; i++) {
        if (!vcs_swp_figures_bind(&plan->figures, &sweep->scenarios[i], sweep->fault)) {
            return false;
        }
    }
    return vcs_swp_statistics_check(&plan->statistics, &plan->figures, sweep->fault);
}

static void tell_what_is_there(const struct sweep *sweep, uint64_t rows) {
    struct fault said;
    if (sweep->file.rows > 0) {
        vcs_scn_fault_set(&said, "%s: %llu of %llu rows are already there", sweep->file.name,
                          (unsigned long long)sweep->file.rows, (unsigned long long)rows);
        vcs_swp_watch_tell(sweep->watch, VCS_SWEEP_RESUMED, said.message);
    }
}

/* ---- rows ---- */

static bool no_memory(const struct sweep *sweep) {
    return vcs_scn_fault_set(sweep->fault, "there is not enough memory for the values of a row");
}

/* Adds a run to the row; also a run that was kept when the sweep was interrupted. */
static bool add_run(void *context, const double *values) {
    struct sweep *sweep = context;
    const struct sweep_plan *plan = sweep->plan;
    const struct sweep_grid *grid = &plan->grid;
    const bool hosts = vcs_swp_plan_has_hosts(plan);
    const double weight = hosts ? grid->weights[sweep->next / plan->seeds % grid->host_count] : 1;
    for (size_t i = 0; i < plan->figures.count; i++) {
        const bool added =
            isnan(values[i]) || vcs_swp_sample_add(&sweep->samples[i], values[i], weight, plan->statistics.need_values);
        if (!added) {
            return no_memory(sweep);
        }
        if (hosts && (sweep->next + 1) % plan->seeds == 0) {
            vcs_swp_sample_next_host(&sweep->samples[i]);
        }
    }
    return vcs_swp_receiver_pass(&sweep->receiver, sweep->next++, weight, values) ||
           vcs_scn_fault_set(sweep->fault, "the caller's function ended the sweep");
}

static bool write_row(struct sweep *sweep) {
    const struct sweep_plan *plan = sweep->plan;
    const uint64_t row = (sweep->next - 1) / vcs_swp_runs_per_row(plan);
    FILE *out = sweep->file.row.out;
    vcs_swp_rows_beginning(out, &sweep->table, row);
    if (plan->each_seed) {
        vcs_swp_rows_values(out, &sweep->table, sweep->values);
    } else {
        vcs_swp_rows_samples(out, &sweep->table, sweep->samples);
    }
    vcs_swp_rows_end(out, &sweep->table);
    for (size_t i = 0; i < plan->figures.count; i++) {
        vcs_swp_sample_clear(&sweep->samples[i]);
    }
    return vcs_swp_file_write(&sweep->file, sweep->fault) && vcs_swp_part_next_row(&sweep->part, row + 1, sweep->fault);
}

/* Accepts the values of a run: writes the row that it completes, or keeps it until then. */
static bool accept(struct sweep *sweep) {
    const uint64_t run = sweep->next;
    if (!add_run(sweep, sweep->values)) {
        return false;
    }
    return sweep->next % vcs_swp_runs_per_row(sweep->plan) == 0
               ? write_row(sweep)
               : vcs_swp_part_add(&sweep->part, run, sweep->values, sweep->fault);
}

static int interrupted(const struct sweep *sweep) {
    const struct sweep_plan *plan = sweep->plan;
    const uint64_t runs = vcs_swp_runs_per_row(plan);
    char kept[96] = "";
    if (sweep->part.descriptor >= 0 && sweep->next % runs > 0) {
        snprintf(kept, sizeof kept, " and %llu of %llu runs of the next", (unsigned long long)(sweep->next % runs),
                 (unsigned long long)runs);
    }
    vcs_scn_fault_set(sweep->fault, "%s: interrupted with %llu of %llu rows%s%s", sweep->file.name,
                      (unsigned long long)(sweep->next / runs - vcs_swp_first_row(plan)),
                      (unsigned long long)(vcs_swp_end_row(plan) - vcs_swp_first_row(plan)), kept,
                      plan->output == NULL ? "" : "; the same command continues from there");
    return VCS_SWEEP_INTERRUPTED;
}

/* ---- the work of a thread ---- */

/* Each worker has its own scenario, for one point after the other. */
struct own {
    const struct sweep *sweep;
    struct sweep_scenario scenario;
};

static void end_work(void *context) {
    struct own *own = context;
    vcs_swp_scenario_free(&own->scenario);
    free(own);
}

static void *begin_work(void *context, struct fault *fault) {
    const struct sweep *sweep = context;
    struct own *own = malloc(sizeof *own);
    if (own == NULL) {
        vcs_scn_fault_set(fault, "there is not enough memory for the workers");
        return NULL;
    }
    own->sweep = sweep;
    if (!vcs_swp_scenario_make(&own->scenario, sweep->plan, sweep->scenarios, sweep->wish, fault)) {
        end_work(own);
        return NULL;
    }
    return own;
}

static bool do_run(void *context, const struct worker *worker, uint64_t run, void *values, struct fault *fault) {
    struct own *own = context;
    const struct sweep *sweep = own->sweep;
    return vcs_swp_scenario_emulate(&own->scenario, run / sweep->plan->seeds, vcs_swp_table_seed(&sweep->table, run),
                                    worker, values, fault);
}

/* ---- all runs ---- */

/* Accepts the values of all runs that are left, in order. */
static int accept_all(struct sweep *sweep, struct workers *workers) {
    const struct sweep_plan *plan = sweep->plan;
    const uint64_t first = plan->first_point * plan->seeds;
    const uint64_t end = plan->end_point * plan->seeds;
    const uint64_t before = (sweep->next - first) * WORKERS_PARTS;
    int ended = VCS_SWEEP_DONE;
    while (sweep->next < end && ended == VCS_SWEEP_DONE) {
        vcs_swp_watch_step(sweep->watch, VCS_SWEEP_EMULATING, before + vcs_swp_workers_parts(workers),
                           (end - first) * WORKERS_PARTS);
        const enum workers_answer answer = vcs_swp_workers_next(workers, sweep->values, sweep->fault);
        if (answer == WORKERS_FAULT || (answer == WORKERS_RESULT && !accept(sweep))) {
            ended = VCS_SWEEP_REFUSED;
        } else if (sweep->watch->ended) {
            ended = interrupted(sweep);
        }
    }
    return ended;
}

static uint32_t worker_count(const vcs_sweep *sweep) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return sweep->workers > 0                               ? sweep->workers
           : processors < 1                                 ? 1
           : (unsigned long)processors > SWEEP_MOST_WORKERS ? SWEEP_MOST_WORKERS
                                                            : (uint32_t)processors;
}

/* Emulates what the file does not have. */
static int go_on(struct sweep *sweep) {
    const struct sweep_plan *plan = sweep->plan;
    const uint64_t rows = vcs_swp_end_row(plan) - vcs_swp_first_row(plan);
    sweep->next = plan->first_point * plan->seeds + sweep->file.rows * vcs_swp_runs_per_row(plan);
    tell_what_is_there(sweep, rows);
    if (sweep->file.rows == rows) {
        return VCS_SWEEP_DONE;
    }
    if (!vcs_swp_part_open(&sweep->part, &sweep->file, &sweep->table, sweep->next, add_run, sweep, sweep->fault)) {
        return VCS_SWEEP_REFUSED;
    }
    const struct work work = {.context = sweep,
                              .result_size = plan->figures.count * sizeof *sweep->values,
                              .begin = begin_work,
                              .run = do_run,
                              .end = end_work};
    struct workers *workers = vcs_swp_workers_start(&work, worker_count(plan->sweep), sweep->next,
                                                    plan->end_point * plan->seeds, sweep->fault);
    const int end = workers == NULL ? VCS_SWEEP_REFUSED : accept_all(sweep, workers);
    vcs_swp_workers_stop(workers);
    return end;
}

/* ---- the whole ---- */

static bool allocate(struct sweep *sweep) {
    const size_t count = sweep->plan->figures.count + 1;
    sweep->samples = calloc(count, sizeof *sweep->samples);
    sweep->values = calloc(count, sizeof *sweep->values);
    const bool made = vcs_swp_receiver_make(&sweep->receiver, &sweep->table);
    return (made && sweep->samples != NULL && sweep->values != NULL) || no_memory(sweep);
}

static void forget(struct sweep *sweep) {
    for (size_t i = 0; sweep->samples != NULL && i < sweep->plan->figures.count; i++) {
        vcs_swp_sample_free(&sweep->samples[i]);
    }
    free(sweep->samples);
    free(sweep->values);
    vcs_swp_part_close(&sweep->part);
    vcs_swp_receiver_free(&sweep->receiver);
}

int vcs_swp_run(struct sweep_plan *plan, const struct state_file *scenarios, const struct policy_wish *wish,
                struct sweep_watch *watch, struct fault *fault) {
    struct sweep sweep = {
        .plan = plan, .scenarios = scenarios, .wish = wish, .watch = watch, .part = {.descriptor = -1}, .fault = fault};
    if (!bind_figures(&sweep)) {
        return VCS_SWEEP_REFUSED;
    }
    sweep.table = vcs_swp_table_of(plan, scenarios, wish);
    int end = allocate(&sweep) ? check_dimensions(&sweep) : VCS_SWEEP_REFUSED;
    if (end == VCS_SWEEP_DONE) {
        end = vcs_swp_file_open(&sweep.file, &sweep.table, fault) ? go_on(&sweep) : VCS_SWEEP_REFUSED;
        struct fault at_end;
        if (!vcs_swp_file_close(&sweep.file, &at_end) && end == VCS_SWEEP_DONE) {
            *fault = at_end;
            end = VCS_SWEEP_REFUSED;
        }
    }
    forget(&sweep);
    return end;
}

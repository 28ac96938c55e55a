/* SPDX-License-Identifier: MIT */
#include "sweep.h"

#include <string.h>

#include "progress.h"
#include "sweep_file.h"
#include "sweep_interrupt.h"
#include "sweep_scenario.h"
#include "sweep_workers.h"

struct sweep {
    const struct sweep_plan *plan;
    const struct state_file *scenario;
    const struct policy_wish *wish;
    struct sweep_table table;
    struct sweep_file file;
    struct sweep_mean means[SWEEP_MOST_FIGURES]; /* of the point that is being summed up */
    struct fault *fault;
};

/* ---- before it begins ---- */

/* Looks at each value of an axis, with the first value of all others. `stride` points lie between them. */
static enum sweep_end check_axis(const struct sweep *sweep, struct sweep_scenario *scenario,
                                 const struct sweep_axis *axis, uint64_t stride) {
    enum sweep_end end = SWEEP_DONE;
    struct progress progress;
    progress_start(&progress, "checking the values", PROGRESS_IF_LONG);
    for (uint64_t value = 0; value < axis->count && end == SWEEP_DONE; value++) {
        progress_step(&progress, value, axis->count);
        if (sweep_interrupted()) {
            fault_set(sweep->fault, "interrupted while the values were checked; nothing was written");
            end = SWEEP_INTERRUPTED;
        } else if (!sweep_scenario_check(scenario, value * stride, sweep->fault)) {
            end = SWEEP_REFUSED;
        }
    }
    progress_end(&progress);
    return end;
}

/* It is better to refuse a value now than after hours. */
static enum sweep_end check_axes(const struct sweep *sweep) {
    const struct sweep_grid *grid = &sweep->plan->grid;
    struct sweep_scenario scenario;
    enum sweep_end end = SWEEP_REFUSED;
    if (sweep_scenario_make(&scenario, grid, sweep->scenario, sweep->wish, sweep->fault) &&
        sweep_scenario_check(&scenario, 0, sweep->fault)) {
        end = SWEEP_DONE;
    }
    uint64_t stride = 1;
    for (size_t i = grid->axis_count; i-- > 0 && end == SWEEP_DONE;) {
        end = check_axis(sweep, &scenario, &grid->axes[i], stride);
        stride *= grid->axes[i].count;
    }
    sweep_scenario_free(&scenario);
    return end;
}

static void tell_what_is_there(const struct sweep *sweep, uint64_t rows) {
    if (sweep->file.rows > 0) {
        printf("%s: %llu of %llu rows are already there\n", sweep->file.name, (unsigned long long)sweep->file.rows,
               (unsigned long long)rows);
        fflush(stdout);
    }
}

/* ---- rows ---- */

/* Takes the outcome of a run; writes a row if that completes one. */
static bool take(struct sweep *sweep, uint64_t run, const vcs_outcome *outcome) {
    const struct sweep_plan *plan = sweep->plan;
    FILE *out = sweep->file.row.out;
    if (plan->each_seed) {
        sweep_csv_beginning(out, &sweep->table, run);
        sweep_csv_run(out, &sweep->table, outcome);
        sweep_csv_end(out, &sweep->table);
        return sweep_file_write(&sweep->file, sweep->fault);
    }
    for (size_t i = 0; i < plan->figures.count; i++) {
        double value;
        if (sweep_figure_of(&plan->figures.list[i], outcome, &value)) {
            sweep_mean_add(&sweep->means[i], value);
        }
    }
    if (run % plan->seeds + 1 < plan->seeds) {
        return true;
    }
    sweep_csv_beginning(out, &sweep->table, run / plan->seeds);
    sweep_csv_means(out, &sweep->table, sweep->means);
    sweep_csv_end(out, &sweep->table);
    memset(sweep->means, 0, sizeof sweep->means);
    return sweep_file_write(&sweep->file, sweep->fault);
}

static enum sweep_end interrupted(const struct sweep *sweep, uint64_t rows_done, uint64_t rows) {
    fault_set(sweep->fault, "%s: interrupted with %llu of %llu rows%s", sweep->file.name, (unsigned long long)rows_done,
              (unsigned long long)rows, sweep->plan->output == NULL ? "" : "; the same command continues from there");
    return SWEEP_INTERRUPTED;
}

/* Takes the outcomes of all runs that are left, in order. */
static enum sweep_end take_all(struct sweep *sweep, struct sweep_workers *workers, uint64_t next) {
    const struct sweep_plan *plan = sweep->plan;
    const uint64_t first = plan->first_point * plan->seeds;
    const uint64_t end = plan->end_point * plan->seeds;
    const uint64_t runs_per_row = plan->each_seed ? 1 : plan->seeds;
    enum sweep_end ended = SWEEP_DONE;
    struct progress progress;
    progress_start(&progress, "emulating", PROGRESS_AT_ONCE);
    while (next < end && ended == SWEEP_DONE) {
        vcs_outcome outcome;
        progress_step(&progress, next - first, end - first);
        const enum sweep_answer answer = sweep_workers_next(workers, &outcome, sweep->fault);
        if (sweep_interrupted()) {
            ended = interrupted(sweep, (next - first) / runs_per_row, (end - first) / runs_per_row);
        } else if (answer == SWEEP_FAULT || (answer == SWEEP_OUTCOME && !take(sweep, next, &outcome))) {
            ended = SWEEP_REFUSED;
        } else if (answer == SWEEP_OUTCOME) {
            next++;
        }
    }
    progress_end(&progress);
    return ended;
}

/* Emulates what the file does not have. */
static enum sweep_end go_on(struct sweep *sweep) {
    const struct sweep_plan *plan = sweep->plan;
    const uint64_t rows = sweep_end_row(plan) - sweep_first_row(plan);
    const uint64_t next = plan->first_point * plan->seeds + sweep->file.rows * (plan->each_seed ? 1 : plan->seeds);
    tell_what_is_there(sweep, rows);
    if (sweep->file.rows == rows) {
        return SWEEP_DONE;
    }
    struct sweep_workers *workers =
        sweep_workers_start(plan, sweep->scenario, sweep->wish, next, plan->end_point * plan->seeds, sweep->fault);
    const enum sweep_end end = workers == NULL ? SWEEP_REFUSED : take_all(sweep, workers, next);
    sweep_workers_stop(workers);
    return end;
}

/* ---- the whole ---- */

enum sweep_end sweep_run(const struct sweep_plan *plan, const struct state_file *scenario,
                         const struct policy_wish *wish, struct fault *fault) {
    struct sweep sweep = {
        .plan = plan,
        .scenario = scenario,
        .wish = wish,
        .table = sweep_table_of(plan, scenario, wish),
        .fault = fault,
    };
    sweep_interrupt_catch();
    enum sweep_end end = check_axes(&sweep);
    if (end == SWEEP_DONE) {
        end = sweep_file_open(&sweep.file, &sweep.table, fault) ? go_on(&sweep) : SWEEP_REFUSED;
        struct fault at_end;
        if (!sweep_file_close(&sweep.file, &at_end) && end == SWEEP_DONE) {
            *fault = at_end;
            end = SWEEP_REFUSED;
        }
    }
    return end;
}

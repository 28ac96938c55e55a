/* The outcome of a grid as tables for people. SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid/grid_output.h"
#include "text/table.h"
#include "text/wording.h"
#include "vcemu/sweep/figures/grid_figures.h"

#define PLUS_MINUS "\xc2\xb1" /* in UTF-8 */

/* How a figure is written. */
enum form { AS_NUMBER, AS_DURATION, AS_PERCENT };

/* A row of a table. Columns are projects or populations. */
struct row {
    const char *label;
    const char *group, *name;
    enum form form;
};

static const struct row project_rows[] = {
    {"units", NULL, "units", AS_NUMBER},
    {"  done", NULL, "done", AS_NUMBER},
    {"  failed", NULL, "failed", AS_NUMBER},
    {"  open at the end", NULL, "open", AS_NUMBER},
    {"done per day", NULL, "throughput", AS_NUMBER},
    {"turnaround, mean", "turnaround", "mean", AS_DURATION},
    {"  median", "turnaround", "p50", AS_DURATION},
    {"  95%", "turnaround", "p95", AS_DURATION},
    {"  99%", "turnaround", "p99", AS_DURATION},
    {"makespan", NULL, "makespan", AS_DURATION},
    {"  of its last 5%", NULL, "tail", AS_DURATION},
    {"copies per unit", NULL, "copies_per_unit", AS_NUMBER},
    {"wrong accepted", NULL, "wrong_accepted", AS_NUMBER},
    {"  of those done", NULL, "wrong_fraction", AS_PERCENT},
    {"useful operations", "flops_fraction", "useful", AS_PERCENT},
    {"  redundant", "flops_fraction", "redundant", AS_PERCENT},
    {"  invalid", "flops_fraction", "invalid", AS_PERCENT},
    {"  late", "flops_fraction", "late", AS_PERCENT},
    {"  failed", "flops_fraction", "failed", AS_PERCENT},
    {"  checks", "flops_fraction", "checks", AS_PERCENT},
    {"  lost", "flops_fraction", "lost", AS_PERCENT},
    {"hosts caught", NULL, "caught", AS_NUMBER},
    {"duplicates", NULL, "duplicates", AS_NUMBER},
    {"window", NULL, "window", AS_NUMBER},
    {"  its span", NULL, "window_span", AS_DURATION},
    {"calls per result", NULL, "calls_per_result", AS_NUMBER},
};

static const struct row population_rows[] = {
    {"hosts", NULL, "hosts", AS_NUMBER},
    {"  saboteurs", NULL, "saboteurs", AS_NUMBER},
    {"CPUs of each", NULL, "cpus", AS_NUMBER},
    {"idleness, mean", "idleness", "mean", AS_PERCENT},
    {"  95% of hosts below", "idleness", "p95", AS_PERCENT},
    {"waste, mean", "waste", "mean", AS_PERCENT},
    {"  95% of hosts below", "waste", "p95", AS_PERCENT},
    {"share violation", "share_violation", "mean", AS_PERCENT},
    {"  95% of hosts below", "share_violation", "p95", AS_PERCENT},
    {"lost", NULL, "lost", AS_PERCENT},
    {"  at least", NULL, "least_loss", AS_PERCENT},
    {"  beyond the bound", NULL, "beyond_bound", AS_PERCENT},
};

/* ---- cells ---- */

/* Large numbers are written whole, others with `digits` digits. */
static struct wording word_number(double value, int digits) {
    struct wording wording;
    const bool whole = (value >= 1000 && value < 1e15) || value == floor(value);
    if (whole) {
        snprintf(wording.text, sizeof wording.text, value < 1e15 ? "%.0f" : "%.4g", value);
    } else {
        snprintf(wording.text, sizeof wording.text, "%.*g", digits, value);
    }
    return wording;
}

static struct wording word_value(enum form form, double value, int digits) {
    if (form == AS_DURATION) {
        return word_duration(value);
    }
    struct wording wording = word_number(form == AS_PERCENT ? 100 * value : value, digits);
    if (form == AS_PERCENT) {
        strcat(wording.text, "%");
    }
    return wording;
}

/* How many runs define a figure, unless all do: the mean over some runs may be far too low. */
static struct wording word_runs(const struct sweep_mean *mean, uint32_t runs) {
    struct wording wording = {""};
    if (mean->count < runs) {
        snprintf(wording.text, sizeof wording.text, " (%" PRIu64 " of %" PRIu32 ")", (uint64_t)mean->count, runs);
    }
    return wording;
}

/* The mean, and its standard error if there is one. */
static void add_mean(struct table *table, const struct screen *screen, const struct sweep_mean *mean, uint32_t runs,
                     enum form form) {
    const double error = vcs_swp_mean_error(mean);
    const struct wording value = word_value(form, mean->mean, 4), of_runs = word_runs(mean, runs);
    if (mean->count == 0) {
        table_add(table, STYLE_FAINT, "-");
    } else if (error > 0) {
        table_add(table, STYLE_PLAIN, "%s %s %s%s", value.text, screen->unicode ? PLUS_MINUS : "+-",
                  word_value(form, error, 2).text, of_runs.text);
    } else {
        table_add(table, STYLE_PLAIN, "%s%s", value.text, of_runs.text);
    }
}

/* ---- tables ---- */

/* The columns of a table: projects or populations. */
struct subject {
    const struct grid_emulated *emulated;
    enum grid_figure_of of;
    uint32_t section; /* kind of their sections in the file */
    uint32_t count;
    const struct row *rows;
    size_t row_count;
};

static struct sweep_mean mean_of(const struct subject *subject, const struct row *row, uint32_t index) {
    return vcs_swp_grid_figure_mean(vcs_swp_grid_figure(subject->of, row->group, row->name), subject->emulated, index);
}

/* A figure that is undefined in every column has no row. */
static bool is_shown(const struct subject *subject, const struct row *row) {
    for (uint32_t i = 0; i < subject->count; i++) {
        if (mean_of(subject, row, i).count > 0) {
            return true;
        }
    }
    return false;
}

static struct table make_table(const struct subject *subject, const struct screen *screen,
                               struct table_column columns[TABLE_COLUMNS_MAX], uint32_t first, uint32_t count) {
    columns[0] = (struct table_column){subject->of == FIGURE_OF_PROJECT ? "PROJECT" : "POPULATION", false, 0};
    for (uint32_t i = 0; i < count; i++) {
        columns[i + 1] = (struct table_column){
            vcs_scn_state_file_name(subject->emulated->file, subject->section, first + i), true, 8};
    }
    struct table table = table_start(columns, count + 1);
    for (size_t r = 0; r < subject->row_count; r++) {
        const struct row *row = &subject->rows[r];
        if (!is_shown(subject, row)) {
            continue;
        }
        table_add(&table, STYLE_PLAIN, "%s", row->label);
        for (uint32_t i = 0; i < count; i++) {
            const struct sweep_mean mean = mean_of(subject, row, first + i);
            add_mean(&table, screen, &mean, subject->emulated->run_count, row->form);
        }
    }
    return table;
}

/* Prints as many columns side by side as the screen has room for. */
static bool print_tables(const struct subject *subject, const struct screen *screen) {
    for (uint32_t first = 0, count; first < subject->count; first += count) {
        struct table_column columns[TABLE_COLUMNS_MAX];
        const uint32_t left = subject->count - first;
        count = left < TABLE_COLUMNS_MAX - 1 ? left : TABLE_COLUMNS_MAX - 1;
        struct table table = make_table(subject, screen, columns, first, count);
        while (count > 1 && !table_fits(&table, screen)) {
            table_free(&table);
            table = make_table(subject, screen, columns, first, --count);
        }
        fputc('\n', screen->out);
        const bool printed = table_print(&table, screen);
        table_free(&table);
        if (!printed) {
            return false;
        }
    }
    return true;
}

/* ---- the whole ---- */

static double mean_of_grid(const struct grid_emulated *emulated, const char *name) {
    return vcs_swp_grid_figure_mean(vcs_swp_grid_figure(FIGURE_OF_GRID, NULL, name), emulated, 0).mean;
}

static void print_headline(const struct grid_emulated *emulated, FILE *out, bool unicode) {
    const double present = mean_of_grid(emulated, "present");
    const double percent = present > 0 ? 100 / present : 0;
    const uint64_t first = emulated->runs[0].seed;
    fprintf(out, "%s, %s", emulated->file->document.file, word_duration(emulated->grid->terms.duration).text);
    if (emulated->run_count == 1) {
        fprintf(out, ", seed %" PRIu64 "\n", first);
    } else {
        fprintf(out, "\nmeans of %" PRIu32 " seeds, %" PRIu64 " to %" PRIu64 ", %s their standard errors\n",
                emulated->run_count, first, first + emulated->run_count - 1, unicode ? PLUS_MINUS : "+-");
    }
    fprintf(out, "%.7g hosts, %.7g of them left; processors: %.1f%% off, %.1f%% busy, %.1f%% idle\n",
            mean_of_grid(emulated, "hosts"), mean_of_grid(emulated, "left"), percent * mean_of_grid(emulated, "off"),
            percent * mean_of_grid(emulated, "used"), percent * mean_of_grid(emulated, "idle"));
}

/* Tells hosts that are too slow for every job from hosts that happen to be idle. */
static void print_slow_hosts(const struct grid_emulated *emulated, FILE *out) {
    for (uint32_t i = 0; i < emulated->grid->population_count; i++) {
        const struct grid_figure *figure = vcs_swp_grid_figure(FIGURE_OF_POPULATION, NULL, "too_slow");
        const double slow = vcs_swp_grid_figure_mean(figure, emulated, i).mean;
        if (slow > 0) {
            const char *name = vcs_scn_state_file_name(emulated->file, GRID_POPULATION, i);
            const double hosts =
                vcs_swp_grid_figure_mean(vcs_swp_grid_figure(FIGURE_OF_POPULATION, NULL, "hosts"), emulated, i).mean;
            fprintf(out, "\n%.7g of %.7g hosts of %s got no job: none on offer could be done there in time\n", slow,
                    hosts, name);
        }
    }
}

/* Of all hosts; the populations have rows of their own. */
static void print_bound(const struct grid_emulated *emulated, FILE *out) {
    const struct sweep_mean beyond =
        vcs_swp_grid_figure_mean(vcs_swp_grid_figure(FIGURE_OF_GRID, NULL, "beyond_bound"), emulated, 0);
    if (beyond.count == 0) {
        fputs("\nno host that computed anything has a bound\n", out);
        return;
    }
    fprintf(out, "\nof what hosts with a bound computed, %s was lost, at least %s, beyond the bound %s\n",
            word_value(AS_PERCENT, mean_of_grid(emulated, "lost"), 4).text,
            word_value(AS_PERCENT, mean_of_grid(emulated, "least_loss"), 4).text,
            word_value(AS_PERCENT, beyond.mean, 4).text);
}

bool grid_print_text(const struct grid_emulated *emulated, const struct screen *screen) {
    const struct subject projects = {.emulated = emulated,
                                     .of = FIGURE_OF_PROJECT,
                                     .section = STATE_PROJECT,
                                     .count = emulated->grid->project_count,
                                     .rows = project_rows,
                                     .row_count = sizeof project_rows / sizeof *project_rows};
    const struct subject populations = {.emulated = emulated,
                                        .of = FIGURE_OF_POPULATION,
                                        .section = GRID_POPULATION,
                                        .count = emulated->grid->population_count,
                                        .rows = population_rows,
                                        .row_count = sizeof population_rows / sizeof *population_rows};
    print_headline(emulated, screen->out, screen->unicode);
    const bool printed = print_tables(&projects, screen) && print_tables(&populations, screen);
    if (printed && emulated->bounds) {
        print_bound(emulated, screen->out);
    }
    if (printed) {
        print_slow_hosts(emulated, screen->out);
    }
    return printed;
}

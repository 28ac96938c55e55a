/*
 * Studies of whole grids: quorum, verification, policies, dispatch, and a population of the past.
 *
 *     grid_study [-j WORKERS] [-s SEEDS] [-d FILE] [-t TABLE] [-q] STUDY
 *
 * Writes a line of CSV for each point of the study: means, standard deviations and confidence intervals over the seeds;
 * and into FILE the differences of each variant from its baseline, seed by seed. Nothing is written before all runs are
 * done. doc/grid_study.md shows the results.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confidence.h"
#include "grid_study.h"
#include "text/progress.h"
#include "workers.h"

struct campaign {
    const struct grid_study *study;
    struct grid_points points;
    double *values;     /* of each point with each seed: of each row, each figure */
    size_t value_count; /* of one run */
    size_t seeds;
    struct progress progress;
    size_t job_count;
};

/* ---- One run ---- */

static int run_point(const struct grid_point *point, uint64_t seed, struct grid_run *run) {
    struct grid_case g;
    vcs_error error;
    point->build(&g, point, seed);
    const int code = grid_run(&g, run, &error);
    if (code != VCS_OK) {
        fprintf(stderr, "grid_study: %s, %s at %g: %s\n", point->part, point->variant, point->x, error.message);
    }
    return code;
}

static int run(void *context, size_t job, void *result) {
    const struct campaign *c = context;
    const struct grid_point *point = &c->points.at[job / c->seeds];
    const size_t baseline = grid_points_baseline(&c->points, point);
    const uint64_t seed = 1 + job % c->seeds;
    const int is_paired = c->study->is_paired && baseline < c->points.count;
    struct grid_run its = {.hosts = NULL}, other = {.hosts = NULL};
    int code = run_point(point, seed, &its);
    if (code == VCS_OK && is_paired) {
        code = run_point(&c->points.at[baseline], seed, &other);
    }
    if (code == VCS_OK) {
        c->study->measure(point, &its, is_paired ? &other : NULL, result);
    }
    free(its.hosts);
    free(other.hosts);
    return code;
}

static void accept_result(void *context, size_t job, const void *result) {
    struct campaign *c = context;
    memcpy(&c->values[job * c->value_count], result, c->value_count * sizeof *c->values);
    progress_step(&c->progress, job + 1, c->job_count);
}

static int run_all(struct campaign *c, size_t worker_count) {
    c->job_count = c->points.count * c->seeds;
    const struct workers workers = {
        .count = worker_count,
        .job_count = c->job_count,
        .result_size = c->value_count * sizeof *c->values,
        .context = c,
        .work = run,
        .accept = accept_result,
    };
    progress_start(&c->progress, "emulating", PROGRESS_AT_ONCE);
    const int code = workers_run(&workers);
    progress_end(&c->progress);
    return code;
}

/* ---- As CSV ---- */

/* A figure of a point with each seed, or its difference from the baseline's figure. */
struct series {
    const double *values, *baseline; /* of the first seed; no baseline: the values themselves */
    size_t step;                     /* from seed to seed */
};

static double value_of(const void *context, size_t seed) {
    const struct series *s = context;
    return s->values[seed * s->step] - (s->baseline == NULL ? 0 : s->baseline[seed * s->step]);
}

static void print_header(const struct campaign *c, FILE *out, const char *more) {
    fprintf(out, "part,x,variant%s", more);
    for (size_t i = 0; i < c->study->figure_count; i++) {
        const char *name = c->study->figures[i];
        fprintf(out, ",%s,%s_sd,%s_ci", name, name, name);
    }
    fputs(",runs\n", out);
}

/* NaN where no run has a value. Six digits are more than the margins can bear. */
static uint32_t print_figure(FILE *out, const struct confidence *c) {
    if (c->runs == 0) {
        fputs(",NaN,NaN,NaN", out);
    } else {
        fprintf(out, ",%.6g,%.4g,%.4g", fabs(c->mean) < 1e-12 ? 0 : c->mean, c->deviation, c->margin);
    }
    return c->runs;
}

static void print_row(const struct campaign *c, FILE *out, size_t point, size_t baseline, size_t row) {
    const struct grid_point *p = &c->points.at[point];
    const bool has_baseline = baseline < c->points.count;
    const double x = c->study->row_count == 0 ? p->x : c->study->rows[row];
    uint32_t runs = 0;
    if (isnan(x)) {
        fprintf(out, "%s,all,%s", p->part, p->variant);
    } else {
        fprintf(out, "%s,%g,%s", p->part, x, p->variant);
    }
    if (has_baseline) {
        fprintf(out, ",%s", p->baseline);
    }
    for (size_t i = 0; i < c->study->figure_count; i++) {
        const size_t offset = row * c->study->figure_count + i, step = c->value_count;
        const struct series series = {
            .values = &c->values[point * c->seeds * step + offset],
            .baseline = has_baseline ? &c->values[baseline * c->seeds * step + offset] : NULL,
            .step = step,
        };
        const struct confidence figure = confidence_of(value_of, &series, c->seeds);
        const uint32_t count = print_figure(out, &figure);
        runs = count > runs ? count : runs;
    }
    fprintf(out, ",%u\n", runs);
}

static size_t rows_of(const struct campaign *c) {
    return c->study->row_count == 0 ? 1 : c->study->row_count;
}

static void print_all(const struct campaign *c) {
    print_header(c, stdout, "");
    for (size_t i = 0; i < c->points.count; i++) {
        for (size_t row = 0; row < rows_of(c); row++) {
            print_row(c, stdout, i, c->points.count, row);
        }
    }
}

/* Returns whether the files could be written. */
static bool print_differences(const struct campaign *c, const char *path) {
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    print_header(c, out, ",baseline");
    for (size_t i = 0; i < c->points.count; i++) {
        const size_t baseline = grid_points_baseline(&c->points, &c->points.at[i]);
        for (size_t row = 0; baseline < c->points.count && row < rows_of(c); row++) {
            print_row(c, out, i, baseline, row);
        }
    }
    const bool complete = !ferror(out);
    return fclose(out) == 0 && complete;
}

/* ---- The command line ---- */

static const char usage[] =
    "usage: grid_study [-j WORKERS] [-s SEEDS] [-d FILE] [-t TABLE] [-q] STUDY\n"
    "\n"
    "Runs a study of whole grids, and writes its figures as CSV.\n"
    "\n"
    "  -j WORKERS   parallel processes; default: the number of processors\n"
    "  -s SEEDS     runs to average for each point; default: as many as the study needs\n"
    "  -d FILE      also writes the differences between variants, seed by seed, as CSV\n"
    "  -t TABLE     hosts for the study `past`: on each line how many and their GFLOPS, between tabs\n"
    "  -q           a few points of small grids alone\n"
    "  STUDY        quorum, verification, policies, dispatch or past\n";

static const struct grid_study *const studies[] = {&study_quorum, &study_verification, &study_policies, &study_dispatch,
                                                   &study_past};

static const struct grid_study *study_called(const char *name) {
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        if (strcmp(studies[i]->name, name) == 0) {
            return studies[i];
        }
    }
    return NULL;
}

int main(int count, char *arguments[]) {
    static struct campaign c;
    size_t workers = workers_online();
    const char *differences = NULL;
    int option;
    while ((option = getopt(count, arguments, "j:s:d:t:qh")) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        }
        if (option == 'd') {
            differences = optarg;
        } else if (option == 't') {
            c.points.table = optarg;
        } else if (option == 'q') {
            c.points.is_quick = 1;
        } else if (!(option == 'j' && workers_read_count(optarg, MOST_WORKERS, &workers)) &&
                   !(option == 's' && workers_read_count(optarg, 1000000, &c.seeds))) {
            fputs(usage, stderr);
            return 2;
        }
    }
    c.study = optind + 1 == count ? study_called(arguments[optind]) : NULL;
    if (c.study == NULL) {
        fputs(usage, stderr);
        return 2;
    }
    c.seeds = c.seeds == 0 ? c.study->seeds : c.seeds;
    if (c.study->add(&c.points) != 0) {
        fprintf(stderr, "grid_study: %s is no table of hosts\n", c.points.table == NULL ? "nothing" : c.points.table);
        return EXIT_FAILURE;
    }
    c.value_count = rows_of(&c) * c.study->figure_count;
    c.values = calloc(c.points.count * c.seeds, c.value_count * sizeof *c.values);
    if (c.values == NULL) {
        fputs("grid_study: not enough memory\n", stderr);
        return EXIT_FAILURE;
    }
    if (run_all(&c, workers) != 0) {
        return EXIT_FAILURE;
    }
    if (differences != NULL && !print_differences(&c, differences)) {
        fprintf(stderr, "grid_study: %s cannot be written\n", differences);
        return EXIT_FAILURE;
    }
    print_all(&c);
    free(c.values);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

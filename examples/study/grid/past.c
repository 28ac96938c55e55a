/*
 * A population of the past: what part of the power that hosts have on paper becomes useful operations, and what has to
 * be assumed for that.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grid_study.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define DAYS 20

/* ---- The table ---- */

struct table {
    vcs_host_row *rows; /* so many hosts, and operations per second of one */
    uint32_t count;
};

/* Each line has a number of hosts and the GFLOPS of each; lines of another form, such as a total, are passed over. */
static int read_table(struct table *table, const char *path) {
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    char line[256];
    size_t room = 0;
    if (file == NULL) {
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        double hosts, gflops;
        if (sscanf(line, "%lf %lf", &hosts, &gflops) != 2 || !(hosts > 0) || !(gflops > 0)) {
            continue;
        }
        if (table->count == room) {
            room = 2 * room + 64;
            vcs_host_row *more = realloc(table->rows, room * sizeof *more);
            if (more == NULL) {
                break;
            }
            table->rows = more;
        }
        table->rows[table->count++] = (vcs_host_row){.weight = hosts, .flops = gflops * 1e9};
    }
    const int is_whole = feof(file);
    fclose(file);
    return is_whole && table->count > 0 ? 0 : -1;
}

/* The same hosts with their power in so many CPUs; kept to the end of the program. */
static const vcs_host_row *rows_with(const struct table *table, uint32_t cpus) {
    vcs_host_row *rows = calloc(table->count, sizeof *rows);
    for (uint32_t i = 0; i < table->count && rows != NULL; i++) {
        rows[i] = table->rows[i];
        rows[i].cpus = cpus;
        rows[i].flops = table->rows[i].flops / cpus;
    }
    return rows;
}

/* ---- The points ---- */

/* Hosts that do nothing else, with one project and units of an hour at 6 GFLOPS; x is the fraction of time in which
   they are on, in spells of 8 hours. */
static void build(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    grid_begin(g, &point->parameters, point->hosts.count, DAYS * DAY, seed);
    g->hosts = point->hosts;
    g->rows = point->rows;
    g->row_count = point->row_count;
    g->host.emulation.available = point->x;
    g->host.emulation.available_mean = 8 * HOUR;
    grid_add_project(g, &point->project, 100);
}

static int add(struct grid_points *points) {
    static const double on[] = {0.2, 0.4, 0.6, 0.8, 1};
    static const uint32_t cpus[] = {1, 4}, quorums[] = {1, 2};
    static const char *const names[2][2] = {{"1 CPU and quorum 1", "1 CPU and quorum 2"},
                                            {"4 CPUs and quorum 1", "4 CPUs and quorum 2"}};
    struct table table = {.rows = NULL};
    if (read_table(&table, points->table) != 0) {
        free(table.rows);
        return -1;
    }
    for (size_t c = 0; c < COUNT(cpus); c++) {
        const vcs_host_row *rows = rows_with(&table, cpus[c]);
        for (size_t i = 0; rows != NULL && i < COUNT(quorums) * COUNT(on); i++) {
            struct grid_point point = grid_point_of("past", 6 * HOUR, 7 * DAY);
            point.x = on[i % COUNT(on)];
            point.variant = names[c][i / COUNT(on)];
            point.build = build;
            point.project.min_quorum = point.project.target_nresults = quorums[i / COUNT(on)];
            point.project.max_total = 20;
            point.hosts.count = points->is_quick ? 50 : 300;
            point.rows = rows;
            point.row_count = table.count;
            grid_points_add(points, &point);
        }
    }
    free(table.rows);
    return 0;
}

/* ---- The figures ---- */

enum { OF_PAPER, OF_ON, HOST_GFLOPS, FIGURES };

static const char *const figures[FIGURES] = {
    [OF_PAPER] = "of_paper", /* useful operations per second / what all CPUs could do if they were always on */
    [OF_ON] = "of_on",       /* the same / what they could do while they were on */
    [HOST_GFLOPS] = "host_gflops",
};

static void measure(const struct grid_point *point, const struct grid_run *run, const struct grid_run *baseline,
                    double *values) {
    double paper = 0, on = 0;
    (void)point;
    (void)baseline;
    for (uint32_t i = 0; i < run->host_count; i++) {
        const double flops = run->hosts[i].cpus * run->hosts[i].flops;
        paper += flops * DAYS * DAY;
        on += flops * run->hosts[i].on;
    }
    values[OF_PAPER] = run->projects[0].flops_useful / paper;
    values[OF_ON] = run->projects[0].flops_useful / on;
    values[HOST_GFLOPS] = paper / (DAYS * DAY) / run->host_count / 1e9;
}

const struct grid_study study_past = {
    .name = "past",
    .figures = figures,
    .figure_count = FIGURES,
    .seeds = 3,
    .add = add,
    .measure = measure,
};

/*
 * Dispatch by expected reply: how long to wait for a client, and in which order jobs are given out.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "grid_study.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define DAYS 60

/* A mixed population. Some hosts leave for good and some never reply. */
static void build(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    grid_begin(g, &point->parameters, point->hosts.count, DAYS * DAY, seed);
    g->hosts = point->hosts;
    grid_mix_hosts(g);
    grid_add_project(g, &point->project, 100);
}

/* ---- The points ---- */

static void add_point(struct grid_points *points, const char *part, const char *variant, double x, double wait,
                      double dead, uint32_t order) {
    struct grid_point point = grid_point_of(part, 4 * HOUR, 14 * DAY);
    const int is_batch = strcmp(part, "steady") != 0;
    point.variant = variant;
    point.baseline = is_batch && order != VCS_OVERDUE_FIRST ? "overdue-first" : NULL;
    point.x = x;
    point.build = build;
    point.project.dispatch = VCS_GRID_BY_REPLY;
    point.project.order = order;
    point.project.wait_factor = wait;
    point.project.dead_factor = dead * wait;
    point.project.distribution = VCS_SIZES_NORMAL;
    point.project.sd_flops = 0.2 * point.project.mean_flops;
    point.hosts = (vcs_host_model){
        .count = points->is_quick ? 40 : 100,
        .lifetime = 60 * DAY,
        .flags = VCS_HOSTS_REPLACED,
        .client_error = 0.02,
        .no_reply = 0.03,
    };
    point.project.units = is_batch ? 100 * point.hosts.count : 0;
    if (!points->is_quick || x == 2 || x == 8) {
        grid_points_add(points, &point);
    }
}

/* `steady`: jobs without end, so that windows go on and fresh ones never run out. `batch`: they do. `dead`: the same,
   with K_wait = 2, along K_wait_dead / K_wait. */
static int add(struct grid_points *points) {
    static const double waits[] = {1, 1.5, 2, 3, 4, 6, 8, 12, 16}, deaths[] = {1.25, 1.5, 2, 3, 4, 6, 8};
    static const uint32_t orders[] = {VCS_OVERDUE_FIRST, VCS_DRAIN_THEN_DEAD, VCS_DRAIN_THEN_OLDEST};
    static const char *const names[] = {"overdue-first", "drain-then-dead", "drain-then-oldest"};
    for (size_t i = 0; i < COUNT(waits); i++) {
        add_point(points, "steady", names[0], waits[i], waits[i], 2, VCS_OVERDUE_FIRST);
    }
    for (size_t o = 0; o < COUNT(orders); o++) {
        for (size_t i = 0; i < COUNT(waits); i++) {
            add_point(points, "batch", names[o], waits[i], waits[i], 2, orders[o]);
        }
        for (size_t i = 0; i < COUNT(deaths); i++) {
            add_point(points, "dead", names[o], deaths[i], 2, deaths[i], orders[o]);
        }
    }
    return 0;
}

/* ---- The figures ---- */

enum { DUPLICATES, COPIES, WINDOW, SPAN, PER_DAY, FINISHED, MAKESPAN, TAIL, USEFUL, FIGURES };

static const char *const figures[FIGURES] = {
    [DUPLICATES] = "duplicates", /* copies sent while another one was unanswered, for each unit done */
    [COPIES] = "copies_per_unit",
    [WINDOW] = "window",   /* unanswered jobs, average over time; of a batch, over its makespan */
    [SPAN] = "span_hours", /* newest minus oldest of them; not of a batch, which is there from the start */
    [PER_DAY] = "units_per_day",
    [FINISHED] = "finished",      /* 1 = the batch was done before the end of the emulation */
    [MAKESPAN] = "makespan_days", /* of a batch */
    [TAIL] = "tail_days",         /* of that, its last twentieth */
    [USEFUL] = "useful",          /* of all operations */
};

static void measure(const struct grid_point *point, const struct grid_run *run, const struct grid_run *baseline,
                    double *values) {
    const vcs_grid_project_outcome *p = &run->projects[0];
    const int is_batch = point->project.units > 0, is_done = p->makespan > 0;
    const double done = p->done > 0 ? (double)p->done : NAN, time = is_batch ? p->makespan : DAYS * DAY;
    (void)baseline;
    values[DUPLICATES] = (double)p->duplicates / done;
    values[COPIES] = (double)(p->copies - p->in_progress) / done;
    values[WINDOW] = is_batch && !is_done ? NAN : p->window * DAYS * DAY / time;
    values[SPAN] = is_batch ? NAN : p->window_span / HOUR;
    values[PER_DAY] = is_batch && !is_done ? NAN : done * DAY / time;
    values[FINISHED] = is_batch ? (double)is_done : NAN;
    values[MAKESPAN] = is_done ? p->makespan / DAY : NAN;
    values[TAIL] = is_done ? p->tail / DAY : NAN;
    values[USEFUL] = p->flops_useful / grid_flops(p);
}

const struct grid_study study_dispatch = {
    .name = "dispatch",
    .figures = figures,
    .figure_count = FIGURES,
    .seeds = 4,
    .add = add,
    .measure = measure,
};

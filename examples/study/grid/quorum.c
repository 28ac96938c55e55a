/* Quorum and delay bound: how long a unit takes, and what that costs. SPDX-License-Identifier: MIT */
#include <math.h>

#include "grid_study.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Copies that have to agree, and copies that are sent at once. */
struct quorum {
    const char *name;
    uint32_t agree, sent;
};

/* A mixed population that comes and goes, and that fails now and then. */
static void build(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    grid_begin(g, &point->parameters, point->hosts.count, 60 * DAY, seed);
    g->hosts = point->hosts;
    grid_mix_hosts(g);
    grid_add_project(g, &point->project, 100);
}

static int add(struct grid_points *points) {
    static const struct quorum quorums[] = {{"1 of 1", 1, 1}, {"2 of 2", 2, 2}, {"2 of 3", 2, 3}, {"3 of 3", 3, 3}};
    static const double days[] = {0.5, 1, 1.5, 2, 3, 5, 7, 10, 14};
    for (size_t q = 0; q < COUNT(quorums); q++) {
        for (size_t i = 0; i < COUNT(days); i++) {
            struct grid_point point = grid_point_of("delay bound", 4 * HOUR, days[i] * DAY);
            const int is_wanted = !points->is_quick || (q < 2 && (days[i] == 1 || days[i] == 3 || days[i] == 10));
            point.variant = quorums[q].name;
            point.baseline = q == 0 ? NULL : quorums[0].name;
            point.x = days[i];
            point.build = build;
            point.project.distribution = VCS_SIZES_NORMAL;
            point.project.sd_flops = 0.2 * point.project.mean_flops;
            point.project.min_quorum = quorums[q].agree;
            point.project.target_nresults = quorums[q].sent;
            point.project.max_error = 20; /* whatever happens, a unit goes on */
            point.project.max_total = 60;
            point.project.max_success = 20;
            point.project.flags = VCS_GRID_ABORTS;
            point.hosts = (vcs_host_model){
                .count = points->is_quick ? 50 : 100,
                .lifetime = 100 * DAY,
                .flags = VCS_HOSTS_REPLACED,
                .client_error = 0.02,
                .no_reply = 0.03,
            };
            if (is_wanted) {
                grid_points_add(points, &point);
            }
        }
    }
    return 0;
}

enum { MEDIAN, LATE_5, LATE_1, COPIES, THROUGHPUT, USEFUL, LATE, FIGURES };

static const char *const figures[FIGURES] = {
    [MEDIAN] = "median_hours",      [LATE_5] = "p95_hours", [LATE_1] = "p99_hours", [COPIES] = "copies_per_unit",
    [THROUGHPUT] = "units_per_day", [USEFUL] = "useful",    [LATE] = "late",
};

static void measure(const struct grid_point *point, const struct grid_run *run, const struct grid_run *baseline,
                    double *values) {
    const vcs_grid_project_outcome *p = &run->projects[0];
    const double all = grid_flops(p), done = (double)p->done;
    (void)point;
    (void)baseline;
    values[MEDIAN] = p->done > 0 ? p->turnaround_p50 / HOUR : NAN;
    values[LATE_5] = p->done > 0 ? p->turnaround_p95 / HOUR : NAN;
    values[LATE_1] = p->done > 0 ? p->turnaround_p99 / HOUR : NAN;
    values[COPIES] = p->done > 0 ? (double)(p->copies - p->in_progress) / done : NAN;
    values[THROUGHPUT] = done / 60;
    values[USEFUL] = all > 0 ? p->flops_useful / all : NAN;
    values[LATE] = all > 0 ? p->flops_late / all : NAN;
}

const struct grid_study study_quorum = {
    .name = "quorum",
    .figures = figures,
    .figure_count = FIGURES,
    .seeds = 4,
    .add = add,
    .measure = measure,
};

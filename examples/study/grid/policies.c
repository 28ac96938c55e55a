/* The policies of the study of 2007, over a population instead of one host. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "grid_study.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define DAYS 50

/* ---- The grids ---- */

static struct grid_case *begin(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    grid_begin(g, &point->parameters, point->hosts.count, DAYS * DAY, seed);
    grid_mix_hosts(g);
    g->hosts.count = point->hosts.count;
    return g;
}

/* Six projects: number i has jobs of i times the length, i times the latency bound, and i times the share; the mix of
   the study's figures 1 and 4. The bound is x times the run time on a CPU of 1 GFLOPS, which is on all the time. */
static void build_mix(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    begin(g, point, seed);
    for (int i = 1; i <= 6; i++) {
        vcs_grid_project project = point->project;
        project.est_flops = project.mean_flops = i * JOB_SECONDS * CPU_FLOPS;
        project.delay_bound = point->x * i * JOB_SECONDS;
        grid_add_project(g, &project, 100.0 * i);
    }
}

/* Two projects of equal share, one with jobs ten times as long, which vary much; calls every two days, for as much
   work: the study's figure 5. */
static void build_rare_calls(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    begin(g, point, seed);
    g->host.emulation.connection_interval = 2 * DAY;
    g->host.parameters.min_buffer = 2 * DAY;
    g->host.parameters.additional_buffer = 0;
    for (int i = 1; i <= 10; i += 9) {
        vcs_grid_project project = point->project;
        project.est_flops = project.mean_flops = i * JOB_SECONDS * CPU_FLOPS;
        project.distribution = VCS_SIZES_NORMAL;
        project.sd_flops = 0.5 * project.mean_flops;
        project.delay_bound = 6 * DAY;
        grid_add_project(g, &project, 100);
    }
}

/* One project. Its jobs take four times as long as stated; the bound is ten times the stated length: the study's
   figure 6. */
static void build_errors(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    begin(g, point, seed);
    vcs_grid_project project = point->project;
    project.est_flops = JOB_SECONDS * CPU_FLOPS;
    project.mean_flops = 4 * JOB_SECONDS * CPU_FLOPS;
    project.delay_bound = 10 * JOB_SECONDS;
    grid_add_project(g, &project, 100);
}

/* ---- The points ---- */

static void add_point(struct grid_points *points, struct grid_point *point, const char *variant) {
    point->variant = variant;
    point->hosts.count = points->is_quick ? 30 : 100;
    grid_points_add(points, point);
}

static struct grid_point point_under(const char *part, uint32_t profile) {
    struct grid_point point = grid_point_of(part, JOB_SECONDS, 9 * DAY);
    point.x = 8;
    vcs_parameters_init(&point.parameters, sizeof point.parameters, profile);
    return point;
}

/* The two settings of one choice of the study's policy; the first is the baseline. */
static void add_choice(struct grid_points *points, struct grid_point *point, uint32_t *choice, const char *const *names,
                       uint32_t first) {
    for (uint32_t i = 0; i < 2; i++) {
        *choice = first + i;
        point->baseline = i == 0 ? NULL : names[0];
        add_point(points, point, names[i]);
    }
}

static int add(struct grid_points *points) {
    static const char *const scheduling[] = {"CS1", "CS2"}, *const fetch[] = {"WF1", "WF2"},
                             *const send[] = {"WS1", "WS2"}, *const completion[] = {"JC1", "JC2"},
                             *const profiles[] = {"current", "study2007", "rpc2003"};
    static const uint32_t codes[] = {VCS_PROFILE_CURRENT, VCS_PROFILE_STUDY2007, VCS_PROFILE_RPC2003};
    struct grid_point cs = point_under("scheduling", VCS_PROFILE_STUDY2007);
    struct grid_point wf = point_under("fetch", VCS_PROFILE_STUDY2007);
    struct grid_point ws = point_under("send", VCS_PROFILE_STUDY2007);
    struct grid_point jc = point_under("completion", VCS_PROFILE_STUDY2007);
    struct grid_point little = point_under("little slack", VCS_PROFILE_STUDY2007);
    cs.build = wf.build = little.build = build_mix;
    little.x = 5;
    ws.build = build_rare_calls;
    ws.parameters.deadline_origin = VCS_ORIGIN_NOW;
    jc.build = build_errors;
    add_choice(points, &cs, &cs.parameters.scheduling, scheduling, VCS_SCHEDULING_ROUND_ROBIN);
    add_choice(points, &little, &little.parameters.scheduling, scheduling, VCS_SCHEDULING_ROUND_ROBIN);
    add_choice(points, &wf, &wf.parameters.work_fetch, fetch, VCS_WORK_FETCH_WF1);
    add_choice(points, &ws, &ws.parameters.work_send, send, VCS_WORK_SEND_WS1);
    add_choice(points, &jc, &jc.parameters.use_dcf, completion, 0);
    for (size_t i = 0; i < COUNT(profiles); i++) {
        struct grid_point point = point_under("profile", codes[i]);
        point.build = build_mix;
        point.baseline = i == 0 ? NULL : profiles[0];
        add_point(points, &point, profiles[i]);
    }
    return 0;
}

/* ---- The figures: over the hosts ---- */

enum { WASTE, IDLENESS, SHARE_VIOLATION, MERITS };
enum { LESS_WASTE = MERITS, MORE_WASTE, FIGURES };

static const char *const figures[FIGURES] = {
    [WASTE] = "waste",           [IDLENESS] = "idleness", [SHARE_VIOLATION] = "share_violation",
    [LESS_WASTE] = "less_waste", /* fraction of the hosts that waste less than under the baseline, */
    [MORE_WASTE] = "more_waste", /* and that waste more: by over a thousandth */
};

/* The percentiles, and the mean over all hosts. */
static const double percents[] = {5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, NAN};

static double merit_of(const vcs_grid_host_outcome *host, int merit) {
    return merit == WASTE ? host->waste : merit == IDLENESS ? host->idleness : host->share_violation;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Fraction of the hosts that waste more than under the baseline by this much; less, if the number is negative. */
static double fraction_beyond(const struct grid_run *run, const struct grid_run *baseline, double least) {
    uint32_t count = 0;
    if (baseline == NULL) {
        return NAN;
    }
    for (uint32_t i = 0; i < run->host_count; i++) {
        const double more = run->hosts[i].waste - baseline->hosts[i].waste;
        count += least > 0 ? more > least : more < least;
    }
    return (double)count / run->host_count;
}

static void measure_merit(const struct grid_run *run, int merit, double *sorted, double *values) {
    const uint32_t hosts = run->host_count;
    double sum = 0;
    for (uint32_t i = 0; i < hosts; i++) {
        sorted[i] = merit_of(&run->hosts[i], merit);
        sum += sorted[i];
    }
    qsort(sorted, hosts, sizeof *sorted, compare);
    for (size_t row = 0; row < COUNT(percents); row++) {
        const uint32_t rank = isnan(percents[row]) ? 0 : (uint32_t)(percents[row] / 100 * hosts);
        values[row * FIGURES + (size_t)merit] = isnan(percents[row]) ? sum / hosts : sorted[rank];
    }
}

static void measure(const struct grid_point *point, const struct grid_run *run, const struct grid_run *baseline,
                    double *values) {
    double *sorted = calloc(run->host_count, sizeof *sorted);
    (void)point;
    for (size_t i = 0; i < COUNT(percents) * FIGURES; i++) {
        values[i] = NAN;
    }
    for (int merit = 0; merit < MERITS && sorted != NULL; merit++) {
        measure_merit(run, merit, sorted, values);
    }
    values[(COUNT(percents) - 1) * FIGURES + LESS_WASTE] = fraction_beyond(run, baseline, -0.001);
    values[(COUNT(percents) - 1) * FIGURES + MORE_WASTE] = fraction_beyond(run, baseline, 0.001);
    free(sorted);
}

const struct grid_study study_policies = {
    .name = "policies",
    .figures = figures,
    .figure_count = FIGURES,
    .rows = percents,
    .row_count = COUNT(percents),
    .is_paired = 1,
    .seeds = 5,
    .add = add,
    .measure = measure,
};

/*
 * Ways to check results against hosts that return wrong ones on purpose: wrong results accepted, and what it costs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "grid_study.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define JOB (4 * HOUR)
#define JOBS_PER_HOST 60.0

struct crowd;
typedef double (*exact_function)(const struct grid_point *point, struct crowd crowd);

/* The ways, and what mathematics say of the fraction of wrong results that they accept. */
struct method {
    const char *name;
    uint32_t dispatch;
    uint32_t check;  /* VCS_GRID_CHECK_* */
    uint32_t quorum; /* so many equal results */
    double recomputation;
    double spot_checks;
    uint32_t flags; /* VCS_GRID_* */
    exact_function exact;
};

/* Whoever fails a job of known result loses all, up to the end. */
#define WITHDRAWN (VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST)

/* ---- Closed forms (rule 14.4) ---- */

/* The hosts that may get copies of a unit. A host gets one copy, so each chosen host is gone for the other copies;
   closed forms are for so many hosts that this makes no difference: `taken` = 0. */
struct crowd {
    double saboteurs, hosts, taken;
};

/* How likely so many wrong results are there before so many right ones. */
static double wrong_first(uint32_t wrong, uint32_t right, struct crowd crowd, double sabotage) {
    if (wrong == 0 || right == 0) {
        return wrong == 0;
    }
    const double liar = crowd.saboteurs / crowd.hosts;
    const struct crowd others = {crowd.saboteurs, crowd.hosts - crowd.taken, crowd.taken};
    const struct crowd fewer = {fmax(0, crowd.saboteurs - crowd.taken), others.hosts, crowd.taken};
    return liar * sabotage * wrong_first(wrong - 1, right, fewer, sabotage) +
           liar * (1 - sabotage) * wrong_first(wrong, right - 1, fewer, sabotage) +
           (1 - liar) * wrong_first(wrong, right - 1, others, sabotage);
}

/* k equal results are looked for, and wrong ones are alike: whichever are k first. */
static double by_quorum(const struct grid_point *point, struct crowd crowd) {
    const uint32_t k = point->project.min_quorum;
    return wrong_first(k, k, crowd, point->hosts.sabotage);
}

/* A part of the units gets one copy more. If the results differ, the vote goes on until two are equal. */
static double by_recomputation(const struct grid_point *point, struct crowd crowd) {
    const double checked = point->project.recomputation - 1;
    return (1 - checked) * wrong_first(1, 1, crowd, point->hosts.sabotage) +
           checked * wrong_first(2, 2, crowd, point->hosts.sabotage);
}

/* Saboteurs that were not caught got through every job but the one under consideration. */
static double by_spot_checks(const struct grid_point *point, struct crowd crowd) {
    const double f = crowd.saboteurs / crowd.hosts, s = point->hosts.sabotage;
    const double passed = pow(1 - point->project.spot_checks * s, JOBS_PER_HOST - 1);
    return s * f * passed / (1 - f + f * passed);
}

/* ---- The points ---- */

/* Equal hosts, always on, one CPU each; saboteurs collude. Their jobs vary a little, or they would all call at once. */
static void build(struct grid_case *g, const struct grid_point *point, uint64_t seed) {
    grid_begin(g, &point->parameters, point->hosts.count, (JOBS_PER_HOST + 0.5) * JOB, seed);
    g->hosts = point->hosts;
    g->host.parameters.min_buffer = 600;
    g->host.parameters.additional_buffer = 0;
    grid_add_project(g, &point->project, 100);
}

/* The method named `baseline` is compared with no other; if it is NULL, none is compared. */
static void add_method(struct grid_points *points, const char *part, const struct method *method, double sabotage,
                       const char *baseline) {
    static const double saboteurs[] = {0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3};
    for (size_t i = 0; i < COUNT(saboteurs); i++) {
        struct grid_point point = grid_point_of(part, JOB, 100 * DAY);
        const int is_wanted = !points->is_quick || saboteurs[i] == 0.1 || saboteurs[i] == 0.3;
        vcs_grid_project *project = &point.project;
        point.variant = method->name;
        point.baseline = baseline != NULL && strcmp(method->name, baseline) != 0 ? baseline : NULL;
        point.x = saboteurs[i];
        point.build = build;
        point.more = method;
        project->distribution = VCS_SIZES_NORMAL;
        project->sd_flops = 0.05 * project->mean_flops;
        project->dispatch = method->dispatch;
        project->verification = method->check;
        project->min_quorum = project->target_nresults = method->quorum;
        project->max_error = project->max_success = 100;
        project->max_total = 400;
        project->recomputation = method->recomputation > 0 ? method->recomputation : 1;
        project->spot_checks = method->spot_checks;
        project->flags = method->flags;
        project->error_bound = 0.35; /* there are fewer saboteurs */
        project->tolerance = 0.01;
        point.hosts = (vcs_host_model){
            .count = points->is_quick ? 100 : 300,
            .saboteurs = saboteurs[i],
            .sabotage = sabotage,
            .flags = VCS_HOSTS_COLLUDE,
        };
        if (is_wanted) {
            grid_points_add(points, &point);
        }
    }
}

/* Votes without a blacklist are what the closed forms are about. */
static int add(struct grid_points *points) {
    static const struct method votes[] = {
        {.name = "no check", .quorum = 1, .exact = by_quorum},
        {.name = "2 equal", .quorum = 2, .exact = by_quorum},
        {.name = "3 equal", .quorum = 3, .exact = by_quorum},
        {.name = "recomputation 1.1",
         .check = VCS_GRID_CHECK_RECOMPUTATION,
         .quorum = 1,
         .recomputation = 1.1,
         .exact = by_recomputation},
        {.name = "recomputation 1.5",
         .check = VCS_GRID_CHECK_RECOMPUTATION,
         .quorum = 1,
         .recomputation = 1.5,
         .exact = by_recomputation},
        {.name = "spot checks 2 %", .quorum = 1, .spot_checks = 0.02, .exact = by_spot_checks, .flags = WITHDRAWN},
    };
    static const struct method methods[] = {
        {.name = "no check", .quorum = 1, .exact = by_quorum},
        {.name = "direct", .check = VCS_GRID_CHECK_DIRECT, .quorum = 1, .flags = VCS_GRID_BLACKLIST},
        {.name = "2 equal", .quorum = 2, .exact = by_quorum},
        {.name = "recomputation 1.1",
         .check = VCS_GRID_CHECK_RECOMPUTATION,
         .quorum = 1,
         .recomputation = 1.1,
         .flags = VCS_GRID_BLACKLIST},
        {.name = "recomputation 1.5",
         .check = VCS_GRID_CHECK_RECOMPUTATION,
         .quorum = 1,
         .recomputation = 1.5,
         .flags = VCS_GRID_BLACKLIST},
        {.name = "recomputation 2",
         .check = VCS_GRID_CHECK_RECOMPUTATION,
         .quorum = 1,
         .recomputation = 2,
         .flags = VCS_GRID_BLACKLIST},
        {.name = "recomputation 3",
         .check = VCS_GRID_CHECK_RECOMPUTATION,
         .quorum = 1,
         .recomputation = 3,
         .flags = VCS_GRID_BLACKLIST},
        {.name = "adaptive", .check = VCS_GRID_CHECK_ADAPTIVE, .quorum = 1},
        {.name = "inverse",
         .dispatch = VCS_GRID_BY_REPLY,
         .check = VCS_GRID_CHECK_INVERSE,
         .quorum = 1,
         .flags = VCS_GRID_BLACKLIST},
        {.name = "credibility",
         .dispatch = VCS_GRID_BY_REPLY,
         .check = VCS_GRID_CHECK_CREDIBILITY,
         .quorum = 1,
         .spot_checks = 0.1,
         .flags = VCS_GRID_BLACKLIST},
        {.name = "spot checks 10 %", .quorum = 1, .spot_checks = 0.1, .exact = by_spot_checks, .flags = WITHDRAWN},
    };
    for (size_t i = 0; i < COUNT(votes); i++) {
        add_method(points, "closed forms", &votes[i], 1, NULL);
    }
    for (size_t i = 0; i < COUNT(methods); i++) {
        add_method(points, "always", &methods[i], 1, "2 equal"); /* what most projects do */
        add_method(points, "one in ten", &methods[i], 0.1, "2 equal");
    }
    return 0;
}

/* ---- The figures ---- */

enum { WRONG, EXACT, ABOVE, COPIES, OPERATIONS, DONE, CAUGHT, FIGURES };

static const char *const figures[FIGURES] = {
    [WRONG] = "wrong_accepted",   /* of the units done */
    [EXACT] = "exact",            /* the same by the closed form */
    [ABOVE] = "above_expected",   /* wrong_accepted, less the same for the hosts and the saboteurs that there were */
    [COPIES] = "copies_per_unit", /* jobs of known result included */
    [OPERATIONS] = "operations",  /* for each that a unit needs */
    [DONE] = "units_per_host",
    [CAUGHT] = "caught", /* hosts on the blacklist, honest ones too / saboteurs */
};

static void measure(const struct grid_point *point, const struct grid_run *run, const struct grid_run *baseline,
                    double *values) {
    const vcs_grid_project_outcome *p = &run->projects[0];
    const double done = (double)p->done, over = (double)(p->copies - p->in_progress + p->spot_checks);
    const double saboteurs = (double)run->outcome.saboteurs, hosts = (double)run->outcome.hosts;
    const exact_function exact = ((const struct method *)point->more)->exact;
    (void)baseline;
    values[WRONG] = p->done > 0 ? (double)p->wrong_accepted / done : NAN;
    values[EXACT] = exact != NULL ? exact(point, (struct crowd){point->hosts.saboteurs, 1, 0}) : NAN;
    values[ABOVE] = exact != NULL ? values[WRONG] - exact(point, (struct crowd){saboteurs, hosts, 1}) : NAN;
    values[COPIES] = p->done > 0 ? over / done : NAN;
    values[OPERATIONS] = p->flops_useful > 0 ? grid_flops(p) / p->flops_useful : NAN;
    values[DONE] = done / (double)run->outcome.hosts;
    values[CAUGHT] = run->outcome.saboteurs > 0 ? (double)p->caught / (double)run->outcome.saboteurs : NAN;
}

const struct grid_study study_verification = {
    .name = "verification",
    .figures = figures,
    .figure_count = FIGURES,
    .seeds = 8,
    .add = add,
    .measure = measure,
};

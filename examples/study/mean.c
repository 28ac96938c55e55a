/* SPDX-License-Identifier: MIT */
#include "mean.h"

#include "confidence.h"

#include <math.h>
#include <stdbool.h>

/* ---- One run ---- */

/* Points with numbers are the study's six figures; their waste, idleness and share violation follow its program. */
static bool is_of_the_study(const struct point *point) {
    return point->figure[0] >= '0' && point->figure[0] <= '9';
}

struct merits merits_of(const struct point *point, const vcs_outcome *outcome) {
    const bool study = is_of_the_study(point);
    const uint32_t undefined = study ? VCS_UNDEFINED_STUDY : VCS_UNDEFINED_WASTE | VCS_UNDEFINED_RPCS;
    return (struct merits){
        .of = {[MERIT_WASTE] = study ? outcome->study_waste : outcome->waste,
               [MERIT_IDLENESS] = study ? outcome->study_idleness : outcome->idleness,
               [MERIT_SHARE_VIOLATION] = study ? outcome->study_share_violation : outcome->share_violation,
               [MERIT_MONOTONY] = outcome->monotony,
               [MERIT_RPCS_PER_JOB] = outcome->rpcs_per_job},
        .defined = (outcome->flags & undefined) == 0,
    };
}

/* ---- Over the seeds ---- */

struct difference {
    const struct merits *runs, *baseline; /* no baseline: the values themselves */
    int merit;
};

static double difference_of(const void *context, size_t seed) {
    const struct difference *d = context;
    if (!d->runs[seed].defined || (d->baseline != NULL && !d->baseline[seed].defined)) {
        return NAN;
    }
    return d->runs[seed].of[d->merit] - (d->baseline == NULL ? 0 : d->baseline[seed].of[d->merit]);
}

struct mean mean_of_differences(const struct merits *runs, const struct merits *baseline, size_t seeds) {
    struct mean mean = {.runs = 0};
    for (int merit = 0; merit < MERIT_COUNT; merit++) {
        const struct difference difference = {runs, baseline, merit};
        const struct confidence c = confidence_of(difference_of, &difference, seeds);
        mean.mean[merit] = c.mean;
        mean.deviation[merit] = c.deviation;
        mean.margin[merit] = c.margin;
        mean.runs = c.runs;
    }
    return mean;
}

struct mean mean_of(const struct merits *runs, size_t seeds) {
    return mean_of_differences(runs, NULL, seeds);
}

/* ---- As CSV ---- */

static void print_columns(FILE *out) {
    static const char *const names[MERIT_COUNT] = {"waste", "idleness", "share_violation", "monotony", "rpcs_per_job"};
    for (int merit = 0; merit < MERIT_COUNT; merit++) {
        fprintf(out, ",%s,%s_sd,%s_ci", names[merit], names[merit], names[merit]);
    }
    fputs(",runs\n", out);
}

static void print_place(FILE *out, const struct point *point) {
    fprintf(out, "%s,%g,", point->figure, point->x);
    if (point->x2 != 0) {
        fprintf(out, "%g", point->x2);
    }
    fprintf(out, ",%s", point->policy);
}

/* Four digits; what they show as 0 has no sign. */
static double shown(double value) {
    return fabs(value) < 0.00005 ? 0 : value;
}

static void print_values(FILE *out, const struct mean *mean) {
    for (int merit = 0; merit < MERIT_COUNT; merit++) {
        fprintf(out, ",%.4f,%.4f,%.4f", shown(mean->mean[merit]), mean->deviation[merit], mean->margin[merit]);
    }
    fprintf(out, ",%u\n", mean->runs);
}

void mean_print_header(FILE *out) {
    fputs("figure,x,x2,policy", out);
    print_columns(out);
}

void mean_print(FILE *out, const struct point *point, const struct mean *mean) {
    print_place(out, point);
    print_values(out, mean);
}

void differences_print_header(FILE *out) {
    fputs("figure,x,x2,policy,baseline", out);
    print_columns(out);
}

void differences_print(FILE *out, const struct point *point, const struct mean *mean) {
    print_place(out, point);
    fprintf(out, ",%s", point->baseline);
    print_values(out, mean);
}

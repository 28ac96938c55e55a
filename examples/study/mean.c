/* SPDX-License-Identifier: MIT */
#include "mean.h"

#include <math.h>
#include <stdbool.h>

/* ---- One run ---- */

/* The study's six figures have numbers, and waste, idleness and share violation as its program reckons them. */
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

static bool counts(const struct merits *runs, const struct merits *baseline, size_t seed) {
    return runs[seed].defined && (baseline == NULL || baseline[seed].defined);
}

static double value_of(const struct merits *runs, const struct merits *baseline, size_t seed, int merit) {
    return runs[seed].of[merit] - (baseline == NULL ? 0 : baseline[seed].of[merit]);
}

/* Student's t for 95 %, two-sided: how many standard errors the mean of a few values may be off. */
static double student(uint32_t degrees) {
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                   2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    const double many = degrees;
    return degrees <= sizeof table / sizeof *table ? table[degrees - 1] : 1.96 + 2.372 / many + 2.823 / (many * many);
}

/* First the mean, then how far from it they are, so that nothing cancels out. */
struct mean mean_of_differences(const struct merits *runs, const struct merits *baseline, size_t seeds) {
    struct mean mean = {.runs = 0};
    for (size_t seed = 0; seed < seeds; seed++) {
        mean.runs += counts(runs, baseline, seed);
    }
    for (int merit = 0; merit < MERIT_COUNT && mean.runs > 0; merit++) {
        double sum = 0, squares = 0;
        for (size_t seed = 0; seed < seeds; seed++) {
            sum += counts(runs, baseline, seed) ? value_of(runs, baseline, seed, merit) : 0;
        }
        mean.mean[merit] = sum / mean.runs;
        for (size_t seed = 0; seed < seeds; seed++) {
            const double above = value_of(runs, baseline, seed, merit) - mean.mean[merit];
            squares += counts(runs, baseline, seed) ? above * above : 0;
        }
        if (mean.runs > 1) {
            mean.deviation[merit] = sqrt(squares / (mean.runs - 1));
            mean.margin[merit] = student(mean.runs - 1) * mean.deviation[merit] / sqrt(mean.runs);
        }
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

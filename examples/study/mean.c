/* SPDX-License-Identifier: MIT */
#include "mean.h"

#include <math.h>
#include <stdbool.h>

/* The study's six figures have numbers, and waste, idleness and share violation as its program reckons them. */
static bool is_of_the_study(const struct point *point) {
    return point->figure[0] >= '0' && point->figure[0] <= '9';
}

void mean_add(struct mean *mean, const struct point *point, const vcs_outcome *outcome) {
    const bool study = is_of_the_study(point);
    const double waste = study ? outcome->study_waste : outcome->waste;
    const double idleness = study ? outcome->study_idleness : outcome->idleness;
    if ((outcome->flags & (study ? VCS_UNDEFINED_STUDY : VCS_UNDEFINED_WASTE | VCS_UNDEFINED_RPCS)) != 0) {
        return;
    }
    mean->waste += waste;
    mean->waste_squares += waste * waste;
    mean->idleness += idleness;
    mean->idleness_squares += idleness * idleness;
    mean->share_violation += study ? outcome->study_share_violation : outcome->share_violation;
    mean->monotony += outcome->monotony;
    mean->rpcs_per_job += outcome->rpcs_per_job;
    mean->runs++;
}

static double deviation(double sum, double squares, double runs) {
    double variance = runs > 1 ? (squares - sum * sum / runs) / (runs - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

void mean_print_header(FILE *out) {
    fputs("figure,x,x2,policy,waste,waste_sd,idleness,idleness_sd,share_violation,monotony,rpcs_per_job,runs\n", out);
}

void mean_print(FILE *out, const struct point *point, const struct mean *mean) {
    double runs = mean->runs == 0 ? 1 : mean->runs;
    char x2[16] = "";
    if (point->x2 != 0) {
        snprintf(x2, sizeof x2, "%g", point->x2);
    }
    fprintf(out, "%s,%g,%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%u\n", point->figure, point->x, x2, point->policy,
            mean->waste / runs, deviation(mean->waste, mean->waste_squares, runs), mean->idleness / runs,
            deviation(mean->idleness, mean->idleness_squares, runs), mean->share_violation / runs,
            mean->monotony / runs, mean->rpcs_per_job / runs, mean->runs);
}

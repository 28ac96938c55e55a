/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "grid_study.h"

void grid_points_add(struct grid_points *points, const struct grid_point *point) {
    assert(points->count < MOST_GRID_POINTS);
    points->at[points->count++] = *point;
}

size_t grid_points_baseline(const struct grid_points *points, const struct grid_point *point) {
    for (size_t i = 0; i < points->count && point->baseline != NULL; i++) {
        const struct grid_point *other = &points->at[i];
        if (strcmp(other->part, point->part) == 0 && strcmp(other->variant, point->baseline) == 0 &&
            other->x == point->x) {
            return i;
        }
    }
    return points->count;
}

struct grid_point grid_point_of(const char *part, double seconds, double delay_bound) {
    struct grid_point point = {.part = part};
    vcs_parameters_init(&point.parameters, sizeof point.parameters, VCS_PROFILE_CURRENT);
    vcs_grid_project_init(&point.project, sizeof point.project);
    point.project.est_flops = point.project.mean_flops = seconds * CPU_FLOPS;
    point.project.delay_bound = delay_bound;
    return point;
}

double grid_flops(const vcs_grid_project_outcome *outcome) {
    return outcome->flops_useful + outcome->flops_redundant + outcome->flops_invalid + outcome->flops_late +
           outcome->flops_failed + outcome->flops_checks;
}

/* SPDX-License-Identifier: MIT */
#include "point.h"

#include <assert.h>
#include <string.h>

static int is_wanted(const struct points *points, const char *figure) {
    for (size_t i = 0; i < points->wanted_count; i++) {
        if (strcmp(points->wanted[i], figure) == 0) {
            return 1;
        }
    }
    return points->wanted == NULL;
}

void points_add(struct points *points, const struct point *point) {
    if (is_wanted(points, point->figure)) {
        assert(points->count < MOST_POINTS);
        points->at[points->count++] = *point;
    }
}

int points_has(const struct points *points, const char *figure) {
    for (size_t i = 0; i < points->count; i++) {
        if (strcmp(points->at[i].figure, figure) == 0) {
            return 1;
        }
    }
    return 0;
}

size_t points_baseline(const struct points *points, const struct point *point) {
    for (size_t i = 0; i < points->count; i++) {
        const struct point *other = &points->at[i];
        if (strcmp(other->figure, point->baseline_figure) == 0 && strcmp(other->policy, point->baseline) == 0 &&
            other->x == point->x && other->x2 == point->x2) {
            return i;
        }
    }
    return points->count;
}

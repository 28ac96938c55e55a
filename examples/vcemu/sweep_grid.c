/* SPDX-License-Identifier: MIT */
#include "sweep_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool check_axes_apart(const struct sweep_grid *grid, struct fault *fault) {
    const struct sweep_axis *last = &grid->axes[grid->axis_count - 1];
    for (const struct sweep_axis *axis = grid->axes; axis < last; axis++) {
        if (sweep_axes_meet(axis, last)) {
            return fault_set(fault, "--vary %s: --vary %s already sets the same key", fault_quote(last->key).text,
                             fault_quote(axis->key).text);
        }
    }
    return true;
}

bool sweep_grid_read(struct sweep_grid *grid, const char *const *axes, size_t count,
                     const struct state_grammar *grammar, struct fault *fault) {
    *grid = (struct sweep_grid){.axes = calloc(count == 0 ? 1 : count, sizeof *grid->axes), .point_count = 1};
    if (grid->axes == NULL) {
        return fault_set(fault, "--vary: there is not enough memory");
    }
    while (grid->axis_count < count) {
        struct sweep_axis *axis = &grid->axes[grid->axis_count];
        const bool read = sweep_axis_read(axis, axes[grid->axis_count], grammar, fault);
        grid->axis_count++;
        if (!read || !check_axes_apart(grid, fault)) {
            return false;
        }
        if (axis->count > SWEEP_MOST_POINTS / grid->point_count) {
            return fault_set(fault, "--vary %s: the sweep has more than 1000000000 points",
                             fault_quote(axis->key).text);
        }
        grid->point_count *= axis->count;
    }
    return true;
}

void sweep_grid_free(struct sweep_grid *grid) {
    for (size_t i = 0; i < grid->axis_count; i++) {
        sweep_axis_free(&grid->axes[i]);
    }
    free(grid->axes);
    *grid = (struct sweep_grid){.axes = NULL};
}

const char *sweep_grid_value(const struct sweep_grid *grid, uint64_t point, size_t axis, char text[SWEEP_NUMBER_SIZE]) {
    for (size_t faster = grid->axis_count - 1; faster > axis; faster--) {
        point /= grid->axes[faster].count;
    }
    return sweep_axis_value(&grid->axes[axis], point % grid->axes[axis].count, text);
}

bool sweep_grid_fault_at(const struct sweep_grid *grid, uint64_t point, struct fault *fault) {
    const struct fault what = *fault;
    char where[768] = "";
    for (size_t i = 0, used = 0; i < grid->axis_count && used < sizeof where; i++) {
        char buffer[SWEEP_NUMBER_SIZE];
        const char *value = sweep_grid_value(grid, point, i, buffer);
        used += (size_t)snprintf(where + used, sizeof where - used, "%s%s=%s", i == 0 ? "" : ", ",
                                 fault_quote(grid->axes[i].key).text, fault_quote(value).text);
    }
    return where[0] != '\0' && fault_set(fault, "%s: %s", where, what.message);
}

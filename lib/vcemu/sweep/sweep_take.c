/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/sweep_take.h"

#include <stdlib.h>

bool vcs_swp_taker_make(struct sweep_taker *taker, const struct sweep_table *table) {
    const struct sweep_plan *plan = table->plan;
    const size_t axes = plan->grid.axis_count + 1;
    *taker = (struct sweep_taker){.table = table};
    if (plan->sweep->receive == NULL) {
        return true;
    }
    taker->keys = calloc(axes, sizeof *taker->keys);
    taker->values = calloc(axes, sizeof *taker->values);
    taker->names = calloc(plan->figures.count + 1, sizeof *taker->names);
    taker->buffers = calloc(axes, SWEEP_NUMBER_SIZE);
    if (taker->keys == NULL || taker->values == NULL || taker->names == NULL || taker->buffers == NULL) {
        return false;
    }
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        taker->keys[i] = plan->grid.axes[i].key;
    }
    for (size_t i = 0; i < plan->figures.count; i++) {
        taker->names[i] = plan->figures.list[i].name;
    }
    return true;
}

void vcs_swp_taker_free(struct sweep_taker *taker) {
    free(taker->keys);
    free(taker->values);
    free(taker->names);
    free(taker->buffers);
    *taker = (struct sweep_taker){.keys = NULL};
}

bool vcs_swp_taker_give(const struct sweep_taker *taker, uint64_t run, double weight, const double *figures) {
    const struct sweep_plan *plan = taker->table->plan;
    if (plan->sweep->receive == NULL) {
        return true;
    }
    const uint64_t point = run / plan->seeds;
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        taker->values[i] = vcs_swp_grid_value(&plan->grid, point, i, taker->buffers + i * SWEEP_NUMBER_SIZE);
    }
    const vcs_sweep_run given = {
        .struct_size = sizeof given,
        .point = point,
        .seed = vcs_swp_table_seed(taker->table, run),
        .weight = weight,
        .keys = taker->keys,
        .values = taker->values,
        .key_count = (uint32_t)plan->grid.axis_count,
        .figure_names = taker->names,
        .figures = figures,
        .figure_count = (uint32_t)plan->figures.count,
    };
    return plan->sweep->receive(plan->sweep->context, &given) == 0;
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/sweep_receive.h"

#include <stdlib.h>

bool vcs_swp_receiver_make(struct sweep_receiver *receiver, const struct sweep_table *table) {
    const struct sweep_plan *plan = table->plan;
    const size_t axes = plan->grid.axis_count + 1;
    *receiver = (struct sweep_receiver){.table = table};
    if (plan->sweep->receive == NULL) {
        return true;
    }
    receiver->keys = calloc(axes, sizeof *receiver->keys);
    receiver->values = calloc(axes, sizeof *receiver->values);
    receiver->names = calloc(plan->figures.count + 1, sizeof *receiver->names);
    receiver->buffers = calloc(axes, SWEEP_NUMBER_SIZE);
    if (receiver->keys == NULL || receiver->values == NULL || receiver->names == NULL || receiver->buffers == NULL) {
        return false;
    }
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        receiver->keys[i] = plan->grid.axes[i].key;
    }
    for (size_t i = 0; i < plan->figures.count; i++) {
        receiver->names[i] = plan->figures.list[i].name;
    }
    return true;
}

void vcs_swp_receiver_free(struct sweep_receiver *receiver) {
    free(receiver->keys);
    free(receiver->values);
    free(receiver->names);
    free(receiver->buffers);
    *receiver = (struct sweep_receiver){.keys = NULL};
}

bool vcs_swp_receiver_pass(const struct sweep_receiver *receiver, uint64_t run, double weight, const double *figures) {
    const struct sweep_plan *plan = receiver->table->plan;
    if (plan->sweep->receive == NULL) {
        return true;
    }
    const uint64_t point = run / plan->seeds;
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        receiver->values[i] = vcs_swp_grid_value(&plan->grid, point, i, receiver->buffers + i * SWEEP_NUMBER_SIZE);
    }
    const vcs_sweep_run given = {
        .struct_size = sizeof given,
        .point = point,
        .seed = vcs_swp_table_seed(receiver->table, run),
        .weight = weight,
        .keys = receiver->keys,
        .values = receiver->values,
        .key_count = (uint32_t)plan->grid.axis_count,
        .figure_names = receiver->names,
        .figures = figures,
        .figure_count = (uint32_t)plan->figures.count,
    };
    return plan->sweep->receive(plan->sweep->context, &given) == 0;
}

/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/running_order.h"

#include "vcsched/simulation/slice.h"

void vcs_sort_running(const vcs_state *state, vcs_sort_item *items, uint32_t count, bool by_time_left) {
    for (uint32_t pass = 0; pass < 3 && count > 1; pass++) { /* each keeps the previous order among equals */
        for (uint32_t i = 0; i < count; i++) {
            const vcs_prepared_task *task = &vcs_prepared_tasks(state)[items[i].index];
            items[i].key = pass == 0      ? task->id
                           : pass == 1    ? vcs_order_key(task->received)
                           : by_time_left ? (uint64_t)task->run_time
                                          : ~vcs_order_key(vcs_loss(task));
        }
        vcs_sort(items, items + count, count);
    }
}

/*
 * The choice without stops in vain.
 *
 * Rules 15.4 and 5.7; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/schedule/to_the_end.h"

void vcs_choose_running(vcs_placement *placement, const vcs_sort_item *items, uint32_t count) {
    const vcs_selection *selection = placement->selection;
    for (uint32_t r = selection->state->resource_count; r-- > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            if (selection->prepared[items[i].index].resource == r) {
                vcs_offer_task(placement, items[i].index, VCS_REASON_RUNS_ON);
            }
        }
    }
}

/* When the tasks that run have left enough CPUs for a wide task, microseconds from now: the shortest of
   them end first, and all others stay. */
static int64_t room_at(const vcs_placement *placement, const vcs_prepared_task *wide, vcs_sort_item *items) {
    const vcs_selection *selection = placement->selection;
    vcs_cpus cpus;
    uint32_t count = 0;
    int64_t room = VCS_NEVER;
    for (uint32_t i = 0; i < placement->summary.running; i++) {
        const vcs_prepared_task *task = &selection->prepared[placement->running[i]];
        items[count].key = (uint64_t)task->run_time;
        items[count].index = placement->running[i];
        count += task->cpu_units > 0;
    }
    vcs_sort(items, items + count, count);
    vcs_cpus_begin(&cpus, selection->state);
    while (count > 0 && vcs_cpu_task_fits(&cpus, wide->cpu_units)) {
        const vcs_prepared_task *task = &selection->prepared[items[--count].index];
        room = task->run_time;
        vcs_cpus_occupy(&cpus, task->cpu_units, task->resource != 0);
    }
    return room;
}

/*
 * CPU tasks by deadline. Once a wide one waits for room alone, CPUs are held for it: only tasks that end before it has
 * its place start beside it, unless it would wait for longer than `hold`.
 */
static void choose_cpu_tasks(vcs_placement *placement, const vcs_offer *offers, vcs_sort_item *items) {
    const vcs_selection *selection = placement->selection;
    const uint32_t *by_deadline = vcs_deadline_order(selection->state);
    const int64_t hold = vcs_micros(selection->state->parameters.hold);
    int64_t longest = INT64_MAX;
    for (uint32_t i = 0; i < selection->state->task_count && !vcs_is_used_up(placement, 0); i++) {
        const uint32_t index = by_deadline[i];
        const vcs_prepared_task *task = &selection->prepared[index];
        if (offers[index].stage != VCS_STAGE_TURN || task->resource != 0) {
            continue;
        }
        if (task->run_time > longest) {
            placement->decisions[index].reason = VCS_REASON_WAITS;
            continue;
        }
        const uint32_t obstacle = vcs_offer_task(placement, index, VCS_REASON_EARLIEST_DEADLINE);
        if (obstacle == VCS_REASON_WAITS && vcs_is_wide(task) && selection->periods.has_wide && longest == INT64_MAX) {
            const int64_t room = room_at(placement, task, items);
            if (room <= hold) {
                longest = room;
                placement->decisions[index].reason = VCS_REASON_HELD;
            }
        }
    }
}

void vcs_choose_by_deadline(vcs_placement *placement, const vcs_offer *offers, vcs_sort_item *items) {
    const vcs_selection *selection = placement->selection;
    const uint32_t *by_deadline = vcs_deadline_order(selection->state);
    for (uint32_t r = selection->state->resource_count; r-- > 1;) {
        for (uint32_t i = 0; i < selection->state->task_count && !vcs_is_used_up(placement, r); i++) {
            const uint32_t index = by_deadline[i];
            if (offers[index].stage == VCS_STAGE_TURN && selection->prepared[index].resource == r) {
                vcs_offer_task(placement, index, VCS_REASON_EARLIEST_DEADLINE);
            }
        }
    }
    choose_cpu_tasks(placement, offers, items);
}

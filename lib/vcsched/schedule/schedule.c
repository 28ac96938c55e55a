/*
 * The choice of tasks that run.
 *
 * Rules 4.7 and 5.1 to 5.7; the plain reference is tests/oracle/oracle_schedule.c.
 *
 *   schedule.c    offers the tasks in order
 *   selection.h   the input that every stage reads, and the stages
 *   begin.c       memory, the free capacity of the host, when each task is offered
 *   late.c        late tasks, in their order
 *   to_the_end.c  instead of late tasks and turns: nothing that runs is stopped for another task
 *   turn.c        queues of the tasks that wait for a turn, and the order of projects
 *   place.c       the obstacle to a task, or the capacity it occupies
 *   slice.h       how long a running task keeps its place
 *
 * Callers read the decision with the functions of host/prepared.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/schedule.h>

#include "vcsched/core/invariant.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/schedule_fields.h"
#include "vcsched/schedule/begin.h"
#include "vcsched/schedule/to_the_end.h"
#include "vcsched/simulation/lateness.h"
#include "vcsched/simulation/running_order.h"
#include "vcsched/simulation/slice.h"

/*
 * Lists the tasks of a stage that ran until now, uninterruptible ones or the others, in the order of their offers:
 * nearly done ones by the time they have left, all others by the work that would be lost, most first; by arrival, then
 * id among equals. Returns their number.
 */
static uint32_t list_stage(vcs_choice *choice, uint32_t stage, bool must_go_on) {
    const vcs_selection *selection = &choice->selection;
    vcs_sort_item *items = choice->items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < selection->ran_count; i++) {
        if (choice->offers[selection->ran[i]].stage == stage &&
            vcs_must_go_on(&selection->prepared[selection->ran[i]]) == must_go_on) {
            items[count++].index = selection->ran[i];
        }
    }
    vcs_sort_running(selection->state, items, count, stage == VCS_STAGE_FIRST && !must_go_on);
    return count;
}

/* GPU types from the last to the first, then the CPU: so GPU tasks' shares may lack what they lacked before. */
static void choose_uninterruptible(vcs_choice *choice) {
    const vcs_selection *selection = &choice->selection;
    if (!selection->has_uninterruptible) {
        return;
    }
    const uint32_t count = list_stage(choice, VCS_STAGE_FIRST, true);
    for (uint32_t r = selection->state->resource_count; r-- > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            if (selection->prepared[choice->items[i].index].resource == r) {
                vcs_offer_task(&choice->placement, choice->items[i].index, VCS_REASON_UNINTERRUPTIBLE);
            }
        }
    }
}

static void choose_nearly_done(vcs_choice *choice) {
    if (!(choice->selection.state->parameters.switch_cost > 0.0)) {
        return; /* remaining time is never negative */
    }
    const uint32_t count = list_stage(choice, VCS_STAGE_FIRST, false);
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer_task(&choice->placement, choice->items[i].index, VCS_REASON_NEARLY_DONE);
    }
}

/* Each resource, GPU types from the last to the first, then the CPU, goes to slices that last first, then by turns. */
static void choose_others(vcs_choice *choice) {
    const vcs_selection *selection = &choice->selection;
    uint32_t count = list_stage(choice, VCS_STAGE_SLICE, false);
    for (uint32_t r = selection->state->resource_count; r-- > 0;) {
        if (r == 0 && choice->late.postponed_count > 0) {
            vcs_choose_postponed(&choice->late);
            count = list_stage(choice, VCS_STAGE_SLICE, false); /* it needed the memory of the list */
        }
        for (uint32_t i = 0; i < count; i++) {
            if (selection->prepared[choice->items[i].index].resource == r) {
                vcs_offer_slice(&choice->turns, choice->items[i].index);
            }
        }
        vcs_choose_by_turns(&choice->turns, r);
    }
}

/* Instead of late tasks, slices and turns: what runs goes on, then the earliest deadlines (rule 15.4). */
static void choose_to_the_end(vcs_choice *choice) {
    const uint32_t count = list_stage(choice, VCS_STAGE_SLICE, false);
    vcs_choose_running(&choice->placement, choice->items, count);
    vcs_choose_by_deadline(&choice->placement, choice->offers, choice->items);
}

/* The whole choice: every stage offers its tasks, and each is placed if it fits. */
static void choose_tasks(vcs_choice *choice, vcs_resource_decision *resources) {
    vcs_placement *placement = &choice->placement;
    vcs_begin_offers(choice);
    choose_uninterruptible(choice);
    choose_nearly_done(choice);
    if (choice->selection.state->parameters.keep_running) {
        choose_to_the_end(choice);
    } else {
        vcs_choose_late(&choice->late);
        choose_others(choice);
    }
    for (uint32_t r = 0; r < choice->selection.state->resource_count; r++) {
        resources[r] = (vcs_resource_decision){.used = vcs_instances(placement->resources[r].used)};
    }
    VCS_INVARIANT(placement->cpus.free > INT64_MIN); /* uses overshoot by a task at most */
    placement->summary.cpu_excess = vcs_instances(vcs_max_i64(-placement->cpus.free, 0));
}

/* Whether slices yield to the wide task for which CPUs are held, because CPUs would idle (rule 5.7). */
static bool slices_yield(const vcs_choice *choice) {
    const vcs_selection *selection = &choice->selection;
    const int64_t held = choice->placement.held;
    vcs_yield yield = {0, 0};
    if (held == 0 || vcs_is_full_of_cpu_tasks(&choice->placement)) {
        return false;
    }
    for (uint32_t i = 0; i < selection->ran_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[selection->ran[i]];
        if (task->resource == 0 && task->cpu_units < held &&
            choice->offers[selection->ran[i]].stage == VCS_STAGE_SLICE) {
            const int64_t keeps_for = vcs_keeps_place_for(selection->state, &selection->periods, task);
            vcs_yield_add(&yield, vcs_micros(vcs_loss(task)), keeps_for);
        }
    }
    return vcs_yield_pays(&yield);
}

int vcs_schedule(vcs_state *state, uint32_t detail, vcs_schedule_summary *summary) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    const int code = summary == NULL ? VCS_OK : vcs_check_size(VCS_FIRST_schedule_summary, summary->struct_size);
    if (code != VCS_OK) {
        return code;
    }
    if (detail > VCS_SCHEDULE_RUNNING) {
        return VCS_ERR_FLAGS;
    }
    if (vcs_choice_needs_forecasts(&state->parameters) && (state->has & (VCS_HAS_WRR | VCS_HAS_MISSES)) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    vcs_choice choice;
    vcs_schedule_summary *found = &choice.placement.summary;
    const uint32_t explains = detail == VCS_SCHEDULE_EXPLAIN;
    vcs_begin_choice(&choice, state, explains, 0);
    choose_tasks(&choice, vcs_resource_decisions(state));
    if (slices_yield(&choice)) {
        vcs_begin_choice(&choice, state, explains, choice.placement.held);
        choose_tasks(&choice, vcs_resource_decisions(state));
    }
    state->running_count = found->running;
    found->given_up = (uint32_t)state->given_up_count;
    if (state->parameters.give_up != VCS_GIVE_UP_NEVER) { /* chances change, whatever the tasks do */
        found->next_check = vcs_min(found->next_check, state->parameters.period);
    }
    state->has &= ~(VCS_HAS_REASONS | VCS_HAS_SHORT_MEMORY);
    state->has |= VCS_HAS_SCHEDULE | (detail == VCS_SCHEDULE_EXPLAIN ? VCS_HAS_REASONS : 0);
    state->has |= choice.placement.lacks_memory ? VCS_HAS_SHORT_MEMORY : 0;
    if (summary != NULL) {
        found->struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, found, sizeof *found);
    }
    return VCS_OK;
}

int vcs_schedule_running(const vcs_state *state, uint32_t *tasks, const vcs_array *decisions) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    if ((state->has & VCS_HAS_SCHEDULE) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    const int code = vcs_check_output(decisions, VCS_FIRST_task_decision, state->running_count);
    if (code != VCS_OK) {
        return code;
    }
    if (tasks == NULL && decisions->count > 0) {
        return VCS_ERR_NULL;
    }
    const uint32_t *running = vcs_running(state);
    const vcs_task_decision *kept = vcs_task_decisions(state);
    for (uint32_t place = 0; place < decisions->count; place++) {
        tasks[place] = running[place];
        vcs_hand_out_element(decisions, place, &kept[running[place]], sizeof *kept);
    }
    return VCS_OK;
}

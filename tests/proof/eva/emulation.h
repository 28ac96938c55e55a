/*
 * An emulation for the analyser: memory for a few tasks, jobs on offer and results at a time, which may run out before,
 * and functions of the caller's that decide anything. How the emulator keeps its memory is proved apart. A harness says
 * how many RESOURCES and PROJECTS there are and for how many tasks there is memory, MOST, and gives the memory that an
 * emulation needs at the start.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_EMULATION_H
#define VCS_PROOF_EMULATION_H

#include "emulator/emulator.h"
#include "answers.h"

#include <stdlib.h>

/* ---- Memory: each array that grows has a place of its own, and is there as a whole or not at all ---- */

static vcs_task tasks[MOST], candidates[MOST];
static vcs_emu_true_task true_tasks[MOST], truths[MOST];
static uint32_t running[MOST], chosen[MOST];
static vcs_emu_result results[MOST];
static unsigned char tracks[RESOURCES][MOST];
static uint64_t switching[1], memory[1];
static vcs_task_decision task_decisions[MOST];
static vcs_send_job descriptions[MOST];
static vcs_send_decision decisions[MOST];

#define GROWS(pointer, place)                                                                                          \
    if (array == (void *)&(pointer)) {                                                                                 \
        if (count * size > sizeof place) {                                                                             \
            return false_for_want_of_memory(e);                                                                        \
        }                                                                                                              \
        if ((pointer) == NULL) {                                                                                       \
            if (any_yes()) {                                                                                           \
                return false_for_want_of_memory(e);                                                                    \
            }                                                                                                          \
            memset(place, 0, sizeof place);                                                                            \
            (pointer) = place;                                                                                         \
        }                                                                                                              \
        return true;                                                                                                   \
    }

static bool false_for_want_of_memory(vcs_emu_emulator *e) {
    vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
    return false;
}

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    vcs_emu_workspace *space = &e->workspace;
    GROWS(e->records.tasks, tasks)
    GROWS(e->tasks.truths, true_tasks)
    GROWS(e->tasks.running, running)
    GROWS(e->merit.results, results)
    for (uint32_t r = 0; r < e->records.resource_count; r++) {
        GROWS(e->tasks.tracks[r], tracks[r])
    }
    GROWS(space->switching, switching)
    GROWS(space->chosen, chosen)
    GROWS(space->task_decisions, task_decisions)
    GROWS(space->candidates, candidates)
    GROWS(space->truths, truths)
    GROWS(space->descriptions, descriptions)
    GROWS(space->decisions, decisions)
    if (array == (void *)&space->memory && (nothing_fails || any_yes())) {
        space->memory = memory;
        return true;
    }
    return false_for_want_of_memory(e);
}

#define HOLDS(place)                                                                                                   \
    if (array == (const void *)place) {                                                                                \
        return sizeof place;                                                                                           \
    }

size_t vcs_emu_capacity(const void *array) {
    HOLDS(tasks)
    HOLDS(true_tasks)
    HOLDS(running)
    HOLDS(results)
    for (uint32_t r = 0; r < RESOURCES; r++) {
        HOLDS(tracks[r])
    }
    HOLDS(candidates)
    return array == NULL ? 0 : ANY_U64();
}

void vcs_emu_release_all(vcs_emu_emulator *e) {
}

/* ---- The caller's functions decide anything ---- */

static int hook_schedule(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                         vcs_schedule_summary *summary) {
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        any_right_task_decision(&decisions[i]);
    }
    summary->next_check = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_fetch(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                      vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    for (uint32_t i = 0; i < RESOURCES * PROJECTS; i++) {
        decisions[i].seconds = any_between(-VCS_INFINITY, VCS_INFINITY);
        decisions[i].instances = any_between(-VCS_INFINITY, VCS_INFINITY);
    }
    summary->project = ANY_U32();
    summary->next_check = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_send(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    admission->admitted = ANY_U32();
    return any_code();
}

static int hook_estimate(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    *device_seconds = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_observe(void *context, const vcs_event *event) {
    return any_code();
}

#endif

/*
 * An emulation for the analyser: memory for a few tasks, jobs on offer and results at a time, which may run out before,
 * and functions of the caller's that decide anything. How the emulator keeps its memory is proved apart. A harness says
 * how many RESOURCES and PROJECTS there are and for how many tasks there is memory, MOST, and gives the memory that an
 * emulation needs at the start. It may say by how many bytes the caller's records are LONGER than here, MOST_LONGER at
 * most, and that the caller's functions look at all that they are shown, LOOKS_AT_ALL.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_EMULATION_H
#define VCS_PROOF_EMULATION_H

#include "vcemu/host/memory.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/whole.h"
#include "vcsched/core/arena.h"
#include "answers.h"

#include <stdlib.h>

#define PAIRS (RESOURCES * PROJECTS)

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

/*
 * An emulation may fail before its array is there. Where the analyser looks at that path together with others, it takes
 * the array for one that holds what the emulation before left there, unless that is cleared.
 */
static inline void clear_places(void) {
    memset(tasks, 0, sizeof tasks);
    memset(candidates, 0, sizeof candidates);
    memset(true_tasks, 0, sizeof true_tasks);
    memset(truths, 0, sizeof truths);
    memset(running, 0, sizeof running);
    memset(chosen, 0, sizeof chosen);
    memset(results, 0, sizeof results);
    memset(tracks, 0, sizeof tracks);
    memset(switching, 0, sizeof switching);
    memset(task_decisions, 0, sizeof task_decisions);
    memset(descriptions, 0, sizeof descriptions);
    memset(decisions, 0, sizeof decisions);
}

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

/* What the caller's functions are shown where its records are longer than here; it ends where its memory ends. */
#ifndef LONGER
#define LONGER 0
#define MOST_LONGER 0
#endif
#define ROOM_FOR(structure, place, count) static uint64_t place[count][(sizeof(vcs_##structure) + MOST_LONGER) / 8]

ROOM_FOR(host, shown_hosts, 1);
ROOM_FOR(resource, shown_resources, RESOURCES);
ROOM_FOR(project, shown_projects, PROJECTS);
ROOM_FOR(project_resource, shown_project_resources, PAIRS);
ROOM_FOR(app, shown_apps, APPS);
ROOM_FOR(app_resource, shown_app_resources, 1);
ROOM_FOR(task, shown_tasks, MOST);
ROOM_FOR(task, shown_candidates, MOST);
ROOM_FOR(hour, shown_hours, VCS_HOURS_OF_DAY);

#define SHOWS(number, place)                                                                                           \
    if (array == (void *)&e->shown->arrays[number]) {                                                            \
        if (count > sizeof place / sizeof *place) {                                                                    \
            return false_for_want_of_memory(e);                                                                        \
        }                                                                                                              \
        if (e->shown->arrays[number] == NULL) {                                                                  \
            if (any_yes()) {                                                                                           \
                return false_for_want_of_memory(e);                                                                    \
            }                                                                                                          \
            memset(place, 0, sizeof place);                                                                            \
            e->shown->arrays[number] = (char *)place + sizeof place - sizeof place / sizeof *place * size;       \
        }                                                                                                              \
        return true;                                                                                                   \
    }

static bool false_for_want_of_memory(vcs_emu_emulator *e) {
    vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
    return false;
}

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    vcs_emu_workspace *space = e->workspace;
    GROWS(e->records->tasks, tasks)
    GROWS(e->tasks->truths, true_tasks)
    GROWS(e->tasks->running, running)
    GROWS(e->results->all, results)
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        GROWS(e->tasks->tracks[r], tracks[r])
    }
    GROWS(space->switching, switching)
    GROWS(space->chosen, chosen)
    GROWS(space->task_decisions, task_decisions)
    GROWS(space->candidates, candidates)
    GROWS(space->truths, truths)
    GROWS(space->descriptions, descriptions)
    GROWS(space->decisions, decisions)
    SHOWS(0, shown_hosts)
    SHOWS(1, shown_resources)
    SHOWS(2, shown_projects)
    SHOWS(3, shown_project_resources)
    SHOWS(4, shown_apps)
    SHOWS(5, shown_app_resources)
    SHOWS(6, shown_tasks)
    SHOWS(7, shown_candidates)
    SHOWS(8, shown_hours)
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

/* ---- The arrays that keep their size: each in memory of its own, where the emulator has all in one block ---- */

static void *allocate_apart(vcs_arena *arena, uint64_t count, uint64_t size) {
    void *piece = vcs_arena_allocate(arena, count, size);
    return piece != NULL && count > 0 ? memset(malloc(count * size), 0, count * size) : piece;
}

#define vcs_arena_allocate allocate_apart
#include "vcemu/host/emulate.c"
#undef vcs_arena_allocate

/* ---- The caller's functions decide anything ---- */

#ifdef LOOKS_AT_ALL
static uint64_t seen;

/* The first and the last word of each record. */
static void look_at(const vcs_array *array) {
    for (uint32_t i = 0; i < array->count; i++) {
        const uint64_t *record = (const void *)((const char *)array->base + (size_t)i * array->element_size);
        seen = record[0];
        seen = record[array->element_size / 8 - 1];
    }
}

static void look(const vcs_situation *situation) {
    const vcs_snapshot *shown = situation->snapshot;
    look_at(&shown->host);
    look_at(&shown->resources);
    look_at(&shown->projects);
    look_at(&shown->project_resources);
    look_at(&shown->apps);
    look_at(&shown->app_resources);
    look_at(&shown->tasks);
    look_at(&shown->candidates);
    look_at(&shown->hours);
}
#else
#define look(situation) (void)0
#endif

static int hook_schedule(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                         vcs_schedule_summary *summary) {
    look(situation);
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        any_right_task_decision(&decisions[i]);
    }
    summary->next_check = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_fetch(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                      vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    look(situation);
    for (uint32_t i = 0; i < PAIRS; i++) {
        decisions[i].seconds = any_between(-VCS_INFINITY, VCS_INFINITY);
        decisions[i].instances = any_between(-VCS_INFINITY, VCS_INFINITY);
    }
    summary->project = ANY_U32();
    summary->next_check = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_send(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    look(situation);
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

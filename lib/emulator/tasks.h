/*
 * The tasks of the host in truth: what they need, how far they are, and which run.
 *
 * Rule 13.12; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_TASKS_H
#define VCS_EMULATOR_TASKS_H

#include "emulator/accounts.h"
#include "emulator/estimates.h"
#include "emulator/results.h"
#include "emulator/true_task.h"

typedef struct vcs_emu_tasks {
    const vcs_emu_clock *clock;
    vcs_emu_memory *memory;
    vcs_emu_records *records;
    vcs_emu_accounts *accounts;
    vcs_emu_estimates *estimates;
    vcs_emu_results *results;
    vcs_emu_merit *merit;

    vcs_emu_true_task *truths; /* beside the tasks of the records */
    uint32_t *running;         /* the tasks that run */
    uint32_t running_count;
    double next_finish;              /* the least finish of those that run, in active time */
    double booked_now, booked_active; /* when progress was last booked, by both clocks */
    bool progressed;                 /* progress has been booked since estimates were last brought up to date */
    uint64_t *switching;             /* a set of tasks, a bit each: those that are to start or stop */
    vcs_emu_vector *tracks;          /* of each resource: which tracks are taken, a byte each */
    vcs_emu_vector record_vector, truth_vector, running_vector, switching_vector;
} vcs_emu_tasks;

/* Takes over the initial tasks, none of which runs yet. */
int vcs_emu_tasks_open(vcs_emu_tasks *tasks, const vcs_array *initial);

int vcs_emu_add_task(vcs_emu_tasks *tasks, const vcs_task *record, const vcs_emu_true_task *truth);

/* Books the progress of the running tasks up to now, and all that depends on it. */
void vcs_emu_book_since(vcs_emu_tasks *tasks);

static inline void vcs_emu_book_progress(vcs_emu_tasks *tasks) {
    if (tasks->clock->now > tasks->booked_now || tasks->clock->active > tasks->booked_active) {
        vcs_emu_book_since(tasks);
    }
}

/* Brings the estimates of all tasks up to date. */
int vcs_emu_estimate_tasks(vcs_emu_tasks *tasks);

/* Starts those of the chosen tasks that do not run, and stops those that run and are not chosen. */
int vcs_emu_run_tasks(vcs_emu_tasks *tasks, const uint32_t *chosen, uint32_t chosen_count);

/* Ends the tasks that have done all that they need. */
int vcs_emu_end_tasks(vcs_emu_tasks *tasks);

#endif

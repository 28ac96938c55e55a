/*
 * The tasks of the host in truth: what they need, how far they are, and which run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_TASKS_TASKS_H
#define VCS_EMU_HOST_TASKS_TASKS_H

#include "vcemu/host/tasks/true_task.h"

struct vcs_emu_tasks {
    vcs_emu_true_task *truths; /* of each task of the records */
    uint32_t *running;         /* the running tasks */
    uint32_t running_count;
    uint64_t capacity;                /* tasks for which there is room */
    double *used;                     /* instances of each resource in use, at the rates of the running tasks */
    bool leave_idle;                  /* some instances are not used */
    bool are_initial;                 /* no decision has been carried out */
    double next_finish;               /* when the next running task ends, in active time */
    double next_ready;                /* when the files of the next task have arrived, in wall time */
    double booked_now, booked_active; /* when progress was last booked, by both clocks */
    bool progressed;                  /* since estimates were last brought up to date: progress was booked */
    bool corrected;                   /* likewise: a correction factor has changed, so all estimates are out of date */
    bool regrouped;                   /* since the last choice: tasks have come, gone or become ready */
    unsigned char **tracks;           /* of each resource: which tracks are occupied */
};

/* Adds the initial tasks. */
void vcs_emu_tasks_open(vcs_emu_emulator *e, const vcs_array *initial);

void vcs_emu_add_task(vcs_emu_emulator *e, const vcs_task *record, const vcs_emu_true_task *truth);

/* Books the progress of the running tasks up to now. Returns whether time has passed since the last call. */
bool vcs_emu_book_progress(vcs_emu_emulator *e);

/* Brings the estimates of all tasks up to date. */
void vcs_emu_estimate_tasks(vcs_emu_emulator *e);

/* Stops the running tasks that are not chosen, starts the chosen ones that do not run, and moves some. */
void vcs_emu_run_tasks(vcs_emu_emulator *e, uint32_t chosen_count);

/* Ends the tasks that are done. */
void vcs_emu_end_tasks(vcs_emu_emulator *e);

/* Makes tasks ready, if their files have arrived by now. */
void vcs_emu_tasks_ready(vcs_emu_emulator *e);

/* Gives up the tasks whose decision says so, one at least; the other decisions and indices are void then. */
void vcs_emu_give_up_tasks(vcs_emu_emulator *e, const vcs_task_decision *decisions);

/* Gives up the tasks of a project that its server in the grid no longer needs. */
void vcs_emu_abort_tasks(vcs_emu_emulator *e, uint32_t project);

#endif

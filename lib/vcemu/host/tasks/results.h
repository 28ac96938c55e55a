/*
 * Results of tasks that have ended, until they are reported.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_TASKS_RESULTS_H
#define VCS_EMU_HOST_TASKS_RESULTS_H

#include "vcemu/host/tasks/true_task.h"

struct vcs_emu_result {
    uint64_t task; /* id of the task; cpus to deadline are copied from it */
    uint32_t project, gpu;
    double cpus, gpus;
    double deadline;
    double ended; /* when the task had ended */
    vcs_emu_origin origin;
    double flops;  /* operations of the task */
    double worked; /* operations done for it, with repeated ones */
    double spent;  /* device seconds on it */
    double due;    /* when it must be reported, if its server is not called before */
    double ready;  /* when its files have been sent: it cannot be reported before */
};

struct vcs_emu_results {
    vcs_emu_result *all; /* in the order in which the tasks ended */
    uint32_t count;
    uint32_t *of_projects; /* number of each project's results */
    double connected;      /* when a server was last called; -infinity = never */
};

/* Adds the result of a task that has ended. */
void vcs_emu_add_result(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

/* Likewise of a task that is given up now: its server is told at once. */
void vcs_emu_add_given_up(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

/* Reports the results that go with a call of a project. */
void vcs_emu_report_results(vcs_emu_emulator *e, uint32_t project);

#endif

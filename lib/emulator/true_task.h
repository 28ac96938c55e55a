/* SPDX-License-Identifier: MIT */
#ifndef VCS_EMULATOR_TRUE_TASK_H
#define VCS_EMULATOR_TRUE_TASK_H

#include <stdbool.h>
#include <stdint.h>

/* What a task needs in truth, beside the vcs_task of the same index, which is all that decisions see. */
typedef struct vcs_emu_true_task {
    double est_flops; /* operations that it is said to need */
    double total;     /* device seconds that it needs */
    double done;      /* device seconds done; while it runs, when progress was last booked */
    double speed;     /* operations per device second on all that it uses */
    double rate;      /* while it runs: device seconds per second; below 1 if processors are shared */
    double finish;    /* while it runs: the active time at which it will end */
    double checkpoint_interval;
    uint32_t app;   /* VCS_NONE = an initial task, whose remaining time is known */
    uint32_t place; /* in the list of running tasks; VCS_NONE = does not run */
    uint32_t track; /* on the timeline of its resource */
    bool chosen;    /* while a decision is carried out: it runs from now on */
} vcs_emu_true_task;

#endif

/*
 * A task in truth. Decisions see only the vcs_task of the same index.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_TASKS_TRUE_TASK_H
#define VCS_EMU_HOST_TASKS_TRUE_TASK_H

#include "vcemu/host/emulator.h"

/* Where a job of a host in a grid comes from (rule 14.2); all 0 on a host alone. */
typedef struct vcs_emu_origin {
    uint64_t copy; /* number of the copy on its server */
    uint32_t fate; /* VCS_EMU_FATE_*: what becomes of it on this host */
} vcs_emu_origin;

#define VCS_EMU_FATE_DONE 0u  /* computed, rightly or wrongly, and reported */
#define VCS_EMU_FATE_FAILS 1u /* ends in an error, which is reported */
#define VCS_EMU_FATE_LOST 2u  /* computed, and never reported */
#define VCS_EMU_FATE_GIVEN_UP 3u /* given up by the client, which says so (rule 15.3) */

struct vcs_emu_true_task {
    double est_flops;           /* operations that it is said to need */
    double total;               /* device seconds that it needs */
    double spent;               /* device seconds on it since the start, with repeated ones */
    double done;                /* device seconds done; while it runs, when progress was last booked */
    double speed;               /* operations per device second on all instances that it uses */
    double rate;                /* while it runs: device seconds per second; below 1 if processors are shared */
    double finish;              /* while it runs: the active time at which it will end */
    double checkpoint_interval; /* device seconds; 0 = it checkpoints all the time */
    double fraction_power;      /* of the fraction done, it reports this power; 0 counts as 1 */
    double fraction_step;       /* it reports multiples of this alone; 0 = all fractions */
    uint32_t app;               /* VCS_NONE = an initial task: its remaining time is known */
    uint32_t running_index;     /* index in the list of running tasks; VCS_NONE = it does not run */
    uint32_t track;             /* row on the timeline of its resource */
    vcs_emu_origin origin;
    double booked; /* of its project's work received, seconds of one instance; 0 = it was there from the start */
    double ready;  /* when its files have arrived, in wall time; read while it is downloading */
    bool chosen;  /* while a decision is carried out: it runs from now on */
    bool moves;   /* while a decision is carried out: it runs, and from now on on other devices */
};

#endif

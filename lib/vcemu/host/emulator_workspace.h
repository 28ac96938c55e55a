/*
 * Memory that is used only while something is decided: a host alone has its own, and the hosts of a grid take turns
 * with one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_EMULATOR_WORKSPACE_H
#define VCS_EMU_HOST_EMULATOR_WORKSPACE_H

#include "vcemu/host/emulator.h"

#include <vcsched/send.h>

struct vcs_emu_workspace {
    vcs_state *state; /* state of the last decision, of a client or a server; NULL = none */
    void *memory;     /* where it is */

    /* Which tasks run: */
    uint64_t capacity;                 /* tasks for which there is room */
    uint32_t *chosen;                  /* tasks that run from now on */
    vcs_task_decision *task_decisions; /* the decision on each of them; in the caller's function, on all tasks */
    uint64_t *switching;               /* set of tasks to start or stop, a bit each */

    /* The offer of the server that is called: */
    uint32_t offered;             /* jobs on offer */
    uint64_t offer_capacity;      /* jobs for which there is room */
    vcs_task *candidates;         /* the jobs */
    vcs_emu_true_task *truths;    /* what each needs in truth */
    vcs_send_job *descriptions;   /* what vcs_send() is told of each */
    vcs_send_decision *decisions; /* what it decided on each */
};

#endif

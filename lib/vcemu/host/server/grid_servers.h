/*
 * The servers of a grid, as one of its hosts sees them (rule 14.2). A host alone has none: its servers draw as many
 * jobs as are asked for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_SERVER_GRID_SERVERS_H
#define VCS_EMU_HOST_SERVER_GRID_SERVERS_H

#include "vcemu/host/tasks/true_task.h"

#include <vcsched/send.h>

struct vcs_emu_grid_servers {
    /* The server of the project is called, and answers. */
    void (*call)(vcs_emu_emulator *e, uint32_t project);
    /* Offers the next job, if there is one: writes its operations, the estimate of them, and its origin. */
    bool (*next)(vcs_emu_emulator *e, uint32_t project, double *flops, double *est_flops, vcs_emu_origin *origin);
    /* Tightens the limits that the host's model of the server sets. */
    void (*limit)(vcs_emu_emulator *e, uint32_t project, vcs_send_limits *limits);
    /* A job on offer is sent: it may get a fate, less to do with it, and the time when its files have arrived. */
    void (*send)(vcs_emu_emulator *e, vcs_task *task, vcs_emu_true_task *truth);
    /* A job on offer is not sent, for a reason. */
    void (*put_back)(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, uint32_t reason);
    /* A job on offer was not considered: its draws serve for the next job. */
    void (*undo_next)(vcs_emu_emulator *e, uint32_t project);
    /* Whether the host should go on with a job. If not, the server hears that it does not. */
    bool (*needs)(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);
    /* Time to send the files of a job that has been computed, s. */
    double (*upload)(vcs_emu_emulator *e, uint32_t project);
    /* A result is reported. */
    void (*report)(vcs_emu_emulator *e, const vcs_emu_result *result);
    /* How long the host is told to stay away after a call, s. */
    double (*delay)(vcs_emu_emulator *e, uint32_t project);
    /* The host no longer has a job, and its server never hears of it; `flops` operations were in vain. */
    void (*forget)(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, double flops);
    /* Something happened on the host, if anybody observes. */
    void (*observe)(vcs_emu_emulator *e, const vcs_event *event);
};

#endif

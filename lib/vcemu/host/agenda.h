/*
 * When the client decides again. Whatever changes the tasks, or brings an answer, may make a decision due at once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_AGENDA_H
#define VCS_EMU_HOST_AGENDA_H

#include "vcemu/host/emulator.h"

struct vcs_emu_agenda {
    double schedule_due; /* when to decide again which tasks run */
    double fetch_due;    /* when to decide again whether to fetch */
    double report_due;   /* when a result must be reported */
};

#endif

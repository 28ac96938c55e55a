/*
 * Offering a task: what is in its way and, if nothing is, what it uses from then on and which slice it runs in.
 *
 * Rules 5.1 to 5.4 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_TAKE_H
#define VCS_SCHEDULE_TAKE_H

#include "schedule/selection.h"

/* Takes a task if it fits, for this reason; else notes what is in the way. Returns whether it was taken. */
int vcs_offer_task(vcs_selection *selection, uint32_t task, uint32_t reason);

#endif

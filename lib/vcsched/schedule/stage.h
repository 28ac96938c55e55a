/*
 * When each task is offered, and what is decided on it until it is taken.
 *
 * Rules 5.1, 5.5 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_STAGE_H
#define VCS_SCHEDULE_STAGE_H

#include "vcsched/schedule/selection.h"

/* The decision on each task until it is taken. */
void vcs_begin_decisions(vcs_selection *selection);

/* Finds the tasks that ran until now, and when each task is offered as long as none is known to be late. */
void vcs_find_running(vcs_selection *selection);

#endif

/*
 * Whose turn it is: which project offers its next task for a resource.
 *
 * Rules 1.5, 5.1 and 13.13; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_TURN_H
#define VCS_SCHEDULE_TURN_H

#include "vcsched/schedule/selection.h"

/*
 * The first `count` projects of `turns`, more than one, offer their tasks for a resource in turn, until it is used up
 * or only one project, which is then the first, has more to offer.
 */
void vcs_take_turns(vcs_selection *selection, uint32_t resource, uint32_t count);

#endif

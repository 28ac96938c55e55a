/*
 * Whose turn it is: the project to offer its next task for a resource.
 *
 * Rules 1.5, 5.1 and 13.13; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_TURN_H
#define VCS_SCHEDULE_TURN_H

#include "vcsched/accounts/rank_key.h"
#include "vcsched/schedule/waiting.h"

/* A project with a task to offer, and its rank at this moment. */
typedef struct vcs_turn {
    vcs_rank_key key;
    uint32_t project;
    uint32_t unused;
} vcs_turn;

/* Projects offer their tasks for a resource in turn, until it is used up. `turns`: memory for one a project. */
void vcs_choose_by_turns(vcs_waiting *waiting, vcs_turn *turns, uint32_t resource);

#endif

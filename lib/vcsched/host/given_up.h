/*
 * Tasks that are given up.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_GIVEN_UP_H
#define VCS_HOST_GIVEN_UP_H

#include "vcsched/host/prepared.h"

/* Judges all tasks once the state is prepared: those that are given up take no part any more. O(tasks). */
void vcs_give_up_tasks(vcs_state *state);

#endif

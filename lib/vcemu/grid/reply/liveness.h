/*
 * Which clients of a server by reply are dead.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_REPLY_LIVENESS_H
#define VCS_EMU_GRID_REPLY_LIVENESS_H

#include "vcemu/grid/reply/dispatcher.h"

/* Finds out which clients are dead, if it is time to. Returns whether it was. */
bool vcs_grid_survey(vcs_grid_server *s);

/* Notes that a client is alive: it gets a job. */
void vcs_grid_revive(vcs_grid_server *s, uint32_t host);

#endif

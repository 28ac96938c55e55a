/*
 * The window of a server by reply.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_REPLY_WINDOW_H
#define VCS_EMU_GRID_REPLY_WINDOW_H

#include "vcemu/grid/reply/dispatcher.h"

/* A client has one more job of the unit, or one less. */
void vcs_grid_window_add(vcs_grid_server *s, vcs_grid_reply_unit *unit);
void vcs_grid_window_remove(vcs_grid_server *s, vcs_grid_reply_unit *unit);

void vcs_grid_window_close(vcs_grid_server *s);

#endif

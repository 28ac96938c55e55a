/*
 * The life of a unit on a server by deadline.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_DEADLINE_UNITS_H
#define VCS_EMU_GRID_DEADLINE_UNITS_H

#include "vcemu/grid/grid_server.h"

/* Creates the next unit, if it has come by now; else NULL. */
vcs_grid_unit *vcs_grid_unit_create(vcs_grid_server *s);

/* Applies an event to a unit, and all that follows from it, until nothing is due. The unit may be gone then. The event
   needs no struct_size. */
void vcs_grid_unit_event(vcs_grid_server *s, vcs_grid_unit *unit, vcs_unit_event event);

/* Carries out all that is due. The unit may be gone then. */
void vcs_grid_unit_settle(vcs_grid_server *s, vcs_grid_unit *unit);

/* Index of the copy that a host has. There is one. */
uint32_t vcs_grid_copy_of_host(const vcs_grid_unit *unit, uint32_t host);

/* Puts a copy into the list of its host, if its result may be withdrawn, or removes it. */
void vcs_grid_link_copy(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t index);
void vcs_grid_unlink_copy(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t index);

#endif

/*
 * What an observer is told of hosts and servers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_GRID_EVENTS_H
#define VCS_EMU_GRID_GRID_EVENTS_H

#include "vcemu/grid/grid_server.h"

void vcs_grid_notify_host(vcs_grid_world *w, uint32_t kind, uint32_t host, double time);
void vcs_grid_observe_host(vcs_emu_emulator *e, const vcs_event *event);

vcs_grid_situation vcs_grid_situation_of(const vcs_grid_server *s, uint32_t host);

void vcs_grid_notify(vcs_grid_server *s, uint32_t kind, uint32_t host, const vcs_grid_unit *unit, uint32_t copy,
                     double amount, uint32_t reason);

/* The same, about a unit given by number. */
void vcs_grid_notify_copy(vcs_grid_server *s, uint32_t kind, uint32_t host, uint64_t unit, uint32_t copy,
                          double deadline, double amount, uint32_t reason);

#endif

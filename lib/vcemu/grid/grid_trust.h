/*
 * Whether clients return what is right, and what servers learn of that.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_GRID_TRUST_H
#define VCS_EMU_GRID_GRID_TRUST_H

#include "vcemu/grid/grid_server.h"

/* Sets what a host may get: nothing on the blacklist, else what its quota leaves. */
void vcs_grid_limit(vcs_grid_server *s, uint32_t host, vcs_send_limits *limits);

/* If the project has quotas: counts a verdict on a result of a host. */
void vcs_grid_quota_judge(vcs_grid_server *s, uint32_t host, uint32_t valid);

/* Draws the class of the result that a host returns for a unit. */
uint32_t vcs_grid_draw_result(vcs_grid_world *w, uint32_t host, uint32_t own_number);

/* Learns from a change about the host of the result. */
void vcs_grid_learn(vcs_grid_server *s, const vcs_grid_unit *unit, const vcs_change *change);

/* The server knows that the host returned a wrong result. */
void vcs_grid_catch(vcs_grid_server *s, uint32_t host, uint32_t reason);

#endif

/*
 * The units of a server by reply, their jobs, and the index of both.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_REPLY_GRID_JOBS_H
#define VCS_EMU_GRID_REPLY_GRID_JOBS_H

#include "vcemu/grid/reply/dispatcher.h"

void vcs_grid_dispatcher_open(vcs_grid_server *s);

/* Makes room for a client, and for all clients before it. */
void vcs_grid_client_add(vcs_grid_server *s, uint32_t host);

/* Tells the index that the record of a client or a job has changed. */
void vcs_grid_client_changed(vcs_grid_server *s, uint32_t host);
void vcs_grid_job_changed(vcs_grid_server *s, uint32_t number);

/* Creates the next unit, if it has come by now. */
void vcs_grid_reply_unit_create(vcs_grid_server *s);

/* Adds a job to a unit, fresh and a copy of the first, still unknown to the index. VCS_NONE = no memory. */
uint32_t vcs_grid_job_add(vcs_grid_server *s, vcs_grid_reply_unit *unit);

/* Adds a job that waits in the queue. */
void vcs_grid_job_queue(vcs_grid_server *s, vcs_grid_reply_unit *unit, bool is_check);

/* Undoes the last vcs_grid_job_add() to its unit. */
void vcs_grid_job_remove(vcs_grid_server *s, uint32_t number);

/* Frees the slot and the jobs of a unit. */
void vcs_grid_reply_unit_free(vcs_grid_server *s, vcs_grid_reply_unit *unit);

#endif

/*
 * What becomes of results on a server by reply.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_REPLY_ANSWERS_H
#define VCS_EMU_GRID_REPLY_ANSWERS_H

#include "vcemu/grid/reply/dispatcher.h"

/* Handles a reply or an error. The unit may be gone then. */
void vcs_grid_answer(vcs_grid_server *s, uint32_t number, bool is_error);

/* Learns from a job about its client, once. */
void vcs_grid_job_teach(vcs_grid_server *s, uint32_t number, uint32_t outcome);

/* Carries out what follows for other units: from caught hosts, and at the end of a batch. */
void vcs_grid_reply_conclude(vcs_grid_server *s);

/* Frees a unit with nothing left to do. */
void vcs_grid_reply_unit_finish(vcs_grid_server *s, vcs_grid_reply_unit *unit);

/* Adds the final state of a unit and its jobs to the outcome. */
void vcs_grid_reply_unit_count(vcs_grid_server *s, const vcs_grid_reply_unit *unit);

#endif

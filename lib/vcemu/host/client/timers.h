/*
 * When projects may be called, and asked for work for each resource.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_TIMERS_H
#define VCS_EMU_HOST_CLIENT_TIMERS_H

#include "vcemu/host/emulator.h"
#include "vcemu/host/random.h"

#include <vcsched/timers.h>

/* A server that was called is not called again before this time has passed, s. */
#define VCS_EMU_LEAST_CALL_INTERVAL 1.0

struct vcs_emu_timers {
    vcs_rpc_project *projects;      /* the timer of each, and whether its master file is to be read */
    vcs_resource_backoff *backoffs; /* of each resource, for the project that is called */
    vcs_emu_stream *project_draws;
    vcs_emu_stream *backoff_draws; /* of each (project, resource) */
};

void vcs_emu_timers_open(vcs_emu_emulator *e);

/* Applies an answer to the backoffs of a project's resources (rule 3.3). */
void vcs_emu_apply_reply(vcs_emu_emulator *e, uint32_t project, vcs_resource_reply *replies);

/*
 * Tells a session how its action ended: it moves the timer of the project, or marks its master file (3.2, 7.2). The
 * session is with all projects, or with this one alone.
 */
void vcs_emu_end_action(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session, bool with_all,
                        vcs_rpc_outcome *outcome);

#endif

/*
 * When projects may be called, and asked for work for each resource.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_TIMERS_H
#define VCS_EMULATOR_TIMERS_H

#include "emulator/clock.h"
#include "emulator/records.h"

#include <vcsched/backoff.h>
#include <vcsched/reply.h>
#include <vcsched/rpc.h>

/* A server that was called is not called again before this time has passed, s. */
#define VCS_EMU_LEAST_CALL_INTERVAL 1.0

typedef struct vcs_emu_timers {
    const vcs_emu_clock *clock;
    vcs_emu_records *records;
    vcs_rpc_project *projects;      /* their timers, and whether their master files are to be read */
    vcs_resource_backoff *backoffs; /* of each (project, resource) */
    vcs_emu_stream *project_draws, *backoff_draws;
} vcs_emu_timers;

int vcs_emu_timers_open(vcs_emu_timers *timers, vcs_emu_memory *memory);

/* Copies the timers of the projects to the records. */
static inline void vcs_emu_show_timers(const vcs_emu_timers *timers) {
    vcs_project *records = timers->records->projects;
    const uint32_t count = timers->records->project_count;
    for (uint32_t i = 0; i < count; i++) {
        records[i].min_rpc_time = timers->projects[i].timer.min_rpc_time;
        records[i].rpc_failures = timers->projects[i].timer.failures;
    }
}

/* What an answer means for asking the project for work for each resource (rule 3.3). */
int vcs_emu_apply_reply(vcs_emu_timers *timers, uint32_t project, vcs_resource_reply *replies);

/* Tells a session how its action ended: it moves the timer of the project, or marks its master file (3.2, 7.2). */
int vcs_emu_end_action(vcs_emu_timers *timers, uint32_t project, vcs_rpc_session *session, vcs_rpc_outcome *outcome);

#endif

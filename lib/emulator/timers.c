/* Rules 3.2, 3.3 and 7.2; worked by hand in tests/timers/test_reply.c. SPDX-License-Identifier: MIT */
#include "emulator/timers.h"

#include "core/number.h"
#include "emulator/study.h"

/* A project's timers at the start are those of the records. */
static void open_project(vcs_emu_timers *timers, uint32_t index) {
    const vcs_emu_clock *clock = timers->clock;
    const uint64_t seed = clock->setup->emulation.seed;
    const vcs_project *record = &timers->records->projects[index];
    vcs_rpc_project *project = &timers->projects[index];
    project->id = record->id;
    project->scheduler_urls = 1;
    project->timer.min_rpc_time = record->min_rpc_time;
    project->timer.seen = clock->now;
    project->timer.failures = record->rpc_failures;
    timers->project_draws[index] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_PROJECT_BACKOFF, index);
    for (uint32_t r = 0; r < timers->records->resource_count; r++) {
        const size_t at = vcs_emu_first_of(timers->records, index) + r;
        const vcs_project_resource *from = &timers->records->project_resources[at];
        timers->backoffs[at].interval = from->backoff_interval;
        timers->backoffs[at].until = from->backoff_until;
        timers->backoffs[at].seen = clock->now;
        timers->backoff_draws[at] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_RESOURCE_BACKOFF, at);
    }
}

int vcs_emu_timers_open(vcs_emu_timers *timers, vcs_emu_memory *memory) {
    const uint64_t projects = timers->records->project_count;
    const uint64_t project_resources = projects * timers->records->resource_count;
    timers->projects = vcs_emu_allocate(memory, projects, sizeof *timers->projects);
    timers->backoffs = vcs_emu_allocate(memory, project_resources, sizeof *timers->backoffs);
    timers->project_draws = vcs_emu_allocate(memory, projects, sizeof *timers->project_draws);
    timers->backoff_draws = vcs_emu_allocate(memory, project_resources, sizeof *timers->backoff_draws);
    for (uint32_t i = 0; !memory->failed && i < projects; i++) {
        open_project(timers, i);
    }
    return memory->failed ? VCS_ERR_MEMORY : VCS_OK;
}

int vcs_emu_apply_reply(vcs_emu_timers *timers, uint32_t project, vcs_resource_reply *replies) {
    const vcs_emu_setup *setup = timers->clock->setup;
    const uint32_t resources = timers->records->resource_count;
    const size_t first = vcs_emu_first_of(timers->records, project);
    const vcs_reply reply = {.struct_size = sizeof reply, .now = timers->clock->now};
    vcs_project_timer unused = {.seen = timers->clock->now}; /* the session moves that of the project */
    if (!vcs_emu_study_has_resource_timers(setup)) {
        return VCS_OK;
    }
    for (uint32_t r = 0; r < resources; r++) {
        replies[r].u = vcs_emu_draw_uniform(&timers->backoff_draws[first + r]);
    }
    const int code =
        vcs_reply_apply(&unused, &timers->backoffs[first], sizeof *timers->backoffs, resources, &reply, replies,
                        sizeof *replies, resources, &setup->parameters, setup->error);
    for (uint32_t r = 0; r < resources; r++) {
        vcs_project_resource *record = &timers->records->project_resources[first + r];
        record->backoff_interval = timers->backoffs[first + r].interval;
        record->backoff_until = timers->backoffs[first + r].until;
    }
    return code;
}

int vcs_emu_end_action(vcs_emu_timers *timers, uint32_t project, vcs_rpc_session *session, vcs_rpc_outcome *outcome) {
    const vcs_emu_setup *setup = timers->clock->setup;
    vcs_rpc_project *rpc = &timers->projects[project];
    outcome->struct_size = sizeof *outcome;
    outcome->now = timers->clock->now;
    outcome->request_delay = vcs_max(setup->servers[project].request_delay, VCS_EMU_LEAST_CALL_INTERVAL);
    outcome->u = vcs_emu_draw_uniform(&timers->project_draws[project]);
    const int code = vcs_rpc_report(session, rpc, sizeof *rpc, 1, outcome, &setup->parameters, setup->error);
    if (!vcs_emu_study_has_master_files(setup)) {
        rpc->flags &= ~VCS_RPC_MASTER_WANTED;
    }
    return code;
}

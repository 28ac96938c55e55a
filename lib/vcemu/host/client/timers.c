/* Rules 3.2, 3.3 and 7.2; worked by hand in tests/vcsched/timers/test_reply.c. SPDX-License-Identifier: MIT */
#include "vcemu/host/client/timers.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/setup.h"

/* The timers of projects begin with the values in the records. */
void vcs_emu_timers_open(vcs_emu_emulator *e) {
    const uint64_t seed = e->setup->emulation.seed;
    const uint32_t projects = e->records->project_count, project_resources = projects * e->records->resource_count;
    for (uint32_t i = 0; i < projects; i++) {
        const vcs_project *record = &e->records->projects[i];
        e->timers->projects[i] = (vcs_rpc_project){
            .id = record->id,
            .scheduler_urls = e->setup->servers[i].schedulers,
            .timer = {.min_rpc_time = record->min_rpc_time, .seen = e->clock->now, .failures = record->rpc_failures},
        };
        e->timers->project_draws[i] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_PROJECT_BACKOFF, i);
    }
    for (uint32_t i = 0; i < project_resources; i++) {
        e->timers->backoff_draws[i] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_RESOURCE_BACKOFF, i);
    }
}

void vcs_emu_apply_reply(vcs_emu_emulator *e, uint32_t project, vcs_resource_reply *replies) {
    const uint32_t resources = e->records->resource_count;
    vcs_resource_backoff *backoffs = e->timers->backoffs;
    vcs_project_resource *records = &e->records->project_resources[vcs_emu_first_of(e, project)];
    vcs_emu_stream *draws = &e->timers->backoff_draws[vcs_emu_first_of(e, project)];
    const vcs_reply reply = {.struct_size = sizeof reply, .now = e->clock->now};
    vcs_project_timer unused = {.seen = e->clock->now}; /* the session moves the project's timer */
    for (uint32_t r = 0; r < resources; r++) {
        replies[r].u = vcs_emu_draw_uniform(&draws[r]);
        backoffs[r] = (vcs_resource_backoff){
            .interval = records[r].backoff_interval, .until = records[r].backoff_until, .seen = e->clock->now};
    }
    vcs_emu_note(e,
                 vcs_reply_apply(&unused, &(vcs_array){{backoffs}, sizeof *backoffs, resources}, &reply,
                                 &(vcs_array){{replies}, sizeof *replies, resources}, &e->setup->parameters, e->error));
    for (uint32_t r = 0; r < resources; r++) {
        records[r].backoff_interval = backoffs[r].interval;
        records[r].backoff_until = backoffs[r].until;
    }
}

void vcs_emu_end_action(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session, bool with_all,
                        vcs_rpc_outcome *outcome) {
    vcs_rpc_project *rpc = &e->timers->projects[project], *first = with_all ? e->timers->projects : rpc;
    outcome->struct_size = sizeof *outcome;
    outcome->now = e->clock->now;
    outcome->request_delay = vcs_max(e->setup->servers[project].request_delay, VCS_EMU_LEAST_CALL_INTERVAL);
    if (e->grid_servers != NULL && outcome->kind == VCS_RPC_ANSWERED) {
        outcome->request_delay = vcs_max(outcome->request_delay, e->grid_servers->delay(e, project));
    }
    outcome->u = vcs_emu_draw_uniform(&e->timers->project_draws[project]);
    vcs_emu_note(e,
                 vcs_rpc_report(session, &(vcs_array){{first}, sizeof *rpc, with_all ? e->records->project_count : 1},
                                outcome, &e->setup->parameters, e->error));
    if (vcs_emu_is_study(e)) {
        rpc->flags &= ~VCS_RPC_MASTER_WANTED; /* master files are not read again */
    }
}

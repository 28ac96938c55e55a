/* Rules 3.2, 3.3 and 7.2; worked by hand in tests/timers/test_reply.c. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"
#include "emulator/study.h"

/* A project's timers at the start are those of the records. */
static void open_project(vcs_emu_emulator *e, uint32_t index) {
    const uint64_t seed = e->setup.emulation.seed;
    const vcs_project *record = &e->records.projects[index];
    e->timers.projects[index] = (vcs_rpc_project){
        .id = record->id,
        .scheduler_urls = 1,
        .timer = {.min_rpc_time = record->min_rpc_time, .seen = e->clock.now, .failures = record->rpc_failures},
    };
    e->timers.project_draws[index] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_PROJECT_BACKOFF, index);
    for (uint32_t r = 0; r < e->records.resource_count; r++) {
        const size_t at = vcs_emu_first_of(e, index) + r;
        const vcs_project_resource *from = &e->records.project_resources[at];
        e->timers.backoffs[at] = (vcs_resource_backoff){
            .interval = from->backoff_interval, .until = from->backoff_until, .seen = e->clock.now};
        e->timers.backoff_draws[at] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_RESOURCE_BACKOFF, at);
    }
}

bool vcs_emu_timers_open(vcs_emu_emulator *e) {
    vcs_emu_timers *timers = &e->timers;
    const uint64_t projects = e->records.project_count, project_resources = projects * e->records.resource_count;
    timers->projects = vcs_emu_new(e, projects, sizeof *timers->projects);
    timers->backoffs = vcs_emu_new(e, project_resources, sizeof *timers->backoffs);
    timers->project_draws = vcs_emu_new(e, projects, sizeof *timers->project_draws);
    timers->backoff_draws = vcs_emu_new(e, project_resources, sizeof *timers->backoff_draws);
    for (uint32_t i = 0; !e->memory.failed && i < projects; i++) {
        open_project(e, i);
    }
    return vcs_emu_check_memory(e);
}

void vcs_emu_show_timers(vcs_emu_emulator *e) {
    for (uint32_t i = 0; i < e->records.project_count; i++) {
        e->records.projects[i].min_rpc_time = e->timers.projects[i].timer.min_rpc_time;
        e->records.projects[i].rpc_failures = e->timers.projects[i].timer.failures;
    }
}

bool vcs_emu_apply_reply(vcs_emu_emulator *e, uint32_t project, vcs_resource_reply *replies) {
    const uint32_t resources = e->records.resource_count;
    const size_t first = vcs_emu_first_of(e, project);
    vcs_resource_backoff *backoffs = &e->timers.backoffs[first];
    const vcs_reply reply = {.struct_size = sizeof reply, .now = e->clock.now};
    vcs_project_timer unused = {.seen = e->clock.now}; /* the session moves that of the project */
    if (!vcs_emu_study_has_resource_timers(&e->setup)) {
        return true;
    }
    for (uint32_t r = 0; r < resources; r++) {
        replies[r].u = vcs_emu_draw_uniform(&e->timers.backoff_draws[first + r]);
    }
    const int code = vcs_reply_apply(&unused, backoffs, sizeof *backoffs, resources, &reply, replies, sizeof *replies,
                                     resources, &e->setup.parameters, e->setup.error);
    for (uint32_t r = 0; r < resources; r++) {
        e->records.project_resources[first + r].backoff_interval = backoffs[r].interval;
        e->records.project_resources[first + r].backoff_until = backoffs[r].until;
    }
    return vcs_emu_check(e, code);
}

bool vcs_emu_end_action(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session, vcs_rpc_outcome *outcome) {
    const bool is_of_all = session == &e->network.session;
    vcs_rpc_project *rpc = &e->timers.projects[project], *first = is_of_all ? e->timers.projects : rpc;
    outcome->struct_size = sizeof *outcome;
    outcome->now = e->clock.now;
    outcome->request_delay = vcs_max(e->setup.servers[project].request_delay, VCS_EMU_LEAST_CALL_INTERVAL);
    outcome->u = vcs_emu_draw_uniform(&e->timers.project_draws[project]);
    const int code = vcs_rpc_report(session, first, sizeof *rpc, is_of_all ? e->records.project_count : 1, outcome,
                                    &e->setup.parameters, e->setup.error);
    if (!vcs_emu_study_has_master_files(&e->setup)) {
        rpc->flags &= ~VCS_RPC_MASTER_WANTED;
    }
    return vcs_emu_check(e, code);
}

/* SPDX-License-Identifier: MIT */
#include "emulator/server.h"

#include "core/number.h"

int vcs_emu_servers_open(vcs_emu_servers *servers, vcs_emu_memory *memory, uint32_t project_count) {
    const uint64_t seed = servers->clock->setup->emulation.seed;
    servers->servers = vcs_emu_allocate(memory, project_count, sizeof *servers->servers);
    for (uint32_t i = 0; !memory->failed && i < project_count; i++) {
        const double up_mean = servers->clock->setup->servers[i].up_mean;
        vcs_emu_server *server = &servers->servers[i];
        server->spells = vcs_emu_stream_open(seed, VCS_EMU_DRAW_SERVER, i);
        server->scheduler_failures = vcs_emu_stream_open(seed, VCS_EMU_DRAW_SCHEDULER_FAILURE, i);
        server->network_failures = vcs_emu_stream_open(seed, VCS_EMU_DRAW_NETWORK_FAILURE, i);
        server->master_failures = vcs_emu_stream_open(seed, VCS_EMU_DRAW_MASTER_FAILURE, i);
        server->spell_end = VCS_INFINITY;
        if (up_mean > 0.0) {
            server->spell_end = servers->clock->now + vcs_emu_draw_exponential(&server->spells, up_mean);
        }
    }
    return memory->failed ? VCS_ERR_MEMORY : VCS_OK;
}

/* A server goes down and comes up, whether it is called or not. */
static void pass_spells(vcs_emu_server *server, const vcs_server_model *model, double now) {
    while (server->spell_end <= now) {
        server->down = !server->down;
        server->spell_end +=
            vcs_emu_draw_exponential(&server->spells, server->down ? model->down_mean : model->up_mean);
    }
}

/* Whether the scheduler is at another URL than the one that the client knows. */
static bool has_moved(const vcs_emu_server *server, const vcs_server_model *model, const vcs_emu_clock *clock) {
    return model->moves_at > 0.0 && clock->now >= clock->setup->emulation.start + model->moves_at &&
           !server->knows_move;
}

bool vcs_emu_scheduler_answers(vcs_emu_servers *servers, uint32_t project) {
    vcs_emu_server *server = &servers->servers[project];
    const vcs_server_model *model = &servers->clock->setup->servers[project];
    pass_spells(server, model, servers->clock->now);
    const double network = vcs_emu_draw_uniform(&server->network_failures);
    const double scheduler = vcs_emu_draw_uniform(&server->scheduler_failures);
    return !server->down && network >= model->network_failure && scheduler >= model->scheduler_failure &&
           !has_moved(server, model, servers->clock);
}

bool vcs_emu_master_answers(vcs_emu_servers *servers, uint32_t project, bool *moved) {
    vcs_emu_server *server = &servers->servers[project];
    const vcs_server_model *model = &servers->clock->setup->servers[project];
    pass_spells(server, model, servers->clock->now);
    const double network = vcs_emu_draw_uniform(&server->master_failures);
    const double file = vcs_emu_draw_uniform(&server->master_failures);
    const bool answers = !server->down && network >= model->network_failure && file >= model->master_failure;
    *moved = answers && has_moved(server, model, servers->clock);
    server->knows_move |= *moved;
    return answers;
}

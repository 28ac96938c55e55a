/*
 * The servers at the start, and what each remembers of the hosts that may call it.
 *
 * Rule 14.1; worked by hand in tests/vcemu/grid/test_grid_units.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/servers.h"
#include "vcemu/grid/grid_server.h"
#include "vcemu/grid/host_class.h"
#include "vcemu/host/memory.h"

void vcs_grid_servers_open(vcs_grid_world *w) {
    for (uint32_t i = 0; i < w->server_count; i++) {
        vcs_grid_server *s = &w->servers[i];
        s->world = w;
        s->index = i;
        s->now = s->counts.in_progress_until = w->terms.start;
        s->kind = s->project.dispatch == VCS_GRID_BY_DEADLINE ? &vcs_grid_by_deadline : &vcs_grid_by_reply;
        s->sizes = vcs_emu_stream_open(w->terms.seed, VCS_EMU_DRAW_JOB_SIZE, i);
        s->spot_sizes = vcs_emu_stream_open(w->terms.seed, VCS_GRID_DRAW_SPOT_SIZE, i);
        s->arrivals = vcs_emu_stream_open(w->terms.seed, VCS_GRID_DRAW_UNIT, i);
        s->copies = vcs_emu_stream_open(w->terms.seed, VCS_GRID_DRAW_COPIES, i);
        s->next_arrival = w->terms.start;
        if (s->project.unit_rate > 0.0) {
            s->next_arrival += vcs_emu_draw_exponential(&s->arrivals, 1.0 / s->project.unit_rate);
        }
        s->counts.bins = vcs_emu_allocate(&w->ground, VCS_GRID_BINS * sizeof *s->counts.bins);
        s->kind->open(s);
    }
}

void vcs_grid_servers_meet(vcs_grid_world *w, uint32_t number) {
    const vcs_grid_class *c = &w->classes[w->hosts[number].class_index];
    for (uint32_t i = 0; i < c->sample.records.project_count; i++) {
        vcs_grid_server *s = &w->servers[c->projects[i]];
        if (!vcs_emu_reserve(&w->ground, &s->clients, (uint64_t)number + 1, sizeof *s->clients)) {
            return;
        }
        const uint32_t quota = s->project.quota > 0 ? s->project.quota : 1;
        s->clients[number] = (vcs_grid_client){
            .trust = {.id = number},
            .quota = {.id = number, .max_quota = quota, .quota = quota},
            .spots = vcs_emu_stream_open(w->terms.seed, VCS_GRID_DRAW_SPOT, (uint64_t)s->index << 32 | number),
            .doubts = vcs_emu_stream_open(w->terms.seed, VCS_GRID_DRAW_DOUBT, (uint64_t)s->index << 32 | number),
            .first = VCS_NONE,
        };
        s->kind->meet(s, number);
    }
}

/* ---- Time ---- */

/* What is due at `now` itself waits: a report goes before a deadline at the same moment (rule 8.3). */
void vcs_grid_servers_advance(vcs_grid_world *w, double now) {
    while (w->server_count > 0 && !vcs_grid_has_failed(w)) {
        vcs_grid_server *first = w->servers;
        for (uint32_t i = 1; i < w->server_count; i++) {
            vcs_grid_server *s = &w->servers[i];
            first = s->kind->due(s) < first->kind->due(first) ? s : first;
        }
        if (!(first->kind->due(first) < now)) {
            break;
        }
        first->kind->act(first);
    }
    for (uint32_t i = 0; i < w->server_count; i++) {
        w->servers[i].kind->advance(&w->servers[i], now);
    }
}

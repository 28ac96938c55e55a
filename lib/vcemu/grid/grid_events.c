/*
 * What an observer is told of hosts and servers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/host_class.h"

vcs_grid_situation vcs_grid_situation_of(const vcs_grid_server *s, uint32_t host) {
    return (vcs_grid_situation){
        .struct_size = sizeof(vcs_grid_situation),
        .seed = s->world->terms.seed,
        .now = s->now,
        .project = s->index,
        .host = host,
    };
}

/* After a failure nobody is told anything. */
static void pass(vcs_grid_world *w, vcs_grid_event *event) {
    if (w->hooks.observe != NULL && !vcs_grid_has_failed(w)) {
        event->host_class = event->host == VCS_NONE ? VCS_NONE : w->hosts[event->host].class_index;
        vcs_emu_note_hook(&w->ground, w->hooks.observe(w->hooks.context, event), "observe");
    }
}

void vcs_grid_notify_copy(vcs_grid_server *s, uint32_t kind, uint32_t host, uint64_t unit, uint32_t copy,
                          double deadline, double amount, uint32_t reason) {
    pass(s->world, &(vcs_grid_event){
                       .time = s->now,
                       .kind = kind,
                       .project = s->index,
                       .host = host,
                       .copy_index = copy,
                       .unit = unit,
                       .amount = amount,
                       .deadline = deadline,
                       .resource = VCS_NONE,
                       .reason = reason,
                   });
}

void vcs_grid_notify(vcs_grid_server *s, uint32_t kind, uint32_t host, const vcs_grid_unit *unit, uint32_t copy,
                     double amount, uint32_t reason) {
    const double deadline = unit != NULL && copy < unit->count ? unit->results[copy].deadline : 0.0;
    vcs_grid_notify_copy(s, kind, host, unit != NULL ? unit->record.id : 0, copy, deadline, amount, reason);
}

void vcs_grid_notify_host(vcs_grid_world *w, uint32_t kind, uint32_t host, double time) {
    pass(w, &(vcs_grid_event){
                .time = time,
                .kind = kind,
                .project = VCS_NONE,
                .host = host,
                .resource = VCS_NONE,
            });
}

void vcs_grid_observe_host(vcs_emu_emulator *e, const vcs_event *event) {
    vcs_grid_world *w = e->grid;
    const uint32_t *projects = w->classes[w->hosts[e->number].class_index].projects;
    pass(w, &(vcs_grid_event){
                .time = event->time,
                .kind = event->kind,
                .project = event->project == VCS_NONE ? VCS_NONE : projects[event->project],
                .host = e->number,
                .copy_index = event->track,
                .unit = event->task,
                .amount = event->amount,
                .deadline = event->deadline,
                .resource = event->resource,
                .reason = event->reason,
            });
    vcs_emu_note(e, w->ground.code);
}

/*
 * The units of a server by reply, their jobs, and the index that decides which job a client gets next.
 *
 * Rules 10.3 and 14.2; worked by hand in tests/vcemu/grid/test_grid_reply.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/reply/grid_jobs.h"
#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_queue.h"
#include "vcemu/host/memory.h"

/* The room in an index at first; when it is full, the room is doubled. */
#define FIRST_CLIENTS 64u
#define FIRST_JOBS 256u

/* FLOPS of the reference machine: a job's complexity is its time there, s (rule 10.1). */
#define REFERENCE_FLOPS 1e9

/* The largest vcs_dispatch_job.size, bytes. */
#define MOST_BYTES 1e30

/* ---- The index ---- */

static void build(vcs_grid_server *s, uint32_t most_clients, uint32_t most_jobs) {
    vcs_grid_dispatcher *d = s->by_reply;
    vcs_emu_emulator *ground = &s->world->ground;
    vcs_dispatch *old = d->index;
    size_t size = 0;
    vcs_emu_note(ground, vcs_dispatch_size(most_clients, most_jobs, &size));
    vcs_dispatch *index = vcs_emu_allocate(ground, size);
    if (vcs_grid_has_failed(s->world)) {
        return;
    }
    const vcs_array clients = {{d->clients}, sizeof *d->clients, d->client_count};
    const vcs_array jobs = {{d->records}, sizeof *d->records, d->job_count};
    vcs_emu_note(ground,
                 vcs_dispatch_build(index, size, &clients, &jobs, &d->rules, most_clients, most_jobs, ground->error));
    VCS_INVARIANT(!vcs_grid_has_failed(s->world)); /* each record has been accepted before, so there is a new index */
    d->index = index;
    d->most_clients = most_clients;
    d->most_jobs = most_jobs;
    if (old != NULL) {
        vcs_emu_free(ground, old);
    }
}

void vcs_grid_client_changed(vcs_grid_server *s, uint32_t host) {
    const vcs_grid_dispatcher *d = s->by_reply;
    vcs_grid_note(s, vcs_dispatch_set_client(d->index, host, &d->clients[host], vcs_grid_error(s)));
}

void vcs_grid_job_changed(vcs_grid_server *s, uint32_t number) {
    const vcs_grid_dispatcher *d = s->by_reply;
    vcs_grid_note(s, vcs_dispatch_set_job(d->index, number, &d->records[number], vcs_grid_error(s)));
}

void vcs_grid_dispatcher_open(vcs_grid_server *s) {
    vcs_grid_dispatcher *d = vcs_emu_allocate(&s->world->ground, sizeof *d);
    s->by_reply = d;
    if (d == NULL) {
        return;
    }
    vcs_grid_note(s, vcs_dispatch_rules_init(&d->rules, sizeof d->rules));
    d->rules.order = s->project.order;
    d->rules.wait_factor = s->project.wait_factor;
    d->rules.dead_factor = s->project.dead_factor;
    d->blank = (vcs_dispatch_job){
        .size = vcs_min(s->project.input_bytes + s->project.output_bytes, MOST_BYTES),
        .complexity = s->project.est_flops / REFERENCE_FLOPS,
        .state = VCS_JOB_FRESH,
        .client = VCS_NONE,
        .copy_of = VCS_NONE,
    };
    d->free_job = d->free_unit = VCS_NONE;
    d->window.until = d->next_survey = s->world->terms.start;
    build(s, FIRST_CLIENTS, FIRST_JOBS);
}

/* Clients have the numbers of their hosts; hosts that do not know the project have empty records. */
void vcs_grid_client_add(vcs_grid_server *s, uint32_t host) {
    vcs_grid_dispatcher *d = s->by_reply;
    if (!vcs_emu_reserve(&s->world->ground, &d->clients, (uint64_t)host + 1, sizeof *d->clients)) {
        return;
    }
    if (host >= d->most_clients) {
        build(s, host + host / 2 + 1, d->most_jobs);
    }
    while (d->client_count <= host) {
        const uint32_t number = d->client_count++;
        d->clients[number] = (vcs_client){.id = number, .last_heard = s->now};
        vcs_grid_client_changed(s, number);
    }
}

/* ---- Jobs ---- */

static uint32_t allocate_job(vcs_grid_server *s) {
    vcs_grid_dispatcher *d = s->by_reply;
    vcs_emu_emulator *ground = &s->world->ground;
    const uint32_t number = d->free_job;
    if (number != VCS_NONE) {
        d->free_job = d->jobs[number].next;
        return number;
    }
    const uint64_t count = (uint64_t)d->job_count + 1;
    if (!vcs_emu_reserve(ground, &d->records, count, sizeof *d->records) ||
        !vcs_emu_reserve(ground, &d->jobs, count, sizeof *d->jobs)) {
        return VCS_NONE;
    }
    if (d->job_count == d->most_jobs) {
        build(s, d->most_clients, d->job_count * 2);
    }
    return vcs_grid_has_failed(s->world) ? VCS_NONE : d->job_count++;
}

uint32_t vcs_grid_job_add(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    vcs_grid_dispatcher *d = s->by_reply;
    const uint32_t number = allocate_job(s), first = unit->first, last = unit->last;
    if (number == VCS_NONE) {
        return VCS_NONE;
    }
    VCS_INVARIANT(first == VCS_NONE || last != VCS_NONE); /* with a first job there is a last one */
    d->jobs[number] = (vcs_grid_job){
        .unit = (uint32_t)(unit - d->units),
        .copy = unit->count++,
        .next = VCS_NONE,
        .supersedes = VCS_NONE,
        .previous_of_host = VCS_NONE,
        .next_of_host = VCS_NONE,
    };
    d->records[number] = d->blank;
    d->records[number].id = ++d->last_id;
    d->records[number].queued = unit->created; /* a unit that is computed again keeps its rank in the queue */
    d->records[number].flags = unit->is_at_head ? VCS_JOB_AT_HEAD : 0;
    d->records[number].copy_of = first;
    *(first == VCS_NONE ? &unit->first : &d->jobs[last].next) = number;
    unit->last = number;
    return number;
}

void vcs_grid_job_queue(vcs_grid_server *s, vcs_grid_reply_unit *unit, bool is_check) {
    const uint32_t number = vcs_grid_job_add(s, unit);
    if (number == VCS_NONE) {
        return;
    }
    s->by_reply->jobs[number].is_check = is_check;
    s->by_reply->records[number].flags |= is_check ? VCS_JOB_AT_HEAD : 0;
    s->counts.unsent += !is_check;
    vcs_grid_job_changed(s, number);
}

/* Frees the record of a job. */
static void free_job(vcs_grid_server *s, uint32_t number) {
    vcs_grid_dispatcher *d = s->by_reply;
    d->records[number].state = VCS_JOB_OVER;
    d->records[number].copy_of = VCS_NONE;
    vcs_grid_job_changed(s, number);
    d->jobs[number].next = d->free_job;
    d->free_job = number;
}

void vcs_grid_job_remove(vcs_grid_server *s, uint32_t number) {
    vcs_grid_dispatcher *d = s->by_reply;
    vcs_grid_reply_unit *unit = &d->units[d->jobs[number].unit];
    uint32_t before = unit->first;
    VCS_INVARIANT(before != VCS_NONE);
    while (d->jobs[before].next != number) {
        before = d->jobs[before].next;
        VCS_INVARIANT(before != VCS_NONE); /* the job is a copy, and behind the first in its unit */
    }
    d->jobs[before].next = VCS_NONE;
    unit->last = before;
    unit->count--;
    free_job(s, number);
}

/* ---- Units ---- */

static vcs_grid_reply_unit *allocate_unit(vcs_grid_server *s) {
    vcs_grid_dispatcher *d = s->by_reply;
    vcs_emu_emulator *ground = &s->world->ground;
    uint32_t slot = d->free_unit;
    if (slot != VCS_NONE) {
        VCS_INVARIANT(slot < d->unit_count); /* the slot has been used before */
        d->free_unit = d->units[slot].first;
        return &d->units[slot];
    }
    slot = d->unit_count;
    if (!vcs_emu_reserve(ground, &d->units, (uint64_t)slot + 1, sizeof *d->units) ||
        !vcs_grid_queue_reserve(ground, &d->window.oldest, slot + 1) ||
        !vcs_grid_queue_reserve(ground, &d->window.newest, slot + 1)) {
        return NULL;
    }
    return &d->units[d->unit_count++];
}

void vcs_grid_reply_unit_create(vcs_grid_server *s) {
    vcs_grid_dispatcher *d = s->by_reply;
    double created;
    if (!vcs_grid_unit_comes(s, &created)) {
        return;
    }
    vcs_grid_reply_unit *unit = allocate_unit(s);
    if (unit == NULL) {
        return;
    }
    *unit = (vcs_grid_reply_unit){
        .number = s->created,
        .flops = vcs_grid_draw_size(&s->project, &s->sizes),
        .created = created,
        .first = VCS_NONE,
        .last = VCS_NONE,
        .wanted = s->project.verification == VCS_GRID_CHECK_RECOMPUTATION ? vcs_grid_draw_copies(s) : 1,
        .candidate = VCS_NONE,
        .accepted = VCS_NONE,
    };
    d->untouched++;
    vcs_grid_notify_copy(s, VCS_GRID_EVENT_UNIT, VCS_NONE, unit->number, 0, 0.0, unit->flops, 0);
    for (uint32_t i = 0; i < unit->wanted; i++) {
        vcs_grid_job_queue(s, unit, false);
    }
}

void vcs_grid_reply_unit_free(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    vcs_grid_dispatcher *d = s->by_reply;
    const uint32_t first = unit->first;
    VCS_INVARIANT(first != VCS_NONE); /* the unit has an accepted job */
    for (uint32_t number = d->jobs[first].next; number != VCS_NONE;) {
        const uint32_t next = d->jobs[number].next;
        free_job(s, number);
        number = next;
    }
    free_job(s, first); /* last: no copy refers to it any more */
    unit->number = 0;
    unit->first = d->free_unit;
    d->free_unit = (uint32_t)(unit - d->units);
}

/*
 * A server by reply, as its hosts see it: it sends the jobs that vcs_dispatch_next() chooses, until the host has
 * enough, and receives results.
 *
 * Rules 10.1 to 10.3 and 14.2; worked by hand in tests/vcemu/grid/test_grid_reply.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_trust.h"
#include "vcemu/grid/reply/answers.h"
#include "vcemu/grid/reply/dispatcher.h"
#include "vcemu/grid/reply/grid_jobs.h"
#include "vcemu/grid/reply/liveness.h"
#include "vcemu/grid/reply/window.h"
#include "vcemu/grid/supply.h"

/* ---- What is on offer ---- */

/* Whether the decision of the caller's function is possible: the client may get the job. */
static bool is_possible(const vcs_grid_dispatcher *d, uint32_t host, const vcs_dispatch_decision *decision) {
    if (decision->job == VCS_NONE) {
        return true;
    }
    const uint32_t state = decision->is_copy != 0 ? VCS_JOB_IN_PROGRESS : VCS_JOB_FRESH;
    if (decision->job >= d->job_count || d->records[decision->job].state != state) {
        return false;
    }
    for (uint32_t i = d->units[d->jobs[decision->job].unit].first; i != VCS_NONE; i = d->jobs[i].next) {
        if (d->records[i].client == host) {
            return false;
        }
    }
    return true;
}

/* Chooses the next job, or none; none after a failure, whatever the caller's function has written. */
static vcs_dispatch_decision decide(vcs_grid_server *s, uint32_t host) {
    vcs_emu_emulator *ground = &s->world->ground;
    const vcs_grid_hooks *hooks = &s->world->hooks;
    const vcs_grid_dispatcher *d = s->by_reply;
    vcs_dispatch_decision decision = {.struct_size = sizeof decision, .job = VCS_NONE};
    if (hooks->dispatch == NULL) {
        vcs_emu_note(ground, vcs_dispatch_next(d->index, host, s->now, &decision));
        return decision;
    }
    const vcs_grid_situation situation = vcs_grid_situation_of(s, host);
    const int code = hooks->dispatch(hooks->context, &situation, d->index, &decision);
    vcs_emu_note_hook(ground, code, "dispatch");
    if (code > VCS_OK) {
        s->outcome.failed_decisions++;
        decision.job = VCS_NONE;
    }
    if (ground->code == VCS_OK && !is_possible(d, host, &decision)) {
        vcs_emu_fail(ground, VCS_ERR_INDEX, decision.job, "dispatch", "chose a job that the client cannot get");
    }
    if (ground->code != VCS_OK) {
        decision.job = VCS_NONE;
    }
    return decision;
}

/* Another client has the job already: makes a copy for this client. */
static uint32_t copy_of(vcs_grid_server *s, uint32_t number) {
    vcs_grid_dispatcher *d = s->by_reply;
    d->records[number].state = VCS_JOB_SUPERSEDED;
    vcs_grid_job_changed(s, number);
    const uint32_t copy = vcs_grid_job_add(s, &d->units[d->jobs[number].unit]);
    if (copy != VCS_NONE) {
        d->jobs[copy].supersedes = number;
        d->jobs[copy].is_check = d->jobs[number].is_check;
    }
    return copy;
}

/* Offers the next job for a host, marked as sent; it may still be put back. */
static bool next(vcs_grid_server *s, uint32_t host, double *flops, vcs_emu_origin *origin) {
    vcs_grid_dispatcher *d = s->by_reply;
    if ((s->clients[host].trust.flags & VCS_BLACKLISTED) != 0) {
        return false;
    }
    if (d->untouched == 0) {
        vcs_grid_reply_unit_create(s); /* so that new units take part in the choice */
    }
    vcs_dispatch_decision decision = decide(s, host);
    if (decision.job == VCS_NONE && !vcs_grid_has_failed(s->world) && vcs_grid_survey(s)) {
        decision = decide(s, host);
    }
    uint32_t number = decision.job;
    if (number != VCS_NONE && decision.is_copy != 0) {
        number = copy_of(s, number);
    }
    if (vcs_grid_has_failed(s->world) || number == VCS_NONE) {
        return false;
    }
    vcs_grid_reply_unit *unit = &d->units[d->jobs[number].unit];
    vcs_grid_note(
        s, vcs_job_send(&d->records[number], host, &d->clients[host], &d->pool, &d->rules, s->now, vcs_grid_error(s)));
    vcs_grid_job_changed(s, number);
    d->jobs[number].reason = decision.reason;
    d->untouched -= unit->touched++ == 0;
    *flops = unit->flops; /* the inverse problem is as large as the problem */
    origin->copy = number;
    return true;
}

/* Withdraws an offer: the job returns to its queue, and any earlier holder keeps it. */
static void put_back(vcs_grid_server *s, vcs_emu_origin origin, uint32_t reason) {
    vcs_grid_dispatcher *d = s->by_reply;
    (void)reason; /* refusals are counted only by deadline (rule 9.3) */
    const uint32_t number = (uint32_t)origin.copy, superseded = d->jobs[number].supersedes;
    vcs_grid_reply_unit *unit = &d->units[d->jobs[number].unit];
    d->untouched += --unit->touched == 0;
    if (superseded != VCS_NONE) {
        vcs_grid_job_remove(s, number);
        d->records[superseded].state = VCS_JOB_IN_PROGRESS;
        vcs_grid_job_changed(s, superseded);
    } else {
        d->records[number].state = VCS_JOB_FRESH;
        d->records[number].client = VCS_NONE;
        vcs_grid_job_changed(s, number);
    }
}

/* ---- Sending ---- */

static void send(vcs_grid_server *s, uint32_t host, vcs_task *task, vcs_emu_origin *origin) {
    vcs_grid_dispatcher *d = s->by_reply;
    const uint32_t number = (uint32_t)origin->copy, superseded = d->jobs[number].supersedes;
    const uint32_t first_of_host = s->clients[host].first;
    vcs_grid_job *job = &d->jobs[number];
    vcs_grid_reply_unit *unit = &d->units[job->unit];
    task->deadline = s->now + s->project.delay_bound;
    job->fate = VCS_GRID_HELD;
    job->is_outside = true;
    unit->outside++;
    /* Units without number or rate are created when a host first asks for them, not when the last unit was sent. */
    if (s->project.units == 0 && s->project.unit_rate == 0.0 && !unit->is_sent) {
        unit->created = s->now;
    }
    unit->is_sent = true;
    job->next_of_host = first_of_host;
    if (first_of_host != VCS_NONE) {
        d->jobs[first_of_host].previous_of_host = number;
    }
    s->clients[host].first = number;
    vcs_grid_window_add(s, unit);
    vcs_grid_revive(s, host);
    if (job->is_check) {
        return;
    }
    vcs_grid_copy_sent(s, s->now);
    if (superseded == VCS_NONE) {
        s->counts.unsent--;
    } else {
        s->outcome.duplicates++;
        if (job->reason == VCS_REASON_WINDOW_OVER || job->reason == VCS_REASON_CLIENT_DEAD) {
            vcs_grid_job_teach(s, superseded, VCS_TRUST_ERROR); /* the timeout counts against the earlier client */
        }
    }
    vcs_grid_notify_copy(s, VCS_GRID_EVENT_SENT, host, unit->number, job->copy, task->deadline, 0.0, 0);
}

/* ---- Results ---- */

/* The host no longer has the job. */
static void note_return(vcs_grid_server *s, uint32_t number, double flops) {
    vcs_grid_job *job = &s->by_reply->jobs[number];
    job->flops = flops;
    job->is_outside = false;
    s->by_reply->units[job->unit].outside--;
}

static void notify_reported(vcs_grid_server *s, uint32_t host, uint32_t number, uint32_t said) {
    const vcs_grid_job *job = &s->by_reply->jobs[number];
    if (!job->is_check) {
        const double deadline = s->by_reply->records[number].sent + s->project.delay_bound;
        vcs_grid_notify_copy(s, VCS_GRID_EVENT_REPORTED, host, s->by_reply->units[job->unit].number, job->copy,
                             deadline, job->flops, said);
    }
}

/* Whether anybody waits for the job: not if the unit is done without it, or if the reply would be refused. */
static bool needs(vcs_grid_server *s, uint32_t host, const vcs_task *task, vcs_emu_origin origin, double flops) {
    vcs_grid_dispatcher *d = s->by_reply;
    (void)task;
    const uint32_t number = (uint32_t)origin.copy;
    vcs_grid_job *job = &d->jobs[number];
    if (job->fate == VCS_GRID_HELD) {
        return true;
    }
    note_return(s, number, flops);
    job->fate = job->fate == VCS_GRID_GIVEN_UP ? VCS_GRID_ABORTED : job->fate;
    s->outcome.flops_checks += job->is_check ? flops : 0.0;
    notify_reported(s, host, number, VCS_REPORT_CANCELLED);
    vcs_grid_reply_unit_finish(s, &d->units[job->unit]);
    return false;
}

/* Notes that the client is alive, and how long the job took with all waits (rule 10.1), unless it is an error.
   Returns whether the reply is refused, since the client is on the blacklist. */
static bool hear(vcs_grid_server *s, uint32_t host, uint32_t number, bool is_error) {
    vcs_grid_dispatcher *d = s->by_reply;
    const vcs_dispatch_job *record = &d->records[number];
    const double took = vcs_min(s->now - record->sent, VCS_MAX_SECONDS);
    const double transfer = vcs_min(vcs_grid_transfer_seconds(s->world, host, record->size), took);
    vcs_reply_times times = {.struct_size = sizeof times};
    uint32_t refused = 0;
    if (!is_error) {
        times.bytes = record->size;
        times.transfer_seconds = transfer;
        times.complexity = record->complexity;
        times.compute_seconds = took - transfer;
    }
    vcs_grid_note(
        s, vcs_client_reply(&d->clients[host], &d->pool, &times, &d->rules, s->now, &refused, vcs_grid_error(s)));
    vcs_grid_client_changed(s, host);
    return refused != 0;
}

static void report(vcs_grid_server *s, uint32_t host, const vcs_emu_result *result) {
    vcs_grid_dispatcher *d = s->by_reply;
    const uint32_t number = (uint32_t)result->origin.copy;
    const bool is_error = result->origin.fate != VCS_EMU_FATE_DONE; /* lost results are never reported */
    vcs_grid_job *job = &d->jobs[number];
    note_return(s, number, result->flops);
    s->outcome.flops_checks += job->is_check ? result->flops : 0.0;
    s->outcome.late += !job->is_check && s->now > d->records[number].sent + s->project.delay_bound;
    if (hear(s, host, number, is_error)) {
        notify_reported(s, host, number, VCS_REPORT_REFUSED);
        vcs_grid_reply_unit_finish(s, &d->units[job->unit]);
        return;
    }
    job->kind = is_error ? VCS_GRID_RIGHT : vcs_grid_draw_result(s->world, host, VCS_GRID_FIRST_WRONG + number);
    notify_reported(s, host, number, is_error ? VCS_REPORT_CLIENT_ERROR : VCS_REPORT_SUCCESS);
    vcs_grid_answer(s, number, is_error);
}

static void forget(vcs_grid_server *s, vcs_emu_origin origin) {
    note_return(s, (uint32_t)origin.copy, 0.0);
    vcs_grid_reply_unit_finish(s, &s->by_reply->units[s->by_reply->jobs[origin.copy].unit]);
}

/* ---- Time ---- */

/* Only the next unit can be due. */
static void act(vcs_grid_server *s) {
    s->now = vcs_max(s->now, s->next_arrival);
    vcs_grid_reply_unit_create(s);
}

static void advance(vcs_grid_server *s, double until) {
    s->now = vcs_max(s->now, until);
}

static void close(vcs_grid_server *s) {
    const vcs_grid_dispatcher *d = s->by_reply;
    for (uint32_t slot = 0; slot < d->unit_count; slot++) {
        if (d->units[slot].number != 0) {
            vcs_grid_reply_unit_count(s, &d->units[slot]);
        }
    }
    vcs_grid_window_close(s);
}

const vcs_grid_kind vcs_grid_by_reply = {
    .open = vcs_grid_dispatcher_open,
    .meet = vcs_grid_client_add,
    .due = vcs_grid_next_unit,
    .act = act,
    .advance = advance,
    .next = next,
    .send = send,
    .put_back = put_back,
    .needs = needs,
    .report = report,
    .forget = forget,
    .conclude = vcs_grid_reply_conclude,
    .close = close,
};

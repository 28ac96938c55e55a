/*
 * A server by deadline, as its hosts see it: it gives out copies of units and receives results. Also what happens
 * beyond one unit: withdrawn results, the end of a batch, and time.
 *
 * Rules 8.9, 9.1 to 9.3, 14.2 and 14.4; worked by hand in tests/vcemu/grid/test_grid_units.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/deadline/store.h"
#include "vcemu/grid/deadline/units.h"
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_server.h"
#include "vcemu/grid/grid_trust.h"

/* A request is answered with one of this many units at the head of the queue, or with a new unit. So a host that has
   copies of all of them does not make the server look at every unit. */
#define MOST_PASSED_OVER 1000u

/* vcs_emu_origin.copy: the number of the unit's slot and of the copy in it. */
static uint64_t number_of(const vcs_grid_unit *unit, uint32_t index) {
    return (uint64_t)unit->slot << 32 | index;
}

static vcs_grid_unit *unit_of(const vcs_grid_server *s, vcs_emu_origin origin) {
    return vcs_grid_unit_at(&s->store, (uint32_t)(origin.copy >> 32));
}

static uint32_t index_of(vcs_emu_origin origin) {
    return (uint32_t)origin.copy;
}

static void open(vcs_grid_server *s) {
    s->store.free_slot = VCS_NONE;
    s->first_queued = s->last_queued = s->walk = VCS_NONE;
}

static void meet(vcs_grid_server *s, uint32_t host) {
    (void)s;
    (void)host; /* nothing beyond vcs_grid_client is kept of it */
}

/* ---- Beyond one unit ---- */

/* Withdraws the results of a caught host. */
static void withdraw_from(vcs_grid_server *s, uint32_t host) {
    uint32_t slot = s->clients[host].first;
    while (slot != VCS_NONE && !vcs_grid_has_failed(s->world)) {
        vcs_grid_unit *unit = vcs_grid_unit_at(&s->store, slot);
        const uint32_t index = vcs_grid_copy_of_host(unit, host);
        slot = unit->copies[index].next; /* read now: the event may free the unit */
        if (unit->record.assimilate_state != VCS_ASSIMILATE_DONE) {
            vcs_grid_unit_event(s, unit, (vcs_unit_event){.kind = VCS_UNIT_EVENT_WITHDRAWN, .result = index});
        }
    }
}

/* Carries out what follows for other units. Withdrawn results may lead to new verdicts, which may catch more hosts; the
   end of a batch assimilates the units that waited for it. */
static void conclude(vcs_grid_server *s) {
    const uint64_t units = s->project.units;
    while (s->caught_count > 0) {
        withdraw_from(s, s->caught[--s->caught_count]);
    }
    if (units == 0 || s->is_batch_done || s->counts.done + s->counts.failed != units) {
        return;
    }
    s->is_batch_done = true;
    for (uint32_t slot = 0; slot < s->store.slots && (s->project.flags & VCS_GRID_ASSIMILATE_LAST) != 0; slot++) {
        vcs_grid_unit_settle(s, vcs_grid_unit_at(&s->store, slot)); /* no unit has left its slot unassimilated */
    }
}

/* ---- What is on offer ---- */

static bool has_copy(const vcs_grid_unit *unit, uint32_t host) {
    for (uint32_t i = 0; i < unit->count; i++) {
        if (unit->copies[i].host == host) {
            return true;
        }
    }
    return false;
}

/* The next queued unit without a copy on the host, else a new one; NULL = there is none either. */
static vcs_grid_unit *next_unit(vcs_grid_server *s, uint32_t host) {
    for (uint32_t passed = 0; s->walk != VCS_NONE && passed < MOST_PASSED_OVER; passed++) {
        vcs_grid_unit *unit = vcs_grid_unit_at(&s->store, s->walk);
        s->walk = unit->next;
        if (!has_copy(unit, host)) {
            return unit;
        }
    }
    s->walk = VCS_NONE;
    vcs_grid_unit *unit = vcs_grid_unit_create(s);
    s->walk = VCS_NONE; /* behind the new unit */
    return unit;
}

static bool next(vcs_grid_server *s, uint32_t host, double *flops, vcs_emu_origin *origin) {
    const vcs_grid_unit *unit = next_unit(s, host);
    if (unit == NULL) {
        return false;
    }
    *flops = unit->flops;
    origin->copy = number_of(unit, 0); /* the copy is chosen when it is sent */
    return true;
}

/* ---- Sending ---- */

/* Raises the quorum if the host is not trusted: a trusted host's result needs no copy beside it (rule 11.3). */
static void decide_on_copy(vcs_grid_server *s, uint32_t host, vcs_grid_unit *unit) {
    const vcs_grid_hooks *hooks = &s->world->hooks;
    vcs_grid_client *client = &s->clients[host];
    const double u = vcs_emu_draw_uniform(&client->doubts);
    uint32_t needed = 0;
    if (s->project.verification != VCS_GRID_CHECK_ADAPTIVE || unit->record.min_quorum > 1) {
        return;
    }
    if (hooks->trust == NULL) {
        vcs_grid_note(s, vcs_trust_needs_copy(&client->trust, u, &needed, NULL));
    } else {
        const vcs_grid_situation situation = vcs_grid_situation_of(s, host);
        const int code = hooks->trust(hooks->context, &situation, &client->trust, u, &needed);
        vcs_emu_note_hook(&s->world->ground, code, "trust");
        needed = code > VCS_OK ? 1 : needed;
        s->outcome.failed_decisions += code > VCS_OK;
    }
    if (needed != 0) {
        const uint32_t quorum = vcs_grid_untrusted_quorum(&s->project);
        unit->record.min_quorum = quorum;
        unit->record.target_nresults = quorum > s->project.target_nresults ? quorum : s->project.target_nresults;
        unit->record.transition_time = s->now;
    }
}

static uint32_t first_unsent(const vcs_grid_unit *unit) {
    uint32_t index = 0;
    while (unit->results[index].server_state != VCS_RESULT_UNSENT) {
        index++;
        VCS_INVARIANT(index < unit->count); /* a unit on offer has an unsent copy */
    }
    return index;
}

static void send(vcs_grid_server *s, uint32_t host, vcs_task *task, vcs_emu_origin *origin) {
    vcs_grid_unit *unit = unit_of(s, *origin);
    const uint32_t index = first_unsent(unit);
    origin->copy = number_of(unit, index);
    unit->copies[index].host = host;
    unit->copies[index].sent = s->now;
    unit->copies[index].outside = 1;
    unit->outside++;
    unit->refusals = 0;
    vcs_grid_link_copy(s, unit, index);
    vcs_grid_copy_sent(s, s->now);
    decide_on_copy(s, host, unit);
    task->deadline = s->now + unit->record.delay_bound;
    vcs_grid_notify(s, VCS_GRID_EVENT_SENT, host, unit, index, 0.0, 0);
    vcs_grid_unit_event(s, unit,
                        (vcs_unit_event){.kind = VCS_UNIT_EVENT_SENT, .result = index, .host = (uint64_t)host + 1});
}

/* Hosts in a row that cannot take a copy are counted: too many make it unsendable (rule 9.3). */
static void put_back(vcs_grid_server *s, vcs_emu_origin origin, uint32_t reason) {
    uint32_t unsendable = 0;
    vcs_grid_unit *unit = unit_of(s, origin);
    vcs_grid_note(s, vcs_send_refusals(reason, s->project.max_refusals, unit->refusals, &unit->refusals, &unsendable));
    if (unsendable == 0) {
        return;
    }
    s->outcome.unsendable++;
    vcs_grid_unit_event(s, unit, (vcs_unit_event){.kind = VCS_UNIT_EVENT_UNSENDABLE, .result = first_unsent(unit)});
    conclude(s);
}

/* ---- Results ---- */

/* The host no longer has the copy. */
static void note_return(vcs_grid_unit *unit, uint32_t index, double flops) {
    unit->copies[index].flops = flops;
    unit->copies[index].outside = 0;
    unit->outside--;
}

static bool needs(vcs_grid_server *s, uint32_t host, const vcs_task *task, vcs_emu_origin origin, double flops) {
    uint32_t needed = VCS_NEEDED_KEEP;
    vcs_grid_unit *unit = unit_of(s, origin);
    const uint32_t index = index_of(origin);
    vcs_grid_note(s, vcs_result_needed(&unit->record, &(vcs_array){{unit->results}, sizeof *unit->results, unit->count},
                                       index, &needed, NULL, vcs_grid_error(s)));
    const bool has_started = (task->flags & VCS_TASK_STARTED) != 0;
    if (needed == VCS_NEEDED_KEEP || (needed == VCS_NEEDED_ABORT_NOT_STARTED && has_started)) {
        return true;
    }
    note_return(unit, index, flops);
    unit->copies[index].aborted = 1;
    vcs_grid_notify(s, VCS_GRID_EVENT_REPORTED, host, unit, index, flops, VCS_REPORT_CANCELLED);
    vcs_grid_unit_event(
        s, unit, (vcs_unit_event){.kind = VCS_UNIT_EVENT_RECEIVED, .result = index, .report = VCS_REPORT_CANCELLED});
    conclude(s);
    return false;
}

static void report(vcs_grid_server *s, uint32_t host, const vcs_emu_result *result) {
    vcs_grid_unit *unit = unit_of(s, result->origin);
    const uint32_t index = index_of(result->origin);
    uint32_t said = VCS_REPORT_SUCCESS;
    if ((s->clients[host].trust.flags & VCS_BLACKLISTED) != 0) {
        said = VCS_REPORT_REFUSED;
    } else if (result->origin.fate == VCS_EMU_FATE_FAILS) {
        said = VCS_REPORT_CLIENT_ERROR;
    } else if (result->origin.fate == VCS_EMU_FATE_GIVEN_UP) {
        said = VCS_REPORT_CANCELLED;
    }
    note_return(unit, index, result->flops);
    s->outcome.late += s->now > unit->copies[index].sent + unit->record.delay_bound;
    if (said == VCS_REPORT_SUCCESS) {
        unit->copies[index].kind = vcs_grid_draw_result(s->world, host, VCS_GRID_FIRST_WRONG + index);
        if (s->project.verification == VCS_GRID_CHECK_DIRECT && unit->copies[index].kind != VCS_GRID_RIGHT) {
            vcs_grid_catch(s, host, VCS_REASON_CHECK_FAILED);
        }
    }
    vcs_grid_notify(s, VCS_GRID_EVENT_REPORTED, host, unit, index, result->flops, said);
    vcs_grid_unit_event(
        s, unit,
        (vcs_unit_event){.kind = VCS_UNIT_EVENT_RECEIVED, .result = index, .report = said, .claimed = result->flops});
}

static void forget(vcs_grid_server *s, vcs_emu_origin origin) {
    vcs_grid_unit *unit = unit_of(s, origin);
    note_return(unit, index_of(origin), 0.0);
    vcs_grid_unit_settle(s, unit);
}

/* ---- Time ---- */

/* When the next transition is due; the next unit may come before. */
static double next_transition(const vcs_grid_server *s) {
    return s->timers.count > 0 ? s->timers.entries[0].time : VCS_INFINITY;
}

static double due(const vcs_grid_server *s) {
    return vcs_min(next_transition(s), vcs_grid_next_unit(s));
}

/* Each transition and arrival happens at its own time, as if a daemon had waited for it. */
static void act(vcs_grid_server *s) {
    if (vcs_grid_next_unit(s) <= next_transition(s)) {
        s->now = vcs_max(s->now, s->next_arrival);
        vcs_grid_unit_create(s);
    } else {
        vcs_grid_unit *unit = vcs_grid_unit_at(&s->store, s->timers.entries[0].number);
        s->now = vcs_max(s->now, s->timers.entries[0].time);
        vcs_grid_unit_settle(s, unit);
        conclude(s);
    }
}

static void advance(vcs_grid_server *s, double until) {
    s->now = vcs_max(s->now, until);
    s->walk = s->first_queued; /* each request looks at all waiting units */
}

static void close(vcs_grid_server *s) {
    for (uint32_t slot = 0; slot < s->store.slots; slot++) {
        const vcs_grid_unit *unit = vcs_grid_unit_at(&s->store, slot);
        if (unit->room > 0) {
            vcs_grid_unit_count(s, unit);
        }
    }
}

const vcs_grid_kind vcs_grid_by_deadline = {
    .open = open,
    .meet = meet,
    .due = due,
    .act = act,
    .advance = advance,
    .next = next,
    .send = send,
    .put_back = put_back,
    .needs = needs,
    .report = report,
    .forget = forget,
    .conclude = conclude,
    .close = close,
};

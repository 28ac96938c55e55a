/*
 * The life of a unit on a server by deadline: each event, and all that follows from it at the same moment.
 *
 * Rules 8.2 to 8.9 and 14.2; worked by hand in tests/vcemu/grid/test_grid_units.c.
 *
 * SPDX-License-Identifier: MIT
 */

#include "vcemu/grid/deadline/units.h"
#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/deadline/store.h"
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_queue.h"
#include "vcemu/grid/grid_trust.h"
#include "vcemu/host/memory.h"

#include <vcsched/unit.h>
#include <vcsched/verify.h>

/* ---- New units ---- */

/* Raises the limits so that this many copies can be compared. */
static void allow_copies(vcs_unit *record, uint32_t copies) {
    record->max_total = record->max_total < copies ? copies : record->max_total;
    record->max_success = record->max_success < copies ? copies : record->max_success;
}

/* Under recomputation all drawn copies have to be back before they are compared (rule 11.2). */
static void set_quorum(vcs_grid_server *s, vcs_unit *record) {
    const vcs_grid_project *project = &s->project;
    record->min_quorum = project->min_quorum;
    record->target_nresults = project->target_nresults;
    record->max_error = project->max_error;
    record->max_total = project->max_total;
    record->max_success = project->max_success;
    record->quorum_rule = project->quorum_rule;
    record->credit_rule = project->credit_rule;
    record->fixed_credit = project->fixed_credit;
    record->max_single_claim = project->max_single_claim;
    record->delay_bound = project->delay_bound;
    if (project->verification == VCS_GRID_CHECK_RECOMPUTATION) {
        record->min_quorum = record->target_nresults = vcs_grid_draw_copies(s);
        allow_copies(record, record->min_quorum);
    } else if (project->verification == VCS_GRID_CHECK_ADAPTIVE) {
        allow_copies(record, vcs_grid_untrusted_quorum(project));
        record->min_quorum = record->target_nresults = 1; /* until the host of the first copy is known */
    }
}

vcs_grid_unit *vcs_grid_unit_create(vcs_grid_server *s) {
    double created;
    if (!vcs_grid_unit_comes(s, &created)) {
        return NULL;
    }
    vcs_grid_unit *unit = vcs_grid_unit_new(s);
    if (unit == NULL) {
        return NULL;
    }
    vcs_unit_init(&unit->record, s->created);
    set_quorum(s, &unit->record);
    unit->created = created;
    unit->flops = vcs_grid_draw_size(&s->project, &s->sizes);
    unit->record.transition_time = VCS_INFINITY;
    vcs_grid_queue_add(&s->timers, unit->slot, VCS_INFINITY);
    vcs_grid_notify(s, VCS_GRID_EVENT_UNIT, VCS_NONE, unit, 0, unit->flops, 0);
    vcs_grid_unit_event(s, unit, (vcs_unit_event){.kind = VCS_UNIT_EVENT_CREATED, .result = VCS_NONE});
    return unit;
}

/* ---- The queue of units that have copies to send ---- */

static void join_queue(vcs_grid_server *s, vcs_grid_unit *unit) {
    if (!unit->is_queued) {
        unit->is_queued = true;
        unit->previous = s->last_queued;
        unit->next = VCS_NONE;
        *(s->last_queued == VCS_NONE ? &s->first_queued : &vcs_grid_unit_at(&s->store, s->last_queued)->next) =
            unit->slot;
        s->last_queued = unit->slot;
    }
}

static void leave_queue(vcs_grid_server *s, vcs_grid_unit *unit) {
    unit->is_queued = false;
    *(unit->previous == VCS_NONE ? &s->first_queued : &vcs_grid_unit_at(&s->store, unit->previous)->next) = unit->next;
    *(unit->next == VCS_NONE ? &s->last_queued : &vcs_grid_unit_at(&s->store, unit->next)->previous) = unit->previous;
    s->walk = s->walk == unit->slot ? unit->next : s->walk;
}

/* ---- Changes ---- */

static void add_copies(vcs_grid_server *s, vcs_grid_unit *unit, uint64_t count) {
    const uint32_t first = unit->count, end = first + (uint32_t)count;
    if (!vcs_grid_unit_reserve(s, unit, end)) {
        return;
    }
    VCS_INVARIANT(end <= unit->room); /* as reserved */
    for (uint32_t i = first; i < end; i++) {
        vcs_result_init(&unit->results[i], (uint64_t)i + 1);
        unit->copies[i] = (vcs_grid_copy){.host = VCS_NONE, .previous = VCS_NONE, .next = VCS_NONE};
    }
    unit->count = end;
    unit->unsent += (uint32_t)count;
    s->counts.unsent += count;
    join_queue(s, unit);
}

/* A copy leaves its state: it waited, or was on a host. */
static void leave_state(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t index) {
    if (unit->results[index].server_state == VCS_RESULT_UNSENT) {
        s->counts.unsent--;
        if (--unit->unsent == 0) {
            leave_queue(s, unit);
        }
    } else if (unit->results[index].server_state == VCS_RESULT_IN_PROGRESS) {
        vcs_grid_copy_over(s, s->now, unit->copies[index].sent);
    }
}

/* A unit gets a canonical result, or loses it when its host is caught. */
static void note_canonical(vcs_grid_server *s, vcs_grid_unit *unit) {
    const uint64_t canonical = unit->record.canonical;
    const bool is_done = canonical != 0;
    VCS_INVARIANT(canonical <= unit->count); /* the ids of its results count from 1 */
    s->counts.wrong_accepted -= unit->is_wrong;
    unit->is_wrong = canonical != 0 && unit->copies[canonical - 1].kind != VCS_GRID_RIGHT;
    s->counts.wrong_accepted += unit->is_wrong;
    unit->done = s->now;
    if (unit->is_counted != is_done) {
        unit->is_counted = is_done;
        vcs_grid_unit_done(s, s->now, is_done);
    }
    if (canonical != 0) {
        vcs_grid_notify(s, VCS_GRID_EVENT_ACCEPTED, unit->copies[canonical - 1].host, unit, (uint32_t)canonical - 1,
                        unit->is_wrong, 0);
    }
}

/* A unit with a canonical result does not fail by errors of other copies. */
static void note_failure(vcs_grid_server *s, vcs_grid_unit *unit) {
    if (unit->record.error_mask != 0 && unit->record.canonical == 0 && !unit->is_failed) {
        unit->is_failed = true;
        s->counts.failed++;
        vcs_grid_notify(s, VCS_GRID_EVENT_FAILED, VCS_NONE, unit, 0, 0.0, unit->record.error_mask);
    }
}

/* Counts a change that has been applied, and tells the observer. */
static void note_change(vcs_grid_server *s, vcs_grid_unit *unit, const vcs_change *change) {
    if (change->field == VCS_FIELD_UNIT_CANONICAL) {
        note_canonical(s, unit);
        note_failure(s, unit);
    } else if (change->field == VCS_FIELD_UNIT_ERROR_MASK) {
        note_failure(s, unit);
    } else if (change->field == VCS_FIELD_RESULT_OUTCOME && change->reason == VCS_REASON_OVERDUE) {
        vcs_grid_notify(s, VCS_GRID_EVENT_NO_REPLY, unit->copies[change->result].host, unit, change->result, 0.0, 0);
    } else if (change->field == VCS_FIELD_RESULT_GRANTED) {
        s->outcome.credit += change->number;
    }
}

static void apply_change(vcs_grid_server *s, vcs_grid_unit *unit, vcs_change change) {
    vcs_emu_emulator *ground = &s->world->ground;
    if (change.kind == VCS_CHANGE_CREATE) {
        add_copies(s, unit, change.integer);
        return;
    }
    /* libvcsched names an existing result; the caller's function has been checked for that. */
    VCS_INVARIANT(change.field < VCS_FIELD_RESULT_DEADLINE || change.result < unit->count);
    const double granted = change.field == VCS_FIELD_RESULT_GRANTED ? unit->results[change.result].granted : 0.0;
    vcs_grid_learn(s, unit, &change);
    if (change.field == VCS_FIELD_RESULT_SERVER_STATE) {
        leave_state(s, unit, change.result);
    }
    const vcs_array results = vcs_grid_results_of(unit);
    vcs_emu_note(ground, vcs_change_apply(&change, &unit->record, &results, ground->error));
    s->outcome.credit -= granted;
    note_change(s, unit, &change);
}

/* Applies the changes that were decided; none after a failure. */
static void apply(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t count) {
    s->outcome.changes += count;
    for (uint32_t i = 0; i < count && !vcs_grid_has_failed(s->world); i++) {
        apply_change(s, unit, s->changes[i]);
    }
}

/* Room for all changes that may be decided at a time, and for the classes of the results. */
static bool reserve_changes(vcs_grid_server *s, const vcs_grid_unit *unit, vcs_array *changes) {
    const uint32_t room = VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * unit->count;
    const bool is_there =
        vcs_emu_reserve(&s->world->ground, &s->changes, room, sizeof *s->changes) &&
        vcs_emu_reserve(&s->world->ground, &s->classes, (uint64_t)unit->count + 1, sizeof *s->classes);
    *changes = (vcs_array){{s->changes}, sizeof *s->changes, room};
    return is_there;
}

static void handle(vcs_grid_server *s, vcs_grid_unit *unit, vcs_unit_event event) {
    vcs_emu_emulator *ground = &s->world->ground;
    const vcs_array results = vcs_grid_results_of(unit);
    vcs_array changes;
    uint32_t count = 0;
    event.struct_size = sizeof event;
    if (reserve_changes(s, unit, &changes)) {
        vcs_emu_note(ground,
                     vcs_unit_handle_event(&unit->record, &results, &event, s->now, &changes, &count, ground->error));
        apply(s, unit, count);
    }
}

static void make_transition(vcs_grid_server *s, vcs_grid_unit *unit) {
    const vcs_array results = vcs_grid_results_of(unit);
    vcs_array changes;
    uint32_t count = 0;
    if (reserve_changes(s, unit, &changes)) {
        s->outcome.transitions++;
        vcs_grid_note(s, vcs_transition(&unit->record, &results, s->now, &changes, &count, vcs_grid_error(s)));
        apply(s, unit, count);
    }
}

/* Whether a validation may make this change, so that it is safe to read. vcs_change_apply() checks the rest. */
static bool is_of_verdict(const vcs_grid_unit *unit, const vcs_change *change) {
    const bool is_of_result = change->field >= VCS_FIELD_RESULT_DEADLINE;
    return change->kind == VCS_CHANGE_SET && (!is_of_result || change->result < unit->count) &&
           (change->field != VCS_FIELD_UNIT_CANONICAL || change->integer <= unit->count) &&
           (change->field != VCS_FIELD_RESULT_SERVER_STATE || change->integer == VCS_RESULT_OVER);
}

static bool check_verdict(vcs_grid_server *s, const vcs_grid_unit *unit, uint32_t count, uint32_t room) {
    bool is_sound = count <= room;
    for (uint32_t i = 0; is_sound && i < count; i++) {
        is_sound = is_of_verdict(unit, &s->changes[i]);
    }
    if (!is_sound) {
        vcs_emu_fail(&s->world->ground, VCS_ERR_RANGE, 0, "validate", "wrote changes that no validation makes");
    }
    return is_sound;
}

/* ---- What the caller's function fails at ---- */

#define FIRST_RETRY 60.0 /* s */

/* Nothing came of comparing it: it is tried again, later and later, or waits for a person. */
static void try_later(vcs_grid_server *s, vcs_grid_unit *unit) {
    const uint32_t failures = unit->record.compare_failures;
    VCS_INVARIANT(failures < 8); /* by vcs_unit_init(), the 8th one in a row is the last */
    handle(s, unit,
           (vcs_unit_event){.kind = VCS_UNIT_EVENT_WORK_FAILED,
                            .result = VCS_NONE,
                            .work = VCS_UNIT_WORK_COMPARE,
                            .delay = FIRST_RETRY * (double)(1u << failures)});
    s->outcome.failed_decisions++;
}

/* Whether the changes are whole: vcs_validate() says that the unit's transition is due, even if it puts it off. */
static bool are_whole(const vcs_grid_server *s, uint32_t count) {
    bool is_due = false;
    for (uint32_t i = 0; i < count; i++) {
        is_due |= s->changes[i].field == VCS_FIELD_UNIT_TRANSITION_TIME;
    }
    return is_due;
}

/* Asks the caller's function. Returns how many changes it wrote. */
static uint32_t ask_caller(vcs_grid_server *s, vcs_grid_unit *unit, const vcs_array *changes) {
    vcs_emu_emulator *ground = &s->world->ground;
    const vcs_grid_hooks *hooks = &s->world->hooks;
    const vcs_array results = vcs_grid_results_of(unit);
    const vcs_grid_situation situation = vcs_grid_situation_of(s, VCS_NONE);
    uint32_t count = 0;
    const int code = hooks->validate(hooks->context, &situation, &unit->record, &results, s->classes, changes, &count);
    vcs_emu_note_hook(ground, code, "validate");
    if (code > VCS_OK) {
        try_later(s, unit);
        return 0;
    }
    return ground->code == VCS_OK && check_verdict(s, unit, count, changes->count) ? count : 0;
}

/* Under direct checks the server's application knows which results are wrong; else they are only compared. */
static void validate(vcs_grid_server *s, vcs_grid_unit *unit) {
    vcs_emu_emulator *ground = &s->world->ground;
    const bool checks = s->project.verification == VCS_GRID_CHECK_DIRECT;
    const vcs_array results = vcs_grid_results_of(unit);
    vcs_array changes;
    uint32_t count = 0;
    if (!reserve_changes(s, unit, &changes)) {
        return;
    }
    for (uint32_t i = 0; i < unit->count; i++) {
        const uint32_t kind = unit->copies[i].kind;
        s->classes[i] = checks && kind != VCS_GRID_RIGHT ? VCS_CLASS_WRONG : kind;
    }
    if (s->world->hooks.validate == NULL) {
        vcs_emu_note(ground,
                     vcs_validate(&unit->record, &results, s->classes, s->now, &changes, &count, ground->error));
    } else {
        count = ask_caller(s, unit, &changes);
    }
    VCS_INVARIANT(count <= changes.count); /* libvcsched promises that; the caller's function has been checked */
    const bool is_judged = are_whole(s, count);
    apply(s, unit, count);
    if (ground->code == VCS_OK && is_judged && unit->record.need_validate != 0) {
        try_later(s, unit);
    }
}

/* ---- What follows ---- */

/* Deletes files, if any may be deleted: the inputs, or the outputs of the first result with any. */
static bool delete_files(vcs_grid_server *s, vcs_grid_unit *unit) {
    vcs_unit_event event = {.kind = VCS_UNIT_EVENT_INPUTS_DELETED, .result = VCS_NONE, .deletion = VCS_DELETED};
    if (unit->record.file_delete_state == VCS_FILES_READY) {
        handle(s, unit, event);
        return true;
    }
    for (uint32_t i = 0; i < unit->count; i++) {
        if (unit->results[i].file_delete_state == VCS_FILES_READY) {
            event.kind = VCS_UNIT_EVENT_OUTPUTS_DELETED;
            event.result = i;
            handle(s, unit, event);
            return true;
        }
    }
    return false;
}

/* Does one thing that is due. Returns whether there was any. */
static bool settle_once(vcs_grid_server *s, vcs_grid_unit *unit) {
    const bool waits = (s->project.flags & VCS_GRID_ASSIMILATE_LAST) != 0 && !s->is_batch_done;
    if (unit->record.need_validate != 0 && unit->record.compare_time <= s->now) {
        validate(s, unit);
    } else if (unit->record.transition_time <= s->now) {
        make_transition(s, unit);
    } else if (unit->record.assimilate_state == VCS_ASSIMILATE_READY && !waits) {
        handle(s, unit, (vcs_unit_event){.kind = VCS_UNIT_EVENT_ASSIMILATED, .result = VCS_NONE});
    } else {
        return delete_files(s, unit);
    }
    return true;
}

void vcs_grid_unit_settle(vcs_grid_server *s, vcs_grid_unit *unit) {
    for (uint32_t steps = 0; !vcs_grid_has_failed(s->world) && settle_once(s, unit); steps++) {
        if (steps > 100 + 4 * unit->count) { /* more than it can take, but for the caller's function */
            vcs_emu_fail(&s->world->ground, VCS_ERR_RANGE, 0, "validate", "never lets the unit end");
        }
    }
    if (vcs_grid_has_failed(s->world)) {
        return;
    }
    uint32_t finished = 0;
    if (unit->outside == 0 && unit->record.assimilate_state == VCS_ASSIMILATE_DONE) { /* else a host has a copy */
        const vcs_array results = vcs_grid_results_of(unit);
        vcs_grid_note(s, vcs_unit_finished(&unit->record, &results, &finished, vcs_grid_error(s)));
    }
    if (finished == 0) {
        const double compared = unit->record.need_validate != 0 ? unit->record.compare_time : VCS_INFINITY;
        vcs_grid_queue_move(&s->timers, unit->slot, vcs_min(unit->record.transition_time, compared));
        return;
    }
    vcs_grid_unit_count(s, unit);
    vcs_grid_queue_remove(&s->timers, unit->slot);
    for (uint32_t i = 0; i < unit->count; i++) {
        vcs_grid_unlink_copy(s, unit, i);
    }
    vcs_grid_unit_free(s, unit);
}

void vcs_grid_unit_event(vcs_grid_server *s, vcs_grid_unit *unit, vcs_unit_event event) {
    handle(s, unit, event);
    vcs_grid_unit_settle(s, unit);
}

/* ---- The copies of a host, for when it is caught ---- */

uint32_t vcs_grid_copy_of_host(const vcs_grid_unit *unit, uint32_t host) {
    uint32_t i = 0;
    while (unit->copies[i].host != host) {
        i++;
        VCS_INVARIANT(i < unit->count); /* the host has one */
    }
    return i;
}

void vcs_grid_link_copy(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t index) {
    vcs_grid_copy *copy = &unit->copies[index];
    const uint32_t host = copy->host;
    VCS_INVARIANT(host != VCS_NONE); /* the copy has just been sent */
    uint32_t *first = &s->clients[host].first;
    if ((s->project.flags & VCS_GRID_WITHDRAW) == 0) {
        return; /* nobody will ask, and other units are far away in memory */
    }
    copy->previous = VCS_NONE;
    copy->next = *first;
    if (*first != VCS_NONE) {
        vcs_grid_unit *other = vcs_grid_unit_at(&s->store, *first);
        other->copies[vcs_grid_copy_of_host(other, host)].previous = unit->slot;
    }
    *first = unit->slot;
}

void vcs_grid_unlink_copy(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t index) {
    const vcs_grid_copy copy = unit->copies[index];
    if (copy.host == VCS_NONE) {
        return;
    }
    if (copy.previous != VCS_NONE) {
        vcs_grid_unit *other = vcs_grid_unit_at(&s->store, copy.previous);
        other->copies[vcs_grid_copy_of_host(other, copy.host)].next = copy.next;
    } else {
        s->clients[copy.host].first = copy.next;
    }
    if (copy.next != VCS_NONE) {
        vcs_grid_unit *other = vcs_grid_unit_at(&s->store, copy.next);
        other->copies[vcs_grid_copy_of_host(other, copy.host)].previous = copy.previous;
    }
}

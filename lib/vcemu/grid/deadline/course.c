/*
 * What happens on a server by deadline beyond one unit: withdrawn results, the end of a batch, and time.
 *
 * Rules 8.9, 14.2 and 14.4; worked by hand in tests/vcemu/grid/test_grid_trust.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/deadline/course.h"
#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/deadline/store.h"
#include "vcemu/grid/deadline/units.h"

/* ---- Results of hosts that are caught ---- */

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

/* ---- The end of a batch ---- */

/* Assimilates the units that waited for the end of the batch. */
static void end_batch(vcs_grid_server *s) {
    s->is_batch_done = true;
    for (uint32_t slot = 0; slot < s->store.slots && (s->project.flags & VCS_GRID_ASSIMILATE_LAST) != 0; slot++) {
        vcs_grid_unit_settle(s, vcs_grid_unit_at(&s->store, slot)); /* no unit has left its slot unassimilated */
    }
}

/* Withdrawn results may lead to new verdicts, which may catch more hosts. */
void vcs_grid_conclude(vcs_grid_server *s) {
    const uint64_t units = s->project.units;
    while (s->caught_count > 0) {
        withdraw_from(s, s->caught[--s->caught_count]);
    }
    if (units > 0 && !s->is_batch_done && s->counts.done + s->counts.failed == units) {
        end_batch(s);
    }
}

/* ---- Time ---- */

static double next_transition(const vcs_grid_server *s) {
    return s->timers.count > 0 ? s->timers.entries[0].time : VCS_INFINITY;
}

double vcs_grid_units_due(const vcs_grid_server *s) {
    return vcs_min(next_transition(s), vcs_grid_next_unit(s));
}

/* Each transition and arrival happens at its own time, as if a daemon had waited for it. */
void vcs_grid_units_act(vcs_grid_server *s) {
    if (vcs_grid_next_unit(s) <= next_transition(s)) {
        s->now = vcs_max(s->now, s->next_arrival);
        vcs_grid_unit_create(s);
    } else {
        vcs_grid_unit *unit = vcs_grid_unit_at(&s->store, s->timers.entries[0].number);
        s->now = vcs_max(s->now, s->timers.entries[0].time);
        vcs_grid_unit_settle(s, unit);
        vcs_grid_conclude(s);
    }
}

void vcs_grid_units_advance(vcs_grid_server *s, double until) {
    s->now = vcs_max(s->now, until);
    s->walk = s->first_queued; /* each request looks at all waiting units */
}

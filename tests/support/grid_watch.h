/*
 * An observer of a grid that follows each unit through its life, and knows what may happen next (rules 8.1 to 8.7).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_WATCH_H
#define GRID_WATCH_H

#include "support/grid_case.h"

#include <stdbool.h>

#define WATCHED_COPIES 128

enum copy_state { COPY_UNSENT, COPY_SENT, COPY_GIVEN_UP, COPY_REPORTED };

typedef struct watched_unit {
    bool is_accepted, is_wrong, has_failed;
    uint32_t acceptances;
    struct watched_copy {
        enum copy_state state;
        uint32_t host, report;
        double sent, deadline;
    } copies[WATCHED_COPIES];
} watched_unit;

typedef struct watched_project {
    watched_unit *units;
    size_t count, room;
    uint64_t sent, reported, caught;
    double operations;   /* of all copies that were reported */
    double copy_seconds; /* of all copies that are over: from being sent until then */
    uint64_t over;
} watched_project;

typedef struct watch {
    const grid_case *grid;
    double last; /* time of the last event */
    uint64_t joined, left, of_hosts;
    watched_project projects[MOST];
} watch;

static inline void watch_server(watch *w, const vcs_grid_event *event) {
    watched_project *p = &w->projects[event->project];
    const vcs_grid_project *project = &w->grid->projects[event->project];
    const bool may_change_its_mind = (project->flags & VCS_GRID_WITHDRAW) != 0;
    if (event->kind == VCS_GRID_EVENT_CAUGHT) {
        p->caught++;
        assert_true((project->flags & VCS_GRID_BLACKLIST) != 0);
        return;
    }
    if (event->kind == VCS_GRID_EVENT_UNIT) {
        if (p->count == p->room) {
            p->room = 2 * p->room + 256;
            p->units = realloc(p->units, p->room * sizeof *p->units);
            assert_non_null(p->units);
        }
        memset(&p->units[p->count++], 0, sizeof *p->units);
        assert_int_equal(event->unit, p->count);
        assert_int_equal(event->reason, 0);
        return;
    }
    assert_true(event->unit >= 1 && event->unit <= p->count);
    assert_true(event->copy_index < WATCHED_COPIES);
    watched_unit *unit = &p->units[event->unit - 1];
    struct watched_copy *copy = &unit->copies[event->copy_index];
    switch (event->kind) {
    case VCS_GRID_EVENT_SENT:
        assert_int_equal(copy->state, COPY_UNSENT);
        assert_false(unit->is_accepted && !may_change_its_mind);
        assert_false(unit->has_failed);
        for (uint32_t i = 0; i < WATCHED_COPIES; i++) {
            assert_false(unit->copies[i].state != COPY_UNSENT && unit->copies[i].host == event->host);
        }
        copy->state = COPY_SENT;
        copy->host = event->host;
        copy->sent = event->time;
        copy->deadline = event->time + project->delay_bound;
        p->sent++;
        break;
    case VCS_GRID_EVENT_REPORTED:
        assert_true(copy->state == COPY_SENT || copy->state == COPY_GIVEN_UP);
        assert_int_equal(copy->host, event->host);
        if (copy->state == COPY_SENT) {
            p->copy_seconds += event->time - copy->sent;
            p->over++;
        }
        copy->state = COPY_REPORTED;
        copy->report = event->reason;
        p->reported++;
        p->operations += event->amount;
        break;
    case VCS_GRID_EVENT_NO_REPLY:
        assert_int_equal(copy->state, COPY_SENT);
        assert_int_equal(copy->host, event->host);
        assert_true(project->dispatch == VCS_GRID_BY_REPLY || event->time >= copy->deadline);
        p->copy_seconds += event->time - copy->sent;
        p->over++;
        copy->state = COPY_GIVEN_UP;
        break;
    case VCS_GRID_EVENT_ACCEPTED:
        assert_int_equal(copy->state, COPY_REPORTED);
        assert_int_equal(copy->report, VCS_REPORT_SUCCESS);
        assert_false(unit->has_failed);
        assert_false(unit->is_accepted && !may_change_its_mind);
        unit->is_accepted = true;
        unit->is_wrong = event->amount != 0.0;
        unit->acceptances++;
        break;
    case VCS_GRID_EVENT_FAILED:
        assert_false(unit->has_failed);
        assert_false(unit->is_accepted && !may_change_its_mind);
        assert_true(event->reason != 0);
        assert_true(event->copy_index == 0 && event->host == VCS_NONE); /* it is about the unit as a whole */
        assert_true(event->amount == 0.0);
        unit->has_failed = true;
        unit->is_accepted = false;
        break;
    default:
        fail_msg("event of kind %u", event->kind);
    }
}

static inline int watch_event(void *context, const vcs_grid_event *event) {
    watch *w = context;
    if (event->time < w->last) {
        fail_msg("event of kind %u of host %u at %.17g after %.17g", event->kind, event->host, event->time, w->last);
    }
    w->last = event->time;
    if (event->kind < VCS_EVENT_KINDS) {
        w->of_hosts++;
    } else if (event->kind == VCS_GRID_EVENT_JOINED || event->kind == VCS_GRID_EVENT_LEFT) {
        *(event->kind == VCS_GRID_EVENT_JOINED ? &w->joined : &w->left) += 1;
    } else {
        watch_server(w, event);
    }
    return VCS_OK;
}

/* Copies on hosts, in copy-seconds, as Little's law has them: exactly, and not only in the long run. */
static inline void check_time_in_progress(const watched_project *p, const vcs_grid_project_outcome *o,
                                          const vcs_grid_terms *terms) {
    const double end = terms->start + terms->duration;
    double seconds = p->copy_seconds;
    uint64_t in_progress = 0;
    for (size_t u = 0; u < p->count; u++) {
        for (uint32_t i = 0; i < WATCHED_COPIES; i++) {
            const struct watched_copy *copy = &p->units[u].copies[i];
            seconds += copy->state == COPY_SENT ? end - copy->sent : 0.0;
            in_progress += copy->state == COPY_SENT;
        }
    }
    assert_int_equal(in_progress, o->in_progress);
    assert_true(fabs(seconds - o->mean_in_progress * terms->duration) <= 1e-6 * seconds);
    assert_true(fabs(p->copy_seconds - o->time_in_progress * (double)p->over) <= 1e-6 * p->copy_seconds);
}

/* The events agree with the counts. */
static inline void check_watched(const watch *w) {
    const grid_case *g = w->grid;
    assert_int_equal(w->joined, g->outcome.hosts);
    assert_int_equal(w->left, g->outcome.left);
    for (uint32_t i = 0; i < g->grid.projects.count; i++) {
        const watched_project *p = &w->projects[i];
        const vcs_grid_project_outcome *o = &g->project_outcomes[i];
        uint64_t accepted = 0, wrong = 0, failed = 0;
        for (size_t u = 0; u < p->count; u++) {
            accepted += p->units[u].is_accepted;
            wrong += p->units[u].is_accepted && p->units[u].is_wrong;
            failed += p->units[u].has_failed;
        }
        if ((g->projects[i].flags & VCS_GRID_WITHDRAW) == 0) { /* else an acceptance may be withdrawn in silence */
            assert_int_equal(accepted, o->done);
            assert_int_equal(wrong, o->wrong_accepted);
            if (g->projects[i].dispatch ==
                VCS_GRID_BY_DEADLINE) { /* else a copy may end in silence, as a withdrawn one */
                check_time_in_progress(p, o, &g->terms);
            }
        }
        assert_int_equal(failed, o->failed);
        assert_int_equal(p->sent, o->copies);
        assert_int_equal(p->caught, o->caught);
        assert_true(p->reported <= o->copies);
        assert_true(p->count <= o->units);
        const double counted =
            o->flops_useful + o->flops_redundant + o->flops_invalid + o->flops_late + o->flops_failed;
        assert_true(fabs(counted - p->operations) <= 1e-9 * p->operations);
    }
}

/* Emulates a grid under observation, and checks all of it. */
static inline void run_watched(grid_case *g) {
    watch w = {.grid = g, .last = -INFINITY};
    g->hooks.observe = watch_event;
    g->hooks.context = &w;
    run_grid(g);
    check_watched(&w);
    for (uint32_t i = 0; i < MOST; i++) {
        free(w.projects[i].units);
    }
    g->hooks.observe = NULL;
    g->hooks.context = NULL;
}

#endif

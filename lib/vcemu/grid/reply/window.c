/*
 * The window of a server by reply: units with jobs on clients, and their number over time.
 *
 * Rule 10.5; worked by hand in tests/vcemu/grid/test_grid_reply.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/reply/window.h"
#include "vcemu/grid/grid_queue.h"

static void sum_up(vcs_grid_server *s, double now) {
    vcs_grid_window *window = &s->by_reply->window;
    const double seconds = now - window->until;
    window->until = now;
    if (window->oldest.count > 0) {
        const double span = -window->newest.entries[0].time - window->oldest.entries[0].time;
        window->jobs_sum += (double)window->oldest.count * seconds;
        window->bytes_sum += (double)window->oldest.count * s->by_reply->blank.size * seconds;
        window->span_sum += span * seconds;
    }
}

void vcs_grid_window_add(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    vcs_grid_window *window = &s->by_reply->window;
    if (unit->held++ == 0) {
        const uint32_t slot = (uint32_t)(unit - s->by_reply->units);
        sum_up(s, s->now);
        vcs_grid_queue_add(&window->oldest, slot, unit->created);
        vcs_grid_queue_add(&window->newest, slot, -unit->created);
        s->counts.window++;
    }
}

void vcs_grid_window_remove(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    vcs_grid_window *window = &s->by_reply->window;
    if (--unit->held == 0) {
        const uint32_t slot = (uint32_t)(unit - s->by_reply->units);
        sum_up(s, s->now);
        vcs_grid_queue_remove(&window->oldest, slot);
        vcs_grid_queue_remove(&window->newest, slot);
        s->counts.window--;
    }
}

void vcs_grid_window_close(vcs_grid_server *s) {
    const vcs_grid_window *window = &s->by_reply->window;
    const double duration = s->world->terms.duration;
    sum_up(s, s->world->end);
    s->outcome.window = window->jobs_sum / duration;
    s->outcome.window_bytes = window->bytes_sum / duration;
    s->outcome.window_span = window->span_sum / duration;
}

/*
 * Which clients of a server by reply are dead. It matters only with VCS_DRAIN_THEN_DEAD.
 *
 * Rule 10.4; worked by hand in tests/vcemu/grid/test_grid_reply.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/reply/liveness.h"
#include "vcemu/grid/reply/grid_jobs.h"
#include "vcemu/host/memory.h"

/* The most surveys in the dead time of an average job, made only when a request finds nothing. A survey costs
   O(jobs + clients); a death is noticed late by a twentieth of the dead time at most. */
#define LOOKS 20.0

bool vcs_grid_survey(vcs_grid_server *s) {
    vcs_grid_dispatcher *d = s->by_reply;
    const bool matters = s->project.order == VCS_DRAIN_THEN_DEAD && d->job_count > 0;
    if (!matters || s->now < d->next_survey ||
        !vcs_emu_reserve(&s->world->ground, &d->rows, d->client_count, sizeof *d->rows)) {
        return false;
    }
    const vcs_client nobody = {0};
    double expected = 0.0; /* of the pool, for a job of this project, s */
    vcs_grid_note(s, vcs_expected_reply(&nobody, &d->blank, &d->pool, &d->rules, &expected, vcs_grid_error(s)));
    d->next_survey = s->now + expected * d->rules.dead_factor / LOOKS;
    const vcs_array clients = {{d->clients}, sizeof *d->clients, d->client_count};
    const vcs_array jobs = {{d->records}, sizeof *d->records, d->job_count};
    const vcs_array rows = {{d->rows}, sizeof *d->rows, d->client_count};
    vcs_grid_note(s, vcs_pool_survey(&clients, &jobs, &d->pool, &d->rules, s->now, &rows, vcs_grid_error(s)));
    for (uint32_t i = 0; i < d->client_count; i++) {
        if (d->rows[i].has_died != 0) {
            d->clients[i].flags |= VCS_CLIENT_DEAD;
            vcs_grid_client_changed(s, i);
        }
    }
    return true;
}

/* A dead client that gets a job has just called; if it stayed dead, the job would go to others at once. */
void vcs_grid_revive(vcs_grid_server *s, uint32_t host) {
    vcs_grid_dispatcher *d = s->by_reply;
    const vcs_reply_times sign_of_life = {.struct_size = sizeof sign_of_life};
    uint32_t refused;
    if ((d->clients[host].flags & VCS_CLIENT_DEAD) != 0) {
        vcs_grid_note(s, vcs_client_reply(&d->clients[host], &d->pool, &sign_of_life, &d->rules, s->now, &refused,
                                          vcs_grid_error(s)));
        vcs_grid_client_changed(s, host);
    }
}

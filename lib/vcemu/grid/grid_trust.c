/*
 * Whether clients return what is right, what servers learn of that, and what follows for a client that is caught.
 *
 * Rules 8.9, 11.2 and 11.3; worked by hand in tests/vcemu/grid/test_grid_trust.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/grid_trust.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/host_class.h"
#include "vcemu/host/memory.h"

/* ---- What a host may get ---- */

void vcs_grid_limit(vcs_grid_server *s, uint32_t host, vcs_send_limits *limits) {
    vcs_grid_client *client = &s->clients[host];
    limits->flags |= client->trust.flags & VCS_BLACKLISTED;
    if (s->project.quota > 0) {
        vcs_grid_note(s, vcs_quota_left(&client->quota, s->now, &limits->quota_left));
    }
}

void vcs_grid_quota_judge(vcs_grid_server *s, uint32_t host, uint32_t valid) {
    if (s->project.quota > 0) {
        vcs_grid_note(s, vcs_quota_judge(&s->clients[host].quota, valid));
    }
}

/* ---- What it did ---- */

uint32_t vcs_grid_draw_result(vcs_grid_world *w, uint32_t number, uint32_t own_number) {
    vcs_grid_volunteer *host = &w->hosts[number];
    const vcs_host_model *model = &w->classes[host->class_index].model;
    const double u = vcs_emu_draw_uniform(&host->lies);
    if (host->is_saboteur != 0 && u < model->sabotage) {
        return (model->flags & VCS_HOSTS_COLLUDE) != 0 ? VCS_GRID_COLLUDED : own_number;
    }
    return host->is_saboteur == 0 && u < model->wrong ? own_number : VCS_GRID_RIGHT;
}

void vcs_grid_learn(vcs_grid_server *s, const vcs_grid_unit *unit, const vcs_change *change) {
    if (change->field != VCS_FIELD_RESULT_OUTCOME && change->field != VCS_FIELD_RESULT_VALIDATE_STATE) {
        return; /* no other change teaches */
    }
    const uint32_t host = unit->copies[change->result].host;
    vcs_lesson lesson = {.struct_size = sizeof lesson};
    if (host == VCS_NONE || unit->copies[change->result].aborted != 0) {
        return; /* no host had it, or the server itself no longer wanted it */
    }
    const vcs_array results = vcs_grid_results_of(unit);
    vcs_grid_note(s, vcs_change_lesson(change, &results, &lesson, vcs_grid_error(s)));
    vcs_grid_client *client = &s->clients[host];
    if ((lesson.flags & VCS_LESSON_TRUST) != 0) {
        vcs_grid_note(s, vcs_trust_update(&client->trust, lesson.trust, lesson.reason));
    }
    if ((lesson.flags & VCS_LESSON_QUOTA) != 0) {
        vcs_grid_quota_judge(s, host, lesson.valid);
    }
    /* Losers of a vote among the copies of a unit are caught only if the copies serve verification (rule 11.2). */
    if (s->project.verification == VCS_GRID_CHECK_RECOMPUTATION && change->field == VCS_FIELD_RESULT_VALIDATE_STATE &&
        change->integer == VCS_VALIDATE_INVALID && change->reason == VCS_REASON_DIFFERS) {
        vcs_grid_catch(s, host, change->reason);
    }
}

void vcs_grid_catch(vcs_grid_server *s, uint32_t host, uint32_t reason) {
    vcs_grid_client *client = &s->clients[host];
    if ((client->trust.flags & VCS_BLACKLISTED) != 0) {
        return;
    }
    vcs_grid_note(s, vcs_trust_update(&client->trust, VCS_TRUST_WRONG, reason));
    if ((s->project.flags & VCS_GRID_BLACKLIST) == 0) {
        client->trust = (vcs_trust){.id = client->trust.id}; /* pardoned at once: it starts afresh */
        return;
    }
    s->outcome.caught++;
    vcs_grid_notify(s, VCS_GRID_EVENT_CAUGHT, host, NULL, 0, 0.0, reason);
    if (vcs_emu_reserve(&s->world->ground, &s->caught, (uint64_t)s->caught_count + 1, sizeof *s->caught)) {
        s->caught[s->caught_count++] = host;
    }
}

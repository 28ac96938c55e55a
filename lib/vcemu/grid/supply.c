/*
 * The servers, as hosts see them: each function finds the server of a host, and asks it. Spot checks, jobs with a
 * result that the server knows already, are made here; a host cannot tell them from other jobs.
 *
 * Rules 11.3, 14.2 and 14.4; worked by hand in tests/vcemu/grid/test_grid_trust.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/supply.h"
#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_trust.h"
#include "vcemu/grid/host_class.h"
#include "vcsched/timers/buffer.h"

/* Work is booked piece by piece: a smaller difference, relative to the whole, comes from rounding. */
#define ROUNDING 1e-9

static vcs_grid_server *server_of(const vcs_emu_emulator *e, uint32_t project) {
    const vcs_grid_world *w = e->grid;
    return &w->servers[w->classes[w->hosts[e->number].class_index].projects[project]];
}

/* If a server fails, so does the host that called it. */
static void pass_failure(vcs_emu_emulator *e) {
    const vcs_grid_world *w = e->grid;
    vcs_emu_note(e, w->ground.code);
}

/* The server knows the result of a spot check; no unit is concerned. */
static bool is_spot_check(vcs_emu_origin origin) {
    return origin.copy == VCS_GRID_SPOT_CHECK;
}

static void call(vcs_emu_emulator *e, uint32_t project) {
    vcs_grid_server *s = server_of(e, project);
    s->outcome.calls++;
    s->kind->advance(s, e->clock->now);
    pass_failure(e);
}

static bool next(vcs_emu_emulator *e, uint32_t project, double *flops, double *est_flops, vcs_emu_origin *origin) {
    vcs_grid_server *s = server_of(e, project);
    *est_flops = s->project.est_flops;
    vcs_emu_stream *spots = &s->clients[e->number].spots;
    bool found = vcs_emu_draw_uniform(spots) < s->project.spot_checks;
    if (found) {
        *flops = vcs_grid_draw_size(&s->project, &s->spot_sizes);
        origin->copy = VCS_GRID_SPOT_CHECK;
    } else {
        found = s->kind->next(s, e->number, flops, origin);
        spots->draws -= !found; /* there was no next job */
    }
    pass_failure(e);
    return found && e->code == VCS_OK;
}

static void limit(vcs_emu_emulator *e, uint32_t project, vcs_send_limits *limits) {
    vcs_grid_server *s = server_of(e, project);
    vcs_grid_limit(s, e->number, limits);
    pass_failure(e);
}

double vcs_grid_transfer_seconds(const vcs_grid_world *w, uint32_t number, double bytes) {
    const double rate = w->classes[w->hosts[number].class_index].model.rate;
    return rate > 0.0 ? bytes / rate : 0.0;
}

/* Draws the fate of the job on this host. A job that fails does so after a part of its time. */
static void draw_fate(vcs_grid_world *w, uint32_t number, vcs_emu_true_task *truth) {
    vcs_grid_volunteer *host = &w->hosts[number];
    const vcs_host_model *model = &w->classes[host->class_index].model;
    const double u = vcs_emu_draw_uniform(&host->fates), part = vcs_emu_draw_uniform(&host->errors);
    if (u < model->client_error) {
        truth->origin.fate = VCS_EMU_FATE_FAILS;
        truth->total *= part;
    } else if (u < model->client_error + model->no_reply) {
        truth->origin.fate = VCS_EMU_FATE_LOST;
    }
}

static void send(vcs_emu_emulator *e, vcs_task *task, vcs_emu_true_task *truth) {
    vcs_grid_world *w = e->grid;
    vcs_grid_server *s = server_of(e, task->project);
    draw_fate(w, e->number, truth);
    truth->ready = e->clock->now + vcs_grid_transfer_seconds(w, e->number, s->project.input_bytes);
    if (s->project.quota > 0) {
        vcs_grid_note(s, vcs_quota_take(&s->clients[e->number].quota, s->now, 1));
    }
    if (is_spot_check(truth->origin)) {
        s->outcome.spot_checks++;
    } else {
        s->kind->send(s, e->number, task, &truth->origin);
    }
    pass_failure(e);
}

static void put_back(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, uint32_t reason) {
    vcs_grid_server *s = server_of(e, project);
    if (!is_spot_check(origin)) {
        s->kind->put_back(s, origin, reason);
    }
    pass_failure(e);
}

static void undo_next(vcs_emu_emulator *e, uint32_t project) {
    server_of(e, project)->clients[e->number].spots.draws--;
}

static bool needs(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth) {
    vcs_grid_server *s = server_of(e, task->project);
    if ((s->project.flags & VCS_GRID_ABORTS) == 0 || is_spot_check(truth->origin)) {
        return true;
    }
    const bool needed = s->kind->needs(s, e->number, task, truth->origin, truth->spent * truth->speed);
    pass_failure(e);
    return needed || e->code != VCS_OK;
}

static double upload(vcs_emu_emulator *e, uint32_t project) {
    return vcs_grid_transfer_seconds(e->grid, e->number, server_of(e, project)->project.output_bytes);
}

/* Work that a stopped job had to repeat from its checkpoint is lost. */
static void report(vcs_emu_emulator *e, const vcs_emu_result *result) {
    vcs_grid_server *s = server_of(e, result->project);
    const double again = result->worked - result->flops;
    s->outcome.flops_lost += again > ROUNDING * result->flops ? again : 0.0;
    if (!is_spot_check(result->origin)) {
        s->kind->report(s, e->number, result);
    } else {
        s->outcome.flops_checks += result->flops;
        if (result->origin.fate == VCS_EMU_FATE_DONE) { /* it shows at once whether the host can be believed */
            if (vcs_grid_draw_result(s->world, e->number, VCS_GRID_FIRST_WRONG) == VCS_GRID_RIGHT) {
                vcs_grid_note(s, vcs_trust_update(&s->clients[e->number].trust, VCS_TRUST_PASSED, 0));
            } else {
                vcs_grid_catch(s, e->number, VCS_REASON_CHECK_FAILED);
            }
        }
    }
    s->kind->conclude(s);
    pass_failure(e);
}

/* When the first of the host's jobs of the project must be reported, less the client's own reserve. */
static double report_by(const vcs_emu_emulator *e, uint32_t project) {
    double earliest = VCS_INFINITY;
    for (uint32_t i = 0; i < e->records->snapshot.tasks.count; i++) {
        const vcs_task *task = &e->records->tasks[i];
        earliest = task->project == project ? vcs_min(earliest, task->deadline) : earliest;
    }
    return earliest - vcs_report_margin(&e->setup->parameters);
}

static double delay(vcs_emu_emulator *e, uint32_t project) {
    vcs_grid_server *s = server_of(e, project);
    vcs_grid_world *w = e->grid;
    vcs_send_limits limits = {.quota_left = UINT32_MAX};
    vcs_next_request request;
    double seconds = 0.0;
    if ((s->project.flags & VCS_GRID_DELAYS) == 0) {
        return 0.0;
    }
    vcs_grid_limit(s, e->number, &limits);
    vcs_next_request_init(&request, sizeof request);
    request.flags = e->servers->asked > 0.0 ? 0 : VCS_REQUEST_WITHOUT_WORK;
    request.sent = e->servers->sent;
    request.late = e->servers->late;
    request.quota_left = limits.quota_left;
    request.report_by = report_by(e, project);
    request.least_delay = e->setup->servers[project].request_delay;
    const double u = vcs_emu_draw_uniform(&w->hosts[e->number].delays);
    vcs_grid_note(s, vcs_next_request_delay(&request, e->clock->now, u, &seconds, NULL, vcs_grid_error(s)));
    pass_failure(e);
    return seconds;
}

static void forget(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, double flops) {
    vcs_grid_server *s = server_of(e, project);
    s->outcome.flops_lost += flops;
    if (!is_spot_check(origin)) {
        s->kind->forget(s, origin);
    }
    pass_failure(e);
}

const vcs_emu_grid_servers vcs_grid_supply = {
    .call = call,
    .next = next,
    .limit = limit,
    .send = send,
    .put_back = put_back,
    .undo_next = undo_next,
    .needs = needs,
    .upload = upload,
    .report = report,
    .delay = delay,
    .forget = forget,
    .observe = vcs_grid_observe_host,
};

/*
 * The servers: whether they answer, and what they send: vcs_send() chooses among the jobs on offer.
 *
 * Rules 9.1 and 9.2; worked by hand in tests/vcemu/host/test_emulator_server.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/server/server.h"
#include "vcemu/host/client/host_state.h"
#include "vcemu/host/client/known_jobs.h"
#include "vcemu/host/client/situation.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/events.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/server/jobs.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/estimates.h"
#include "vcemu/host/tasks/results.h"
#include "vcemu/host/tasks/tasks.h"

/* Each scheduler has spells of its own: those of the first are the same, however many there are. */
static void open_schedulers(vcs_emu_emulator *e, uint32_t project, uint32_t first) {
    const double up_mean = e->setup->servers[project].up_mean;
    for (uint32_t i = 0; i < e->setup->servers[project].schedulers; i++) {
        vcs_emu_scheduler *scheduler = &e->servers->schedulers[first + i];
        scheduler->spells =
            vcs_emu_stream_open(e->setup->emulation.seed, VCS_EMU_DRAW_SERVER, project + ((uint64_t)i << 32));
        scheduler->spell_end =
            up_mean > 0.0 ? e->clock->now + vcs_emu_draw_exponential(&scheduler->spells, up_mean) : VCS_INFINITY;
    }
}

void vcs_emu_servers_open(vcs_emu_emulator *e) {
    const uint64_t seed = e->setup->emulation.seed;
    uint32_t schedulers = 0;
    for (uint32_t i = 0; i < e->records->project_count; i++) {
        vcs_emu_server *server = &e->servers->servers[i];
        server->scheduler_failures = vcs_emu_stream_open(seed, VCS_EMU_DRAW_SCHEDULER_FAILURE, i);
        server->network_failures = vcs_emu_stream_open(seed, VCS_EMU_DRAW_NETWORK_FAILURE, i);
        server->master_failures = vcs_emu_stream_open(seed, VCS_EMU_DRAW_MASTER_FAILURE, i);
        server->first = schedulers;
        open_schedulers(e, i, schedulers);
        schedulers += e->setup->servers[i].schedulers;
    }
}

/* ---- Whether they answer ---- */

/* A scheduler goes down and comes up, whether it is called or not. */
static bool is_up(vcs_emu_scheduler *scheduler, const vcs_server_model *model, double now) {
    while (scheduler->spell_end <= now) {
        scheduler->down = !scheduler->down;
        scheduler->spell_end +=
            vcs_emu_draw_exponential(&scheduler->spells, scheduler->down ? model->down_mean : model->up_mean);
    }
    return !scheduler->down;
}

/* Whether the schedulers are at URLs that the client does not know. */
static bool has_moved(const vcs_emu_emulator *e, uint32_t project) {
    const double moves_at = e->setup->servers[project].moves_at;
    return moves_at > 0.0 && e->clock->now >= e->setup->emulation.start + moves_at &&
           !e->servers->servers[project].knows_move;
}

bool vcs_emu_scheduler_answers(vcs_emu_emulator *e, uint32_t project, uint32_t number) {
    vcs_emu_server *server = &e->servers->servers[project];
    const vcs_server_model *model = &e->setup->servers[project];
    const double network = vcs_emu_draw_uniform(&server->network_failures);
    const double scheduler = vcs_emu_draw_uniform(&server->scheduler_failures);
    return is_up(&e->servers->schedulers[server->first + number], model, e->clock->now) &&
           network >= model->network_failure && scheduler >= model->scheduler_failure && !has_moved(e, project);
}

bool vcs_emu_master_answers(vcs_emu_emulator *e, uint32_t project, bool *moved) {
    vcs_emu_server *server = &e->servers->servers[project];
    const vcs_server_model *model = &e->setup->servers[project];
    const double network = vcs_emu_draw_uniform(&server->master_failures);
    const double file = vcs_emu_draw_uniform(&server->master_failures);
    const bool answers = is_up(&e->servers->schedulers[server->first], model, e->clock->now) &&
                         network >= model->network_failure && file >= model->master_failure;
    *moved = answers && has_moved(e, project);
    server->knows_move |= *moved;
    return answers;
}

/* ---- What they are told ---- */

/* Fills in the request, and how long each resource is busy with tasks in danger (rule 4.4). The study's client asks for
   seconds alone (13.4); if the caller's function decides on deadlines, the library needs no busy times. */
static void make_request(vcs_emu_emulator *e, const vcs_fetch_decision *asked) {
    vcs_emu_servers *s = e->servers;
    const uint32_t resources = e->records->resource_count;
    const bool is_study = vcs_emu_is_study(e), names_busy = !is_study && e->setup->hooks.send == NULL;
    if (names_busy && vcs_emu_prepare(e)) {
        vcs_emu_note(e, vcs_edf(e->workspace->state, VCS_EDF_MISSED, NULL));
        vcs_emu_note(e, vcs_edf_resources(e->workspace->state, &(vcs_array){{s->busy}, sizeof *s->busy, resources}));
    }
    for (uint32_t r = 0; r < resources; r++) {
        s->requests[r] = (vcs_send_request){
            .seconds = asked[r].seconds,
            .instances = is_study ? 0.0 : asked[r].instances,
            .busy = names_busy ? s->busy[r].busy : 0.0,
            .latency_bound = is_study ? 0.0 : asked[r].latency_bound,
            .jobs = is_study ? 0 : asked[r].jobs,
        };
    }
}

/* ---- What they know ---- */

/* Describes the jobs to vcs_send(). The library works out what a job fills and how long it takes, except by the study's
   rules (13.4, 13.6). If the caller's function decides on deadlines, the library gets only the latency bounds that are
   too short to be wanted. */
static void describe_jobs(vcs_emu_emulator *e) {
    const bool is_study = vcs_emu_is_study(e);
    for (uint32_t i = 0; i < e->workspace->offered; i++) {
        vcs_task *job = &e->workspace->candidates[i];
        const vcs_emu_true_task *truth = &e->workspace->truths[i];
        const double bound = e->setup->models[job->app].latency_bound;
        const bool is_wanted = bound >= e->servers->requests[job->gpu].latency_bound;
        e->workspace->descriptions[i] = (vcs_send_job){
            .latency_bound = e->setup->hooks.send != NULL && is_wanted ? VCS_INFINITY : bound,
            .seconds = is_study ? vcs_emu_job_fills(e, job->app) : 0.0,
        };
        if (!is_study) {
            vcs_emu_estimate(e, job, truth);
        } else if (e->setup->parameters.work_send != VCS_WORK_SEND_WS1) {
            job->remaining = truth->total; /* the study's server knows the truth where it tests deadlines */
        } else {
            job->remaining = vcs_min(truth->est_flops / truth->speed, VCS_MAX_SECONDS); /* the uncorrected size */
        }
    }
}

static vcs_send_limits limits_of(vcs_emu_emulator *e, uint32_t project) {
    const uint32_t max_in_progress = e->setup->servers[project].max_in_progress;
    vcs_send_limits limits;
    vcs_send_limits_init(&limits, sizeof limits);
    limits.flags = vcs_emu_is_study(e) ? VCS_SEND_STUDY_RULES : 0; /* the first refusal ends the reply (13.6) */
    limits.max_jobs = e->setup->emulation.max_reply;
    limits.max_in_progress = max_in_progress != 0 ? max_in_progress : UINT32_MAX;
    limits.in_progress = e->records->task_counts[project] + e->results->of_projects[project];
    if (e->grid_servers != NULL) {
        e->grid_servers->limit(e, project, &limits);
    }
    return limits;
}

/* ---- The reply ---- */

/* If the caller's function decides on deadlines, the library does not test them. */
static void ask_library(vcs_emu_emulator *e, uint32_t project, const vcs_snapshot *snapshot) {
    const vcs_emu_workspace *jobs = e->workspace;
    const vcs_send_limits limits = limits_of(e, project);
    vcs_send_summary summary = {.struct_size = sizeof summary};
    vcs_parameters without;
    const vcs_parameters *policy = &e->setup->parameters;
    if (e->setup->hooks.send != NULL) {
        without = *policy;
        without.work_send = VCS_WORK_SEND_WS1;
        policy = &without;
    }
    if (vcs_emu_prepare_other(e, snapshot, policy)) {
        vcs_emu_note(
            e, vcs_send(e->workspace->state,
                        &(vcs_array){{e->servers->requests}, sizeof *e->servers->requests, e->records->resource_count},
                        &(vcs_array){{jobs->descriptions}, sizeof *jobs->descriptions, jobs->offered}, &limits,
                        &(vcs_array){{jobs->decisions}, sizeof *jobs->decisions, jobs->offered}, &summary, e->error));
        e->merit->total.refused += summary.late;
        e->servers->sent = summary.sent;
        e->servers->late = summary.late;
    }
}

/* The caller's function may refuse any job that would be sent. */
static void ask_caller(vcs_emu_emulator *e, const vcs_snapshot *snapshot) {
    const vcs_hooks *hooks = &e->setup->hooks;
    vcs_emu_prepare_other(e, snapshot, &e->setup->parameters);
    vcs_emu_simulate(e);
    for (uint32_t i = 0; e->code == VCS_OK && i < e->workspace->offered; i++) {
        vcs_situation situation;
        vcs_admission admission = {.struct_size = sizeof admission};
        if (e->workspace->decisions[i].sent && vcs_emu_show(e, snapshot, &situation)) {
            vcs_emu_note_hook(e, hooks->send(hooks->context, &situation, i, &admission), "send");
            e->workspace->decisions[i].sent = admission.admitted != 0;
            e->merit->total.refused += admission.admitted == 0;
        }
    }
}

/* Adds the job to the tasks of the host. */
static void deliver(vcs_emu_emulator *e, uint32_t index, vcs_resource_reply *replies) {
    vcs_task *task = &e->workspace->candidates[index];
    vcs_emu_true_task *truth = &e->workspace->truths[index];
    if (e->grid_servers != NULL) {
        e->grid_servers->send(e, task, truth);
        if (truth->ready > e->clock->now) {
            task->flags |= VCS_TASK_DOWNLOADING;
            e->tasks->next_ready = vcs_min(e->tasks->next_ready, truth->ready);
        }
    }
    e->merit->projects[task->project].received++;
    e->merit->projects[task->project].flops_received += truth->total * truth->speed;
    replies[task->gpu].tasks++;
    e->jobs->next_id = task->id + 1;
    vcs_emu_book_job(e, task, truth);
    vcs_emu_notify_task(e, VCS_EVENT_RECEIVED, task, VCS_NONE, truth->total * truth->speed);
    vcs_emu_add_task(e, task, truth);
}

void vcs_emu_send(vcs_emu_emulator *e, uint32_t project, const vcs_fetch_decision *asked, vcs_resource_reply *replies) {
    const vcs_emu_workspace *space = e->workspace;
    make_request(e, asked);
    vcs_emu_offer(e, project, e->servers->requests);
    if (space->offered == 0) {
        return;
    }
    VCS_INVARIANT(space->candidates != NULL && space->truths != NULL && space->descriptions != NULL &&
                  space->decisions != NULL); /* there is room for all jobs on offer */
    /* The host as the server sees it: with the jobs on offer, and always usable by the study (13.6). */
    vcs_snapshot snapshot = e->records->snapshot;
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        e->servers->resources[r] = e->records->resources[r];
        e->servers->resources[r].usable = vcs_emu_is_study(e) ? 1.0 : e->records->resources[r].usable;
    }
    snapshot.resources.base = e->servers->resources;
    snapshot.candidates.base = space->candidates;
    snapshot.candidates.count = space->offered;
    describe_jobs(e);
    ask_library(e, project, &snapshot);
    if (e->setup->hooks.send != NULL) {
        ask_caller(e, &snapshot);
    }
    for (uint32_t i = 0; e->code == VCS_OK && i < space->offered; i++) {
        const uint32_t reason = space->decisions[i].reason;
        vcs_emu_know_job(e, &space->candidates[i], e->setup->models[space->candidates[i].app].latency_bound);
        if (space->decisions[i].sent) {
            deliver(e, i, replies);
            continue;
        }
        e->servers->at_limit |= reason == VCS_REASON_HOST_LIMIT;
        if (e->grid_servers != NULL) {
            e->grid_servers->put_back(e, project, space->truths[i].origin, reason);
        }
        if (reason == VCS_REASON_ENOUGH_SENT || reason == VCS_REASON_REPLY_FULL || reason == VCS_REASON_HOST_LIMIT ||
            reason == VCS_REASON_REPLY_ENDED) { /* no more were wanted, or the host has reached its limit */
            vcs_emu_return_job(e, i);
        }
    }
}

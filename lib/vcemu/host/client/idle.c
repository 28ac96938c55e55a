/*
 * Why instances are idle: found by asking the library after each decision, and booked as time passes.
 *
 * Rule 12.2; worked by hand in tests/vcemu/host/test_emulator_idle.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/idle.h"
#include "vcemu/host/client/choose_project.h"
#include "vcemu/host/client/host_state.h"
#include "vcemu/host/client/network.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/events.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/jobs.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/tasks.h"

#define NOTHING 1e-6 /* instances that may be left by rounding */

/* ---- Tasks that wait ---- */

/* Why a task does not run; a decision leaves no task waiting that fits (rule 4.7). */
static uint32_t why_task_waits(const vcs_task_decision *decision) {
    if (decision->run != 0) {
        return VCS_IDLE_UNEXPLAINED;
    }
    switch (decision->reason) {
    case VCS_REASON_WAITS:
    case VCS_REASON_HELD:
    case VCS_REASON_CANNOT_RUN:
    case VCS_REASON_OWN_DEVICES:
        return VCS_IDLE_UNFIT;
    case VCS_REASON_MEMORY:
    case VCS_REASON_PROJECT_LIMIT:
    case VCS_REASON_APP_LIMIT:
    case VCS_REASON_EXCLUDED:
        return VCS_IDLE_LIMIT;
    default:
        return VCS_IDLE_HELD;
    }
}

/* Returns the more specific of two reasons. Task reasons rank in this order. */
static uint32_t stronger(uint32_t a, uint32_t b) {
    static const uint32_t strength[VCS_IDLE_REASONS] = {
        [VCS_IDLE_HELD] = 1,       [VCS_IDLE_NO_WORK] = 1, [VCS_IDLE_LIMIT] = 2,        [VCS_IDLE_SERVER_LIMIT] = 3,
        [VCS_IDLE_BACKED_OFF] = 4, [VCS_IDLE_UNFIT] = 5,   [VCS_IDLE_DISCONNECTED] = 6, [VCS_IDLE_UNEXPLAINED] = 7,
    };
    return strength[b] > strength[a] ? b : a;
}

/*
 * Finds for each resource why the host's own tasks do not use idle instances. Running tasks do not give way: if the
 * library would run another task beside them, the caller's function has left it waiting without need.
 */
static void ask_tasks(vcs_emu_emulator *e) {
    const uint32_t count = e->records->snapshot.tasks.count;
    vcs_task_decision *decisions = e->workspace->task_decisions;
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    vcs_parameters keeping = e->setup->parameters;
    keeping.switch_cost = VCS_MAX_SECONDS;
    if (vcs_emu_prepare(e) && e->setup->hooks.schedule != NULL) {
        vcs_emu_prepare_other(e, &e->records->snapshot, &keeping);
        vcs_emu_simulate(e);
    }
    vcs_emu_note(e, vcs_schedule(e->workspace->state, VCS_SCHEDULE_EXPLAIN, &summary));
    vcs_emu_note(e, vcs_schedule_tasks(e->workspace->state, &(vcs_array){{decisions}, sizeof *decisions, count}));
    e->records->changed = true; /* the next decision is made afresh */
    for (uint32_t i = 0; i < count; i++) {
        vcs_emu_idle_resource *idle = &e->idle->resources[e->records->tasks[i].gpu];
        if (e->tasks->truths[i].running_index == VCS_NONE) {
            idle->of_tasks = stronger(idle->of_tasks, why_task_waits(&decisions[i]));
        }
    }
}

/* ---- Projects that could send some ---- */

static bool sends_for(const vcs_emu_emulator *e, uint32_t project, uint32_t resource) {
    uint32_t app = 0;
    while (app < e->records->app_count && !vcs_emu_has_jobs(e, app, project, resource)) {
        app++;
    }
    return app < e->records->app_count;
}

/* VCS_IDLE_NONE = the reason explains nothing. */
static uint32_t why_not_asked(uint32_t reason, bool is_connected) {
    switch (reason) {
    case VCS_REASON_ASKED:
    case VCS_REASON_ASKED_ALONG:
    case VCS_REASON_ASKED_LITTLE:
        return is_connected ? VCS_IDLE_UNEXPLAINED : VCS_IDLE_DISCONNECTED;
    case VCS_REASON_DEFERRED:
    case VCS_REASON_BACKED_OFF:
    case VCS_REASON_MASTER_FILE:
        return VCS_IDLE_BACKED_OFF;
    case VCS_REASON_AT_LIMIT:
    case VCS_REASON_EXCLUDED:
    case VCS_REASON_TOO_MANY_TASKS:
    case VCS_REASON_UPLOADS:
    case VCS_REASON_UPLOADS_WAIT:
        return VCS_IDLE_LIMIT;
    case VCS_REASON_SERVER_LIMIT:
        return VCS_IDLE_SERVER_LIMIT;
    case VCS_REASON_PROJECT_SUSPENDED:
    case VCS_REASON_NO_NEW_WORK:
    case VCS_REASON_NOT_WANTED:
    case VCS_REASON_NO_APPS:
    case VCS_REASON_BY_USER:
    case VCS_REASON_TASK_BY_USER:
    case VCS_REASON_DOWNLOAD_STALLED:
        return VCS_IDLE_NO_WORK;
    default:
        return VCS_IDLE_NONE;
    }
}

/*
 * Whether a project is asked for its buffer alone, while tasks wait at a limit: of what it sent, nothing could run on
 * the idle instances (rule 6.6).
 */
static bool is_for_later(const vcs_fetch_decision *decision, uint32_t of_tasks) {
    return of_tasks == VCS_IDLE_LIMIT && decision->seconds > 0.0 && decision->instances == 0.0;
}

/* Why no project is asked for work for a resource, and until when that holds. */
static uint32_t ask_projects(const vcs_emu_emulator *e, uint32_t resource, double *until) {
    const double connects = vcs_emu_next_connection(e);
    uint32_t found = VCS_IDLE_NO_WORK;
    bool explained = true;
    *until = VCS_INFINITY;
    for (uint32_t p = 0; p < e->records->project_count; p++) {
        const vcs_fetch_decision *decision = &e->idle->asked[vcs_emu_first_of(e, p) + resource];
        if (sends_for(e, p, resource)) {
            const bool later = is_for_later(decision, e->idle->resources[resource].of_tasks);
            const uint32_t reason = later ? VCS_IDLE_NONE : why_not_asked(decision->reason, connects <= e->clock->now);
            explained &= reason != VCS_IDLE_NONE;
            found = stronger(found, reason);
            if (reason == VCS_IDLE_BACKED_OFF || reason == VCS_IDLE_SERVER_LIMIT) {
                /* It sends nothing until both waits are over, whichever is named. */
                const double of_resource =
                    e->records->project_resources[vcs_emu_first_of(e, p) + resource].backoff_until;
                *until = vcs_min(*until, vcs_max(e->records->projects[p].min_rpc_time, of_resource));
            }
        }
    }
    *until = found == VCS_IDLE_DISCONNECTED ? connects : *until;
    return found == VCS_IDLE_NO_WORK && !explained ? VCS_IDLE_NONE : found;
}

/* ---- Both ---- */

static void explain(vcs_emu_emulator *e, uint32_t resource) {
    vcs_emu_idle_resource *idle = &e->idle->resources[resource];
    const vcs_emu_idle_resource before = *idle;
    const vcs_resource *record = &e->records->resources[resource];
    const double amount = record->instances - e->tasks->used[resource];
    idle->amount = (record->flags & VCS_RESOURCE_SUSPENDED) != 0 || amount <= NOTHING ? 0.0 : amount;
    idle->reason = VCS_IDLE_NONE;
    idle->until = idle->used_up = VCS_INFINITY;
    if (idle->amount > 0.0 && idle->amount <= record->reserve + NOTHING) {
        idle->reason = VCS_IDLE_LIMIT;
    } else if (idle->amount > 0.0) {
        const uint32_t of_projects = ask_projects(e, resource, &idle->until);
        const bool by_tasks = idle->of_tasks != VCS_IDLE_NONE && of_projects != VCS_IDLE_UNEXPLAINED;
        idle->reason = by_tasks ? idle->of_tasks : of_projects;
        idle->reason = idle->reason == VCS_IDLE_NONE ? VCS_IDLE_UNEXPLAINED : idle->reason;
        idle->until = by_tasks ? VCS_INFINITY : idle->until;
    }
    if (idle->reason != before.reason || idle->amount != before.amount) {
        vcs_emu_notify(e, VCS_EVENT_IDLE, VCS_NONE, resource, idle->amount, idle->reason);
    }
}

void vcs_emu_explain_idleness(vcs_emu_emulator *e, bool tasks_were_chosen) {
    const uint32_t resources = e->records->resource_count;
    const bool any = e->tasks->leave_idle;
    if (!any && !e->idle->any) {
        return;
    }
    for (uint32_t r = 0; tasks_were_chosen && r < resources; r++) {
        e->idle->resources[r].of_tasks = VCS_IDLE_NONE;
    }
    if (any && tasks_were_chosen) {
        ask_tasks(e);
    }
    if (any && vcs_emu_prepare_to_fetch(e)) { /* the decision that the client would make now */
        const vcs_fetch_question question = {.struct_size = sizeof question, .purpose = VCS_FETCH_CHOOSE};
        vcs_fetch_summary summary = {.struct_size = sizeof summary};
        vcs_emu_fetch(e, &question, &summary, e->idle->asked);
    }
    for (uint32_t r = 0; r < resources; r++) {
        explain(e, r);
    }
    e->idle->any = any;
}

/* ---- As time passes ---- */

void vcs_emu_end_idle_waits(vcs_emu_emulator *e) {
    const vcs_emu_clock *clock = e->clock;
    for (uint32_t r = 0; e->idle->any && r < e->records->resource_count; r++) {
        vcs_emu_idle_resource *idle = &e->idle->resources[r];
        if (idle->until <= clock->now && idle->used_up == VCS_INFINITY) {
            idle->used_up = clock->active - (clock->on ? clock->now - idle->until : 0.0);
        }
    }
}

void vcs_emu_book_use(vcs_emu_emulator *e, double active) {
    vcs_emu_end_idle_waits(e);
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        const vcs_emu_idle_resource *idle = &e->idle->resources[r];
        vcs_resource_outcome *outcome = &e->merit->resources[r];
        outcome->used += e->tasks->used[r] * active;
        if (e->idle->any && idle->reason != VCS_IDLE_NONE) {
            double *const times[VCS_IDLE_REASONS] = {
                [VCS_IDLE_UNFIT] = &outcome->idle_unfit,
                [VCS_IDLE_LIMIT] = &outcome->idle_limit,
                [VCS_IDLE_HELD] = &outcome->idle_held,
                [VCS_IDLE_BACKED_OFF] = &outcome->idle_backed_off,
                [VCS_IDLE_DISCONNECTED] = &outcome->idle_disconnected,
                [VCS_IDLE_NO_WORK] = &outcome->idle_no_work,
                [VCS_IDLE_UNEXPLAINED] = &outcome->idle_unexplained,
                [VCS_IDLE_SERVER_LIMIT] = &outcome->idle_server_limit,
            };
            /* After its end a wait explains nothing. */
            const double unexplained = vcs_min(vcs_max(e->clock->active - idle->used_up, 0.0), active);
            *times[idle->reason] += idle->amount * (active - unexplained);
            outcome->idle_unexplained += idle->amount * unexplained;
        }
    }
}

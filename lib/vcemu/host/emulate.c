/*
 * The main loop: from one moment at which something is due to the next.
 *
 * Rules 12.2 and 13.12; worked by hand in tests/vcemu/host/test_emulator_clock.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/emulator.h"
#include "vcsched/interface/check.h"

/* ---- From moment to moment ---- */

/* A task that has ended frees its processors, and there may be too little work left. */
static void end_tasks(vcs_emu_emulator *e) {
    if (e->tasks.next_finish <= e->clock.active) {
        vcs_emu_book_progress(e);
        e->client.schedule_due = e->client.fetch_due = e->clock.now;
        vcs_emu_end_tasks(e);
    }
}

/* The running tasks stay on the processors. They make progress in active time, so there is nothing to book. */
static void switch_host(vcs_emu_emulator *e) {
    if (e->clock.switch_at <= e->clock.now) {
        vcs_emu_merit_end_idle_waits(e);
        vcs_emu_clock_switch(e);
        vcs_emu_notify(e, e->clock.on ? VCS_EVENT_ON : VCS_EVENT_OFF, VCS_NONE, VCS_NONE, 0.0, 0);
    }
}

/* What is decided, fetched and reported. A call may bring what may run at once. */
static void work(vcs_emu_emulator *e) {
    const double now = e->clock.now;
    if (vcs_min(e->client.schedule_due, vcs_min(e->client.fetch_due, e->network.report_due)) > now) {
        return;
    }
    vcs_emu_book_progress(e);
    if (e->client.schedule_due <= now) {
        /* The study's program decides on fetching, too, each time that it chooses tasks (rule 13.11). */
        e->client.fetch_due = vcs_emu_is_study(e) ? now : e->client.fetch_due;
        vcs_emu_settle(e);
    }
    if (vcs_emu_network_due(e) <= now) {
        vcs_emu_make_calls(e);
    }
    const bool chooses = e->client.schedule_due <= now;
    if (chooses) {
        vcs_emu_choose_tasks(e);
    }
    vcs_emu_explain_idleness(e, chooses);
}

/* Does what is due now; while the host is off, tasks do not end and nothing is decided (rule 13.12). */
static void act(vcs_emu_emulator *e) {
    end_tasks(e);
    switch_host(e);
    if (e->tasks.next_ready <= e->clock.now) { /* files arrive while the host is off, too */
        vcs_emu_tasks_ready(e);
    }
    if (e->clock.on) {
        work(e);
    }
}

/* Moves both clocks to the next moment: that of `due`, of a switch, the end, or when `active` is `finish`. */
static void advance(vcs_emu_clock *clock, double due, double finish) {
    double next = vcs_min(clock->switch_at, clock->end);
    if (!clock->on) {
        clock->now = next;
        return;
    }
    const double finish_at = clock->now + (finish - clock->active);
    next = vcs_min(next, due);
    if (finish_at <= next) {
        clock->active = finish;
        clock->now = finish_at;
    } else if (next > clock->now) {
        clock->active += next - clock->now;
        clock->now = next;
    }
}

bool vcs_emu_step(vcs_emu_emulator *e) {
    /* The clock is between the start and the end. */
    VCS_INVARIANT(VCS_IS_NUMBER(e->clock.now) && e->clock.now >= -VCS_MAX_SECONDS && e->clock.now <= e->clock.end);
    /* No array of tasks is NULL, even without tasks. */
    VCS_INVARIANT(e->records.tasks != NULL && e->records.snapshot.tasks.base != NULL && e->tasks.truths != NULL &&
                  e->tasks.running != NULL);
    VCS_INVARIANT(e->ground->workspace.switching != NULL && e->ground->workspace.chosen != NULL &&
                  e->ground->workspace.task_decisions != NULL);
    act(e);
    const bool goes_on = e->code == VCS_OK && e->clock.now < e->clock.end;
    if (goes_on) {
        const double due = vcs_min(e->client.schedule_due, vcs_emu_network_due(e));
        advance(&e->clock, vcs_min(due, e->tasks.next_ready), e->tasks.next_finish);
    } else {
        vcs_emu_book_progress(e);
    }
    return goes_on;
}

/* ---- The parts ---- */

/* All arrays that keep their size. */
static void lay_out(vcs_emu_emulator *e, const vcs_snapshot *snapshot, vcs_arena *arena) {
    const uint64_t resources = snapshot->resources.count, projects = snapshot->projects.count;
    const uint64_t apps = snapshot->apps.count, project_resources = projects * resources;
    e->records.resources = vcs_arena_allocate(arena, resources, sizeof *e->records.resources);
    e->records.projects = vcs_arena_allocate(arena, projects, sizeof *e->records.projects);
    e->records.project_resources = vcs_arena_allocate(arena, project_resources, sizeof *e->records.project_resources);
    e->records.apps = vcs_arena_allocate(arena, apps, sizeof *e->records.apps);
    e->records.task_counts = vcs_arena_allocate(arena, projects, sizeof *e->records.task_counts);
    e->merit.projects = vcs_arena_allocate(arena, projects, sizeof *e->merit.projects);
    e->merit.resources = vcs_arena_allocate(arena, resources, sizeof *e->merit.resources);
    e->merit.waits = vcs_arena_allocate(arena, projects, sizeof *e->merit.waits);
    e->merit.result_counts = vcs_arena_allocate(arena, projects, sizeof *e->merit.result_counts);
    e->accounts.projects = vcs_arena_allocate(arena, projects, sizeof *e->accounts.projects);
    e->accounts.flops = vcs_arena_allocate(arena, project_resources, sizeof *e->accounts.flops);
    e->accounts.usage = vcs_arena_allocate(arena, resources, sizeof *e->accounts.usage);
    e->accounts.debts = vcs_arena_allocate(arena, projects, sizeof *e->accounts.debts);
    e->accounts.debt_order = vcs_arena_allocate(arena, projects, sizeof *e->accounts.debt_order);
    e->tasks.used = vcs_arena_allocate(arena, resources, sizeof *e->tasks.used);
    e->tasks.tracks = vcs_arena_allocate(arena, resources, sizeof *e->tasks.tracks);
    e->timers.projects = vcs_arena_allocate(arena, projects, sizeof *e->timers.projects);
    e->timers.backoffs = vcs_arena_allocate(arena, resources, sizeof *e->timers.backoffs);
    e->timers.project_draws = vcs_arena_allocate(arena, projects, sizeof *e->timers.project_draws);
    e->timers.backoff_draws = vcs_arena_allocate(arena, project_resources, sizeof *e->timers.backoff_draws);
    e->client.fetch_decisions = vcs_arena_allocate(arena, project_resources, sizeof *e->client.fetch_decisions);
    e->client.forecasts = vcs_arena_allocate(arena, resources, sizeof *e->client.forecasts);
    e->jobs.sizes = vcs_arena_allocate(arena, apps, sizeof *e->jobs.sizes);
    e->jobs.applications = vcs_arena_allocate(arena, project_resources, sizeof *e->jobs.applications);
    e->jobs.speeds = vcs_arena_allocate(arena, apps, sizeof *e->jobs.speeds);
    e->servers.servers = vcs_arena_allocate(arena, projects, sizeof *e->servers.servers);
    e->servers.requests = vcs_arena_allocate(arena, resources, sizeof *e->servers.requests);
    e->servers.busy = vcs_arena_allocate(arena, resources, sizeof *e->servers.busy);
    e->servers.resources = vcs_arena_allocate(arena, resources, sizeof *e->servers.resources);
    e->network.replies = vcs_arena_allocate(arena, resources, sizeof *e->network.replies);
    e->network.ranks = vcs_arena_allocate(arena, projects, sizeof *e->network.ranks);
    e->network.order = vcs_arena_allocate(arena, projects, sizeof *e->network.order);
    e->idle.resources = vcs_arena_allocate(arena, resources, sizeof *e->idle.resources);
    e->idle.asked = vcs_arena_allocate(arena, project_resources, sizeof *e->idle.asked);
}

static void open_parts(vcs_emu_emulator *e, const vcs_snapshot *snapshot) {
    vcs_arena arena = {NULL, 0};
    lay_out(e, snapshot, &arena);
    arena = (vcs_arena){vcs_emu_allocate(e, vcs_arena_size(&arena)), 0};
    if (e->code != VCS_OK) {
        return;
    }
    lay_out(e, snapshot, &arena);
    vcs_emu_clock_open(e);
    vcs_emu_records_open(e, snapshot);
    vcs_emu_accounts_open(e);
    vcs_emu_timers_open(e);
    vcs_emu_servers_open(e);
    vcs_emu_jobs_open(e, &snapshot->tasks);
    vcs_emu_network_open(e);
    vcs_emu_tasks_open(e, &snapshot->tasks);
    vcs_emu_standing_open(e);
    e->client.schedule_due = e->client.fetch_due = e->clock.now;
}

void vcs_emu_open(vcs_emu_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters) {
    vcs_emu_setup_open(e, scenario, parameters);
    if (e->code == VCS_OK) {
        open_parts(e, &scenario->snapshot);
    }
}

/* ---- vcs_emulate() ---- */

/* What the caller passes by structs of its own age. */
static int take_callers(vcs_scenario *known, vcs_hooks *known_hooks, const vcs_scenario *scenario,
                        const vcs_hooks *hooks, const vcs_outcome *outcome) {
    int code = vcs_emu_take_scenario(known, scenario);
    if (code == VCS_OK && hooks != NULL) {
        code = vcs_emu_take_hooks(known_hooks, hooks);
    }
    if (code == VCS_OK) {
        code = vcs_check_size(VCS_TYPE_OUTCOME, outcome->struct_size);
    }
    const bool has_half = (known_hooks->allocate == NULL) != (known_hooks->release == NULL);
    if (code == VCS_OK && (known->flags != 0 || known_hooks->flags != 0 || has_half)) {
        code = VCS_ERR_FLAGS;
    }
    return code;
}

/* An array of outcomes is of all that there are, or empty. */
static int check_outcomes(uint32_t type, uint32_t size, uint32_t count, uint32_t wanted) {
    if (count == 0) {
        return VCS_OK;
    }
    const int code = vcs_check_size(type, size);
    return code == VCS_OK && count != wanted ? VCS_ERR_COUNT : code;
}

static void hand_out_all(void *to, uint32_t size, const void *from, uint32_t known_size, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        vcs_hand_out((unsigned char *)to + (size_t)i * size, size, (const unsigned char *)from + i * known_size,
                     known_size);
    }
}

int vcs_emulate(const vcs_scenario *scenario, const vcs_parameters *parameters, const vcs_hooks *hooks,
                vcs_outcome *outcome, vcs_project_outcome *projects, uint32_t project_size, uint32_t project_count,
                vcs_resource_outcome *resources, uint32_t resource_size, uint32_t resource_count, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (scenario == NULL || parameters == NULL || outcome == NULL || (project_count > 0 && projects == NULL) ||
        (resource_count > 0 && resources == NULL)) {
        return vcs_fail_at(error, VCS_ERR_NULL, 0, "", "the scenario, the parameters or the outcome is NULL");
    }
    vcs_scenario known;
    vcs_emu_emulator e = {.error = error};
    code = take_callers(&known, &e.setup.hooks, scenario, hooks, outcome);
    if (code == VCS_OK) {
        code = check_outcomes(VCS_TYPE_PROJECT_OUTCOME, project_size, project_count, known.snapshot.projects.count);
    }
    if (code == VCS_OK) {
        code = check_outcomes(VCS_TYPE_RESOURCE_OUTCOME, resource_size, resource_count, known.snapshot.resources.count);
    }
    if (code != VCS_OK) {
        return vcs_fail_at(error, code, 0, "",
                           "the scenario, the hooks or the outcome does not have a size or form that this library "
                           "knows");
    }
    e.ground = &e;
    e.memory = (vcs_emu_memory){e.setup.hooks.context, e.setup.hooks.allocate, e.setup.hooks.release};
    e.is_observed = e.setup.hooks.observe != NULL;
    vcs_emu_open(&e, &known, parameters);
    bool goes_on = e.code == VCS_OK;
    while (goes_on) {
        goes_on = vcs_emu_step(&e);
    }
    if (e.code == VCS_OK) {
        vcs_emu_merit_close(&e);
        e.merit.total.struct_size = outcome->struct_size;
        hand_out_all(outcome, outcome->struct_size, &e.merit.total, sizeof e.merit.total, 1);
        hand_out_all(projects, project_size, e.merit.projects, sizeof *projects, project_count);
        hand_out_all(resources, resource_size, e.merit.resources, sizeof *resources, resource_count);
    }
    vcs_emu_release_all(&e);
    return e.code;
}

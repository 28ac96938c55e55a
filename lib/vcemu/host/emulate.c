/*
 * The main loop: from one moment at which something is due to the next. The parts of a host are in whole.h; each sees
 * the others through vcs_emu_emulator, which points to all of them.
 *
 * Rules 12.2 and 13.12; worked by hand in tests/vcemu/host/test_emulator_clock.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/known_jobs.h"
#include "vcemu/host/events.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/whole.h"
#include "vcsched/core/arena.h"
#include "vcsched/interface/check/check.h"
#include "vcemu/interface/emulator_fields.h"

/* ---- From moment to moment ---- */

/* Books what has happened since the last call. */
static void book(vcs_emu_whole *w) {
    const double before = w->tasks.booked_active;
    if (vcs_emu_book_progress(&w->emulator)) {
        vcs_emu_book_use(&w->emulator, w->clock.active - before);
    }
}

/* Books the time that has passed, then settles, calls servers and chooses tasks. A call may bring tasks that can run at
   once. */
static void decide(vcs_emu_whole *w) {
    vcs_emu_emulator *e = &w->emulator;
    const double now = w->clock.now;
    book(w);
    if (w->agenda.schedule_due <= now) {
        /* The study's program decides on fetching, too, each time that it chooses tasks (rule 13.11). */
        w->agenda.fetch_due = vcs_emu_is_study(e) ? now : w->agenda.fetch_due;
        vcs_emu_settle(e);
    }
    if (vcs_emu_network_due(e) <= now) {
        vcs_emu_make_calls(e);
    }
    const bool chooses = w->agenda.schedule_due <= now;
    if (chooses) {
        vcs_emu_choose_tasks(e);
    }
    vcs_emu_explain_idleness(e, chooses);
}

/* Moves both clocks to the next moment: `due`, the next switch, the end, or when `active` is `finish`. */
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

/*
 * One step: does what is due now, and moves the clocks to the next moment. While the host is off, files arrive, but
 * tasks do not end and nothing is decided (rule 13.12). Returns whether there is another step.
 */
bool vcs_emu_step(vcs_emu_whole *w) {
    vcs_emu_emulator *e = &w->emulator;
    vcs_emu_agenda *agenda = &w->agenda;
    /* The clock is between the start and the end. */
    VCS_INVARIANT(VCS_IS_NUMBER(w->clock.now) && w->clock.now >= -VCS_MAX_SECONDS && w->clock.now <= w->clock.end);
    /* No array of tasks is NULL, even without tasks. */
    VCS_INVARIANT(w->records.tasks != NULL && w->records.snapshot.tasks.base != NULL && w->tasks.truths != NULL &&
                  w->tasks.running != NULL);
    VCS_INVARIANT(e->workspace->switching != NULL && e->workspace->chosen != NULL &&
                  e->workspace->task_decisions != NULL);
    if (w->tasks.next_finish <= w->clock.active) { /* frees processors, and too little work may be left */
        book(w);
        agenda->schedule_due = agenda->fetch_due = w->clock.now;
        vcs_emu_end_tasks(e);
    }
    if (w->clock.switch_at <= w->clock.now) { /* running tasks stay on the processors, so there is nothing to book */
        vcs_emu_end_idle_waits(e);
        vcs_emu_clock_switch(&w->clock, &w->setup);
        vcs_emu_learn_spell(e);
        vcs_emu_notify(e, w->clock.on ? VCS_EVENT_ON : VCS_EVENT_OFF, VCS_NONE, VCS_NONE, 0.0, 0);
    }
    if (w->tasks.next_ready <= w->clock.now) {
        vcs_emu_tasks_ready(e);
    }
    if (w->clock.on && vcs_min(agenda->schedule_due, vcs_min(agenda->fetch_due, agenda->report_due)) <= w->clock.now) {
        decide(w);
    }
    if (e->code != VCS_OK || w->clock.now >= w->clock.end) {
        book(w);
        return false;
    }
    const double due = vcs_min(agenda->schedule_due, vcs_emu_network_due(e));
    advance(&w->clock, vcs_min(due, w->tasks.next_ready), w->tasks.next_finish);
    return true;
}

/* ---- The parts ---- */

/* How many schedulers the projects have together. */
static uint64_t count_schedulers(const vcs_emu_whole *w, uint64_t projects) {
    uint64_t schedulers = 0;
    for (uint32_t i = 0; i < projects; i++) {
        schedulers += w->setup.servers[i].schedulers;
    }
    return schedulers;
}

/* Lays out all arrays of constant size: first over an arena without memory, to measure them. */
static void lay_out(vcs_emu_whole *w, const vcs_snapshot *snapshot, vcs_arena *arena) {
    const uint64_t resources = snapshot->resources.count, projects = snapshot->projects.count;
    const uint64_t apps = snapshot->apps.count, project_resources = projects * resources;
    w->records.resources = vcs_arena_allocate(arena, resources, sizeof *w->records.resources);
    w->records.projects = vcs_arena_allocate(arena, projects, sizeof *w->records.projects);
    w->records.project_resources = vcs_arena_allocate(arena, project_resources, sizeof *w->records.project_resources);
    w->records.apps = vcs_arena_allocate(arena, apps, sizeof *w->records.apps);
    w->records.app_resources =
        vcs_arena_allocate(arena, snapshot->app_resources.count, sizeof *w->records.app_resources);
    w->records.hours =
        vcs_arena_allocate(arena, vcs_emu_hour_count(snapshot, &w->setup.parameters), sizeof *w->records.hours);
    w->records.task_counts = vcs_arena_allocate(arena, projects, sizeof *w->records.task_counts);
    w->merit.projects = vcs_arena_allocate(arena, projects, sizeof *w->merit.projects);
    w->merit.resources = vcs_arena_allocate(arena, resources, sizeof *w->merit.resources);
    w->merit.waits = vcs_arena_allocate(arena, projects, sizeof *w->merit.waits);
    w->results.of_projects = vcs_arena_allocate(arena, projects, sizeof *w->results.of_projects);
    w->accounts.projects = vcs_arena_allocate(arena, projects, sizeof *w->accounts.projects);
    w->accounts.flops = vcs_arena_allocate(arena, project_resources, sizeof *w->accounts.flops);
    w->accounts.known_jobs = vcs_arena_allocate(arena, project_resources, sizeof *w->accounts.known_jobs);
    w->accounts.usage = vcs_arena_allocate(arena, resources, sizeof *w->accounts.usage);
    w->accounts.debts = vcs_arena_allocate(arena, projects, sizeof *w->accounts.debts);
    w->accounts.debt_order = vcs_arena_allocate(arena, projects, sizeof *w->accounts.debt_order);
    w->tasks.used = vcs_arena_allocate(arena, resources, sizeof *w->tasks.used);
    w->tasks.tracks = vcs_arena_allocate(arena, resources, sizeof *w->tasks.tracks);
    w->timers.projects = vcs_arena_allocate(arena, projects, sizeof *w->timers.projects);
    w->timers.backoffs = vcs_arena_allocate(arena, resources, sizeof *w->timers.backoffs);
    w->timers.project_draws = vcs_arena_allocate(arena, projects, sizeof *w->timers.project_draws);
    w->timers.backoff_draws = vcs_arena_allocate(arena, project_resources, sizeof *w->timers.backoff_draws);
    w->fetching.decisions = vcs_arena_allocate(arena, project_resources, sizeof *w->fetching.decisions);
    w->fetching.forecasts = vcs_arena_allocate(arena, resources, sizeof *w->fetching.forecasts);
    w->jobs.sizes = vcs_arena_allocate(arena, apps, sizeof *w->jobs.sizes);
    w->jobs.fractions = vcs_arena_allocate(arena, apps, sizeof *w->jobs.fractions);
    w->jobs.applications = vcs_arena_allocate(arena, project_resources, sizeof *w->jobs.applications);
    w->jobs.speeds = vcs_arena_allocate(arena, apps, sizeof *w->jobs.speeds);
    w->servers.servers = vcs_arena_allocate(arena, projects, sizeof *w->servers.servers);
    w->servers.schedulers = vcs_arena_allocate(arena, count_schedulers(w, projects), sizeof *w->servers.schedulers);
    w->servers.requests = vcs_arena_allocate(arena, resources, sizeof *w->servers.requests);
    w->servers.busy = vcs_arena_allocate(arena, resources, sizeof *w->servers.busy);
    w->servers.resources = vcs_arena_allocate(arena, resources, sizeof *w->servers.resources);
    w->network.replies = vcs_arena_allocate(arena, resources, sizeof *w->network.replies);
    w->network.ranks = vcs_arena_allocate(arena, projects, sizeof *w->network.ranks);
    w->network.order = vcs_arena_allocate(arena, projects, sizeof *w->network.order);
    w->idle.resources = vcs_arena_allocate(arena, resources, sizeof *w->idle.resources);
    w->idle.asked = vcs_arena_allocate(arena, project_resources, sizeof *w->idle.asked);
}

/* Makes all parts ready for the first step. libvcsched checks its own records when a state is prepared from them. */
void vcs_emu_open(vcs_emu_whole *w, const vcs_scenario *scenario, const vcs_parameters *parameters) {
    vcs_emu_emulator *e = &w->emulator;
    const vcs_snapshot *snapshot = &scenario->snapshot;
    vcs_arena arena = {NULL, 0};
    vcs_emu_setup_begin(e, &w->setup, scenario);
    w->clock.now = w->setup.emulation.start;
    if (e->code == VCS_OK && vcs_emu_prepare_other(e, snapshot, parameters)) {
        vcs_emu_setup_open(e, &w->setup, scenario, parameters);
    }
    if (e->code == VCS_OK) {
        lay_out(w, snapshot, &arena);
        arena = (vcs_arena){vcs_emu_allocate(e, vcs_arena_size(&arena)), 0};
    }
    if (e->code != VCS_OK) {
        return;
    }
    lay_out(w, snapshot, &arena);
    vcs_emu_clock_open(&w->clock, &w->setup);
    vcs_emu_records_open(e, snapshot);
    vcs_emu_accounts_open(e);
    vcs_emu_timers_open(e);
    vcs_emu_servers_open(e);
    vcs_emu_jobs_open(e, &snapshot->tasks);
    vcs_emu_tasks_open(e, &snapshot->tasks);
    vcs_emu_skip_open(e);
    w->network.connected = w->results.connected = -VCS_INFINITY;
    w->agenda = (vcs_emu_agenda){
        .schedule_due = w->clock.now, .fetch_due = w->clock.now, .report_due = VCS_INFINITY};
}

/* Closes the accounts: what was spent on tasks and results that are late by now is wasted. */
void vcs_emu_close(vcs_emu_whole *w) {
    vcs_emu_emulator *e = &w->emulator;
    VCS_INVARIANT(w->records.tasks != NULL && w->tasks.truths != NULL); /* even without tasks */
    for (uint32_t i = 0; i < w->records.snapshot.tasks.count; i++) {
        const vcs_task *task = &w->records.tasks[i];
        if (task->deadline < w->clock.end) {
            vcs_emu_merit_waste(e, task->cpus, task->gpu, task->gpus, w->tasks.truths[i].spent);
        }
    }
    for (uint32_t i = 0; i < w->results.count; i++) {
        const vcs_emu_result *result = &w->results.all[i];
        if (result->origin.fate == VCS_EMU_FATE_GIVEN_UP) {
            continue; /* it was wasted when it was given up */
        }
        w->merit.projects[result->project].unreported++;
        w->merit.projects[result->project].flops_unreported += result->flops;
        if (result->deadline < w->clock.end) {
            vcs_emu_merit_waste(e, result->cpus, result->gpu, result->gpus, result->spent);
        }
    }
    vcs_emu_merit_close(e);
}

/* ---- vcs_emulate() ---- */

/* Reads the caller's structs, of any age. */
static int read_arguments(vcs_scenario *known, vcs_hooks *known_hooks, const vcs_scenario *scenario,
                          const vcs_hooks *hooks, const vcs_outcome *outcome) {
    int code = vcs_emu_read_scenario(known, scenario);
    if (code == VCS_OK && hooks != NULL) {
        code = vcs_emu_read_hooks(known_hooks, hooks);
    }
    if (code == VCS_OK) {
        code = vcs_check_size(VCS_FIRST_outcome, outcome->struct_size);
    }
    const bool has_half = (known_hooks->allocate == NULL) != (known_hooks->release == NULL);
    if (code == VCS_OK && (known->flags != 0 || known_hooks->flags != 0 || has_half)) {
        code = VCS_ERR_FLAGS;
    }
    return code;
}

/* An array of outcomes has an element for each object, or none; NULL has none. */
static int check_outcomes(const vcs_array *outcomes, uint32_t first_size, uint32_t wanted) {
    return outcomes == NULL || outcomes->count == 0 ? VCS_OK : vcs_check_output(outcomes, first_size, wanted);
}

static void hand_out_all(const vcs_array *outcomes, const void *known, size_t size) {
    for (uint32_t i = 0; outcomes != NULL && i < outcomes->count; i++) {
        vcs_hand_out_element(outcomes, i, (const unsigned char *)known + i * size, (uint32_t)size);
    }
}

int vcs_emulate(const vcs_scenario *scenario, const vcs_parameters *parameters, const vcs_hooks *hooks,
                vcs_outcome *outcome, const vcs_array *projects, const vcs_array *resources, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (scenario == NULL || parameters == NULL || outcome == NULL) {
        return vcs_fail_at(error, VCS_ERR_NULL, 0, "", "the scenario, the parameters or the outcome is NULL");
    }
    vcs_scenario known;
    vcs_emu_workspace workspace = {0};
    vcs_emu_whole whole = {.emulator = {.error = error}};
    vcs_emu_emulator *e = &whole.emulator;
    code = read_arguments(&known, &whole.setup.hooks, scenario, hooks, outcome);
    if (code == VCS_OK) {
        code = check_outcomes(projects, VCS_FIRST_project_outcome, known.snapshot.projects.count);
    }
    if (code == VCS_OK) {
        code = check_outcomes(resources, VCS_FIRST_resource_outcome, known.snapshot.resources.count);
    }
    if (code != VCS_OK) {
        return vcs_fail_at(error, code, 0, "",
                           "the scenario, the hooks or the outcome does not have a size or form that this library "
                           "knows");
    }
    const vcs_hooks *functions = &whole.setup.hooks;
    vcs_emu_join(&whole, e, &workspace);
    e->memory = (vcs_emu_memory){functions->context, functions->allocate, functions->release};
    e->is_observed = functions->observe != NULL;
    vcs_emu_open(&whole, &known, parameters);
    bool goes_on = e->code == VCS_OK;
    while (goes_on) {
        goes_on = vcs_emu_step(&whole);
    }
    if (e->code == VCS_OK) {
        vcs_emu_close(&whole);
        whole.merit.total.struct_size = outcome->struct_size;
        vcs_hand_out(outcome, outcome->struct_size, &whole.merit.total, sizeof whole.merit.total);
        hand_out_all(projects, whole.merit.projects, sizeof *whole.merit.projects);
        hand_out_all(resources, whole.merit.resources, sizeof *whole.merit.resources);
    }
    vcs_emu_release_all(e);
    return e->code;
}

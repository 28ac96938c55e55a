/*
 * The main loop: from one moment at which something is due to the next.
 *
 * Rules 12.2 and 13.12; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/emulator.h"
#include "emulator/study.h"
#include "interface/check.h"

/* ---- From moment to moment ---- */

/* A task that has ended frees its processors, and there may be too little work left. */
static bool end_tasks(vcs_emu_emulator *e) {
    if (e->tasks.next_finish > e->clock.active) {
        return true;
    }
    vcs_emu_book_progress(e);
    e->client.schedule_due = e->clock.now;
    e->client.fetch_due = e->clock.now;
    return vcs_emu_end_tasks(e);
}

/* The running tasks stay on the processors. They make progress in active time, so there is nothing to book. */
static bool switch_host(vcs_emu_emulator *e) {
    if (e->clock.switch_at > e->clock.now) {
        return true;
    }
    vcs_emu_clock_switch(e);
    return e->setup.hooks.observe == NULL ||
           vcs_emu_notify(e, e->clock.on ? VCS_EVENT_ON : VCS_EVENT_OFF, VCS_NONE, VCS_NONE, 0.0);
}

/* The accounts are settled before it is decided which tasks run, and before what that implies for fetching. */
static bool begin_period(vcs_emu_emulator *e) {
    if (vcs_emu_study_fetches_each_period(&e->setup)) {
        e->client.fetch_due = e->clock.now;
    }
    return vcs_emu_settle(e);
}

/* What is decided, fetched and reported while the host is on. A call may bring what may run at once. */
static bool work(vcs_emu_emulator *e) {
    const double now = e->clock.now;
    if (vcs_min(e->client.schedule_due, vcs_min(e->client.fetch_due, e->network.report_due)) > now) {
        return true;
    }
    vcs_emu_book_progress(e);
    if ((e->client.schedule_due <= now && !begin_period(e)) ||
        (vcs_emu_network_due(e) <= now && !vcs_emu_make_calls(e))) {
        return false;
    }
    const bool chooses = e->client.schedule_due <= now;
    return (!chooses || vcs_emu_choose_tasks(e)) && vcs_emu_explain_idleness(e, chooses);
}

/* Does what is due now; while the host is off, nothing of that is done (rule 13.12). */
static bool act(vcs_emu_emulator *e) {
    return end_tasks(e) && switch_host(e) && (!e->clock.on || work(e));
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

static bool run(vcs_emu_emulator *e) {
    bool acted;
    while ((acted = act(e)) && e->clock.now < e->clock.end) {
        advance(&e->clock, vcs_min(e->client.schedule_due, vcs_emu_network_due(e)), e->tasks.next_finish);
    }
    vcs_emu_book_progress(e);
    return acted;
}

static bool open_parts(vcs_emu_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters) {
    const vcs_array *tasks = &scenario->snapshot.tasks;
    if (!vcs_emu_check(e, vcs_emu_setup_open(&e->setup, &e->memory, scenario, parameters)) ||
        !vcs_emu_records_open(e, &scenario->snapshot)) {
        return false;
    }
    vcs_emu_clock_start(e);
    return vcs_emu_merit_open(e) && vcs_emu_accounts_open(e) && vcs_emu_estimates_open(e) && vcs_emu_timers_open(e) &&
           vcs_emu_tasks_open(e, tasks) && vcs_emu_servers_open(e) && vcs_emu_jobs_open(e, tasks) &&
           vcs_emu_client_open(e) && vcs_emu_network_open(e) && vcs_emu_idle_open(e);
}

/* ---- vcs_emulate() ---- */

/* The structs whose size the caller states. */
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
    if (code == VCS_OK && (known->flags != 0 || known_hooks->flags != 0 ||
                           (known_hooks->allocate == NULL) != (known_hooks->release == NULL))) {
        code = VCS_ERR_FLAGS;
    }
    return code;
}

/* An array of outcomes is of all that there are, or empty. */
static int check_outcomes(uint32_t type, uint32_t size, uint32_t count, uint32_t wanted) {
    const int code = count > 0 ? vcs_check_size(type, size) : VCS_OK;
    return code == VCS_OK && count > 0 && count != wanted ? VCS_ERR_COUNT : code;
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
        return vcs_emu_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, "",
                            "the scenario, the parameters or the outcome is NULL");
    }
    vcs_scenario known;
    vcs_emu_emulator e = {.setup = {.error = error}};
    code = take_callers(&known, &e.setup.hooks, scenario, hooks, outcome);
    if (code == VCS_OK) {
        code = check_outcomes(VCS_TYPE_PROJECT_OUTCOME, project_size, project_count, known.snapshot.projects.count);
    }
    if (code == VCS_OK) {
        code = check_outcomes(VCS_TYPE_RESOURCE_OUTCOME, resource_size, resource_count, known.snapshot.resources.count);
    }
    if (code != VCS_OK) {
        return vcs_emu_fail(error, code, VCS_TYPE_NONE, 0, "",
                            "the scenario, the hooks or the outcome does not have a size or form that this library "
                            "knows");
    }
    e.memory.hooks = &e.setup.hooks;
    if (open_parts(&e, &known, parameters) && run(&e)) {
        vcs_emu_merit_close(&e);
        e.merit.total.struct_size = outcome->struct_size;
        hand_out_all(outcome, outcome->struct_size, &e.merit.total, sizeof e.merit.total, 1);
        hand_out_all(projects, project_size, e.merit.projects, sizeof *projects, project_count);
        hand_out_all(resources, resource_size, e.merit.resources, sizeof *resources, resource_count);
    } else if (e.code == VCS_ERR_MEMORY) {
        vcs_emu_fail(error, e.code, VCS_TYPE_NONE, 0, "", "there is not enough memory");
    }
    vcs_emu_release_all(&e.memory);
    return e.code;
}

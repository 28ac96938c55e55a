/*
 * The main loop: from one moment at which something is due to the next.
 *
 * Rules 12.2 and 13.12; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core/number.h"
#include "emulator/emulator.h"
#include "emulator/notify.h"
#include "emulator/study.h"
#include "interface/check.h"

#include <string.h>

/* ---- From moment to moment ---- */

/* A task that has ended frees its processors, and there may be too little work left. */
static int end_tasks(vcs_emu_emulator *e) {
    if (e->tasks.next_finish > e->clock.active) {
        return VCS_OK;
    }
    vcs_emu_book_progress(&e->tasks);
    e->client.schedule_due = e->clock.now;
    e->client.fetch_due = e->clock.now;
    return vcs_emu_end_tasks(&e->tasks);
}

/* The running tasks stay on the processors. They make progress in active time, so there is nothing to book. */
static int switch_host(vcs_emu_emulator *e) {
    if (e->clock.switch_at > e->clock.now) {
        return VCS_OK;
    }
    vcs_emu_clock_switch(&e->clock);
    return vcs_emu_notify(&e->clock, e->clock.on ? VCS_EVENT_ON : VCS_EVENT_OFF, VCS_NONE, VCS_NONE, 0.0);
}

/* The accounts are settled before it is decided which tasks run, and before what that implies for fetching. */
static int begin_period(vcs_emu_emulator *e) {
    vcs_emu_book_progress(&e->tasks);
    if (vcs_emu_study_fetches_each_period(&e->setup)) {
        e->client.fetch_due = e->clock.now;
    }
    return vcs_emu_settle(&e->accounts);
}

/* What is decided, fetched and reported while the host is on. */
static int work(vcs_emu_emulator *e) {
    int code = VCS_OK;
    if (e->client.schedule_due <= e->clock.now) {
        code = begin_period(e);
    }
    if (code == VCS_OK && vcs_emu_network_due(&e->network) <= e->clock.now) {
        vcs_emu_book_progress(&e->tasks);
        code = vcs_emu_make_calls(&e->network);
    }
    if (code == VCS_OK && e->client.schedule_due <= e->clock.now) {
        vcs_emu_book_progress(&e->tasks);
        code = vcs_emu_choose_tasks(&e->client);
    }
    return code;
}

/* Does what is due now; while the host is off, nothing of that is done (rule 13.12). */
static int act(vcs_emu_emulator *e) {
    int code = end_tasks(e);
    if (code == VCS_OK) {
        code = switch_host(e);
    }
    return code == VCS_OK && e->clock.on ? work(e) : code;
}

static double next_decision(const vcs_emu_emulator *e) {
    return vcs_min(e->client.schedule_due, vcs_emu_network_due(&e->network));
}

static int run(vcs_emu_emulator *e) {
    int code;
    while ((code = act(e)) == VCS_OK && e->clock.now < e->clock.end) {
        vcs_emu_clock_advance(&e->clock, e->clock.on ? next_decision(e) : VCS_INFINITY, e->tasks.next_finish);
    }
    vcs_emu_book_progress(&e->tasks);
    return code;
}

/* ---- vcs_emulate() ---- */

/* The structs whose size the caller states. */
static int check_sizes(const vcs_scenario *scenario, const vcs_hooks *hooks, const vcs_outcome *outcome,
                       uint32_t project_size, uint32_t count, vcs_error *error) {
    int code = scenario->struct_size == sizeof *scenario ? VCS_OK : VCS_ERR_ABI_SIZE;
    if (code == VCS_OK && scenario->flags != 0) {
        code = VCS_ERR_FLAGS;
    }
    if (code == VCS_OK && hooks != NULL) {
        code = hooks->struct_size == sizeof *hooks ? VCS_OK : VCS_ERR_ABI_SIZE;
        if (code == VCS_OK && (hooks->flags != 0 || (hooks->allocate == NULL) != (hooks->release == NULL))) {
            code = VCS_ERR_FLAGS;
        }
    }
    if (code == VCS_OK) {
        code = vcs_check_size(outcome->struct_size, sizeof *outcome);
    }
    if (code == VCS_OK && count > 0) {
        code = vcs_check_size(project_size, sizeof(vcs_project_outcome));
    }
    if (code == VCS_OK && count > 0 && count != scenario->snapshot.projects.count) {
        code = VCS_ERR_COUNT;
    }
    return code == VCS_OK ? code
                          : vcs_emu_fail(error, code, VCS_TYPE_NONE, 0, "",
                                         "the scenario, the hooks or the outcome does not have a size or form "
                                         "that this library knows");
}

static void hand_out(const vcs_emu_merit *merit, uint32_t project_count, vcs_outcome *outcome,
                     vcs_project_outcome *projects, uint32_t project_size) {
    vcs_outcome total = merit->total;
    total.struct_size = outcome->struct_size;
    vcs_hand_out(outcome, outcome->struct_size, &total, sizeof total);
    for (uint32_t i = 0; i < project_count; i++) {
        vcs_hand_out((unsigned char *)projects + (size_t)i * project_size, project_size, &merit->projects[i],
                     sizeof merit->projects[i]);
    }
}

int vcs_emulate(const vcs_scenario *scenario, const vcs_parameters *parameters, const vcs_hooks *hooks,
                vcs_outcome *outcome, vcs_project_outcome *projects, uint32_t project_size, uint32_t count,
                vcs_error *error) {
    vcs_emu_emulator e;
    int code = error == NULL ? VCS_OK : vcs_check_size(error->struct_size, sizeof *error);
    if (code != VCS_OK) {
        return code;
    }
    if (scenario == NULL || parameters == NULL || outcome == NULL || (count > 0 && projects == NULL)) {
        return vcs_emu_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, "",
                            "the scenario, the parameters or the outcome is NULL");
    }
    code = check_sizes(scenario, hooks, outcome, project_size, count, error);
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_emu_open(&e, scenario, parameters, hooks, error);
    if (code == VCS_OK) {
        code = run(&e);
    }
    if (code == VCS_OK) {
        vcs_emu_merit_close(&e.merit, &e.records, &e.clock);
        hand_out(&e.merit, count, outcome, projects, project_size);
    } else if (code == VCS_ERR_MEMORY) {
        vcs_emu_fail(error, code, VCS_TYPE_NONE, 0, "", "there is not enough memory");
    }
    vcs_emu_close(&e);
    return code;
}

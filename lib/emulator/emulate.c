/* From the start to the end: from one moment at which something happens to the next. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"
#include "emulator/field_table.h"

#include <string.h>

/* ---- Events for who observes ---- */

static const char event_names[VCS_EVENT_KINDS][12] = {
    [VCS_EVENT_ON] = "on",
    [VCS_EVENT_OFF] = "off",
    [VCS_EVENT_RECEIVED] = "received",
    [VCS_EVENT_STARTED] = "started",
    [VCS_EVENT_STOPPED] = "stopped",
    [VCS_EVENT_ENDED] = "ended",
    [VCS_EVENT_REPORTED] = "reported",
    [VCS_EVENT_LATE] = "late",
    [VCS_EVENT_CALLED] = "called",
    [VCS_EVENT_FAILED] = "failed",
    [VCS_EVENT_FORECAST] = "forecast",
    [VCS_EVENT_MASTER] = "master",
    [VCS_EVENT_NO_MASTER] = "no master",
};

const char *vcs_event_name(uint32_t kind) {
    return kind < VCS_EVENT_KINDS ? event_names[kind] : "";
}

static int tell(vcs_emulator *e, const vcs_event *event) {
    return vcs_hook_failed(e, e->hooks.observe(e->hooks.context, event), "observe");
}

int vcs_tell(vcs_emulator *e, uint32_t kind, uint32_t project, const vcs_task *task, uint32_t track, double amount) {
    if (e->hooks.observe == NULL) {
        return VCS_OK;
    }
    return tell(e, &(vcs_event){
                       .time = e->clock.now,
                       .kind = kind,
                       .project = project,
                       .task = task->id,
                       .resource = task->gpu,
                       .track = track,
                       .amount = amount,
                       .deadline = task->deadline,
                   });
}

int vcs_tell_resource(vcs_emulator *e, uint32_t kind, uint32_t project, uint32_t resource, double amount) {
    if (e->hooks.observe == NULL) {
        return VCS_OK;
    }
    return tell(e, &(vcs_event){
                       .time = e->clock.now,
                       .kind = kind,
                       .project = project,
                       .resource = resource,
                       .track = VCS_NONE,
                       .amount = amount,
                   });
}

/* ---- From moment to moment ---- */

static double sooner(double a, double b) {
    return a < b ? a : b;
}

/* Moves both clocks to the next moment at which something is due. */
static void advance(vcs_emulator *e) {
    vcs_clock *clock = &e->clock;
    double next = sooner(clock->switch_at, clock->end);
    if (!clock->on) {
        clock->now = next;
        return;
    }
    const double finish = clock->now + (e->next_finish - clock->active);
    next = sooner(next, sooner(e->schedule_at, vcs_network_at(e)));
    if (finish <= next) {
        clock->active = e->next_finish;
        clock->now = finish;
    } else if (next > clock->now) {
        clock->active += next - clock->now;
        clock->now = next;
    }
}

/* What has ended makes room, and may leave too little work. */
static int end_what_has_ended(vcs_emulator *e) {
    if (e->next_finish > e->clock.active) {
        return VCS_OK;
    }
    vcs_account(e);
    e->schedule_at = e->clock.now;
    e->fetch_at = e->clock.now;
    return vcs_end_tasks(e);
}

/* What runs stays on the processors, and gets on by active time: there is nothing to book. */
static int switch_host(vcs_emulator *e) {
    int code = VCS_OK;
    if (e->clock.switch_at <= e->clock.now) {
        vcs_clock_switch(e);
        code = vcs_tell_resource(e, e->clock.on ? VCS_EVENT_ON : VCS_EVENT_OFF, VCS_NONE, VCS_NONE, 0.0);
    }
    return code;
}

/* Before it is decided which tasks run, the debts are settled. To the study's fetching they matter, too (13.3). */
static int begin_period(vcs_emulator *e) {
    vcs_account(e);
    if (e->emulation.study_rules) {
        e->fetch_at = e->clock.now;
    }
    return vcs_settle(e);
}

/* What is decided, fetched and reported while the host is on. */
static int work(vcs_emulator *e) {
    int code = VCS_OK;
    if (e->schedule_at <= e->clock.now) {
        code = begin_period(e);
    }
    if (code == VCS_OK && vcs_network_at(e) <= e->clock.now) {
        vcs_account(e);
        code = vcs_network(e);
    }
    if (code == VCS_OK && e->schedule_at <= e->clock.now) {
        vcs_account(e);
        code = vcs_choose_tasks(e);
    }
    return code;
}

/* While it is off, nothing of that is done (rule 13.12). */
static int act(vcs_emulator *e) {
    int code = end_what_has_ended(e);
    if (code == VCS_OK) {
        code = switch_host(e);
    }
    return code == VCS_OK && e->clock.on ? work(e) : code;
}

static int run(vcs_emulator *e) {
    int code = act(e);
    while (code == VCS_OK && e->clock.now < e->clock.end) {
        advance(e);
        code = act(e);
    }
    vcs_account(e);
    return code;
}

/* ---- The interface ---- */

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
                          : vcs_emulator_fail(error, code, VCS_TYPE_NONE, 0, "",
                                              "the scenario, the hooks or the place for the outcome is of no size or "
                                              "form that this library knows");
}

static void hand_out(const vcs_emulator *e, vcs_outcome *outcome, vcs_project_outcome *projects, uint32_t project_size,
                     uint32_t count) {
    vcs_outcome told = e->outcome;
    told.struct_size = outcome->struct_size;
    vcs_hand_out(outcome, outcome->struct_size, &told, sizeof told);
    for (uint32_t i = 0; i < count; i++) {
        vcs_hand_out((unsigned char *)projects + (size_t)i * project_size, project_size, &e->true_projects[i].outcome,
                     sizeof e->true_projects[i].outcome);
    }
}

int vcs_emulate(const vcs_scenario *scenario, const vcs_parameters *parameters, const vcs_hooks *hooks,
                vcs_outcome *outcome, vcs_project_outcome *projects, uint32_t project_size, uint32_t count,
                vcs_error *error) {
    vcs_emulator e;
    int code = error == NULL ? VCS_OK : vcs_check_size(error->struct_size, sizeof *error);
    if (code != VCS_OK) {
        return code;
    }
    if (scenario == NULL || parameters == NULL || outcome == NULL || (count > 0 && projects == NULL)) {
        return vcs_emulator_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, "",
                                 "the scenario, the parameters or the place for the outcome is NULL");
    }
    code = check_sizes(scenario, hooks, outcome, project_size, count, error);
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_emulator_open(&e, scenario, parameters, hooks, error);
    if (code != VCS_OK) {
        return code;
    }
    code = run(&e);
    if (code == VCS_OK) {
        vcs_merit(&e);
        hand_out(&e, outcome, projects, project_size, count);
    } else if (code == VCS_ERR_MEMORY) {
        vcs_emulator_fail(error, code, VCS_TYPE_NONE, 0, "", "there is not enough memory");
    }
    vcs_emulator_close(&e);
    return code;
}

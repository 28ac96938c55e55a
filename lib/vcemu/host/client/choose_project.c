/*
 * Which project is asked for how much work.
 *
 * Rule 6.10; worked by hand in tests/vcemu/host/test_emulator_network.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/client/choose_project.h"
#include "vcemu/host/client/host_state.h"
#include "vcemu/host/client/situation.h"
#include "vcemu/host/client/skip.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/events.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/setup.h"

double vcs_emu_seconds_asked(const vcs_emu_emulator *e, uint32_t project) {
    const vcs_fetch_decision *asked = &e->fetching->decisions[vcs_emu_first_of(e, project)];
    double seconds = 0.0;
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        seconds += asked[r].seconds;
    }
    return seconds;
}

bool vcs_emu_begin_fetch(vcs_emu_emulator *e) {
    const uint32_t resources = e->records->resource_count;
    const bool by_sessions = e->setup->parameters.work_fetch == VCS_WORK_FETCH_SESSIONS;
    vcs_resource_forecast *forecasts = e->fetching->forecasts;
    if (vcs_emu_prepare_to_fetch(e)) {
        e->merit->total.fetches++;
        if (e->is_observed || by_sessions) { /* else nobody looks at the forecasts */
            vcs_emu_note(
                e, vcs_wrr_resources(e->workspace->state, &(vcs_array){{forecasts}, sizeof *forecasts, resources}));
            for (uint32_t r = 0; r < resources; r++) {
                vcs_emu_notify(e, VCS_EVENT_FORECAST, VCS_NONE, r, forecasts[r].saturated, 0);
            }
        }
    }
    return e->code == VCS_OK;
}

static bool is_amount(double value) {
    return value >= 0.0 && vcs_is_finite(value);
}

/* The library makes proper requests; the caller's function may ask for anything. */
static void fetch_by_caller(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary) {
    const uint32_t count = e->records->project_count * e->records->resource_count;
    const vcs_hooks *hooks = &e->setup->hooks;
    vcs_situation situation;
    vcs_fetch_decision *asked = e->fetching->decisions;
    memset(asked, 0, count * sizeof *asked);
    if (vcs_emu_show(e, &e->records->snapshot, &situation)) {
        vcs_emu_note_hook(e, hooks->fetch(hooks->context, &situation, question, asked, summary), "fetch");
    }
    if (summary->next_check != summary->next_check) { /* the main loop would never find the next moment */
        vcs_emu_fail(e, VCS_ERR_RANGE, 0, "fetch", "sets next_check to NaN");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_amount(asked[i].seconds) || !is_amount(asked[i].instances) || !is_amount(asked[i].latency_bound)) {
            vcs_emu_fail(e, VCS_ERR_RANGE, i, "fetch",
                         "asks for seconds, instances or a latency bound that are negative or not finite");
        }
    }
}

void vcs_emu_fetch(vcs_emu_emulator *e, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                   vcs_fetch_decision *asked) {
    vcs_emu_note(e, vcs_fetch(e->workspace->state, question, summary));
    if ((question->flags & VCS_FETCH_BRIEF) == 0 || summary->project != VCS_NONE) {
        const uint32_t count = e->records->project_count * e->records->resource_count;
        vcs_emu_note(e, vcs_fetch_decisions(e->workspace->state, &(vcs_array){{asked}, sizeof *asked, count}));
    }
}

uint32_t vcs_emu_choose_project(vcs_emu_emulator *e, uint32_t project) {
    const bool is_called = project != VCS_NONE, by_library = e->setup->hooks.fetch == NULL;
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .flags = by_library && !is_called ? VCS_FETCH_BRIEF : 0,
        .purpose = is_called ? VCS_FETCH_PIGGYBACK : VCS_FETCH_CHOOSE,
        .project = is_called ? project : 0,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary, .project = VCS_NONE, .next_check = VCS_INFINITY};
    if (!is_called && vcs_emu_can_skip_fetch(e)) {
        e->merit->total.fetches++;
        e->agenda->fetch_due = VCS_INFINITY; /* until a task ends, or the next choice */
        return VCS_NONE;
    }
    if (!vcs_emu_begin_fetch(e)) {
        return VCS_NONE;
    }
    if (!by_library) {
        fetch_by_caller(e, &question, &summary);
    } else {
        vcs_emu_fetch(e, &question, &summary, e->fetching->decisions);
    }
    if (is_called) {
        return project;
    }
    e->agenda->fetch_due = e->clock->now + vcs_max(summary.next_check, VCS_EMU_LEAST_WAIT);
    const bool asks = summary.project < e->records->project_count && vcs_emu_seconds_asked(e, summary.project) > 0.0;
    return asks ? summary.project : VCS_NONE;
}

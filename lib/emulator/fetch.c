/* SPDX-License-Identifier: MIT */
#include "emulator/fetch.h"

#include "core/number.h"
#include "emulator/notify.h"

#include <string.h>

int vcs_emu_fetch_open(vcs_emu_fetch *fetch, vcs_emu_memory *memory) {
    const uint64_t resources = fetch->records->resource_count;
    fetch->due = fetch->clock->now;
    fetch->decisions =
        vcs_emu_allocate(memory, fetch->records->project_count * resources, sizeof *fetch->decisions);
    fetch->forecasts = vcs_emu_allocate(memory, resources, sizeof *fetch->forecasts);
    return memory->failed ? VCS_ERR_MEMORY : VCS_OK;
}

double vcs_emu_seconds_asked(const vcs_emu_fetch *fetch, uint32_t project) {
    const vcs_fetch_decision *asked = vcs_emu_asked_of(fetch, project);
    double seconds = 0.0;
    for (uint32_t r = 0; r < fetch->records->resource_count; r++) {
        seconds += asked[r].seconds;
    }
    return seconds;
}

/* How long each resource is saturated, for the observer. */
static int notify_forecasts(vcs_emu_fetch *fetch) {
    const uint32_t resources = fetch->records->resource_count;
    if (fetch->clock->setup->hooks.observe == NULL) {
        return VCS_OK;
    }
    int code = vcs_wrr_resources(fetch->prepared->state, fetch->forecasts, sizeof *fetch->forecasts, resources);
    for (uint32_t r = 0; code == VCS_OK && r < resources; r++) {
        code = vcs_emu_notify(fetch->clock, VCS_EVENT_FORECAST, VCS_NONE, r, fetch->forecasts[r].saturated);
    }
    return code;
}

static bool is_amount(double value) {
    return value >= 0.0 && vcs_is_finite(value);
}

/* The library made its own requests; those of the caller's function may be anything. */
static int check_requests(const vcs_emu_fetch *fetch, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const vcs_fetch_decision *asked = &fetch->decisions[i];
        if (!is_amount(asked->seconds) || !is_amount(asked->instances)) {
            return vcs_emu_fail(fetch->clock->setup->error, VCS_ERR_RANGE, VCS_TYPE_NONE, i, "fetch",
                                "asks for seconds or instances that are negative or not finite");
        }
    }
    return VCS_OK;
}

static int ask_caller(vcs_emu_fetch *fetch, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                      uint32_t count) {
    const vcs_hooks *hooks = &fetch->clock->setup->hooks;
    const vcs_situation situation = vcs_emu_situation(fetch->prepared, &fetch->records->snapshot);
    memset(fetch->decisions, 0, count * sizeof *fetch->decisions);
    int code = hooks->fetch(hooks->context, &situation, question, fetch->decisions, summary);
    code = vcs_emu_hook_result(fetch->clock->setup, code, "fetch");
    return code == VCS_OK ? check_requests(fetch, count) : code;
}

static int ask_library(vcs_emu_fetch *fetch, const vcs_fetch_question *question, vcs_fetch_summary *summary,
                       uint32_t count) {
    const int code = vcs_fetch(fetch->prepared->state, question, summary);
    return code == VCS_OK
               ? vcs_fetch_decisions(fetch->prepared->state, fetch->decisions, sizeof *fetch->decisions, count)
               : code;
}

/* Fills fetch->decisions. */
static int decide(vcs_emu_fetch *fetch, const vcs_fetch_question *question, vcs_fetch_summary *summary) {
    const uint32_t count = fetch->records->project_count * fetch->records->resource_count;
    int code = vcs_emu_prepare(fetch->prepared);
    if (code != VCS_OK) {
        return code;
    }
    fetch->merit->total.fetches++;
    code = notify_forecasts(fetch);
    if (code != VCS_OK) {
        return code;
    }
    return fetch->clock->setup->hooks.fetch != NULL ? ask_caller(fetch, question, summary, count)
                                                    : ask_library(fetch, question, summary, count);
}

int vcs_emu_choose_project(vcs_emu_fetch *fetch, uint32_t *project) {
    const bool is_called = *project != VCS_NONE;
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = is_called ? VCS_FETCH_PIGGYBACK : VCS_FETCH_CHOOSE,
        .project = is_called ? *project : 0,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary, .project = VCS_NONE, .next_check = VCS_INFINITY};
    const int code = decide(fetch, &question, &summary);
    if (code != VCS_OK || is_called) {
        return code;
    }
    fetch->due = vcs_emu_next_time(fetch->clock, summary.next_check);
    if (summary.project < fetch->records->project_count && vcs_emu_seconds_asked(fetch, summary.project) > 0.0) {
        *project = summary.project;
    }
    return VCS_OK;
}

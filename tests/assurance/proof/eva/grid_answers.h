/*
 * A host in a grid whose servers give anything. SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_GRID_ANSWERS_H
#define VCS_PROOF_GRID_ANSWERS_H

#include "scenario.h"

static void grid_call(vcs_emu_emulator *e, uint32_t number) {
}

static bool grid_next(vcs_emu_emulator *e, uint32_t number, double *flops, double *est_flops, vcs_emu_origin *origin) {
    *flops = any_between(0.0, DBL_MAX);
    *est_flops = any_between(0.0, 1e30);
    origin->copy = ANY_U64();
    origin->fate = any_word(VCS_EMU_FATE_DONE, VCS_EMU_FATE_LOST);
    return any_yes();
}

static void grid_limit(vcs_emu_emulator *e, uint32_t number, vcs_send_limits *limits) {
    limits->flags = ANY_U32();
    limits->quota_left = ANY_U32();
}

static void grid_send(vcs_emu_emulator *e, vcs_task *sent, vcs_emu_true_task *truth) {
    sent->id = ANY_U64();
    truth->origin.copy = ANY_U64();
    truth->origin.fate = any_word(VCS_EMU_FATE_DONE, VCS_EMU_FATE_LOST);
    truth->total = any_between(0.0, VCS_MAX_SECONDS);
    truth->ready = any_between(-DBL_MAX, VCS_INFINITY);
}

static void grid_put_back(vcs_emu_emulator *e, uint32_t number, vcs_emu_origin origin, uint32_t reason) {
}

static void grid_undo_next(vcs_emu_emulator *e, uint32_t number) {
}

static bool grid_needs(vcs_emu_emulator *e, const vcs_task *held, const vcs_emu_true_task *truth) {
    return any_yes();
}

static double grid_seconds(vcs_emu_emulator *e, uint32_t number) {
    return any_between(0.0, VCS_INFINITY);
}

static void grid_report(vcs_emu_emulator *e, const vcs_emu_result *result) {
    vcs_emu_note(e, any_code());
}

static void grid_forget(vcs_emu_emulator *e, uint32_t number, vcs_emu_origin origin, double flops) {
}

static void grid_observe(vcs_emu_emulator *e, const vcs_event *event) {
    vcs_emu_note(e, any_code());
}

static const vcs_emu_grid_servers grid_servers = {
    .call = grid_call,
    .next = grid_next,
    .limit = grid_limit,
    .send = grid_send,
    .put_back = grid_put_back,
    .undo_next = grid_undo_next,
    .needs = grid_needs,
    .upload = grid_seconds,
    .report = grid_report,
    .delay = grid_seconds,
    .forget = grid_forget,
    .observe = grid_observe,
};

/* The same host in a grid, from its first moment to the last. */
static void emulate_in_grid(const vcs_scenario *scenario, const vcs_hooks *hooks) {
    vcs_emu_workspace workspace = {0};
    vcs_emu_whole whole = {
        .emulator = {.grid_servers = &grid_servers, .is_observed = any_yes()},
        .setup.hooks = *hooks,
    };
    vcs_emu_emulator *e = &whole.emulator;
    bool goes_on = true;
    nothing_fails = 1;
    vcs_emu_join(&whole, e, &workspace);
    vcs_emu_open(&whole, scenario, &policy);
    while (e->code == VCS_OK && goes_on) {
        goes_on = vcs_emu_step(&whole);
    }
    if (e->code == VCS_OK) {
        vcs_emu_close(&whole);
    }
    MAY_PASS(e->code);
}

#endif

/*
 * A grid from start to end: from one host's moment to the next one's.
 *
 * Rules 14.1 to 14.4; worked by hand in tests/vcemu/grid/test_grid.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_input.h"
#include "vcemu/grid/grid_queue.h"
#include "vcemu/grid/hosts.h"
#include "vcemu/grid/servers.h"
#include "vcemu/host/memory.h"
#include "vcsched/interface/check/check.h"
#include "vcemu/interface/grid_fields.h"

/* How often the caller is told of progress: this many times in all, and also after this many steps of hosts, so that an
   emulation of a million days can soon be ended. */
#define PROGRESS_STEPS 1000.0
#define STEPS_UNTOLD 8192u

int vcs_grid_terms_init(vcs_grid_terms *terms, uint32_t size) {
    const vcs_grid_terms filled = {.struct_size = size, .seed = 1, .duration = 100 * 86400.0};
    return vcs_hand_out_new(terms, size, VCS_FIRST_grid_terms, &filled, sizeof filled);
}

int vcs_grid_project_init(vcs_grid_project *project, uint32_t size) {
    const vcs_grid_project filled = {
        .delay_bound = 7 * 86400.0,
        .est_flops = 3.6e12,
        .mean_flops = 3.6e12,
        .distribution = VCS_SIZES_CONSTANT,
        .min_quorum = 1,
        .target_nresults = 1,
        .max_error = 3,
        .max_total = 10,
        .max_success = 6,
        .quorum_rule = VCS_QUORUM_EQUAL,
        .order = VCS_OVERDUE_FIRST,
        .recomputation = 1.0,
        .wait_factor = 2.0,
        .dead_factor = 4.0,
        .error_bound = 0.2,
        .tolerance = 0.01,
    };
    return vcs_hand_out_new(project, size, VCS_FIRST_grid_project, &filled, sizeof filled);
}

/* ---- From moment to moment ---- */

static void tell_progress(vcs_grid_world *w, double now) {
    const double done = (now - w->terms.start) / w->terms.duration;
    if (w->hooks.progress != NULL && (done >= w->told || w->outcome.steps >= w->told_steps)) {
        w->told_steps = w->outcome.steps + STEPS_UNTOLD;
        w->told = done + 1.0 / PROGRESS_STEPS;
        vcs_emu_note_hook(&w->ground, w->hooks.progress(w->hooks.context, done), "progress");
    }
}

/* Opens a host that arrives, or lets it do what is due. */
static void step_host(vcs_grid_world *w, uint32_t number) {
    vcs_emu_whole *host = w->hosts[number].whole;
    if (host == NULL) {
        vcs_grid_host_open(w, number);
        return;
    }
    w->outcome.steps++;
    host->records.changed = true; /* another host has used the workspace since */
    if (vcs_emu_step(host)) {
        vcs_grid_queue_move(&w->moments, number, host->clock.now);
    } else {
        vcs_grid_queue_remove(&w->moments, number);
        vcs_grid_host_close(w, number);
    }
}

static void run(vcs_grid_world *w) {
    while (w->moments.count > 0 && !vcs_grid_has_failed(w)) {
        const vcs_grid_entry first = w->moments.entries[0];
        vcs_grid_sample_until(w, vcs_min(first.time, w->end));
        vcs_grid_servers_advance(w, vcs_min(first.time, w->end));
        step_host(w, first.number);
        tell_progress(w, first.time);
    }
    vcs_grid_sample_until(w, w->end);
    vcs_grid_servers_advance(w, w->end);
}

/* ---- The beginning and the end ---- */

static void close_all(vcs_grid_world *w) {
    for (uint32_t i = 0; i < w->server_count; i++) {
        vcs_grid_server_close(&w->servers[i]);
    }
    w->outcome.hosts = w->host_count;
    w->outcome.samples = w->sample_count;
    for (uint32_t i = 0; i < w->host_count; i++) {
        w->outcome.saboteurs += w->hosts[i].is_saboteur;
    }
}

/* After a failure, some hosts are still there. */
static void release_all(vcs_grid_world *w) {
    for (uint32_t i = 0; i < w->host_count; i++) {
        if (w->hosts[i].whole != NULL) {
            vcs_emu_release_all(&w->hosts[i].whole->emulator);
        }
    }
    for (uint32_t i = 0; w->classes != NULL && i < w->class_count; i++) {
        vcs_emu_release_all(&w->classes[i].sample.emulator);
    }
    vcs_emu_release_all(&w->ground);
}

int vcs_emulate_grid(const vcs_grid *grid, const vcs_grid_hooks *hooks, const vcs_grid_results *results,
                     vcs_error *error) {
    const int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    vcs_grid_world w = {.ground = {.error = error}, .results = results};
    w.ground.ground = &w.ground;
    w.ground.workspace = &w.workspace;
    if (grid == NULL || results == NULL) {
        return vcs_fail_at(error, VCS_ERR_NULL, 0, "", "the grid or the results are NULL");
    }
    vcs_grid_read(&w, grid, hooks);
    if (!vcs_grid_has_failed(&w)) {
        vcs_grid_servers_open(&w);
        for (uint32_t c = 0; c < w.class_count; c++) {
            for (uint32_t i = 0; i < w.classes[c].model.count && !vcs_grid_has_failed(&w); i++) {
                vcs_grid_host_plan(&w, c, i, w.terms.start);
            }
        }
        run(&w);
    }
    if (!vcs_grid_has_failed(&w)) {
        close_all(&w);
    }
    if (!vcs_grid_has_failed(&w)) {
        vcs_grid_hand_out(&w, results);
    }
    release_all(&w);
    return w.ground.code;
}

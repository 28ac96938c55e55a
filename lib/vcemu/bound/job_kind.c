/*
 * The bounds of one kind of job.
 *
 * Rule 15.9; the plain reference is tests/oracle/oracle_bound.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/bound/job_kind.h"
#include "vcsched/core/number.h"

/* Less work in time, as a part of the greatest size, is lost in rounding: no job can be done then. */
#define LEAST_WORK 1e-12

/* A job of the least size, which loses least. Of a size of 0 nothing can be lost. */
static double best_of(vcs_emu_mesh *mesh, const vcs_emu_sizes *sizes, double bound, double on, double off,
                      uint32_t parts) {
    if (!(sizes->least > 0.0)) {
        return 1.0;
    }
    vcs_emu_mesh_of_size(mesh, sizes->least, bound, on, off, parts); /* shorter than others that fit */
    const vcs_emu_worth worth = vcs_emu_stop_best(mesh, vcs_emu_stop_hopeless(mesh), NULL);
    return worth.good / worth.used;
}

bool vcs_emu_job_kind(vcs_emu_mesh *mesh, const vcs_emu_sizes *sizes, double bound, double on, double off,
                      uint32_t parts, vcs_emu_kind_worth *worth) {
    *worth = (vcs_emu_kind_worth){0};
    if (!vcs_emu_sizes_fit(sizes, bound)) {
        return true;
    }
    if (!vcs_emu_mesh_of_sizes(mesh, sizes, bound, on, off, parts)) {
        return false;
    }
    const vcs_emu_worth hopeless = vcs_emu_stop_hopeless(mesh), optimal = vcs_emu_stop_best(mesh, hopeless, NULL);
    vcs_emu_size_nodes nodes;
    if (!(hopeless.good > LEAST_WORK * sizes->most)) {
        return true;
    }
    vcs_emu_sizes_divide(sizes, bound, &nodes);
    for (uint32_t i = 0; i < nodes.count; i++) {
        vcs_emu_mesh_of_size(mesh, nodes.sizes[i], bound, on, off, parts); /* no longer than what is there already */
        const vcs_emu_worth each = vcs_emu_stop_hopeless(mesh), best = vcs_emu_stop_best(mesh, each, NULL);
        worth->work += nodes.chances[i] * each.good;
        worth->hopeless += nodes.chances[i] * each.used;
        worth->optimal += nodes.chances[i] * vcs_min(each.good * best.used / best.good, each.used);
    }
    worth->best = best_of(mesh, sizes, bound, on, off, parts);
    /* For the same work, of which the meshes have a little more or less. */
    worth->blind_hopeless = worth->work / hopeless.good * hopeless.used;
    worth->blind_optimal = worth->work / optimal.good * optimal.used;
    return true;
}

/*
 * The mesh on which optimal stopping is computed.
 *
 * Rule 15.9; the plain reference is tests/oracle/oracle_bound.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/bound/mesh.h"
#include "vcsched/core/invariant.h"
#include "vcsched/core/number.h"

/* ---- Along the time for which a job has run ---- */

/* Adds places up to `to`, at most `longest` apart, and at least `least` of them. */
static void add_places(vcs_emu_mesh *mesh, double to, double longest, uint32_t least) {
    const double from = mesh->places[mesh->place_count - 1].run;
    const double needed = (to - from) / longest;
    VCS_INVARIANT(needed >= 0.0 && needed < VCS_EMU_MOST_PLACES); /* few spells, as is checked, and few parts */
    const uint32_t count = (uint32_t)needed + 1 > least ? (uint32_t)needed + 1 : least;
    for (uint32_t i = 1; i <= count; i++) {
        VCS_INVARIANT(mesh->place_count < VCS_EMU_MOST_PLACES); /* few points, too */
        mesh->places[mesh->place_count++].run = i == count ? to : from + (to - from) * i / count;
    }
}

/* What happens on the way to each place. */
static void describe_places(vcs_emu_mesh *mesh, const vcs_emu_sizes *sizes) {
    double above = 1.0; /* the chance that a job has not ended before */
    uint32_t next = 0;
    if (sizes->point_count == 0) {
        above = vcs_emu_sizes_above(sizes, 0.0);
    } else {
        double chance = 0.0;
        for (uint32_t i = 0; i < sizes->point_count; i++) {
            chance += sizes->chances[i];
        }
        above = vcs_min(chance, 1.0); /* jobs that take no time do not count */
    }
    for (uint32_t i = 1; i < mesh->place_count; i++) {
        vcs_emu_place *place = &mesh->places[i];
        const double from = mesh->places[i - 1].run, to = place->run;
        place->step = to - from;
        place->work = place->ends = 0.0;
        if (sizes->point_count == 0) {
            const double later = vcs_emu_sizes_above(sizes, to);
            place->work = vcs_max(vcs_emu_sizes_work(sizes, to) - vcs_emu_sizes_work(sizes, from), 0.0);
            place->cost = vcs_max(to * later - from * above + place->work, 0.0);
            above = later;
            continue;
        }
        place->cost = place->step * above;
        VCS_INVARIANT(next < sizes->point_count); /* the last place is a point */
        if (to == sizes->points[next]) {
            place->ends = sizes->points[next] * sizes->chances[next];
            above -= sizes->chances[next++];
        }
    }
}

/* ---- Along the reach ---- */

static void add_reach(vcs_emu_mesh *mesh, double reach, double off) {
    VCS_INVARIANT(mesh->reach_count < VCS_EMU_MOST_REACHES); /* as few parts as each caller asks for */
    vcs_emu_reach *added = &mesh->reaches[mesh->reach_count];
    const double before = mesh->reach_count > 0 ? added[-1].reach : reach;
    *added = (vcs_emu_reach){.reach = reach, .here = 1.0};
    mesh->reach_count++;
    if (off > 0.0) {
        const double spells = (reach - before) / off;
        const vcs_power power = vcs_exp2_both(-spells * VCS_LOG2_E);
        const double slope = spells > 0.0 ? -power.less_one / spells : 1.0;
        added->keep = power.value;
        added->below = slope - power.value;
        added->here = 1.0 - slope;
    }
}

/* Adds `parts` reaches up to `to`, without the present one. */
static void add_reaches(vcs_emu_mesh *mesh, double to, double off, uint32_t parts) {
    const double from = mesh->reaches[mesh->reach_count - 1].reach;
    for (uint32_t i = 1; i <= parts; i++) {
        add_reach(mesh, i == parts ? to : from + (to - from) * i / parts, off);
    }
}

/* How many parts there are from this reach to another one: `least`, or more for long spans, but no more than `most`. */
static uint32_t parts_between(double from, double to, double off, uint32_t parts, uint32_t least, uint32_t most) {
    const double needed = (to - from) / off * (VCS_EMU_FINE_SPELL * parts / VCS_EMU_FINE);
    const uint32_t count = needed < most ? (uint32_t)needed + 1 : most;
    return count > least ? count : least;
}

/* How long the host is off in all while a job of this size runs, but for a chance of about 1e-11. */
static double longest_off(double size, double on, double off) {
    const double spells = size / on;
    return off * (spells + 10.0 * vcs_sqrt(2.0 * spells) + 26.0);
}

/* Beyond this reach, a job of this size may be off for as long as it likes. */
static double reach_beyond(double size, double bound, double on, double off) {
    return off > 0.0 ? vcs_min(bound, size + longest_off(size, on, off)) : vcs_min(bound, size);
}

/* ---- The mesh ---- */

/* The reaches of sizes with a density: the places from the least size on, and more above the most. A job is given up
   when its reach is. */
static void reach_of_density(vcs_emu_mesh *mesh, uint32_t from, double bound, double on, double off, uint32_t parts) {
    const uint32_t last = mesh->place_count - 1;
    for (uint32_t i = from; i <= last; i++) {
        add_reach(mesh, mesh->places[i].run, off);
        mesh->places[i].first = i > from ? i - from : 1; /* none is in time with the least reach */
    }
    const double top = mesh->places[last].run, beyond = reach_beyond(top, bound, on, off);
    if (beyond > top) {
        add_reaches(mesh, beyond, off, parts_between(top, beyond, off, parts, parts, VCS_EMU_MOST_REACHES / 2));
    }
}

/* The reaches of sizes that are points: the value jumps at each point, so it is there twice, before and behind the
   jump; and more in between, as far as they matter. */
static void reach_of_points(vcs_emu_mesh *mesh, const vcs_emu_sizes *sizes, uint32_t count, double bound, double on,
                            double off, uint32_t parts) {
    const uint32_t share = 4 * parts / count > 8 ? 4 * parts / count : 8, least = share < parts ? share : parts;
    uint32_t place = 1;
    for (uint32_t i = 0; i < count; i++) {
        const double size = sizes->points[i], end = i + 1 < count ? sizes->points[i + 1] : bound;
        const double beyond = reach_beyond(size, end, on, off);
        for (; place < mesh->place_count && mesh->places[place].run <= size; place++) {
            mesh->places[place].first = mesh->reach_count;
        }
        add_reach(mesh, size, off);
        if (beyond > size) {
            const uint32_t most = VCS_EMU_MOST_REACHES / count - 2;
            add_reaches(mesh, beyond, off, parts_between(size, beyond, off, parts, least, most));
        }
        if (i + 1 < count && beyond < end) {
            add_reach(mesh, end, off);
        }
    }
}

bool vcs_emu_mesh_of_sizes(vcs_emu_mesh *mesh, const vcs_emu_sizes *sizes, double bound, double on, double off,
                           uint32_t parts) {
    const double end = vcs_min(sizes->most, bound);
    mesh->on = off > 0.0 ? on : VCS_INFINITY;
    mesh->place_count = 1;
    mesh->reach_count = 0;
    mesh->places[0] = (vcs_emu_place){0};
    uint32_t points = 0;
    while (points < sizes->point_count && sizes->points[points] <= bound) {
        points++;
    }
    const double last = points > 0 ? sizes->points[points - 1] : end;
    if (!vcs_emu_sizes_fit(sizes, bound) || last > mesh->on * VCS_EMU_MOST_SPELLS) {
        return false;
    }
    if (sizes->point_count > 0) {
        for (uint32_t i = 0; i < points; i++) {
            add_places(mesh, sizes->points[i], vcs_min(last / parts, mesh->on), 2);
        }
        reach_of_points(mesh, sizes, points, bound, on, off, parts);
    } else {
        if (sizes->least > 0.0) {
            add_places(mesh, sizes->least, vcs_min(end / parts, mesh->on), 1);
        }
        const uint32_t from = mesh->place_count - 1;
        add_places(mesh, end, vcs_min((end - sizes->least) / (1.5 * parts), mesh->on), 1);
        for (uint32_t i = 1; i <= from; i++) {
            mesh->places[i].first = 1;
        }
        reach_of_density(mesh, from, bound, on, off, parts);
    }
    describe_places(mesh, sizes);
    return true;
}

bool vcs_emu_mesh_of_size(vcs_emu_mesh *mesh, double size, double bound, double on, double off, uint32_t parts) {
    const vcs_emu_sizes sizes = {.least = size, .most = size, .points = {size}, .chances = {1.0}, .point_count = 1};
    return vcs_emu_mesh_of_sizes(mesh, &sizes, bound, on, off, parts);
}

/*
 * Optimal stopping by dynamic programming, from the end of a job to its beginning.
 *
 * Rule 15.9; the plain reference is tests/oracle/oracle_bound.c.
 *
 * Let a second of processor time cost `price`, and a result in time be worth its size. The value U(x, y) of a job that
 * has run for x, times the chance that it has not ended before, obeys
 *
 *     -dU/dx = work(x) - price * cost(x) - (U(x, y) - mean of U(x, y - spell of being off)) / on
 *
 * where it goes on, and it is given up where U would be below 0. Going back by a step takes the mean of both ends
 * (Crank and Nicolson), so that the error falls with the square of the step. The mean over a spell of being off is one
 * of piecewise linear functions, exact and from one reach to the next.
 *
 * The greatest price at which a new job is worth nothing is the greatest fraction of the time used that can be good.
 * With the best stops for one price, good / used is a better price (Dinkelbach); it settles in four to seven rounds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/bound/stopping.h"
#include "vcsched/core/invariant.h"
#include "vcsched/core/number.h"

#include <string.h>

/* Takes the means anew after the values have changed from `first` on. */
static void renew_means(vcs_emu_mesh *mesh, uint32_t first) {
    vcs_emu_values *v = &mesh->values;
    double worth = 0.0, used = 0.0;
    for (uint32_t i = first; i < mesh->reach_count; i++) {
        const vcs_emu_reach *reach = &mesh->reaches[i];
        const double worth_below = i > first ? v->worth[i - 1] : 0.0, used_below = i > first ? v->used[i - 1] : 0.0;
        worth = reach->keep * worth + reach->below * worth_below + reach->here * v->worth[i];
        used = reach->keep * used + reach->below * used_below + reach->here * v->used[i];
        v->mean_worth[i] = worth;
        v->mean_used[i] = used;
    }
}

/* At a place where jobs of one size end. */
static void end_jobs(vcs_emu_mesh *mesh, const vcs_emu_place *place) {
    vcs_emu_values *v = &mesh->values;
    for (uint32_t i = place->first; i < mesh->reach_count; i++) {
        v->worth[i] += place->ends;
    }
    renew_means(mesh, place->first);
}

/* Goes back by the step that leads to `place`. Below `first`, all values are and stay 0. */
static void go_back(vcs_emu_mesh *mesh, const vcs_emu_place *place, double price, bool gives_up) {
    vcs_emu_values *v = &mesh->values;
    const double half = place->step / (2.0 * mesh->on); /* spells of being on, in half of the step */
    const double gain = place->work - price * place->cost;
    double worth = 0.0, mean_worth = 0.0, used = 0.0, mean_used = 0.0; /* at the reach before */
    for (uint32_t i = place->first; i < mesh->reach_count; i++) {
        const vcs_emu_reach *reach = &mesh->reaches[i];
        const double worth_below = reach->keep * mean_worth + reach->below * worth;
        const double used_below = reach->keep * mean_used + reach->below * used;
        const double scale = 1.0 / (1.0 + half * (1.0 - reach->here));
        worth = (v->worth[i] * (1.0 - half) + half * (v->mean_worth[i] + worth_below) + gain) * scale;
        used = (v->used[i] * (1.0 - half) + half * (v->mean_used[i] + used_below) + place->cost) * scale;
        if (gives_up && worth < 0.0 && (place->run > place->step || i + 1 < mesh->reach_count)) { /* not a new job */
            worth = used = 0.0;
        }
        mean_worth = worth_below + reach->here * worth;
        mean_used = used_below + reach->here * used;
        v->worth[i] = worth;
        v->mean_worth[i] = mean_worth;
        v->used[i] = used;
        v->mean_used[i] = mean_used;
    }
}

static void note_stops(const vcs_emu_mesh *mesh, uint32_t place, vcs_emu_stops *stops) {
    for (uint32_t i = 0; i < mesh->reach_count; i++) {
        stops->given_up[(size_t)place * mesh->reach_count + i] = !(mesh->values.used[i] > 0.0);
    }
}

/* A new job at this price. It is begun in any case. */
static vcs_emu_worth solve(vcs_emu_mesh *mesh, double price, bool gives_up, vcs_emu_stops *stops) {
    vcs_emu_values *v = &mesh->values;
    const size_t bytes = mesh->reach_count * sizeof *v->worth;
    memset(v->worth, 0, bytes);
    memset(v->mean_worth, 0, bytes);
    memset(v->used, 0, bytes);
    memset(v->mean_used, 0, bytes);
    VCS_INVARIANT(mesh->place_count > 1 && mesh->reach_count > 0); /* a job that can be in time runs */
    for (uint32_t j = mesh->place_count - 1; j > 0; j--) {
        const vcs_emu_place *place = &mesh->places[j];
        if (place->ends > 0.0) {
            end_jobs(mesh, place);
        }
        go_back(mesh, place, price, gives_up);
        if (stops != NULL) {
            note_stops(mesh, j, stops);
        }
    }
    const double used = v->used[mesh->reach_count - 1];
    return (vcs_emu_worth){v->worth[mesh->reach_count - 1] + price * used, used};
}

vcs_emu_worth vcs_emu_stop_hopeless(vcs_emu_mesh *mesh) {
    return solve(mesh, 0.0, false, NULL);
}

vcs_emu_worth vcs_emu_stop_best(vcs_emu_mesh *mesh, vcs_emu_worth hopeless, vcs_emu_stops *stops) {
    vcs_emu_worth best = hopeless;
    bool better = hopeless.good > 0.0;
    while (better) {
        const vcs_emu_worth next = solve(mesh, best.good / best.used, true, NULL);
        better = next.good * best.used > best.good * next.used * (1.0 + 1e-10);
        best = better ? next : best;
    }
    if (stops != NULL) {
        solve(mesh, best.good / best.used, true, stops);
    }
    return best;
}

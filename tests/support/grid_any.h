/*
 * Grids of all kinds, drawn at random: small, and with everything that can go wrong.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_ANY_H
#define GRID_ANY_H

#include "support/grid_case.h"

static inline double one_of(random_stream *r, double a, double b, double c) {
    const double choices[] = {a, b, c};
    return choices[random_below(r, 3)];
}

static inline void add_any_units(grid_case *g, random_stream *r) {
    static const uint32_t methods[] = {VCS_GRID_CHECK_NONE, VCS_GRID_CHECK_NONE, VCS_GRID_CHECK_DIRECT,
                                       VCS_GRID_CHECK_RECOMPUTATION, VCS_GRID_CHECK_ADAPTIVE};
    const double seconds = random_magnitude(r, 200, 20000);
    vcs_grid_project *p = add_units(g, seconds, seconds * random_magnitude(r, 2, 50));
    p->distribution = random_below(r, 3);
    p->sd_flops = 0.5 * seconds;
    p->mean_flops = seconds * random_between(r, 0.5, 2);
    p->input_bytes = one_of(r, 0, 1e3, 1e5);
    p->output_bytes = one_of(r, 0, 1e3, 1e5);
    p->units = random_below(r, 2) == 0 ? 0 : 1 + random_below(r, 200);
    p->unit_rate = one_of(r, 0, 0, 1 / seconds);
    p->target_nresults = 1 + random_below(r, 4);
    p->min_quorum = 1 + random_below(r, p->target_nresults);
    p->max_total = p->target_nresults + random_below(r, 10);
    p->max_error = random_below(r, 6);
    p->max_success = random_below(r, 8);
    p->quorum_rule = random_below(r, 2);
    p->credit_rule = random_below(r, 2);
    p->fixed_credit = 3;
    p->verification = methods[random_below(r, COUNT_OF(methods))];
    p->recomputation = random_between(r, 1, 4);
    p->min_quorum = p->verification == VCS_GRID_CHECK_RECOMPUTATION ? 1 : p->min_quorum;
    p->flags = random_below(r, 32);
    p->quota = random_below(r, 3) == 0 ? 5 : 0;
    p->max_refusals = random_below(r, 3) == 0 ? 2 : 0;
    p->spot_checks = one_of(r, 0, 0, 0.2);
}

static inline void add_any_hosts(grid_case *g, random_stream *r) {
    const uint32_t index = g->grid.classes.count;
    vcs_host_model *model = add_hosts(g, random_below(r, 8), 1 + random_below(r, 4));
    case_records *host = &g->hosts[index];
    model->speed_sd = one_of(r, 0, 0, 0.5);
    model->arrivals = one_of(r, 0, g->terms.duration / 2, g->terms.duration * 2);
    model->lifetime = one_of(r, 0, g->terms.duration / 3, g->terms.duration / 20);
    model->rate = one_of(r, 0, 1, 100);
    model->client_error = one_of(r, 0, 0.05, 0.3);
    model->no_reply = one_of(r, 0, 0.05, 0.3);
    model->wrong = one_of(r, 0, 0.05, 0.3);
    model->saboteurs = one_of(r, 0, 0.3, 1);
    model->sabotage = one_of(r, 1, 0.5, 0.1);
    model->flags = random_below(r, 4);
    host->emulation.available = one_of(r, 1, 0.8, 0.4);
    host->emulation.available_mean = random_magnitude(r, 300, DAY);
    host->emulation.connection_interval = one_of(r, 0, 0, HOUR);
    host->parameters.min_buffer = random_magnitude(r, 100, DAY);
    host->parameters.additional_buffer = random_magnitude(r, 100, DAY);
    host->parameters.work_send = random_below(r, 2);
    host->emulation.max_reply = 1 + random_below(r, 30);
    for (uint32_t i = 0; i < g->grid.projects.count; i++) {
        host->servers[i].scheduler_failure = one_of(r, 0, 0, 0.2);
    }
    for (uint32_t i = random_below(r, 4); i > 0; i--) {
        g->rows[index][g->classes[index].rows.count++] = (vcs_host_row){
            .weight = random_below(r, 5) + (double)i,
            .cpus = random_below(r, 4),
            .flops = one_of(r, 0, 1, 2.5),
            .available = one_of(r, 0, 1, 0.5),
        };
    }
}

static inline void any_grid(grid_case *g, random_stream *r, uint32_t projects, uint32_t classes) {
    begin_grid(g, random_between(r, 0.5, 5) * DAY);
    g->terms.seed = random_bits(r);
    g->terms.start = one_of(r, 0, 0, 1.7e9);
    for (uint32_t i = 0; i < projects; i++) {
        add_any_units(g, r);
    }
    for (uint32_t i = 0; i < classes; i++) {
        add_any_hosts(g, r);
    }
}

#endif

/*
 * New units: when they come, how large they are, how many copies they get.
 *
 * Rules 11.2 and 14.2; worked by hand in tests/vcemu/grid/test_grid_units.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/arrivals.h"

double vcs_grid_draw_size(const vcs_grid_project *project, vcs_emu_stream *sizes) {
    double size = project->mean_flops;
    if (project->distribution == VCS_SIZES_NORMAL) {
        size = vcs_emu_draw_normal(sizes, project->mean_flops, project->sd_flops);
    } else if (project->distribution == VCS_SIZES_EXPONENTIAL) {
        size = vcs_emu_draw_exponential(sizes, project->mean_flops);
    } else if (project->distribution == VCS_SIZES_LOG_NORMAL) {
        size = vcs_emu_draw_spread(sizes, project->mean_flops, project->sd_flops);
    } else {
        sizes->draws++;
    }
    return size > 0.0 ? size : 0.0;
}

bool vcs_grid_unit_comes(vcs_grid_server *s, double *created) {
    const vcs_grid_project *project = &s->project;
    if (project->units > 0 && s->created >= project->units) {
        return false;
    }
    *created = project->units > 0 ? s->world->terms.start : s->now;
    if (project->unit_rate > 0.0) {
        if (s->next_arrival > s->now) {
            return false;
        }
        *created = s->next_arrival;
        s->next_arrival += vcs_emu_draw_exponential(&s->arrivals, 1.0 / project->unit_rate);
    }
    s->created++;
    s->outcome.units++;
    return true;
}

uint32_t vcs_grid_draw_copies(vcs_grid_server *s) {
    uint32_t copies = 1;
    vcs_grid_note(s, vcs_copies(s->project.recomputation, vcs_emu_draw_uniform(&s->copies), &copies));
    return copies;
}

double vcs_grid_next_unit(const vcs_grid_server *s) {
    const bool comes = s->project.unit_rate > 0.0 && (s->project.units == 0 || s->created < s->project.units);
    return comes ? s->next_arrival : VCS_INFINITY;
}

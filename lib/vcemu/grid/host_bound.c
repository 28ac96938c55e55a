/*
 * What the hosts of a grid have lost, beside what they would have lost at least.
 *
 * Rule 15.9; worked by hand in tests/vcemu/grid/test_grid_bound.c.
 *
 * Finding the bounds of a host takes milliseconds, and a grid has many hosts that differ by their speed alone. So
 * bounds are kept by class, fraction of time on and speed; where hosts have no GPU, they are found at a few speeds, and
 * what is between two of these is interpolated.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/host_bound.h"
#include "vcemu/bound/bound.h"
#include "vcemu/grid/grid_server.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/merit.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"

/* Bounds are found at so many speeds for each doubling: interpolating between them is wrong by .001 at most. */
#define SPEEDS_PER_DOUBLING 16.0

/* The bounds of the hosts of one kind, kept for others of the same. */
struct vcs_grid_known_bounds {
    const vcs_project_bound *bounds; /* of each project of the class */
    double available;                /* fraction of time on */
    double flops;                    /* of a CPU */
    uint32_t class_index;
};

/* The jobs of a class as the units of its projects are. Replies that come late count as well, and a job that fails
   takes less time than its size: neither leaves a bound, so such projects count as without jobs. */
static vcs_job_model *models_of(vcs_grid_world *w, const vcs_grid_class *c) {
    const vcs_emu_records *records = &c->sample.records;
    vcs_job_model *models = vcs_emu_allocate(&w->ground, (uint64_t)records->app_count * sizeof *models);
    for (uint32_t i = 0; models != NULL && i < records->app_count; i++) {
        const vcs_grid_project *project = &w->servers[c->projects[records->apps[i].project]].project;
        models[i] = c->sample.setup.models[i];
        models[i].distribution = project->distribution;
        if (project->dispatch == VCS_GRID_BY_REPLY || c->model.client_error > 0.0) {
            models[i].weight = 0.0;
        }
    }
    return models;
}

static void find(vcs_grid_world *w, const vcs_grid_class *c, const vcs_resource *resources, double available,
                 vcs_project_bound *found) {
    const vcs_emu_setup *setup = &c->sample.setup;
    const vcs_emu_records *records = &c->sample.records;
    vcs_emulation emulation = setup->emulation;
    vcs_scenario scenario = {.struct_size = sizeof scenario, .snapshot = records->snapshot};
    vcs_job_model *models = models_of(w, c);
    emulation.available = available;
    scenario.snapshot.resources.base = (void *)resources;
    scenario.emulation = (vcs_array){{&emulation}, sizeof emulation, 1};
    scenario.models = (vcs_array){{models}, sizeof *models, records->app_count};
    scenario.servers = (vcs_array){{setup->servers}, sizeof *setup->servers, records->project_count};
    scenario.sizes = (vcs_array){.element_size = sizeof(double)};
    scenario.switches = (vcs_array){{setup->switches}, sizeof *setup->switches, setup->switch_count};
    const vcs_array bounds = {{found}, sizeof *found, records->project_count};
    if (models != NULL) {
        vcs_emu_note(&w->ground, vcs_emu_bound(&scenario, &bounds, &w->ground.memory, w->ground.error));
        vcs_emu_free(&w->ground, models);
    }
}

/* The bounds of hosts of a class with these processors, found or kept. NULL if the grid has failed. */
static const vcs_project_bound *bounds_at(vcs_grid_world *w, uint32_t class_index, const vcs_resource *resources,
                                          double available) {
    const vcs_grid_class *c = &w->classes[class_index];
    for (uint32_t i = 0; i < w->known_bounds_count; i++) {
        const vcs_grid_known_bounds *known = &w->known_bounds[i];
        if (known->class_index == class_index && known->available == available && known->flops == resources[0].flops) {
            return known->bounds;
        }
    }
    vcs_project_bound *found = vcs_emu_allocate(&w->ground, (uint64_t)c->sample.records.project_count * sizeof *found);
    if (found != NULL &&
        vcs_emu_reserve(&w->ground, &w->known_bounds, (uint64_t)w->known_bounds_count + 1, sizeof *w->known_bounds)) {
        find(w, c, resources, available, found);
        w->known_bounds[w->known_bounds_count++] =
            (vcs_grid_known_bounds){found, available, resources[0].flops, class_index};
    }
    return vcs_grid_has_failed(w) ? NULL : found;
}

/* Likewise at one of the few speeds of a class without GPUs. */
static const vcs_project_bound *bounds_at_speed(vcs_grid_world *w, uint32_t class_index, double speed,
                                                double available) {
    vcs_resource cpu = w->classes[class_index].sample.records.resources[0];
    cpu.flops = cpu.flops * vcs_exp2(speed / SPEEDS_PER_DOUBLING);
    return bounds_at(w, class_index, &cpu, available);
}

/* Interpolates. Returns false if a project has a bound at one speed, and none at the other. */
static bool interpolate(const vcs_project_bound *below, const vcs_project_bound *above, double part, uint32_t count,
                        vcs_project_bound *own) {
    for (uint32_t i = 0; i < count; i++) {
        if (below[i].flags != above[i].flags) {
            return false;
        }
        own[i] = below[i];
        own[i].optimal = below[i].optimal + part * (above[i].optimal - below[i].optimal);
    }
    return true;
}

/* The bounds of this host. */
static void bounds_of(vcs_grid_world *w, const vcs_emu_emulator *e, vcs_project_bound *own) {
    const uint32_t class_index = w->hosts[e->number].class_index, count = e->records->project_count;
    const vcs_resource *resources = e->records->resources;
    const double available = e->setup->emulation.available;
    const double speed =
        SPEEDS_PER_DOUBLING * vcs_log2(resources[0].flops / w->classes[class_index].sample.records.resources[0].flops);
    const double below = (double)(int64_t)(speed < 0.0 ? speed - 1.0 : speed);
    if (e->records->resource_count == 1 && speed != below) {
        const vcs_project_bound *low = bounds_at_speed(w, class_index, below, available);
        const vcs_project_bound *high = bounds_at_speed(w, class_index, below + 1.0, available);
        if (vcs_grid_has_failed(w) || interpolate(low, high, speed - below, count, own)) {
            return;
        }
    }
    const vcs_project_bound *found = bounds_at(w, class_index, resources, available);
    if (!vcs_grid_has_failed(w)) {
        memcpy(own, found, count * sizeof *own);
    }
}

void vcs_grid_compare_host(vcs_grid_world *w, const vcs_emu_emulator *e, vcs_grid_host_outcome *row) {
    const uint32_t count = e->records->project_count;
    if ((w->terms.flags & VCS_GRID_BOUNDS) == 0) {
        return;
    }
    vcs_project_bound *own = vcs_emu_allocate(&w->ground, (uint64_t)count * sizeof *own);
    if (own == NULL) {
        return;
    }
    bounds_of(w, e, own);
    if (!vcs_grid_has_failed(w)) {
        const vcs_array bounds = {{own}, sizeof *own, count};
        const vcs_array projects = {{e->merit->projects}, sizeof *e->merit->projects, count};
        const vcs_array resources = {{e->merit->resources}, sizeof *e->merit->resources, e->records->resource_count};
        vcs_emu_note(&w->ground, vcs_bound_beyond(&bounds, VCS_BOUND_OPTIMAL, &projects, &resources, &row->lost,
                                                  &row->least_loss, w->ground.error));
    }
    vcs_emu_free(&w->ground, own);
}

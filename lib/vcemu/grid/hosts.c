/*
 * The hosts: how many there are, what is drawn for each, and when it comes and goes.
 *
 * Rule 14.1; worked by hand in tests/vcemu/grid/test_grid_hosts.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/hosts.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_input.h"
#include "vcemu/grid/grid_queue.h"
#include "vcemu/grid/host_bound.h"
#include "vcemu/grid/servers.h"
#include "vcemu/grid/supply.h"
#include "vcemu/host/memory.h"

/* Hosts that arrive less than this before the end are not emulated, s: nothing could happen on them. */
#define LEAST_STAY 1e-3

/* Host i has the seed of the grid plus i times this odd number, chosen so that its multiples are far apart. */
#define SEED_STEP UINT64_C(0x9e3779b97f4a7c15)

static vcs_emu_stream stream_of(const vcs_grid_world *w, uint32_t purpose, uint32_t number) {
    return vcs_emu_stream_open(w->terms.seed, purpose, number);
}

/* ---- Coming ---- */

void vcs_grid_host_plan(vcs_grid_world *w, uint32_t class_index, uint32_t index_in_class, double from) {
    const vcs_host_model *model = &w->classes[class_index].model;
    vcs_emu_emulator *ground = &w->ground;
    const uint32_t number = w->host_count;
    if (!vcs_emu_reserve(ground, &w->hosts, (uint64_t)number + 1, sizeof *w->hosts) ||
        !vcs_grid_queue_reserve(ground, &w->moments, number + 1)) {
        return;
    }
    VCS_INVARIANT(number < vcs_emu_capacity(w->hosts) / sizeof *w->hosts); /* as reserved */
    /* A host that would come after the end has no number, but was drawn. */
    vcs_emu_stream arrival = vcs_emu_stream_open(w->terms.seed, VCS_GRID_DRAW_ARRIVAL, w->planned++);
    vcs_emu_stream lifetime = stream_of(w, VCS_GRID_DRAW_LIFETIME, number);
    vcs_emu_stream sabotage = stream_of(w, VCS_GRID_DRAW_SABOTEUR, number);
    const bool is_first = from == w->terms.start;
    const double joins = from + (is_first ? model->arrivals * vcs_emu_draw_uniform(&arrival) : 0.0);
    const double stays = model->lifetime > 0.0 ? vcs_emu_draw_exponential(&lifetime, model->lifetime) : VCS_INFINITY;
    w->hosts[number] = (vcs_grid_volunteer){
        .fates = stream_of(w, VCS_GRID_DRAW_FATE, number),
        .errors = stream_of(w, VCS_GRID_DRAW_ERROR, number),
        .lies = stream_of(w, VCS_GRID_DRAW_LIE, number),
        .delays = stream_of(w, VCS_GRID_DRAW_DELAY, number),
        .joins = joins,
        .leaves = vcs_min(joins + vcs_max(stays, LEAST_STAY), w->end),
        .class_index = class_index,
        .index_in_class = index_in_class,
        .is_saboteur = vcs_emu_draw_uniform(&sabotage) < model->saboteurs,
    };
    if (joins + LEAST_STAY <= w->end) {
        w->host_count = number + 1;
        vcs_grid_queue_add(&w->moments, number, joins);
        vcs_grid_servers_meet(w, number);
    }
}

/* The row of the table for this index within the class. */
static const vcs_host_row *row_of(const vcs_grid_class *c, uint32_t index_in_class) {
    uint32_t low = 0, high = c->row_count;
    if (high == 0) {
        return NULL;
    }
    const double mark = ((double)index_in_class + 0.5) / (double)c->model.count * c->weights[high - 1];
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *(c->weights[middle - 1] <= mark ? &low : &high) = middle;
    }
    return &c->rows[low];
}

/* Changes what differs from the host of the scenario. */
static void vary(vcs_grid_world *w, uint32_t number, vcs_host *record, vcs_resource *resources, uint32_t resource_count,
                 vcs_emulation *emulation) {
    const vcs_grid_volunteer *host = &w->hosts[number];
    const vcs_grid_class *c = &w->classes[host->class_index];
    const vcs_host_row *row = row_of(c, host->index_in_class);
    vcs_emu_stream speed = stream_of(w, VCS_GRID_DRAW_SPEED, number);
    const double sd = c->model.speed_sd;
    const double factor = vcs_emu_draw_log_normal(&speed, 1.0, sd);
    if (row != NULL) {
        resources[0].instances = row->cpus > 0.0 ? (uint32_t)row->cpus : resources[0].instances;
        resources[0].flops = row->flops > 0.0 ? row->flops : resources[0].flops;
        emulation->available = row->available > 0.0 ? row->available : emulation->available;
        record->ram = row->ram > 0.0 ? row->ram : record->ram;
    }
    for (uint32_t r = 0; r < resource_count; r++) {
        resources[r].flops = resources[r].flops * factor;
    }
    emulation->seed = w->terms.seed + number * SEED_STEP;
    emulation->start = host->joins;
    emulation->duration = vcs_max(host->leaves - host->joins, LEAST_STAY);
}

void vcs_grid_host_open(vcs_grid_world *w, uint32_t number) {
    vcs_grid_volunteer *host = &w->hosts[number];
    vcs_grid_class *c = &w->classes[host->class_index];
    vcs_emu_whole *whole = vcs_emu_allocate(&w->ground, sizeof *whole);
    vcs_error *error = w->ground.error;
    const vcs_emu_records *records = &c->sample.records;
    vcs_host record = records->host;
    vcs_emulation emulation = c->sample.setup.emulation;
    vcs_scenario scenario = {.struct_size = sizeof scenario, .snapshot = records->snapshot};
    if (whole == NULL) {
        return;
    }
    memcpy(c->resources, records->resources, records->resource_count * sizeof *c->resources);
    vary(w, number, &record, c->resources, records->resource_count, &emulation);
    scenario.snapshot.host.base = &record;
    scenario.snapshot.resources.base = c->resources;
    scenario.emulation = (vcs_array){{&emulation}, sizeof emulation, 1};
    scenario.models = (vcs_array){{c->sample.setup.models}, sizeof(vcs_job_model), records->app_count};
    scenario.servers = (vcs_array){{c->sample.setup.servers}, sizeof(vcs_server_model), records->project_count};
    scenario.sizes = (vcs_array){.element_size = sizeof(double)};
    scenario.switches = (vcs_array){{c->sample.setup.switches}, sizeof(double), c->sample.setup.switch_count};
    vcs_emu_emulator *e = &whole->emulator;
    vcs_emu_join(whole, &w->ground, &w->workspace);
    e->error = error;
    e->memory = w->ground.memory;
    e->grid = w;
    e->number = number;
    e->grid_servers = &vcs_grid_supply;
    e->is_observed = w->hooks.observe != NULL;
    whole->setup.hooks = c->hooks;
    vcs_emu_open(whole, &scenario, &c->parameters);
    whole->setup.sizes_of = c->sample.setup.sizes_of;
    host->whole = whole;
    vcs_emu_note(&w->ground, e->code);
    vcs_grid_name_class(w, host->class_index, error);
    vcs_grid_notify_host(w, VCS_GRID_EVENT_JOINED, number, host->joins);
}

/* ---- Going ---- */

static void add_host(vcs_grid_world *w, const vcs_emu_emulator *e) {
    vcs_grid_outcome *total = &w->outcome;
    const vcs_outcome *outcome = &e->merit->total;
    const vcs_grid_class *c = &w->classes[w->hosts[e->number].class_index];
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        const vcs_resource_outcome *resource = &e->merit->resources[r];
        total->present += resource->available + resource->off;
        total->off += resource->off;
        total->used += resource->used;
        total->idle += resource->available - resource->used;
    }
    total->flops_used += outcome->flops_used;
    total->calls += outcome->calls;
    for (uint32_t i = 0; i < e->records->project_count; i++) {
        w->servers[c->projects[i]].outcome.power_available += outcome->flops_available / w->terms.duration;
    }
}

static void note_host(vcs_grid_world *w, const vcs_emu_emulator *e) {
    const vcs_grid_volunteer *host = &w->hosts[e->number];
    const vcs_outcome *outcome = &e->merit->total;
    if (w->results->host_count == 0 || !vcs_emu_reserve(&w->ground, &w->rows, w->host_count, sizeof *w->rows)) {
        return;
    }
    w->rows[e->number] = (vcs_grid_host_outcome){
        .host_class = host->class_index,
        .flags = host->is_saboteur != 0 ? VCS_GRID_HOST_SABOTEUR : 0,
        .cpus = e->records->resources[0].instances,
        .flops = e->records->resources[0].flops,
        .joined = host->joins,
        .on = outcome->available_time,
        .idleness = outcome->idleness,
        .waste = outcome->waste,
        .share_violation = outcome->share_violation,
        .reported = outcome->in_time + outcome->late,
        .calls = outcome->calls,
        .refused = outcome->refused,
        .flops_used = outcome->flops_used,
    };
    vcs_grid_compare_host(w, e, &w->rows[e->number]);
}

/* If the host leaves, the operations done for a job are lost; at the end of the emulation the host holds them. */
static void forget(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, double flops, bool leaves) {
    const vcs_grid_world *w = e->grid;
    const vcs_grid_class *c = &w->classes[w->hosts[e->number].class_index];
    w->servers[c->projects[project]].outcome.flops_held += leaves ? 0.0 : flops;
    vcs_grid_supply.forget(e, project, origin, leaves ? flops : 0.0);
}

/* Its servers never hear of the jobs that it still has. */
static void forget_all(vcs_emu_emulator *e, bool leaves) {
    for (uint32_t i = 0; i < e->records->snapshot.tasks.count; i++) {
        const vcs_emu_true_task *truth = &e->tasks->truths[i];
        forget(e, e->records->tasks[i].project, truth->origin, truth->spent * truth->speed, leaves);
    }
    for (uint32_t i = 0; i < e->results->count; i++) {
        const vcs_emu_result *result = &e->results->all[i];
        forget(e, result->project, result->origin, result->worked, leaves);
    }
}

void vcs_grid_host_close(vcs_grid_world *w, uint32_t number) {
    vcs_emu_whole *whole = w->hosts[number].whole;
    VCS_INVARIANT(whole != NULL); /* it is there */
    vcs_emu_emulator *e = &whole->emulator;
    const double now = e->clock->now;
    const bool leaves = w->hosts[number].leaves < w->end;
    vcs_emu_note(&w->ground, e->code);
    if (e->code == VCS_OK) {
        vcs_emu_close(whole);
        add_host(w, e);
        note_host(w, e);
        forget_all(e, leaves);
    }
    vcs_emu_release_all(e);
    vcs_emu_free(&w->ground, whole);
    w->hosts[number].whole = NULL;
    if (leaves) {
        const vcs_grid_volunteer host = w->hosts[number];
        w->outcome.left++;
        vcs_grid_notify_host(w, VCS_GRID_EVENT_LEFT, number, now);
        if ((w->classes[host.class_index].model.flags & VCS_HOSTS_REPLACED) != 0) {
            vcs_grid_host_plan(w, host.class_index, host.index_in_class, now);
        }
    }
}

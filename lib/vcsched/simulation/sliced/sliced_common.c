/*
 * The common part of all forms of the sliced simulation, from the first moment to the forecasts.
 *
 * Rules 4.3 and 4.6; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/sliced/sliced_common.h"

#include "vcsched/accounts/rank_key.h"
#include "vcsched/core/invariant.h"
#include "vcsched/host/load.h"
#include "vcsched/simulation/lateness.h"
#include "vcsched/simulation/limits.h"
#include "vcsched/timers/buffer.h"

#include <string.h>

/* ---- Beginning ---- */

void vcs_sliced_begin(vcs_sliced *sim, vcs_state *state) {
    const vcs_parameters *parameters = &state->parameters;
    sim->state = state;
    sim->resource_count = state->resource_count;
    sim->project_count = state->project_count;
    sim->local = vcs_is_local(parameters);
    sim->freeze = parameters->freeze_rec != 0;
    sim->half_life = parameters->rec_half_life * 1e6;
    sim->cushion = vcs_cushion_in_sliced(parameters);
    sim->now = sim->base = 0;
    sim->power_since = sim->power_at = 0;
    sim->decay = sim->power = 1.0;
    sim->steps = 0;
    sim->pause = VCS_NEVER;
    sim->buffer_end = vcs_buffer_end(parameters);
    sim->horizon = parameters->horizon > 0.0 ? vcs_micros(parameters->horizon) : VCS_FOREVER;
    sim->effort = 0;
    sim->most_effort = parameters->simulation_effort != 0 ? parameters->simulation_effort : UINT64_MAX;
    sim->step_budget = parameters->step_budget != 0 ? parameters->step_budget : UINT64_MAX;
    const size_t project_resources = (size_t)state->project_count * state->resource_count;
    for (size_t i = 0; i < project_resources; i++) {
        sim->demands[i] = (vcs_sliced_demand){.competitor = VCS_NONE};
    }
}

static void open_resources(vcs_sliced *sim) {
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        const vcs_prepared_resource *resource = &vcs_resources(sim->state)[r];
        const int64_t capacity = resource->suspended ? 0 : resource->capacity;
        const int64_t least = vcs_micros(vcs_least_shortfall(&sim->state->parameters, resource->instances));
        sim->resources[r] = (vcs_sliced_resource){
            .capacity = capacity,
            .free = capacity,
            .saturated = VCS_NEVER,
            .whole = vcs_min_i64(capacity, VCS_ONE),
            .idle_from = VCS_NEVER,
            .least = least,
            .short_from = least > 0 ? VCS_NEVER : 0,
            .suspended = resource->suspended,
            .instances = resource->instances,
            .speed = resource->speed,
            .flops = resource->flops,
        };
    }
}

/* Adds the competitors of a resource, by group, then by project id. */
static void add_competitors(vcs_sliced *sim, uint32_t resource) {
    const uint32_t *by_id = vcs_project_order(sim->state);
    uint32_t count = 0;
    for (uint32_t i = 0; i < sim->project_count; i++) {
        if (sim->demands[vcs_sliced_index(sim, by_id[i], resource)].tasks > 0) {
            const vcs_project *project = &vcs_projects(sim->state)[by_id[i]];
            sim->items[count].key = vcs_rank_group(project->priority_class, project->share);
            sim->items[count].index = by_id[i];
            count++;
        }
    }
    vcs_sort(sim->items, sim->spare, count);
    sim->resources[resource].first = sim->competitor_count;
    uint32_t group = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t project = sim->items[i].index;
        const size_t index = vcs_sliced_index(sim, project, resource);
        group += i > 0 && sim->items[i].key != sim->items[i - 1].key;
        sim->demands[index].competitor = sim->competitor_count;
        sim->competitors[sim->competitor_count++] = (vcs_sliced_competitor){
            .project = project,
            .resource = resource,
            .account = (uint32_t)(sim->local ? index : project),
            .group = group,
        };
    }
    sim->resources[resource].end = sim->competitor_count;
}

/* Whether a project has tasks that count for an account: with local accounting on the resource, else on any. */
static bool has_tasks(const vcs_sliced *sim, uint32_t project, uint32_t resource) {
    const vcs_sliced_demand *demands = &sim->demands[vcs_sliced_index(sim, project, 0)];
    if (sim->local) {
        return demands[resource].tasks > 0;
    }
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        if (demands[r].tasks > 0) {
            return true;
        }
    }
    return false;
}

/* Sums REC and shares once; the sums serve for the whole simulation. */
static void rank_competitors(vcs_sliced *sim, uint32_t r) {
    const vcs_state *state = sim->state;
    const uint32_t *by_id = vcs_project_order(state);
    vcs_sliced_resource *resource = &sim->resources[r];
    for (uint32_t i = 0; i < sim->project_count; i++) {
        if (has_tasks(sim, by_id[i], r)) {
            const vcs_project *project = &vcs_projects(state)[by_id[i]];
            const double local_rec = vcs_project_resources(state)[vcs_sliced_index(sim, by_id[i], r)].rec;
            vcs_sums_add(&resource->sums, sim->local ? local_rec : project->rec, project->share);
        }
    }
    vcs_sums_close(&resource->sums, state->parameters.bump, vcs_host_load(state, r, sim->local));
    for (uint32_t c = resource->first; c < resource->end; c++) {
        vcs_sliced_competitor *competitor = &sim->competitors[c];
        competitor->fraction = vcs_share_fraction(&resource->sums, vcs_projects(state)[competitor->project].share);
    }
}

static void open_accounts(vcs_sliced *sim) {
    const vcs_state *state = sim->state;
    sim->account_count = sim->local ? state->project_count * state->resource_count : state->project_count;
    for (uint32_t i = 0; i < sim->account_count; i++) {
        const double rec = sim->local ? vcs_project_resources(state)[i].rec : vcs_projects(state)[i].rec;
        sim->accounts[i] = (vcs_sliced_account){.rec = rec, .above = rec};
    }
}

static bool is_suspended(const vcs_project *project) {
    return (project->flags & VCS_PROJECT_SUSPENDED) != 0;
}

/* Finds what a project could use of a resource: its share; under a limit or an exclusion, as much as that allows. */
static void open_usage(vcs_sliced *sim, uint32_t p, uint32_t r, double share_sum) {
    const vcs_project *project = &vcs_projects(sim->state)[p];
    const vcs_sliced_resource *resource = &sim->resources[r];
    const size_t index = vcs_sliced_index(sim, p, r);
    const vcs_project_resource *record = &vcs_project_resources(sim->state)[index];
    const uint64_t limit = sim->limits[index], excluded = record->excluded;
    const vcs_sliced_demand *demand = &sim->demands[index];
    vcs_sliced_usage *usage = &sim->usages[index];
    *usage = (vcs_sliced_usage){.could = 0};
    if (resource->suspended || is_suspended(project)) {
        return;
    }
    if (limit == 0 && excluded == 0 && !vcs_limits_units(record)) {
        const double part = share_sum > 0.0 ? project->share / share_sum : 0.0;
        VCS_INVARIANT(part >= 0.0 && part <= 1.0); /* the share is in the sum, and no share is below 0 */
        usage->could = vcs_units(part * vcs_instances(resource->capacity));
        return;
    }
    const uint32_t allowed = vcs_allowed_instances(resource->instances, excluded);
    const vcs_task_uses uses = demand->tasks > 0 ? (vcs_task_uses){demand->narrowest, demand->widest}
                                                 : vcs_uses_without_tasks(sim->state, index);
    const int64_t could = vcs_could_use_units(record, allowed, uses.narrowest, uses.widest);
    const int64_t enough = vcs_enough_units(record, allowed, uses.narrowest);
    usage->could = vcs_min_i64(could, vcs_min_i64(vcs_could_use(allowed, limit, uses.widest), resource->capacity));
    usage->enough = vcs_min_i64(enough, vcs_min_i64(vcs_could_use(allowed, limit, uses.narrowest), resource->capacity));
}

static void open_usages(vcs_sliced *sim) {
    const vcs_state *state = sim->state;
    const uint32_t *by_id = vcs_project_order(state);
    double share_sum = 0.0;
    vcs_find_limits(state, sim->limits, sim->used_by_apps);
    for (uint32_t i = 0; i < sim->project_count; i++) {
        const vcs_project *project = &vcs_projects(state)[by_id[i]];
        share_sum += is_suspended(project) ? 0.0 : project->share;
    }
    for (uint32_t p = 0; p < sim->project_count; p++) {
        for (uint32_t r = 0; r < sim->resource_count; r++) {
            open_usage(sim, p, r, share_sum);
        }
    }
}

/* Forecasts nothing of a task until it finishes. */
static void open_forecasts(vcs_sliced *sim) {
    const vcs_state *state = sim->state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    vcs_task_forecast *forecasts = vcs_forecasts(state);
    sim->misses = sim->unfinished = 0;
    for (uint32_t i = 0; i < state->task_count; i++) {
        forecasts[i] = (vcs_task_forecast){
            .finish = VCS_INFINITY,
            .verdict = tasks[i].takes_part ? VCS_VERDICT_UNKNOWN : VCS_VERDICT_SUSPENDED,
        };
        sim->unfinished += tasks[i].takes_part;
    }
    const size_t project_resources = (size_t)sim->project_count * sim->resource_count;
    for (size_t i = 0; i < project_resources; i++) {
        vcs_project_resource_forecasts(state)[i] = (vcs_project_resource_forecast){.tasks = sim->demands[i].tasks};
    }
}

void vcs_sliced_line_up(vcs_sliced *sim) {
    open_resources(sim);
    sim->competitor_count = 0;
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        add_competitors(sim, r);
    }
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        rank_competitors(sim, r);
    }
    open_accounts(sim);
    open_forecasts(sim);
    open_usages(sim);
}

/* ---- Idle instances ---- */

/* Whether `units`, idle for `micros` more, make a shortfall of `least` microseconds of an instance. */
static bool reaches(vcs_wide idle, int64_t units, int64_t micros, int64_t least) {
    vcs_wide needed = {0, 0};
    vcs_wide_add(&idle, (uint64_t)units, (uint64_t)micros);
    vcs_wide_add(&needed, (uint64_t)VCS_ONE, (uint64_t)least);
    return idle.high != needed.high ? idle.high > needed.high : idle.low >= needed.low;
}

/*
 * What is idle from now on adds up to the least at `moment`, so it may be within a buffer that begins that much sooner.
 * Where all gaps but the last have passed by then, that one must also be near enough.
 */
static int64_t first_call(const vcs_sliced *sim, const vcs_sliced_resource *resource, int64_t moment) {
    const int64_t sooner = moment - sim->buffer_end;
    const int64_t near = resource->gap - vcs_micros(vcs_work_to_keep(&sim->state->parameters));
    return vcs_max_i64(resource->busy <= sooner ? vcs_max_i64(sooner, near) : sooner, 0);
}

void vcs_sliced_count_idle(const vcs_sliced *sim, vcs_sliced_resource *resource, int64_t until) {
    int64_t before = 0, after = until - resource->since;
    if (resource->idle == 0 || resource->short_from != VCS_NEVER) {
        return;
    }
    if (!reaches(resource->all_idle, resource->idle, after, resource->least)) {
        vcs_wide_add(&resource->all_idle, (uint64_t)resource->idle, (uint64_t)after);
        return;
    }
    while (after - before > 1) {
        const int64_t middle = before + (after - before) / 2;
        if (reaches(resource->all_idle, resource->idle, middle, resource->least)) {
            after = middle;
        } else {
            before = middle;
        }
    }
    resource->short_from = first_call(sim, resource, resource->since + after);
}

void vcs_sliced_note_idle(vcs_sliced *sim) {
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        sim->resources[r].idle_now = sim->resources[r].idle + sim->resources[r].useless;
        sim->resources[r].useless_now = sim->resources[r].useless;
    }
}

/* ---- Results ---- */

void vcs_sliced_finish(vcs_sliced *sim, uint32_t index) {
    const vcs_state *state = sim->state;
    VCS_INVARIANT(index < state->task_count);                                   /* a running task */
    VCS_INVARIANT(sim->unfinished > 0 && sim->unfinished <= state->task_count); /* it is unfinished */
    VCS_INVARIANT(sim->misses < state->task_count);                             /* and not yet counted as late */
    const vcs_prepared_task *task = &vcs_prepared_tasks(state)[index];
    const int64_t latest = vcs_latest_on_grid(task->deadline, state->now, sim->cushion);
    const uint32_t verdict = vcs_verdict_on_grid(sim->now, latest);
    vcs_forecasts(state)[index] = (vcs_task_forecast){.finish = vcs_seconds(sim->now), .verdict = verdict};
    sim->unfinished--;
    if (verdict == VCS_VERDICT_MISSES) {
        sim->misses++;
        vcs_project_resource_forecasts(state)[vcs_sliced_index(sim, task->project, task->resource)].misses++;
    }
}

/* Marks tasks that had not finished when the simulation was over: they never will. */
static void mark_stuck(const vcs_sliced *sim) {
    vcs_task_forecast *forecasts = vcs_forecasts(sim->state);
    for (uint32_t i = 0; i < sim->state->task_count; i++) {
        if (forecasts[i].verdict == VCS_VERDICT_UNKNOWN) {
            forecasts[i].verdict = VCS_VERDICT_STUCK;
        }
    }
}

/* A moment that the simulation was to find; if it has not, it was stopped before. */
static double moment(const vcs_sliced *sim, const vcs_sliced_resource *resource, int64_t found) {
    return resource->suspended ? 0.0 : vcs_seconds(found == VCS_NEVER ? sim->now : found);
}

/* Reports shortfalls up to `end`: after the last finish all is idle up to the end of the buffer. */
static void report_shortfalls(vcs_sliced *sim, int64_t end, bool stopped) {
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        vcs_sliced_resource *resource = &sim->resources[r];
        vcs_sliced_add_shortfall(sim, &resource->shortfall, resource->idle, resource->since, end);
        vcs_sliced_count_idle(sim, resource, stopped ? sim->now : resource->since + VCS_FOREVER);
        vcs_resource_forecasts(sim->state)[r] = (vcs_resource_forecast){
            .shortfall = vcs_wide_instance_seconds(resource->shortfall),
            .idle_now = vcs_instances(resource->idle_now),
            .useless = vcs_instances(resource->useless_now),
            .saturated = moment(sim, resource, resource->saturated),
            .idle_from = moment(sim, resource, resource->idle_from),
            .short_from = moment(sim, resource, resource->short_from),
        };
    }
    const size_t project_resources = (size_t)sim->project_count * sim->resource_count;
    for (size_t i = 0; i < project_resources; i++) {
        vcs_sliced_usage *usage = &sim->usages[i];
        vcs_sliced_add_shortfall(sim, &usage->shortfall, usage->could - usage->used, usage->since, end);
        vcs_project_resource_forecast *forecast = &vcs_project_resource_forecasts(sim->state)[i];
        forecast->shortfall = vcs_wide_instance_seconds(usage->shortfall);
        forecast->saturated = vcs_seconds(vcs_min_i64(usage->saturated, sim->now));
    }
}

void vcs_sliced_report(vcs_sliced *sim, bool stopped, vcs_wrr_summary *summary) {
    if (!stopped && sim->unfinished > 0) {
        mark_stuck(sim);
    }
    report_shortfalls(sim, stopped ? sim->now : sim->buffer_end, stopped);
    summary->flags = stopped ? VCS_SIMULATION_STOPPED : 0;
    summary->simulated_until = vcs_seconds(sim->now);
    summary->steps = sim->steps;
    summary->effort = sim->effort;
    summary->misses = sim->misses;
    summary->unknown = stopped ? sim->unfinished : 0;
}

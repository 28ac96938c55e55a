/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/plan/sweep_plan.h"

#include <string.h>

#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/policy/policy_name.h"
#include "vcemu/scenario/state/state_settings.h"

#define MOST_SEEDS 1000000u
#define MOST_SHARDS 1000000u

/* number * part / parts without overflow; parts <= MOST_SHARDS. */
static uint64_t share_of(uint64_t number, uint64_t part, uint64_t parts) {
    return number / parts * part + number % parts * part / parts;
}

/* Checks the numbers of a sweep, and finds the points of its shard. */
static bool read_numbers(struct sweep_plan *plan, struct fault *fault) {
    const vcs_sweep *sweep = plan->sweep;
    const uint32_t shards = sweep->shards == 0 ? 1 : sweep->shards, shard = sweep->shards == 0 ? 1 : sweep->shard;
    if (sweep->seeds > MOST_SEEDS || sweep->workers > SWEEP_MOST_WORKERS || shards > MOST_SHARDS || shard < 1 ||
        shard > shards) {
        return vcs_scn_fault_set(fault, "vcs_sweep: seeds, workers, shard or shards is out of range");
    }
    const uint64_t rows = plan->grid.point_count / plan->points_per_row;
    plan->seeds = sweep->seeds == 0 ? 1 : sweep->seeds;
    plan->first_point = share_of(rows, shard - 1, shards) * plan->points_per_row;
    plan->end_point = share_of(rows, shard, shards) * plan->points_per_row;
    plan->has_header = shard == 1 && !plan->json;
    return true;
}

/* A varied key must not also be set to one value. */
static bool check_wish(const struct sweep_plan *plan, const struct policy_wish *wish, struct fault *fault) {
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        const struct sweep_axis *axis = &plan->grid.axes[i];
        if (axis->path.kind == STATE_CLIENT && vcs_scn_policy_name_sets(wish->policy, axis->path.entry)) {
            return vcs_scn_fault_set(fault, "%s %s: --policy sets the same parameter", axis->origin, axis->key);
        }
        if (axis->path.kind == STATE_CLIENT && vcs_scn_policy_is_wished(wish, axis->path.entry)) {
            return vcs_scn_fault_set(fault, "%s %s: --set sets the same parameter", axis->origin, axis->key);
        }
        if (axis->path.kind != STATE_CLIENT && axis->path.kind != SWEEP_KIND_FILE &&
            vcs_scn_state_settings_meet(wish, &axis->path)) {
            return vcs_scn_fault_set(fault, "%s %s: --set sets the same key", axis->origin, axis->key);
        }
        if (axis->path.kind == STATE_CLIENT && wish->profile != NULL && strcmp(axis->path.entry, "profile") == 0) {
            return vcs_scn_fault_set(fault, "%s profile: --profile sets it to one value", axis->origin);
        }
        if (axis->path.kind == STATE_CLIENT && wish->policy != NULL && strcmp(axis->path.entry, "policy") == 0) {
            return vcs_scn_fault_set(fault, "%s policy: --policy sets it to one value", axis->origin);
        }
        if (axis->path.kind == STATE_CLIENT && wish->policy_argument != NULL &&
            strcmp(axis->path.entry, "policy_argument") == 0) {
            return vcs_scn_fault_set(fault, "%s policy_argument: --policy-argument sets it to one value", axis->origin);
        }
        if (axis->path.kind == STATE_EMULATION && wish->days > 0 && strcmp(axis->path.entry, "duration") == 0) {
            return vcs_scn_fault_set(fault, "%s emulation.duration: --days sets it to one value", axis->origin);
        }
    }
    return true;
}

/* Are all policies of the axis of the library, by the study's names? */
static bool is_of_names(const struct sweep_axis *axis) {
    char buffer[SWEEP_NUMBER_SIZE];
    bool all = strcmp(axis->path.entry, "policy") == 0;
    for (uint64_t i = 0; all && i < axis->count; i++) {
        all = vcs_scn_policy_name_is(vcs_swp_axis_value(axis, i, buffer));
    }
    return all;
}

/* Refuses options for one host alone. */
static bool check_grid(const struct sweep_plan *plan, const struct policy_wish *wish, struct fault *fault) {
    if (plan->grid.host_axis < plan->grid.axis_count) {
        return vcs_scn_fault_set(fault, "--hosts: the hosts of a grid are those of its [population] sections");
    }
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        const struct sweep_axis *axis = &plan->grid.axes[i];
        if (vcs_swp_axis_is_option(axis) && strcmp(axis->path.entry, "profile") != 0 && !is_of_names(axis)) {
            return vcs_scn_fault_set(fault, "%s %s: a policy in C is for one host, not for a grid", axis->origin,
                                     axis->key);
        }
    }
    const bool is_built_in = wish->policy == NULL || vcs_scn_policy_name_is(wish->policy);
    return (is_built_in && wish->policy_argument == NULL && wish->own_policy == NULL) ||
           vcs_scn_fault_set(fault, "--policy: a policy in C is for one host, not for a grid");
}

/* Options that only make sense with others. */
static bool check_together(const struct sweep_plan *plan, struct fault *fault) {
    const vcs_sweep *sweep = plan->sweep;
    if (plan->each_seed && (sweep->statistics != NULL || sweep->histogram_count > 0)) {
        return vcs_scn_fault_set(fault, "%s: a row of one seed has no statistics; leave out --each-seed",
                                 sweep->statistics != NULL ? "--statistics" : "--histogram");
    }
    if ((sweep->flags & VCS_SWEEP_EACH_HOST) != 0 && plan->grid.host_axis == plan->grid.axis_count) {
        return vcs_scn_fault_set(fault, "--each-host: there are no hosts without --hosts");
    }
    return (sweep->flags & VCS_SWEEP_RESUME) == 0 || plan->output != NULL ||
           vcs_scn_fault_set(fault, "--resume: name the table with --output");
}

bool vcs_swp_plan_read(struct sweep_plan *plan, const vcs_sweep *sweep, const struct state_grammar *grammar,
                       const struct policy_wish *wish, struct fault *fault) {
    const bool of_grid = grammar == &vcs_scn_grid_grammar;
    *plan = (struct sweep_plan){
        .sweep = sweep,
        .output = sweep->output != NULL && strcmp(sweep->output, "-") == 0 ? NULL : sweep->output,
        .each_seed = (sweep->flags & VCS_SWEEP_EACH_SEED) != 0,
        .json = (sweep->flags & VCS_SWEEP_JSON) != 0,
    };
    if (!vcs_swp_grid_read(&plan->grid, sweep, grammar, fault)) {
        return false;
    }
    const bool all_hosts = (sweep->flags & (VCS_SWEEP_EACH_HOST | VCS_SWEEP_EACH_SEED)) == 0;
    plan->points_per_row = all_hosts ? plan->grid.host_count : 1;
    plan->shown_axes = all_hosts ? plan->grid.host_axis : plan->grid.axis_count;
    return vcs_swp_figures_choose(&plan->figures, sweep->figures, of_grid, fault) &&
           vcs_swp_statistics_read(&plan->statistics, sweep->statistics, sweep->histograms, sweep->histogram_count,
                                   fault) &&
           read_numbers(plan, fault) && check_wish(plan, wish, fault) && check_together(plan, fault) &&
           (!of_grid || check_grid(plan, wish, fault));
}

void vcs_swp_plan_free(struct sweep_plan *plan) {
    vcs_swp_grid_free(&plan->grid);
    vcs_swp_figures_free(&plan->figures);
    vcs_swp_statistics_free(&plan->statistics);
}

uint64_t vcs_swp_runs_per_row(const struct sweep_plan *plan) {
    return plan->each_seed ? 1 : plan->seeds * plan->points_per_row;
}

bool vcs_swp_plan_has_hosts(const struct sweep_plan *plan) {
    return plan->shown_axes < plan->grid.axis_count;
}

static uint64_t rows_of(const struct sweep_plan *plan, uint64_t points) {
    return points * plan->seeds / vcs_swp_runs_per_row(plan);
}

uint64_t vcs_swp_first_row(const struct sweep_plan *plan) {
    return rows_of(plan, plan->first_point);
}

uint64_t vcs_swp_end_row(const struct sweep_plan *plan) {
    return rows_of(plan, plan->end_point);
}

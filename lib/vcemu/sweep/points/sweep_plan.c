/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "vcemu/sweep/points/sweep_plan.h"

#include <string.h>
#include <unistd.h>

#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/text/parse_number.h"

#define MOST_SEEDS 1000000
#define MOST_WORKERS 1024
#define MOST_SHARDS 1000000

/* A whole number from 1 to `most`. */
static bool read_count(const char *text, uint64_t most, uint64_t *count) {
    double number;
    if (vcs_scn_number_read(text, &number) != NUMBER_OK || !vcs_scn_number_is_whole(number) || number < 1 ||
        number > (double)most) {
        return false;
    }
    *count = (uint64_t)number;
    return true;
}

static bool read_seeds(struct sweep_plan *plan, const char *text, struct fault *fault) {
    plan->seeds = 1;
    return text == NULL || read_count(text, MOST_SEEDS, &plan->seeds) ||
           vcs_scn_fault_set(fault, "--seeds %s: must be a whole number from 1 to %d", vcs_scn_fault_quote(text).text,
                             MOST_SEEDS);
}

static bool read_workers(struct sweep_plan *plan, const char *text, struct fault *fault) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = processors < 1 ? 1 : processors > MOST_WORKERS ? MOST_WORKERS : (uint64_t)processors;
    if (text != NULL && !read_count(text, MOST_WORKERS, &count)) {
        return vcs_scn_fault_set(fault, "-j %s: must be a whole number from 1 to %d", vcs_scn_fault_quote(text).text,
                                 MOST_WORKERS);
    }
    plan->workers = (uint32_t)count;
    return true;
}

/* number * part / parts without overflow; parts <= MOST_SHARDS. */
static uint64_t share_of(uint64_t number, uint64_t part, uint64_t parts) {
    return number / parts * part + number % parts * part / parts;
}

/* "K/N": the points are divided into N parts, as equal as possible; this is number K. */
static bool read_shard(struct sweep_plan *plan, const char *text, struct fault *fault) {
    char first[16] = "";
    uint64_t shard = 1;
    uint64_t shards = 1;
    if (text != NULL) {
        const size_t length = strcspn(text, "/");
        if (text[length] == '/' && length < sizeof first) {
            memcpy(first, text, length);
        }
        if (first[0] == '\0' || !read_count(text + length + 1, MOST_SHARDS, &shards) ||
            !read_count(first, shards, &shard)) {
            return vcs_scn_fault_set(fault,
                                     "--shard %s: must be K/N, part K of N, with whole numbers and 1 <= K <= N <= %d",
                                     vcs_scn_fault_quote(text).text, MOST_SHARDS);
        }
    }
    const uint64_t rows = plan->grid.point_count / plan->points_per_row;
    plan->first_point = share_of(rows, shard - 1, shards) * plan->points_per_row;
    plan->end_point = share_of(rows, shard, shards) * plan->points_per_row;
    plan->has_header = shard == 1 && !plan->json;
    return true;
}

/* What is varied must not also be set to one value. */
static bool check_wish(const struct sweep_plan *plan, const struct policy_wish *wish, struct fault *fault) {
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        const struct sweep_axis *axis = &plan->grid.axes[i];
        if (axis->kind == STATE_CLIENT && vcs_scn_policy_is_wished(wish, axis->entry)) {
            return vcs_scn_fault_set(fault, "%s %s: --set sets the same parameter", axis->origin, axis->key);
        }
        if (axis->kind == STATE_CLIENT && wish->profile != NULL && strcmp(axis->entry, "profile") == 0) {
            return vcs_scn_fault_set(fault, "%s profile: --profile sets it to one value", axis->origin);
        }
        if (axis->kind == STATE_CLIENT && wish->policy != NULL && strcmp(axis->entry, "policy") == 0) {
            return vcs_scn_fault_set(fault, "%s policy: --policy sets it to one value", axis->origin);
        }
        if (axis->kind == STATE_CLIENT && wish->policy_argument != NULL &&
            strcmp(axis->entry, "policy_argument") == 0) {
            return vcs_scn_fault_set(fault, "%s policy_argument: --policy-argument sets it to one value", axis->origin);
        }
        if (axis->kind == STATE_EMULATION && wish->days > 0 && strcmp(axis->entry, "duration") == 0) {
            return vcs_scn_fault_set(fault, "%s emulation.duration: --days sets it to one value", axis->origin);
        }
    }
    return true;
}

/* What there is for one host alone. */
static bool check_grid(const struct sweep_plan *plan, const struct policy_wish *wish, struct fault *fault) {
    if (plan->grid.host_axis < plan->grid.axis_count) {
        return vcs_scn_fault_set(fault, "--hosts: the hosts of a grid are those of its [population] sections");
    }
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        const struct sweep_axis *axis = &plan->grid.axes[i];
        if (vcs_swp_axis_is_option(axis) && strcmp(axis->entry, "profile") != 0) {
            return vcs_scn_fault_set(fault, "%s %s: a policy in C is for one host, not for a grid", axis->origin,
                                     axis->key);
        }
    }
    return (wish->policy == NULL && wish->policy_argument == NULL && wish->own_policy == NULL) ||
           vcs_scn_fault_set(fault, "--policy: a policy in C is for one host, not for a grid");
}

/* Options that only make sense with others. */
static bool check_together(const struct sweep_plan *plan, const struct sweep_options *options, struct fault *fault) {
    const bool has_hosts = plan->grid.host_axis < plan->grid.axis_count;
    if (plan->each_seed && (options->statistics != NULL || options->histogram_count > 0)) {
        return vcs_scn_fault_set(fault, "%s: a row of one seed has no statistics; leave out --each-seed",
                                 options->statistics != NULL ? "--statistics" : "--histogram");
    }
    if (options->each_host && !has_hosts) {
        return vcs_scn_fault_set(fault, "--each-host: there are no hosts without --hosts");
    }
    return !plan->resume || plan->output != NULL || vcs_scn_fault_set(fault, "--resume: name the table with --output");
}

/* What a row is about. */
static void choose_rows(struct sweep_plan *plan, const struct sweep_options *options) {
    const bool all_hosts = !options->each_host && !options->each_seed;
    plan->points_per_row = all_hosts ? plan->grid.host_count : 1;
    plan->shown_axes = all_hosts ? plan->grid.host_axis : plan->grid.axis_count;
}

bool vcs_swp_plan_read(struct sweep_plan *plan, const struct sweep_options *options,
                       const struct state_grammar *grammar, const struct policy_wish *wish, struct fault *fault) {
    *plan = (struct sweep_plan){
        .files = options->files,
        .file_count = options->file_count,
        .each_seed = options->each_seed,
        .json = options->json,
        .resume = options->resume,
        .force = options->force,
        .receive = options->receive,
        .receive_context = options->receive_context,
    };
    if (options->output != NULL && strcmp(options->output, "-") != 0) {
        plan->output = options->output;
    }
    if (!vcs_swp_grid_read(&plan->grid, options->wanted, options->wanted_count, options->files, options->file_count,
                           grammar, fault)) {
        return false;
    }
    choose_rows(plan, options);
    return vcs_swp_figures_choose(&plan->figures, options->figures, grammar == &vcs_scn_grid_grammar, fault) &&
           vcs_swp_statistics_read(&plan->statistics, options->statistics, options->histograms,
                                   options->histogram_count, fault) &&
           read_seeds(plan, options->seeds, fault) && read_workers(plan, options->workers, fault) &&
           read_shard(plan, options->shard, fault) && check_wish(plan, wish, fault) &&
           check_together(plan, options, fault) && (grammar != &vcs_scn_grid_grammar || check_grid(plan, wish, fault));
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

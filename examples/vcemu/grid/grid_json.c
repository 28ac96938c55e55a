/* The outcome of a grid as JSON. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "grid/grid_output.h"

#define DAY 86400.0

/* Whole values below this are written without a fraction. */
#define GREATEST_WHOLE 1e15

static void write_value(struct json *json, const char *key, bool known, double value) {
    if (!known) {
        json_null(json, key);
    } else if (value >= 0 && value < GREATEST_WHOLE && value == floor(value)) {
        json_whole(json, key, (uint64_t)value);
    } else {
        json_number(json, key, value);
    }
}

static void write_mean(struct json *json, const char *key, const struct sweep_mean *mean) {
    write_value(json, key, mean->count > 0, mean->mean);
}

static void write_error(struct json *json, const char *key, const struct sweep_mean *mean) {
    write_value(json, key, mean->count > 1, vcs_swp_mean_error(mean));
}

/* How many runs define the figure. */
static void write_runs(struct json *json, const char *key, const struct sweep_mean *mean) {
    json_whole(json, key, mean->count);
}

void grid_json_figures(struct json *json, const struct grid_emulated *emulated, enum grid_figure_of kind,
                       uint32_t index, void (*write)(struct json *, const char *, const struct sweep_mean *)) {
    size_t count;
    const struct grid_figure *figures = vcs_swp_grid_figures(kind, &count);
    const char *group = NULL;
    for (size_t i = 0; i < count; i++) {
        if (vcs_swp_grid_figure_is_compared(&figures[i]) && !emulated->bounds) {
            continue;
        }
        const char *next = figures[i].group;
        const bool same =
            (group == NULL && next == NULL) || (group != NULL && next != NULL && strcmp(group, next) == 0);
        if (!same && group != NULL) {
            json_end_object(json);
        }
        if (!same && next != NULL) {
            json_begin_object(json, next);
        }
        group = next;
        const struct sweep_mean mean = vcs_swp_grid_figure_mean(&figures[i], emulated, index);
        write(json, figures[i].name, &mean);
    }
    if (group != NULL) {
        json_end_object(json);
    }
}

/* With several seeds, standard errors and numbers of runs follow in the form of the means. */
static void write_with_errors(struct json *json, const struct grid_emulated *emulated, enum grid_figure_of kind,
                              uint32_t index) {
    grid_json_figures(json, emulated, kind, index, write_mean);
    if (emulated->run_count > 1) {
        json_begin_object(json, "standard_error");
        grid_json_figures(json, emulated, kind, index, write_error);
        json_end_object(json);
        json_begin_object(json, "runs");
        grid_json_figures(json, emulated, kind, index, write_runs);
        json_end_object(json);
    }
}

void grid_json_seeds(struct json *json, const struct grid_emulated *emulated) {
    json_begin_array(json, "seeds");
    for (uint32_t i = 0; i < emulated->run_count; i++) {
        json_whole(json, NULL, emulated->runs[i].seed);
    }
    json_end_array(json);
}

/* The projects or the populations. */
static void write_all_of(struct json *json, const struct grid_emulated *emulated, const char *key,
                         enum grid_figure_of kind, uint32_t section, uint32_t count) {
    json_begin_array(json, key);
    for (uint32_t i = 0; i < count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "name", vcs_scn_state_file_name(emulated->file, section, i));
        write_with_errors(json, emulated, kind, i);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_comparison(struct json *json, const vcs_grid_host_outcome *host) {
    const bool known = !isnan(host->least_loss);
    write_value(json, "lost", known, host->lost);
    write_value(json, "least_loss", known, host->least_loss);
    write_value(json, "beyond_bound", known, host->lost - host->least_loss);
}

static void write_hosts_of(struct json *json, const struct grid_emulated *emulated, const struct grid_emulation *run) {
    for (uint32_t i = 0; i < run->host_count; i++) {
        const vcs_grid_host_outcome *host = &run->hosts[i];
        json_begin_object(json, NULL);
        json_whole(json, "seed", run->seed);
        json_whole(json, "host", i);
        json_string(json, "population", vcs_scn_state_file_name(emulated->file, GRID_POPULATION, host->host_class));
        json_bool(json, "saboteur", (host->flags & VCS_GRID_HOST_SABOTEUR) != 0);
        write_value(json, "cpus", true, host->cpus);
        write_value(json, "flops", true, host->flops);
        json_number(json, "joined", host->joined);
        json_number(json, "on", host->on);
        write_value(json, "idleness", host->on > 0, host->idleness);
        write_value(json, "waste", host->on > 0, host->waste);
        write_value(json, "share_violation", host->on > 0, host->share_violation);
        json_whole(json, "reported", host->reported);
        json_whole(json, "calls", host->calls);
        json_whole(json, "refused", host->refused);
        write_value(json, "flops_used", true, host->flops_used);
        if (emulated->bounds) {
            write_comparison(json, host);
        }
        json_end_object(json);
    }
}

/* Each host of each seed. */
static void write_hosts(struct json *json, const struct grid_emulated *emulated) {
    json_begin_array(json, "hosts");
    for (uint32_t i = 0; i < emulated->run_count; i++) {
        write_hosts_of(json, emulated, &emulated->runs[i]);
    }
    json_end_array(json);
}

void grid_print_json(const struct grid_emulated *emulated, FILE *out) {
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_string(&json, "scenario", emulated->file->document.file);
    json_number(&json, "days", emulated->grid->terms.duration / DAY);
    grid_json_seeds(&json, emulated);
    json_begin_object(&json, "grid");
    write_with_errors(&json, emulated, FIGURE_OF_GRID, 0);
    json_end_object(&json);
    write_all_of(&json, emulated, "projects", FIGURE_OF_PROJECT, STATE_PROJECT, emulated->grid->project_count);
    write_all_of(&json, emulated, "populations", FIGURE_OF_POPULATION, GRID_POPULATION,
                 emulated->grid->population_count);
    write_hosts(&json, emulated);
    json_end_object(&json);
    json_finish(&json);
}

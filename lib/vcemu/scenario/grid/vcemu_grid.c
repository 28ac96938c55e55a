/* SPDX-License-Identifier: MIT */
#include <vcemu/scenario.h>

#include <stdio.h>
#include <stdlib.h>

#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/vcemu_file.h"

struct vcemu_grid {
    struct state_file file;
    const struct grid_scenario *scenario;
    vcs_grid_terms terms;
    vcs_grid records;
};

struct vcemu_grid *vcemu_grid_read(const char *path, const struct vcemu_options *options,
                                   char message[VCEMU_MESSAGE_SIZE]) {
    struct vcemu_grid *grid = calloc(1, sizeof *grid);
    if (grid == NULL) {
        snprintf(message, VCEMU_MESSAGE_SIZE, "%s: there is not enough memory", path);
        return NULL;
    }
    if (!vcs_scn_file_read(&grid->file, path, &vcs_scn_grid_grammar, vcs_scn_grid_scenario_check, options, message)) {
        vcemu_grid_free(grid);
        return NULL;
    }
    grid->scenario = vcs_scn_grid_scenario_of(&grid->file);
    grid->records = vcs_scn_grid_scenario_grid(grid->scenario, grid->scenario->terms.seed, 0, &grid->terms);
    return grid;
}

void vcemu_grid_free(struct vcemu_grid *grid) {
    if (grid != NULL) {
        vcs_scn_state_file_free(&grid->file);
        free(grid);
    }
}

const vcs_grid *vcemu_grid_records(const struct vcemu_grid *grid) {
    return &grid->records;
}

vcs_grid_terms *vcemu_grid_terms(struct vcemu_grid *grid) {
    return &grid->terms;
}

vcs_host_class *vcemu_grid_class(struct vcemu_grid *grid, uint32_t population) {
    return &grid->scenario->classes[population];
}

uint64_t vcemu_grid_most_hosts(const struct vcemu_grid *grid) {
    return vcs_scn_grid_scenario_most_hosts(grid->scenario);
}

const char *vcemu_grid_project(const struct vcemu_grid *grid, uint32_t project) {
    return vcs_scn_state_file_name(&grid->file, STATE_PROJECT, project);
}

const char *vcemu_grid_population(const struct vcemu_grid *grid, uint32_t population) {
    return vcs_scn_state_file_name(&grid->file, GRID_POPULATION, population);
}

void vcemu_grid_explain(const struct vcemu_grid *grid, const vcs_error *error, char message[VCEMU_MESSAGE_SIZE]) {
    struct fault fault;
    vcs_scn_grid_scenario_refuse(&grid->file, error, &fault);
    snprintf(message, VCEMU_MESSAGE_SIZE, "%s", fault.message);
}

/*
 * The scenario of a grid: a state file with a [server PROJECT] for each project and a [population NAME] for each class
 * of hosts, as vcs_emulate_grid() reads it.
 *
 * Read the file with vcs_scn_grid_grammar; vcs_scn_grid_scenario_of() then has the grid.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_GRID_GRID_SCENARIO_H
#define VCS_EMU_SCENARIO_GRID_GRID_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "vcemu/scenario/grid/grid_sections.h"

extern const struct state_grammar vcs_scn_grid_grammar;

/* Was the file read with vcs_scn_grid_grammar? */
bool vcs_scn_grid_scenario_is(const struct state_file *file);

/* The grid of such a file. It lives as long as the file. */
const struct grid_scenario *vcs_scn_grid_scenario_of(const struct state_file *file);

/* The grid as the library reads it, with this seed and a sample every `sample` seconds. Valid as long as *terms. */
vcs_grid vcs_scn_grid_scenario_grid(const struct grid_scenario *grid, uint64_t seed, double sample,
                                    vcs_grid_terms *terms);

/* Checks the grid without emulating it. Returns false and names the place in the file. */
bool vcs_scn_grid_scenario_check(const struct state_file *file, struct fault *fault);

/* Explains a refusal of the library by file, line and key. Always returns false. */
bool vcs_scn_grid_scenario_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault);

/* Upper bound on the number of hosts; replacements are estimated, far above their mean. */
uint64_t vcs_scn_grid_scenario_most_hosts(const struct grid_scenario *grid);

#endif

/*
 * The scenario of a grid: a state file with a [server PROJECT] for each project and a [population NAME] for each class
 * of hosts, as vcs_emulate_grid() takes it.
 *
 * Read the file with vcs_scn_grid_grammar; what it says of the grid is vcs_scn_grid_scenario_of() then.
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

/* What such a file says of the grid. It lives as long as the file. */
const struct grid_scenario *vcs_scn_grid_scenario_of(const struct state_file *file);

/* The same as the library takes it, with this seed and a sample every so many seconds, for as long as *terms lives. */
vcs_grid vcs_scn_grid_scenario_grid(const struct grid_scenario *grid, uint64_t seed, double sample,
                                    vcs_grid_terms *terms);

/* Has the library something against it? Says where in the file. It emulates nothing for that. */
bool vcs_scn_grid_scenario_check(const struct state_file *file, struct fault *fault);

/* Describes what the library refused by the file, line and key it comes from. Always returns false. */
bool vcs_scn_grid_scenario_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault);

/* How many hosts there are at most, as far as that is sure: those that come in the place of others are estimated. */
uint64_t vcs_scn_grid_scenario_most_hosts(const struct grid_scenario *grid);

#endif

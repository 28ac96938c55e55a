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

#include <vcemu/grid.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/grid/grid_table.h"
#include "vcemu/scenario/state/state_file.h"
#include "vcemu/scenario/state/state_list.h"
#include "vcemu/scenario/state/state_reader.h"

/* The kinds of section that grids add to those of every state file. */
enum { GRID_SERVER = STATE_KINDS, GRID_POPULATION };

extern const struct state_section vcs_scn_grid_server_section, vcs_scn_grid_population_section;
extern const struct state_grammar vcs_scn_grid_grammar;

/* What a [server] says, as it is read. */
struct grid_server_draft {
    vcs_grid_project project;
    uint32_t units;
};

/* What a [population] says, as it is read. */
struct grid_population_draft {
    uint32_t count; /* 0 = as many as the table has */
    const char *table, *columns;
    uint32_t skipped_lines;
    vcs_resource cpu;
    vcs_host host;
    vcs_emulation emulation;
    vcs_host_model model;
    const char *gpus, *projects, *profile, *trace;
    double min_buffer, additional_buffer;
};

/* A class of hosts, with all that its scenario points to. */
struct grid_population {
    struct grid_population_draft draft;
    struct grid_table table; /* no rows = all hosts are alike */
    struct state_list switches;
    vcs_parameters parameters;
    vcs_resource *resources;
    vcs_project *projects;
    uint32_t *attached; /* of each of them: which one of the file it is */
    uint32_t project_count;
    vcs_server_model *servers;
    vcs_project_resource *project_resources;
    vcs_app *apps;
    vcs_job_model *models;
    vcs_scenario scenario;
};

struct grid_scenario {
    vcs_grid_terms terms;
    vcs_grid_project *projects;         /* of each [project] */
    const struct ini_section **servers; /* its [server] */
    vcs_job_model *models;              /* of each [app], as the file has it */
    struct grid_population *populations;
    vcs_host_class *classes;
    uint32_t project_count, population_count;
};

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

/* What a section says with all that it leaves open, in the form in which it is read. */
struct grid_server_draft vcs_scn_grid_server_in_use(const struct grid_scenario *grid, uint32_t project);
struct grid_population_draft vcs_scn_grid_population_in_use(const struct grid_population *population);

/* ---- grid_population.c ---- */

/* Puts the classes of hosts together; all sections have been read. */
bool vcs_scn_grid_populations_complete(const struct state_reader *reader);

void vcs_scn_grid_population_free(struct grid_population *population);

#endif

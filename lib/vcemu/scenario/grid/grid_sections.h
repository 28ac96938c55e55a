/*
 * The sections that grids add to those of every state file, [server PROJECT] and [population NAME], and their records.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_GRID_GRID_SECTIONS_H
#define VCS_EMU_SCENARIO_GRID_GRID_SECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <vcemu/grid.h>

#include "vcemu/scenario/grid/grid_table.h"
#include "vcemu/scenario/state/state_reader.h"

enum { GRID_SERVER = STATE_KINDS, GRID_POPULATION };

extern const struct state_section vcs_scn_grid_server_section, vcs_scn_grid_population_section;

/* A [server] as it is read. */
struct grid_server_draft {
    vcs_grid_project project;
    uint32_t units;
};

/* A [population] as it is read. */
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

/* A class of hosts, and everything its scenario points to. */
struct grid_population {
    struct grid_population_draft draft;
    struct grid_table table; /* no rows = all hosts are alike */
    struct state_list switches;
    vcs_parameters parameters;
    vcs_resource *resources;
    vcs_project *projects;
    uint32_t *attached; /* index of each in the file */
    uint32_t project_count;
    vcs_server_model *servers;
    vcs_project_resource *project_resources;
    vcs_app *apps;
    vcs_app_resource *app_resources;
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

/* A section with all defaults filled in. */
struct grid_server_draft vcs_scn_grid_server_in_use(const struct grid_scenario *grid, uint32_t project);
struct grid_population_draft vcs_scn_grid_population_in_use(const struct grid_population *population);

/* Makes the classes of hosts, after all sections have been read. */
bool vcs_scn_grid_populations_complete(const struct state_reader *reader);

void vcs_scn_grid_population_free(struct grid_population *population);

#endif

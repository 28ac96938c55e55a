/*
 * The command line: which command, on which file, how.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_OPTIONS_COMMAND_LINE_H
#define VCS_EMU_SWEEP_OPTIONS_COMMAND_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/sweep/options/grid_options.h"
#include "vcemu/scenario/policy/policy.h"
#include "vcemu/sweep/points/sweep_plan.h"

enum command {
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_PLAN,
    COMMAND_ADMIT,
    COMMAND_RUN,
    COMMAND_SWEEP,
    COMMAND_GRID,
    COMMANDS
};

struct command_line {
    enum command command;
    enum command help_about; /* of COMMAND_HELP: a command, or COMMAND_HELP for the tool as a whole */
    char *const *paths;      /* the state file, or the scenarios of a sweep; "-" = standard input */
    size_t path_count;
    bool json;
    bool all;             /* plan: show all tasks */
    const char *explain;  /* plan: the project or task to explain; NULL = the whole plan */
    const char *trace;    /* run, grid: the file of events to write; NULL = none */
    const char *timeline; /* run: the page to write; NULL = none */
    bool unicode;
    struct policy_wish wish;
    const char **settings; /* what wish.settings points to */
    struct sweep_options sweep_options;
    struct sweep_wanted *wanted; /* what sweep_options.wanted points to */
    const char **histograms;     /* and sweep_options.histograms */
    bool csv;                    /* grid: write the samples */
    const char *every;           /* grid: as given */
    const char *trace_host;      /* the same */
    const char *report;          /* grid: the page to write; NULL = none */
    struct grid_options grid;
};

/*
 * Reads the arguments of main(). Returns false and describes what is wrong. Either way, call
 * vcs_swp_command_line_free() in the end.
 */
bool vcs_swp_command_line_read(struct command_line *line, int argument_count, char *const arguments[],
                               struct fault *fault);

void vcs_swp_command_line_free(struct command_line *line);

/* Writes help about the command, or the tool as a whole. */
void vcs_swp_command_line_help(enum command about, FILE *out);

#endif

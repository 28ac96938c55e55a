/*
 * The command line: which command, on which file, how.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_COMMAND_COMMAND_LINE_H
#define VCEMU_COMMAND_COMMAND_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include <vcemu/sweep.h>

#include "command/completion.h"
#include "grid/grid_seeds.h"
#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/text/fault.h"

enum command {
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_PLAN,
    COMMAND_ADMIT,
    COMMAND_RUN,
    COMMAND_BOUND,
    COMMAND_SWEEP,
    COMMAND_GRID,
    COMMAND_COMPLETION,
    COMMANDS
};

struct command_line {
    enum command command;
    enum command help_about;  /* of COMMAND_HELP: a command, or COMMAND_HELP for the tool as a whole */
    const char *const *paths; /* the state file, or the scenarios of a sweep; "-" = standard input */
    size_t path_count;
    enum shell shell;         /* completion: for this one */
    bool json;                /* also help: everything that the tables of commands and options have */
    bool unicode;
    bool bound;           /* run, grid: compare with the bound */
    bool csv;             /* grid: write the samples; bound: write the losses */
    bool all;             /* plan: show all tasks */
    const char *explain;  /* plan: the project, task or resource to explain; NULL = the whole plan */
    const char *compare;  /* plan: another policy to compare with; NULL = none */
    const char *trace;    /* run, grid: the file of events to write; NULL = none */
    const char *timeline; /* run: the page to write; NULL = none */
    const char *report;   /* grid: the page to write; NULL = none */
    const char *picture;  /* bound: the picture to write; NULL = none */
    struct policy_wish wish;
    struct grid_options grid;
    vcs_sweep sweep; /* without callbacks */
    vcs_file_options sweep_options;

    /* As given, until read into the fields above. */
    const char *seeds, *workers, *shard, *every, *trace_host;
    const char **settings;
    vcs_sweep_axis *axes;
    const char **histograms;
};

/*
 * Reads the arguments of main(). Returns false and describes the fault. Either way, call command_line_free() in the
 * end.
 */
bool command_line_read(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault);

void command_line_free(struct command_line *line);

/* Writes help about the command, or the tool as a whole. */
void command_line_help(enum command about, FILE *out);

/* Writes all commands, options and parameters as JSON. */
void command_line_help_json(FILE *out);

#endif

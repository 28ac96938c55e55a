/*
 * What the user says on the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_COMMAND_LINE_H
#define GRID_CLIENT_COMMAND_LINE_H

#include <stdint.h>

#include "text.h"

#define MOST_SETTINGS 64

enum command {
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_RUN,
    COMMAND_STATUS,
    COMMAND_ORDER /* attach, detach, suspend, resume, abort, update: what changes the state */
};

/* A parameter of the policy and its value. */
struct setting {
    char name[40];
    char value[40];
};

struct command_line {
    enum command command;
    const char *folder;
    char *order;   /* COMMAND_ORDER: in one line, as orders.h has it */
    uint32_t cpus; /* 0 = all */
    double flops;  /* of one CPU; 0 = measured */
    uint32_t profile; /* VCS_PROFILE_* */
    bool until_idle, keep_in_memory;
    uint32_t setting_count;
    struct setting settings[MOST_SETTINGS];
};

/* False, and the fault says why, if it cannot be understood. */
bool command_line_read(struct command_line *line, int count, char **arguments, struct fault *fault);
void command_line_print_help(void);

#endif

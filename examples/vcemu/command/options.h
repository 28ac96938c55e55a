/*
 * The commands and their options: the tables by which the command line is read, and which help and completion show.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_COMMAND_OPTIONS_H
#define VCEMU_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "command/command_line.h"

struct command_row {
    const char *name;
    const char *operand; /* what is given to it, in capitals */
    const char *kind;    /* the operand in words */
    const char *summary; /* one line for the list of commands */
    const char *about;   /* what it does, in lines */
    const char *notes;   /* what else its options need, in lines; may be "" */
    const char *examples;
};

/* By enum command; those without a name are no commands that have options. */
extern const struct command_row command_rows[COMMANDS];

/* What an option does, if it does not only keep its value as it is. */
enum option_code {
    OPTION_TEXT,
    OPTION_VARY, /* in the order of VCS_SWEEP_VARY, ... */
    OPTION_WITH,
    OPTION_POINTS,
    OPTION_HOSTS,
    OPTION_ALL,
    OPTION_BOUND,
    OPTION_CSV,
    OPTION_DAYS,
    OPTION_EACH_HOST,
    OPTION_EACH_SEED,
    OPTION_FORCE,
    OPTION_HELP,
    OPTION_HISTOGRAM,
    OPTION_JSON,
    OPTION_RESUME,
    OPTION_SEED,
    OPTION_SET,
    OPTION_UNICODE
};

/* What can stand for the value of an option. */
enum value_kind {
    VALUE_NONE, /* it takes none */
    VALUE_ANY,
    VALUE_FILE,
    VALUE_PROFILE,
    VALUE_POLICY,     /* a policy of the study */
    VALUE_SETTING,    /* PARAMETER=VALUE */
    VALUE_COMPARISON, /* PROFILE[,PARAMETER=VALUE]... */
    VALUE_AXIS,       /* KEY=VALUES, with many keys */
    VALUE_STATISTICS, /* names with commas between */
    VALUE_KINDS
};

struct option_row {
    unsigned commands; /* which have it: bits 1u << enum command */
    char letter;       /* its short form; '\0' = none */
    const char *name;
    const char *value; /* what the value is called; NULL if it takes none */
    enum value_kind kind;
    enum option_code code;
    size_t text;       /* of OPTION_TEXT: where struct command_line keeps it */
    const char *about; /* in lines */
};

/* In the order of help. Two rows of one name for a command are two kinds of value. */
extern const struct option_row option_rows[];
extern const size_t option_row_count;

bool option_is_of(const struct option_row *row, enum command command);

/* COMMANDS if there is none of this name. */
enum command command_find(const char *name);

#endif

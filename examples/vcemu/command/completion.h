/*
 * What makes a shell complete commands, options and values, from the tables of options.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_COMMAND_COMPLETION_H
#define VCEMU_COMMAND_COMPLETION_H

#include <stdio.h>

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH, SHELLS };

/* SHELLS if there is none of this name. */
enum shell completion_shell(const char *name);

void completion_print(enum shell shell, FILE *out);

#endif

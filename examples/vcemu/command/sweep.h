/*
 * The command `vcemu sweep`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_COMMAND_SWEEP_H
#define VCEMU_COMMAND_SWEEP_H

#include "command/command_line.h"

/* Returns how vcs_emulate_sweep() ended. Unless it is done, *fault tells why not. */
int sweep_run(struct command_line *line, struct fault *fault);

#endif

/*
 * The command `vcemu sweep`: from its command line to its end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_SWEEP_COMMAND_H
#define VCS_EMU_SWEEP_SWEEP_COMMAND_H

#include "vcemu/sweep/options/command_line.h"
#include "vcemu/sweep/sweep.h"

/* Reads the scenarios and does what the line says with them. Unless it is done, *fault tells why not. */
int vcs_swp_command(const struct command_line *line, struct fault *fault);

#endif

/*
 * The bounds of a host within an emulation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_BOUND_BOUND_H
#define VCS_EMU_BOUND_BOUND_H

#include "vcemu/host/emulator.h"

#include <vcemu/bound.h>

/* vcs_bound() of a scenario of this version, with the caller's functions for memory. */
int vcs_emu_bound(const vcs_scenario *scenario, const vcs_array *bounds, const vcs_emu_memory *memory,
                  vcs_error *error);

#endif

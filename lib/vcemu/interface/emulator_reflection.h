/*
 * The structs of libvcemu.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_INTERFACE_EMULATOR_REFLECTION_H
#define VCEMU_INTERFACE_EMULATOR_REFLECTION_H

#include "vcemu/interface/bound_fields.h"
#include "vcemu/interface/emulator_fields.h"
#include "vcemu/interface/grid_fields.h"
#include "vcsched/interface/describe/describe.h"

#define VCEMU_STRUCTS(S) VCS_EMULATOR_STRUCTS(S) VCS_GRID_STRUCTS(S) VCS_BOUND_STRUCTS(S)

/* The description of a struct of libvcemu; NULL for any other number. O(1). */
const vcs_description *vcs_emu_description_of(uint32_t type);

#endif

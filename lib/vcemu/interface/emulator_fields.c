/* SPDX-License-Identifier: MIT */
#include "vcemu/interface/emulator_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_EMULATOR_STRUCTS(VCS_LAYOUT)

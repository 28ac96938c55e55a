/* SPDX-License-Identifier: MIT */
#include "vcemu/interface/grid_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_GRID_STRUCTS(VCS_LAYOUT)

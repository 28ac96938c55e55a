/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/simulation_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_SIMULATION_STRUCTS(VCS_LAYOUT)

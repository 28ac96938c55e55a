/* SPDX-License-Identifier: MIT */
#include "vcemu/interface/bound_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_BOUND_STRUCTS(VCS_LAYOUT)

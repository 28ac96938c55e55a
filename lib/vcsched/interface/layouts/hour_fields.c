/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/chance_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_HOUR_STRUCTS(VCS_LAYOUT)

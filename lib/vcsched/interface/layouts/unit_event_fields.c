/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_UNIT_EVENT_STRUCTS(VCS_LAYOUT)

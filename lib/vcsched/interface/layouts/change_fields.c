/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_CHANGE_STRUCTS(VCS_LAYOUT)

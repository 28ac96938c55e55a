/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/schedule_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_SCHEDULE_STRUCTS(VCS_LAYOUT)

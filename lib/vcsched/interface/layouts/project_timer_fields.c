/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/timers_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_PROJECT_TIMER_STRUCTS(VCS_LAYOUT)

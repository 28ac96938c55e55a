/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_LESSON_STRUCTS(VCS_LAYOUT)

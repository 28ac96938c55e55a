/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/parameters_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_PARAMETERS_STRUCTS(VCS_LAYOUT)

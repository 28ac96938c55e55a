/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/dispatch_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_DISPATCH_STRUCTS(VCS_LAYOUT)

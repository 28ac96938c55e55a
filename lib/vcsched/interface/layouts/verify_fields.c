/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/verify_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_VERIFY_STRUCTS(VCS_LAYOUT)

/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/fetch_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_FETCH_STRUCTS(VCS_LAYOUT)

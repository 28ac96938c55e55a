/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/send_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_SEND_STRUCTS(VCS_LAYOUT)

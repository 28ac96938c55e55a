/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/accounts_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_ACCOUNTS_STRUCTS(VCS_LAYOUT)

/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/abi_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_ABI_STRUCTS(VCS_LAYOUT)

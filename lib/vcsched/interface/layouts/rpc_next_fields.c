/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/rpc_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_RPC_NEXT_STRUCTS(VCS_LAYOUT)

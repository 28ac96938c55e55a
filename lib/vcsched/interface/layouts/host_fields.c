/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/fields/host_fields.h"
#include "vcsched/interface/check/layout_rows.h"

VCS_HOST_STRUCTS(VCS_LAYOUT)
VCS_LAYOUT_LIKE(candidate, task, VCS_TYPE_CANDIDATE, sizeof(vcs_task), VCS_FIRST_task, VCS_NUMBERED)

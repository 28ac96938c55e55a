/*
 * How a selection begins: its memory, what is free, and what may be in the way.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_BEGIN_H
#define VCS_SCHEDULE_BEGIN_H

#include "vcsched/schedule/selection.h"

void vcs_begin_selection(vcs_selection *selection, vcs_state *state, uint32_t explains);

#endif

/*
 * Tasks and candidates of the state file: what they use, what they refer to, and how long they still need.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_STATE_TASK_H
#define VCEMU_STATE_TASK_H

#include <stdbool.h>

#include "state_reader.h"

/* Read the section into its record. All projects, applications, and the policy must have been read. */
bool state_task_read(const struct state_reader *reader);
bool state_candidate_read(const struct state_reader *reader);

#endif

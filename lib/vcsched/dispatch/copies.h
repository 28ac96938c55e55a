/*
 * Which clients were sent a job or a copy of it.
 *
 * A client must not get a job that it already has. Each original has a search tree, by client, of itself and its copies
 * that were sent, so that this is found in O(log(copies)). Most jobs have no copies, and at most one node.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_COPIES_H
#define VCS_DISPATCH_COPIES_H

#include "vcsched/dispatch/index.h"

#include <stdbool.h>

/* Notes that the client of a job was sent it, or forgets it. O(log(copies)). */
void vcs_copies_insert(vcs_dispatch *index, uint32_t number);
void vcs_copies_remove(vcs_dispatch *index, uint32_t number);

/* Whether a client has, or has replied to, a job or a copy of it. O(log(copies)). */
bool vcs_copies_have(const vcs_dispatch *index, uint32_t number, uint32_t client);

#endif

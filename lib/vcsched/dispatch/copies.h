/*
 * Who was sent a job, or a copy of it: for each job that is no copy a search tree of those that were, by client.
 *
 * A client asks for a job; each one that it already has has to be passed over. However many copies there are of it,
 * that is found out in O(log(copies)); most jobs have none, and their tree one node at most.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_COPIES_H
#define VCS_DISPATCH_COPIES_H

#include "vcsched/dispatch/index.h"

#include <stdbool.h>

/* Notes that a client was sent a job, or forgets it. O(log(copies)). */
void vcs_copies_insert(vcs_dispatch *index, uint32_t number);
void vcs_copies_remove(vcs_dispatch *index, uint32_t number);

/* Whether a client has, or has replied to, a job or a copy of it. O(log(copies)). */
bool vcs_copies_have(const vcs_dispatch *index, uint32_t number, uint32_t client);

#endif

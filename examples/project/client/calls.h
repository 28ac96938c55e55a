/*
 * Calls of schedulers, one at a time: the master page, which says where the scheduler is, and the scheduler itself.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_CALLS_H
#define GRID_CLIENT_CALLS_H

#include "client.h"
#include "command_line.h"
#include "policy.h"
#include "transfer.h"

struct calls {
    struct client *client;
    struct transfers *transfers;
    const struct command_line *line;
    struct project *project; /* that is being called; NULL if none is */
    struct transfer *transfer;
    struct ask ask;
};

/* Begins the call that the plan wants, or reads a master page that has to be read; but only one at a time. */
void calls_begin(struct calls *calls, const struct plan *plan);

/* How long until a master page may be read that has to be, s; infinity if there is none. */
double calls_wait(const struct calls *calls);

#endif

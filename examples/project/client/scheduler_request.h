/*
 * A scheduler request in the protocol of the deployed clients: who we are, what we have, what we have finished, and
 * what we want.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_SCHEDULER_REQUEST_H
#define GRID_CLIENT_SCHEDULER_REQUEST_H

#include "client.h"
#include "policy.h"

void scheduler_request_write(const struct client *client, const struct project *project, const struct ask *ask,
                             struct text *text);

#endif

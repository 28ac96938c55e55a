/*
 * What the user wants changed, as one line:
 *
 *     attach URL KEY [SHARE] | detach URL | suspend URL|TASK | resume URL|TASK | abort TASK | update URL
 *
 * While a client runs, only that may change the state. So the line is left in a file of orders/, and the client is told
 * by a signal to look there. If none runs, it is carried out at once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_ORDERS_H
#define GRID_CLIENT_ORDERS_H

#include "client.h"
#include "transfer.h"

/* Carries out one. `transfers` is NULL while no client runs. */
bool order_obey(struct client *client, struct transfers *transfers, const char *order, struct fault *fault);

/* Carries out all waiting orders, and logs them. */
void orders_obey(struct client *client, struct transfers *transfers);

/* Leaves one for the client that runs as `pid`. */
bool order_leave(const char *order, pid_t pid, struct fault *fault);

#endif

/*
 * What there is, for a person.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_STATUS_H
#define GRID_CLIENT_STATUS_H

#include "client.h"

/* `runs` says whether a client works on the state now; `now` is the present. */
void status_print(struct client *client, bool runs, double now);

#endif

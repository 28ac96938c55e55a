/*
 * What the user wants: preferences, as projects pass them on, over them the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_PREFERENCES_H
#define GRID_CLIENT_PREFERENCES_H

#include "client.h"
#include "command_line.h"

/* The policy: a profile, the preferences, the command line. */
bool preferences_apply(struct client *client, const struct command_line *line, struct fault *fault);

/* Takes in preferences that a reply brought, if they are newer than ours; true if so. */
bool preferences_accept(struct client *client, const char *inner);

/* The elements of a request that say which preferences are in force. */
void preferences_put(struct text *text, const struct client *client);

#endif

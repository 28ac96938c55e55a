/*
 * The life of a running client: one thread, one loop, which sleeps until something happens.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_RUN_H
#define GRID_CLIENT_RUN_H

#include "client.h"
#include "command_line.h"

enum run_end { RUN_DONE, RUN_FAILED, RUN_INTERRUPTED };

/* The state was read, and nobody else works on it. */
enum run_end client_run(struct client *client, const struct command_line *line, struct fault *fault);

#endif

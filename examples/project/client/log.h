/*
 * The log on standard output, a line for each event: when, about which project, what. And the points at which tests
 * kill the client.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_LOG_H
#define GRID_CLIENT_LOG_H

#include "text.h"

/* `project` is the name of a project; NULL for the client as a whole. */
void say(const char *project, const char *format, ...) FAULT_FORMAT(2, 3);

/*
 * With the environment variable GRIDCLIENT_DIE_AT=NAME:N, the client is killed when it comes to the point NAME for the
 * Nth time, as if the power failed: the tests see that nothing is lost.
 */
void fault_point(const char *name);

#endif

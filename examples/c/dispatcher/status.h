/*
 * The liveness pass, and the status for a web server (rules 10.4 and 10.5).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_STATUS_H
#define DISPATCHER_STATUS_H

#include "records.h"

/* The liveness pass. Returns a row for each client, to be released by free(). */
vcs_pool_client *survey(double now);

/* The pool as JSON. */
text status_of(double now, vcs_pool_client *rows);

#endif

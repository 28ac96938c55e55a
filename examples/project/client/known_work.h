/*
 * What is remembered of the work that a project sends: how much it was, how long its last job takes and when that is
 * due, and how far sizes are from their estimates. Fetching by what is owed asks for it (rules 15.5 and 15.6).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_KNOWN_WORK_H
#define GRID_CLIENT_KNOWN_WORK_H

#include "client.h"

/* A project that is attached later than others does not have to catch up with them. */
void known_work_begin(const struct client *client, struct project *project);

/* A job that has come, or that the server has refused: its operations, and how long after it is sent it is due. */
void known_work_arrived(const struct client *client, struct project *project, struct task *task);
void known_work_refused(const struct client *client, struct project *project, double est_flops, double latency_bound);

/* A task is over: what it took counts in place of its estimate; nothing does if it was given up. */
void known_work_ended(struct project *project, struct task *task);

/* Standard deviation / mean of the sizes by their estimates. */
double known_work_spread(const struct project *project);

#endif

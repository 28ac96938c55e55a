/*
 * What the client does next. Every decision is the library's; this carries it out and tells the log why.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_POLICY_H
#define GRID_CLIENT_POLICY_H

#include "client.h"

/* What a project is asked for. */
struct ask {
    double seconds, instances; /* of CPU; 0 = no work */
    double busy;               /* how long all CPUs have work already, s */
    double latency_bound;      /* no job that is due sooner is of use, s; 0 = any is */
    uint32_t jobs;             /* most jobs; 0 = as many as fill the seconds */
};

struct plan {
    struct project *call; /* to be called now; NULL if none */
    struct ask ask;
    double next_look; /* decide again after this many seconds at the latest */
};

/* Which tasks run, and which project is called, for work or for another reason. */
void policy_decide(struct client *client, struct plan *plan);

#endif

/*
 * Rule 10.3: which job a client gets next, by looking at all of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_DISPATCH_H
#define ORACLE_DISPATCH_H

#include <vcsched/dispatch.h>

/* The records of a server. */
typedef struct oracle_server {
    const vcs_client *clients;
    const vcs_dispatch_job *jobs;
    uint32_t client_count, job_count;
    vcs_dispatch_rules rules;
} oracle_server;

vcs_dispatch_decision oracle_dispatch_next(const oracle_server *server, uint32_t client, double now);

#endif

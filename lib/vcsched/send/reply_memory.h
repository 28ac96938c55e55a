/*
 * The reply so far, as the choice of jobs keeps it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SEND_REPLY_MEMORY_H
#define VCS_SEND_REPLY_MEMORY_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>
#include <vcsched/send.h>

/* The part of the request for one resource that is still open. */
typedef struct need {
    double seconds;
    int64_t units;
    int64_t busy; /* microseconds from now */
    double latency_bound; /* the shortest that is wanted, s */
    uint32_t jobs;        /* UINT32_MAX if there is no limit */
    bool is_asked;
} need;

/* The reply so far. */
typedef struct send_reply {
    vcs_state *state;
    const vcs_array *jobs; /* vcs_send_job */
    const vcs_send_limits *limits;
    need *needs;             /* [resources] */
    uint32_t *app_jobs;      /* [applications] in progress on the host or sent */
    uint32_t *order;         /* [candidates] by work unit */
    uint32_t *first_copy;    /* [candidates] the first candidate of the same work unit */
    unsigned char *is_sent;  /* [candidates] of a first copy: 1 = a copy of its work unit is sent */
    double disk;             /* bytes left */
    uint32_t sent, late;
    bool is_study, is_by_admission, is_by_chance, has_ended;
} send_reply;

/* Lays the arrays out for these counts; their size is vcs_send_scratch() of host/scratch.h. */
void vcs_reply_lay_out(send_reply *reply, const vcs_counts *counts, vcs_arena *arena);

#endif

/*
 * What only a server by reply has: its clients and jobs as vcs_dispatch_next() knows them, and the units behind them.
 *
 * A unit is here one job or several: a record for each client that computes it, all of which refer to the first one. A
 * record has a number, that of the job in the index. Those of units that are finished leave it to others.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_REPLY_DISPATCHER_H
#define VCS_EMU_GRID_REPLY_DISPATCHER_H

#include "vcemu/grid/grid_server.h"

#include <vcsched/dispatch.h>
#include <vcsched/verify.h>

/* What has become of a job. */
typedef enum vcs_grid_fate {
    VCS_GRID_WAITS,    /* it has not been sent */
    VCS_GRID_HELD,     /* a client has it */
    VCS_GRID_DETACHED, /* likewise, but the client has been caught, and nobody waits for its reply */
    VCS_GRID_GIVEN_UP, /* likewise, but the unit is done without it */
    VCS_GRID_ABORTED,  /* the client was told so, and does not have it any more */
    VCS_GRID_FAILED,   /* the reply was an error, */
    VCS_GRID_ANSWERED, /* a result that has not been judged, */
    VCS_GRID_VALID,    /* one that has been found right, */
    VCS_GRID_INVALID   /* or one that has been found wrong, or whose client has been caught */
} vcs_grid_fate;

/* What is known of a job beyond the vcs_dispatch_job of the same number. */
typedef struct vcs_grid_job {
    double flops;        /* operations that the host did for it; known when it has been reported or given up */
    uint32_t unit;       /* slot of its unit */
    uint32_t copy;       /* index in its unit */
    uint32_t next;       /* of its unit; of a record that is free, another such; VCS_NONE = none */
    uint32_t supersedes; /* the job that it was sent in the place of; VCS_NONE = none */
    uint32_t reason;     /* why it was sent: VCS_REASON_* */
    uint32_t kind;       /* class of equal results: VCS_GRID_RIGHT, ... */
    vcs_grid_fate fate;
    uint32_t previous_of_host, next_of_host; /* jobs that were sent to the same host */
    bool is_check;                           /* it checks the result of another one of its unit: the inverse problem */
    bool is_outside;                         /* a host has it, or its unreported result */
    bool is_late;                            /* its result came when the unit was done */
    bool has_taught;                         /* what its client did has been counted */
} vcs_grid_job;

typedef struct vcs_grid_reply_unit {
    uint64_t number; /* from 1; 0 = the slot is free */
    double flops;
    double created;
    double done;    /* when a result was accepted */
    uint32_t first; /* job; the others are copies of it. Of a free slot, another such */
    uint32_t last;
    uint32_t count;     /* jobs that there ever were */
    uint32_t wanted;    /* results that are compared (rule 11.2) */
    uint32_t touched;   /* jobs that are on offer or were sent */
    uint32_t held;      /* jobs that clients have */
    uint32_t outside;   /* jobs that hosts have, or their unreported results */
    uint32_t candidate; /* the job whose result another client checks; VCS_NONE = none */
    uint32_t accepted;  /* the job whose result was accepted; VCS_NONE = none yet */
    uint32_t winner;    /* class that won the vote */
    bool is_sent;       /* to anybody, ever */
    bool is_at_head;    /* what is still to be sent goes to the head of the queue */
    bool is_wrong;      /* the accepted result is wrong */
} vcs_grid_reply_unit;

/* Units of which clients have jobs, and how that was over time (rule 10.5). */
typedef struct vcs_grid_window {
    vcs_grid_queue oldest, newest; /* slots, by when the units were created */
    double until;                  /* up to when the following were summed up */
    double jobs_sum, bytes_sum, span_sum;
} vcs_grid_window;

struct vcs_grid_dispatcher {
    vcs_dispatch_rules rules;
    vcs_dispatch *index;
    uint32_t most_clients, most_jobs; /* that it can hold */
    vcs_client *clients;              /* by number of the host */
    uint32_t client_count;
    vcs_pace pool;
    vcs_dispatch_job blank; /* what all jobs of the project have in common */
    vcs_dispatch_job *records;
    vcs_grid_job *jobs; /* beside them */
    uint32_t job_count, free_job;
    uint64_t last_id;
    vcs_grid_reply_unit *units;
    uint32_t unit_count, free_unit;
    uint32_t untouched; /* units of which no job is on offer or was ever sent */
    vcs_grid_window window;

    vcs_ballot *ballots; /* of a vote, and for each of them */
    uint32_t *voters;    /* the job, */
    uint32_t *ballot_order;
    vcs_ballot_verdict *verdicts;

    double next_survey; /* when it may be looked again which clients are dead, and room for that: */
    uint32_t *client_order, *job_order;
    vcs_pool_client *rows;
};

static inline bool vcs_grid_is_held(const vcs_dispatch_job *record) {
    return record->state == VCS_JOB_IN_PROGRESS || record->state == VCS_JOB_SUPERSEDED;
}

static inline bool vcs_grid_is_blacklisted(const vcs_grid_server *s, uint32_t host) {
    return (s->clients[host].trust.flags & VCS_BLACKLISTED) != 0;
}

#endif

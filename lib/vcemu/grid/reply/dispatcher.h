/*
 * A server by reply: its clients and jobs as vcs_dispatch_next() knows them, and the units behind them.
 *
 * A unit has one job or several here: a record for each client that computes it, and all refer to the first. The number
 * of a record is its number in the index. Finished units leave their numbers to others.
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
    VCS_GRID_WAITS,    /* not sent yet */
    VCS_GRID_HELD,     /* a client has it */
    VCS_GRID_DETACHED, /* a client has it that has been caught: nobody waits for the reply */
    VCS_GRID_GIVEN_UP, /* a client has it, but the unit is done without it */
    VCS_GRID_ABORTED,  /* given up, and the client was told and has dropped it */
    VCS_GRID_FAILED,   /* the reply was an error */
    VCS_GRID_ANSWERED, /* the reply was a result, not judged yet */
    VCS_GRID_VALID,    /* the result was found right */
    VCS_GRID_INVALID   /* the result was found wrong, or the client was caught */
} vcs_grid_fate;

/* The rest of a job, beside the vcs_dispatch_job of the same number. */
typedef struct vcs_grid_job {
    double flops;        /* operations done by the host; known when it has been reported or given up */
    uint32_t unit;       /* slot of its unit */
    uint32_t copy;       /* index in its unit */
    uint32_t next;       /* next job of its unit, or next free record; VCS_NONE = none */
    uint32_t supersedes; /* the job that it replaces; VCS_NONE = none */
    uint32_t reason;     /* why it was sent: VCS_REASON_* */
    uint32_t kind;       /* class of equal results: VCS_GRID_RIGHT, ... */
    vcs_grid_fate fate;
    uint32_t previous_of_host, next_of_host; /* jobs sent to the same host */
    bool is_check;                           /* it is the inverse problem of another job of its unit */
    bool is_outside;                         /* a host has it, or its unreported result */
    bool is_late;                            /* its result came after the unit was done */
    bool has_taught;                         /* its client has been credited or blamed for it */
} vcs_grid_job;

typedef struct vcs_grid_reply_unit {
    uint64_t number; /* from 1; 0 = the slot is free */
    double flops;
    double created;
    double done;    /* when a result was accepted */
    uint32_t first; /* first job, copied by the others; in a free slot, the next free slot */
    uint32_t last;
    uint32_t count;     /* jobs ever added */
    uint32_t wanted;    /* results to compare (rule 11.2) */
    uint32_t touched;   /* jobs on offer or sent */
    uint32_t held;      /* jobs on clients, as the server believes */
    uint32_t outside;   /* jobs on hosts, or their unreported results */
    uint32_t candidate; /* job with a result that another client checks; VCS_NONE = none */
    uint32_t accepted;  /* job with the accepted result; VCS_NONE = none yet */
    uint32_t winner;    /* class that won the vote */
    bool is_sent;       /* a job of it has been sent */
    bool is_at_head;    /* further jobs go to the head of the queue */
    bool is_wrong;      /* the accepted result is wrong */
} vcs_grid_reply_unit;

/* Units with jobs on clients, and their number over time (rule 10.5). */
typedef struct vcs_grid_window {
    vcs_grid_queue oldest, newest; /* slots, by creation time of the units */
    double until;                  /* when the sums were last brought up to date */
    double jobs_sum, bytes_sum, span_sum;
} vcs_grid_window;

struct vcs_grid_dispatcher {
    vcs_dispatch_rules rules;
    vcs_dispatch *index;
    uint32_t most_clients, most_jobs; /* room in the index */
    vcs_client *clients;              /* by number of the host */
    uint32_t client_count;
    vcs_pace pool;
    vcs_dispatch_job blank; /* a new job of the project */
    vcs_dispatch_job *records;
    vcs_grid_job *jobs; /* beside them */
    uint32_t job_count, free_job;
    uint64_t last_id;
    vcs_grid_reply_unit *units;
    uint32_t unit_count, free_unit;
    uint32_t untouched; /* units without a job on offer or sent */
    vcs_grid_window window;

    vcs_ballot *ballots; /* of a vote; the next three have an element for each */
    uint32_t *voters;    /* the job */
    uint32_t *ballot_order;
    vcs_ballot_verdict *verdicts;

    double next_survey; /* when a survey of dead clients may be made again; room for it follows */
    vcs_pool_client *rows;
};

static inline bool vcs_grid_is_held(const vcs_dispatch_job *record) {
    return record->state == VCS_JOB_IN_PROGRESS || record->state == VCS_JOB_SUPERSEDED;
}

#endif

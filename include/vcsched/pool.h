/*
 * The pool of clients: which are alive, and how much they can do (rules 10.4 and 10.5, source S3).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_POOL_H
#define VCSCHED_POOL_H

#include <vcsched/job.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_pool_client.liveness: whether a client is there */
#define VCS_LIVENESS_ACTIVE 0u      /* it may get work */
#define VCS_LIVENESS_DEAD 1u        /* it is dead */
#define VCS_LIVENESS_BLACKLISTED 2u /* it is on the blacklist */
#define VCS_LIVENESS_SILENT 3u      /* it has no job, and was silent for longer than an average job explains */

/* One row of the table of clients. 64 bytes. Since 0.1. */
typedef struct vcs_pool_client {
    uint32_t liveness;    /* VCS_LIVENESS_* */
    uint32_t has_died;    /* 1: it has just been found dead: set VCS_CLIENT_DEAD in its record; else 0 */
    uint32_t jobs;        /* jobs that it has, including superseded ones */
    uint32_t reserved0;   /* 0 */
    double silent;        /* time since it was last heard from, s */
    double dead_in;       /* time until it counts as dead, or silent if it has no job, should nothing be heard, s. 0 if
                             that has passed, +infinity if it has no job and nothing is known of the pool */
    double rate;          /* bytes/s, at most 1e30 */
    double speed;         /* complexity/s, at most 1e30 */
    uint64_t reserved[2]; /* 0 */
} vcs_pool_client;

/* The pool as a whole. 80 bytes. Since 0.1. */
typedef struct vcs_pool_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t active;      /* clients that are alive: neither dead, nor silent, nor blacklisted */
    uint32_t talking;     /* clients that are connected, whatever their state */
    uint32_t dead;        /* clients that are dead */
    uint32_t blacklisted; /* clients on the blacklist */
    uint32_t jobs;        /* jobs that clients have, each copy counted */
    double power;         /* total complexity/s of the clients that are alive */
    uint32_t silent;      /* clients without a job that have been silent for too long */
    uint32_t window;      /* jobs that clients have, a job and its copies counted once */
    uint32_t duplicates;  /* copies among the jobs that clients have: jobs - window */
    uint32_t reserved0;   /* 0 */
    double window_bytes;  /* the sizes of the jobs of the window, bytes */
    double window_span;   /* the newest `queued` of them minus the oldest, s: how long the application waits for its
                             next portion in order */
    uint64_t reserved[2]; /* 0 */
} vcs_pool_summary;

/*
 * Judges which clients are alive, and sums up the pool.
 *
 * clients        all clients; may be NULL if client_count is 0
 * client_size    sizeof(vcs_client) of the caller
 * client_count   how many clients
 * jobs           all jobs; may be NULL if job_count is 0
 * job_size       sizeof(vcs_dispatch_job) of the caller
 * job_count      how many jobs
 * pool           the pace of all clients together
 * rules          the factors
 * now            the present, a time within +-VCS_MAX_TIME
 * order          out: as many numbers as clients: their indices by id; may be NULL if there is none
 * job_order      out: as many numbers as jobs: the indices first of those that clients have, a job and its copies side
 *                by side, then of the others; may be NULL if there is none
 * rows           out: one for each client; may be NULL if there is none
 * row_size       sizeof(vcs_pool_client) of the caller
 * summary        out
 * error          what was refused, and where; may be NULL
 *
 * A client that has jobs is dead when, for each of them, the time since it was last heard from, or since the job was
 * sent if that is later, exceeds rules.dead_factor times the expected time. It stays dead until it replies. A client
 * without jobs is silent when the time since it was last heard from exceeds rules.dead_factor times the expected time
 * (vcs_expected_reply()) of an average job: the mean of the sizes and complexities of the pool's replies. Before any
 * came it is not judged.
 *
 * The window is what S3 calls so: with VCS_OVERDUE_FIRST it grows with rules.wait_factor, while duplicates fall. The
 * size and `queued` of a job are those of the record that its copies refer to.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX or
 * VCS_ERR_OVERFLOW. Thread-safe. O(jobs + h * log(h) + clients * log(clients)), where clients have h jobs.
 */
VCS_API int vcs_pool_survey(const vcs_client *clients, uint32_t client_size, uint32_t client_count,
                            const vcs_dispatch_job *jobs, uint32_t job_size, uint32_t job_count, const vcs_pace *pool,
                            const vcs_dispatch_rules *rules, double now, uint32_t *order, uint32_t *job_order,
                            vcs_pool_client *rows, uint32_t row_size, vcs_pool_summary *summary, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Jobs in the hands of clients: how soon a reply is to be expected (rules 10.1 and 10.2, source S3).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_JOB_H
#define VCSCHED_JOB_H

#include <vcsched/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The complexity of a job of which none is known. */
#define VCS_UNKNOWN_COMPLEXITY 1.0

/*
 * How fast replies came: of one client, or of all clients together. In/out. All zero is that of nobody. Rates are
 * quotients of these sums, so large jobs count more than small ones. 48 bytes. Since 0.1.
 */
typedef struct vcs_pace {
    double bytes;            /* transferred, 0 ... 1e30 */
    double transfer_seconds; /* that it took, 0 ... 1e30 */
    double complexity;       /* of what was computed, 0 ... 1e30 */
    double compute_seconds;  /* that it took, 0 ... 1e30 */
    uint64_t replies;        /* replies counted */
    uint64_t reserved[1];    /* 0 */
} vcs_pace;

/* vcs_client.flags */
#define VCS_CLIENT_BLACKLISTED 0x1u /* it gets no work, and its replies are refused */
#define VCS_CLIENT_DEAD 0x2u        /* it was silent for too long: see vcs_pool_survey(); a reply revives it */
#define VCS_CLIENT_TALKING 0x4u     /* it is connected at this moment */

/* A client that gets jobs. 88 bytes. Since 0.1. */
typedef struct vcs_client {
    uint64_t id;          /* the caller's number, distinct; breaks ties, lower first */
    vcs_pace pace;        /* how fast its replies came */
    double heard;         /* when it was last heard of, a time within +-VCS_MAX_TIME */
    uint32_t flags;       /* VCS_CLIENT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_client;

/* What a job goes through */
#define VCS_JOB_FRESH 0u       /* it waits to be sent */
#define VCS_JOB_IN_PROGRESS 1u /* a client has it */
#define VCS_JOB_SUPERSEDED 2u  /* a client has it, but another one has got a copy of it since: the first reply counts */
#define VCS_JOB_REPLIED 3u     /* the reply has come, and is not disposed of yet */
#define VCS_JOB_OVER 4u        /* nothing is wanted of it any more; the record may be used for another job */

/* vcs_dispatch_job.flags */
#define VCS_JOB_AT_HEAD 0x1u /* it goes before all fresh ones: a check, or a job that was lost in one (rule 11.1) */

/*
 * A job for one client. If several clients are to compute the same, each has a record of its own, and all but the first
 * say of which one they are a copy. 80 bytes. Since 0.1.
 */
typedef struct vcs_dispatch_job {
    uint64_t id;          /* the caller's number, distinct; breaks ties, lower first */
    double size;          /* what has to be transferred, bytes, 0 ... 1e30 */
    double complexity;    /* how long it takes on the project's reference machine, in any unit, 1e-30 ... 1e30;
                             VCS_UNKNOWN_COMPLEXITY if that is not known */
    double queued;        /* when it joined the queue, a time within +-VCS_MAX_TIME: first in, first out */
    double sent;          /* when it was sent, a time; of meaning while a client has it */
    double expected;      /* how long the reply was expected to take then, s; set by vcs_job_send() */
    uint32_t state;       /* VCS_JOB_* */
    uint32_t flags;       /* VCS_JOB_AT_HEAD or 0 */
    uint32_t client;      /* index of the client that has it, or had it; VCS_NONE while it is fresh */
    uint32_t copy_of;     /* index of the first job that is the same, or that this one checks; VCS_NONE = none. That
                             one is no copy itself */
    uint64_t reserved[2]; /* 0 */
} vcs_dispatch_job;

/* Which job is next (rule 10.3). Fresh jobs go by VCS_JOB_AT_HEAD, `queued` and id. */
#define VCS_DRAIN_THEN_DEAD 0u   /* all fresh jobs first, then those of clients that are dead or blacklisted */
#define VCS_DRAIN_THEN_OLDEST 1u /* all fresh jobs first, then those in progress, the one sent first before others */
#define VCS_OVERDUE_FIRST 2u     /* jobs whose window has ended, the earliest end first, before any fresh one */

/* The rules of a dispatcher. Begin with vcs_dispatch_rules_init(). 72 bytes. Since 0.1. */
typedef struct vcs_dispatch_rules {
    uint32_t struct_size; /* bytes; set by the caller or vcs_dispatch_rules_init() */
    uint32_t flags;       /* 0 */
    uint32_t order;       /* VCS_DRAIN_THEN_DEAD, VCS_DRAIN_THEN_OLDEST or VCS_OVERDUE_FIRST */
    uint32_t reserved0;   /* 0 */
    double wait_factor;   /* K_wait: the window of a reply in expected times, > 0, at most 1e6; default 2 */
    double dead_factor;   /* K_wait_dead: a client is dead after so many, > wait_factor, at most 1e6; default 4 */
    double first_rate;    /* bytes/s of a client before anything is known of any, 1e-9 ... 1e30; default 1e5 */
    double first_speed;   /* complexity/s likewise, 1e-30 ... 1e30; default 1: as fast as the reference machine */
    double forget;        /* part of what is known that each reply makes forgotten, 0 ... 1; default 0: nothing */
    uint64_t reserved[2]; /* 0 */
} vcs_dispatch_rules;

/*
 * The default rules: VCS_OVERDUE_FIRST and the values above.
 *
 * size   sizeof(vcs_dispatch_rules) of the caller
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. Thread-safe. O(1).
 */
VCS_API int vcs_dispatch_rules_init(vcs_dispatch_rules *rules, uint32_t size);

/*
 * How long the reply of a client on a job is expected to take (rule 10.1):
 *
 *     size / (bytes per second) + complexity / (complexity per second)
 *
 * Each rate is the client's; if it has none yet, the pool's; if that has none, that of the rules.
 *
 * client    of its record, the pace alone counts
 * pool      the pace of all clients together, kept by vcs_client_reply()
 * rules     checked as a whole
 * job       of its record, size and complexity alone count
 * seconds   the answer, s, at most VCS_MAX_SECONDS; times rules.wait_factor it is the window of the reply
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_expected_reply(const vcs_client *client, const vcs_pace *pool, const vcs_dispatch_rules *rules,
                               const vcs_dispatch_job *job, double *seconds, vcs_error *error);

/*
 * A fresh job is sent: sets its state, client, sent and expected.
 *
 * job       in/out
 * number    index of the client
 * client    its record; one on the blacklist is VCS_ERR_UNSUPPORTED
 * now       the present, a time within +-VCS_MAX_TIME
 *
 * The other arguments are those of vcs_expected_reply().
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX if
 * `number` is VCS_NONE, VCS_ERR_UNSUPPORTED, or VCS_ERR_SEQUENCE if the job is not fresh. On an error the job is as it
 * was. Thread-safe. O(1).
 */
VCS_API int vcs_job_send(vcs_dispatch_job *job, uint32_t number, const vcs_client *client, const vcs_pace *pool,
                         const vcs_dispatch_rules *rules, double now, vcs_error *error);

/* What a reply brought. Zero it, set struct_size, then what you know. 56 bytes. Since 0.1. */
typedef struct vcs_reply_times {
    uint32_t struct_size;    /* bytes; set by the caller */
    uint32_t flags;          /* 0 */
    double bytes;            /* transferred, 0 ... 1e30 */
    double transfer_seconds; /* that it took, s, 0 ... 1e12 */
    double complexity;       /* of the job, 0 ... 1e30; 0 = a sign of life alone, nothing was computed */
    double compute_seconds;  /* that it took, s, 0 ... 1e12 */
    uint64_t reserved[2];    /* 0 */
} vcs_reply_times;

/*
 * A client replied: it lives, and its pace and that of the pool are averaged on. A reply of a client on the blacklist
 * is refused and changes nothing.
 *
 * client    in/out
 * pool      in/out; the pace of all clients together
 * rules     checked as a whole
 * times     what the reply brought
 * now       the present, a time within +-VCS_MAX_TIME
 * refused   set to 1 if the reply is refused, else to 0
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, or VCS_ERR_RANGE, which also means
 * that a sum would leave 0 ... 1e30. On an error nothing is changed. Thread-safe. O(1).
 */
VCS_API int vcs_client_reply(vcs_client *client, vcs_pace *pool, const vcs_dispatch_rules *rules,
                             const vcs_reply_times *times, double now, uint32_t *refused, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

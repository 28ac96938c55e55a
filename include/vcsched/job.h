/*
 * Jobs that clients work on, and when to expect a reply (rules 10.1 and 10.2, source S3).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_JOB_H
#define VCSCHED_JOB_H

#include <vcsched/record.h>
#include <vcsched/trust.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The complexity of a job whose complexity is not known. It counts as 1. */
#define VCS_UNKNOWN_COMPLEXITY 0.0

/*
 * How fast replies came, from one client or from all clients together. In/out. All zero = no replies yet. Rates are
 * quotients of these sums, so large jobs count more than small ones. 48 bytes. Since 0.1.
 */
typedef struct vcs_pace {
    double bytes;            /* transferred, 0 ... 1e30 */
    double transfer_seconds; /* how long that took, s, 0 ... 1e30 */
    double complexity;       /* computed, 0 ... 1e30 */
    double compute_seconds;  /* how long that took, s, 0 ... 1e30 */
    uint64_t replies;        /* replies counted; signs of life are none */
    uint64_t reserved[1];    /* 0 */
} vcs_pace;

/* vcs_client.flags: also VCS_BLACKLISTED, with which its replies are refused and its jobs go to others at once */
#define VCS_CLIENT_DEAD 0x2u    /* it has been silent for too long: see vcs_pool_survey(); a reply clears this */
#define VCS_CLIENT_TALKING 0x4u /* it is connected at this moment */

/* A client that gets jobs. 88 bytes. Since 0.1. */
typedef struct vcs_client {
    uint64_t id;          /* the caller's number, unique; breaks ties, lower first */
    vcs_pace pace;        /* how fast its replies came */
    double last_heard;    /* when it was last heard from, a time within +-VCS_MAX_TIME */
    uint32_t flags;       /* VCS_BLACKLISTED, VCS_CLIENT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_client;

/* The states of a job */
#define VCS_JOB_FRESH 0u       /* waiting to be sent */
#define VCS_JOB_IN_PROGRESS 1u /* a client has it */
#define VCS_JOB_SUPERSEDED 2u  /* a client has it, but another one has received a copy since: the first reply counts */
#define VCS_JOB_REPLIED 3u     /* the reply has arrived, but is not dealt with yet */
#define VCS_JOB_OVER 4u        /* finished; the record may be reused for another job */

/* vcs_dispatch_job.flags */
#define VCS_JOB_AT_HEAD 0x1u /* it goes before all other fresh jobs: a check, or a job whose check failed (rule 11.1) */

/*
 * A job for one client. If several clients are to compute the same, each gets a record of its own, and all but the
 * first refer to the one that they are a copy of. 80 bytes. Since 0.1.
 */
typedef struct vcs_dispatch_job {
    uint64_t id;          /* the caller's number, unique; breaks ties, lower first */
    double size;          /* bytes to be transferred, 0 ... 1e30 */
    double complexity;    /* its run time on the project's reference machine, in any unit, 0 ... 1e30;
                             VCS_UNKNOWN_COMPLEXITY, 0, counts as 1 */
    double queued;        /* when it joined the queue, a time within +-VCS_MAX_TIME: first in, first out */
    double sent;          /* when it was sent, a time; read while a client has it */
    double expected;      /* how long the reply was expected to take when it was sent, s; set by vcs_job_send() */
    uint32_t state;       /* VCS_JOB_* */
    uint32_t flags;       /* VCS_JOB_AT_HEAD or 0 */
    uint32_t client;      /* index of the client that has or had it; VCS_NONE while it is fresh */
    uint32_t copy_of;     /* index of the job that it is a copy of, or that it checks; VCS_NONE = none. That job must
                             not be a copy itself */
    uint64_t reserved[2]; /* 0 */
} vcs_dispatch_job;

/*
 * vcs_dispatch_rules.order: which job is next (rule 10.3), after those that a client on the blacklist has. Fresh jobs
 * go by VCS_JOB_AT_HEAD, `queued` and id.
 */
#define VCS_DRAIN_THEN_DEAD 0u   /* all fresh jobs, then those of dead clients */
#define VCS_DRAIN_THEN_OLDEST 1u /* all fresh jobs, then those in progress, the one sent first before others */
#define VCS_OVERDUE_FIRST 2u     /* jobs whose window has ended, the earliest end first, then fresh ones */

/* The rules of a dispatcher. Begin with vcs_dispatch_rules_init(). 72 bytes. Since 0.1. */
typedef struct vcs_dispatch_rules {
    uint32_t struct_size; /* bytes; set by the caller or vcs_dispatch_rules_init() */
    uint32_t flags;       /* 0 */
    uint32_t order;       /* VCS_DRAIN_THEN_DEAD, VCS_DRAIN_THEN_OLDEST or VCS_OVERDUE_FIRST */
    uint32_t most_per_client; /* most jobs that a client may have at a time, superseded ones included; 0 = no limit;
                                 default 1000 */
    double wait_factor;   /* K_wait: the window of a reply, in expected times, > 0, at most 1e6; default 2 */
    double dead_factor;   /* K_wait_dead: when a client is dead, likewise, > wait_factor, at most 1e6; default 4 */
    double first_rate;    /* bytes/s assumed before any reply has come, 1e-9 ... 1e30; default 1e5 */
    double first_speed;   /* complexity/s likewise, 1e-30 ... 1e30; default 1: as fast as the reference machine */
    double forget;        /* fraction of the past that each reply makes the averages forget, 0 ... 1; default 0 */
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
 * How long a client is expected to take to reply to a job (rule 10.1):
 *
 *     size / (bytes per second) + complexity / (complexity per second)
 *
 * Each rate is the client's; if it has none yet, the pool's; if that has none either, the rules'.
 *
 * client    only its pace is used
 * job       only its size and complexity are used
 * pool      the pace of all clients together, kept by vcs_client_reply()
 * rules     checked as a whole
 * seconds   the answer, s, at most VCS_MAX_SECONDS; times rules.wait_factor it is the window of the reply
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_expected_reply(const vcs_client *client, const vcs_dispatch_job *job, const vcs_pace *pool,
                               const vcs_dispatch_rules *rules, double *seconds, vcs_error *error);

/*
 * Records that a fresh job is sent: sets its state, client, sent and expected.
 *
 * job       in/out
 * number    index of the client
 * client    its record; VCS_ERR_UNSUPPORTED if it is on the blacklist
 * now       the present, a time within +-VCS_MAX_TIME
 *
 * The other arguments are those of vcs_expected_reply().
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX if
 * `number` is VCS_NONE, VCS_ERR_UNSUPPORTED, or VCS_ERR_SEQUENCE if the job is not fresh. On an error the job is
 * unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_job_send(vcs_dispatch_job *job, uint32_t number, const vcs_client *client, const vcs_pace *pool,
                         const vcs_dispatch_rules *rules, double now, vcs_error *error);

/*
 * What a reply brought. Zero it, set struct_size, then what you know: nothing else is a sign of life, which changes no
 * pace. 56 bytes. Since 0.1.
 */
typedef struct vcs_reply_times {
    uint32_t struct_size;    /* bytes; set by the caller */
    uint32_t flags;          /* 0 */
    double bytes;            /* transferred, 0 ... 1e30 */
    double transfer_seconds; /* how long that took, s, 0 ... 1e12 */
    double complexity;       /* of the job, 0 ... 1e30; VCS_UNKNOWN_COMPLEXITY, 0, counts as 1 where computing
                                took time, else as nothing */
    double compute_seconds;  /* how long that took, s, 0 ... 1e12 */
    uint64_t reserved[2];    /* 0 */
} vcs_reply_times;

/*
 * Records a client's reply: the client is alive, and its pace and the pool's are updated. A reply from a client on the
 * blacklist is refused and changes nothing.
 *
 * client    in/out
 * pool      in/out; the pace of all clients together
 * times     what the reply brought
 * rules     checked as a whole
 * now       the present, a time within +-VCS_MAX_TIME
 * refused   set to 1 if the reply is refused, else to 0
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, or VCS_ERR_RANGE, which also means
 * that a sum would exceed 1e30. On an error nothing is changed. Thread-safe. O(1).
 */
VCS_API int vcs_client_reply(vcs_client *client, vcs_pace *pool, const vcs_reply_times *times,
                             const vcs_dispatch_rules *rules, double now, uint32_t *refused, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Dispatch by expected reply: jobs, the clients that work on them, and which job a client gets next (rule 10).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_DISPATCH_H
#define VCSCHED_DISPATCH_H

#include <vcsched/host.h>
#include <vcsched/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Jobs ---- */

/*
 * The jobs that clients work on, and when to expect a reply (rules 10.1 and 10.2, source S3).
 */

/* A job of unknown complexity, which counts as 1. */
#define VCS_UNKNOWN_COMPLEXITY 0.0

/*
 * How fast replies came from one client, or from all clients together. Rates are quotients of these sums over replies,
 * so large jobs count more than small ones. In/out. All zero = no replies yet. 48 bytes. Since 1.0.
 */
typedef struct vcs_pace {
    double bytes;            /* transferred, 0 ... 1e30 */
    double transfer_seconds; /* spent on the transfers, s, 0 ... 1e30 */
    double complexity;       /* computed, 0 ... 1e30 */
    double compute_seconds;  /* spent on computing, s, 0 ... 1e30 */
    uint64_t replies;        /* how many; signs of life do not count */
    uint64_t reserved[1];    /* 0 */
} vcs_pace;

/* vcs_client.flags: also VCS_BLACKLISTED: the client's replies are refused, and its jobs go to others at once */
#define VCS_CLIENT_DEAD 0x2u    /* silent for too long, see vcs_pool_survey(); a reply clears this flag */
#define VCS_CLIENT_TALKING 0x4u /* connected at this moment */

/* A client that gets jobs. The caller keeps it; vcs_client_reply() updates it. 88 bytes. Since 1.0. */
typedef struct vcs_client {
    uint64_t id;          /* the caller's number, unique; breaks ties, lower first */
    vcs_pace pace;        /* how fast its replies came */
    double last_heard;    /* when the last reply or sign of life came, a time within +-VCS_MAX_TIME */
    uint32_t flags;       /* VCS_BLACKLISTED, VCS_CLIENT_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_client;

/* vcs_dispatch_job.state: where a job is */
#define VCS_JOB_FRESH 0u       /* waiting to be sent */
#define VCS_JOB_IN_PROGRESS 1u /* a client has it */
#define VCS_JOB_SUPERSEDED 2u  /* a client has it, but another client received a copy later: the first reply counts */
#define VCS_JOB_REPLIED 3u     /* the reply has arrived, but has not been dealt with */
#define VCS_JOB_OVER 4u        /* finished; the record may be reused for another job */

/* vcs_dispatch_job.flags */
#define VCS_JOB_AT_HEAD 0x1u /* before all other fresh jobs: a check, or a job that failed its check (rule 11.1) */

/*
 * A job for one client. If several clients compute the same, each has a record of its own: the first is the original,
 * the others are its copies and refer to it. 80 bytes. Since 1.0.
 */
typedef struct vcs_dispatch_job {
    uint64_t id;          /* the caller's number, unique; breaks ties, lower first */
    double size;          /* bytes to transfer, 0 ... 1e30 */
    double complexity;    /* run time on the project's reference machine, in any unit, 0 ... 1e30;
                             VCS_UNKNOWN_COMPLEXITY, 0, counts as 1 */
    double queued;        /* when it joined the queue, a time within +-VCS_MAX_TIME: first in, first out */
    double sent;          /* when it was sent, a time within +-VCS_MAX_TIME; read while a client has it */
    double expected;      /* how long the reply was expected to take, on sending, s; set by vcs_job_send() */
    uint32_t state;       /* VCS_JOB_* */
    uint32_t flags;       /* VCS_JOB_AT_HEAD or 0 */
    uint32_t client;      /* index of the client that has or had it; VCS_NONE while it is fresh */
    uint32_t copy_of;     /* index of the original that it is a copy or the check of; VCS_NONE = none. An original is
                             not a copy itself */
    uint64_t reserved[2]; /* 0 */
} vcs_dispatch_job;

/*
 * vcs_dispatch_rules.order: which job is next (rule 10.3), after jobs in progress with clients on the blacklist. Fresh
 * jobs are sorted by VCS_JOB_AT_HEAD, `queued` and id, jobs of dead clients by `sent`.
 */
#define VCS_DRAIN_THEN_DEAD 0u   /* all fresh jobs, then jobs of dead clients */
#define VCS_DRAIN_THEN_OLDEST 1u /* all fresh jobs, then all jobs in progress, the earliest sent first */
#define VCS_OVERDUE_FIRST 2u     /* jobs past the end of their window, the earliest end first, then fresh jobs */

/* The rules of a dispatcher. Begin with vcs_dispatch_rules_init(). 72 bytes. Since 1.0. */
typedef struct vcs_dispatch_rules {
    uint32_t struct_size; /* bytes; set by the caller or vcs_dispatch_rules_init() */
    uint32_t flags;       /* 0 */
    uint32_t order;       /* VCS_DRAIN_THEN_DEAD, VCS_DRAIN_THEN_OLDEST or VCS_OVERDUE_FIRST */
    uint32_t max_per_client; /* most jobs that a client may have at a time, superseded ones included; 0 = no limit;
                                default 1000 */
    double wait_factor;   /* K_wait: the window of a reply, in expected times, > 0, at most 1e6; default 2 */
    double dead_factor;   /* K_wait_dead: after how many expected times a client is dead, > wait_factor, at most 1e6;
                             default 4 */
    double first_rate;    /* bytes/s assumed before the first reply, 1e-9 ... 1e30; default 1e5 */
    double first_speed;   /* complexity/s assumed likewise, 1e-30 ... 1e30; default 1: as the reference machine */
    double forget;        /* fraction of the past that the averages forget at each reply, 0 ... 1; default 0 */
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
 * Each rate is the client's; if its pace has none yet, the pool's; if the pool has none either, the rules'.
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
 * pool      the pace of all clients together
 * rules     checked as a whole
 * now       the present, a time within +-VCS_MAX_TIME
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX if
 * `number` is VCS_NONE, VCS_ERR_UNSUPPORTED, or VCS_ERR_SEQUENCE if the job is not fresh. On an error the job is
 * unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_job_send(vcs_dispatch_job *job, uint32_t number, const vcs_client *client, const vcs_pace *pool,
                         const vcs_dispatch_rules *rules, double now, vcs_error *error);

/*
 * What a reply brought. Zero it, set struct_size, then what you know. With nothing else set it is a mere sign of life,
 * which changes no pace. 56 bytes. Since 1.0.
 */
typedef struct vcs_reply_times {
    uint32_t struct_size;    /* bytes; set by the caller */
    uint32_t flags;          /* 0 */
    double bytes;            /* transferred, 0 ... 1e30 */
    double transfer_seconds; /* spent on the transfer, s, 0 ... 1e12 */
    double complexity;       /* of the job, 0 ... 1e30; VCS_UNKNOWN_COMPLEXITY, 0, counts as 1 if compute_seconds is
                                not 0, else as nothing */
    double compute_seconds;  /* spent on computing, s, 0 ... 1e12 */
    uint64_t reserved[2];    /* 0 */
} vcs_reply_times;

/*
 * Records a client's reply: sets last_heard, clears VCS_CLIENT_DEAD, and updates the pace of the client and of the pool
 * (rule 10.1). A reply from a client on the blacklist is refused and changes nothing.
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

/* ---- Liveness ---- */

/*
 * The pool of clients: which are alive, and how much work they can do (rules 10.4 and 10.5, source S3).
 */

/* vcs_pool_client.liveness */
#define VCS_LIVENESS_ACTIVE 0u      /* alive: it may get work */
#define VCS_LIVENESS_DEAD 1u        /* dead: silent for longer than its jobs explain, and no reply since */
#define VCS_LIVENESS_BLACKLISTED 2u /* on the blacklist */
#define VCS_LIVENESS_SILENT 3u      /* without a job, and silent for longer than an average job explains */

/* One row of the table of clients. 64 bytes. Since 1.0. */
typedef struct vcs_pool_client {
    uint32_t liveness;    /* VCS_LIVENESS_* */
    uint32_t has_died;    /* 1: it has just been found dead: set VCS_CLIENT_DEAD in its record; else 0 */
    uint32_t jobs;        /* jobs that it has, superseded ones included */
    uint32_t reserved0;   /* 0 */
    double silent;        /* time since last_heard, s */
    double dead_in;       /* how long it may stay silent before it is dead, or VCS_LIVENESS_SILENT if it has no job, s;
                             0 if that time has passed; +infinity if it has no job and nothing is known of the pool */
    double rate;          /* bytes/s, at most 1e30 */
    double speed;         /* complexity/s, at most 1e30 */
    uint64_t reserved[2]; /* 0 */
} vcs_pool_client;

/* The pool as a whole. 80 bytes. Since 1.0. */
typedef struct vcs_pool_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t active;      /* clients that are alive: neither dead, nor silent, nor blacklisted */
    uint32_t talking;     /* clients that are connected, whatever their state */
    uint32_t dead;        /* dead clients */
    uint32_t blacklisted; /* clients on the blacklist */
    uint32_t jobs;        /* jobs that clients have, copies counted too */
    double power;         /* total complexity/s of the clients that are alive */
    uint32_t silent;      /* clients without a job that have been silent for too long */
    uint32_t window;      /* jobs that clients have, an original and its copies counted once */
    uint32_t duplicates;  /* copies among the jobs that clients have: jobs - window */
    uint32_t reserved0;   /* 0 */
    double window_bytes;  /* total size of the jobs of the window, bytes */
    double window_span;   /* their newest `queued` minus the oldest, s: how long the application waits for its next
                             portion in order */
    uint64_t reserved[2]; /* 0 */
} vcs_pool_summary;

/*
 * Judges which clients are alive (rule 10.4).
 *
 * clients   vcs_client[], all clients
 * jobs      vcs_dispatch_job[], all jobs
 * pool      the pace of all clients together
 * rules     checked as a whole; dead_factor decides
 * now       the present, a time within +-VCS_MAX_TIME
 * rows      out: vcs_pool_client[], one for each client
 * error     what was refused, and where; may be NULL
 *
 * A client with jobs is dead when, for each of its jobs, more than rules.dead_factor times the expected time has passed
 * since last_heard, or since the job was sent if that is later. It stays dead until it replies. A client without jobs
 * is silent when more than rules.dead_factor times the expected time of an average job has passed since last_heard.
 * The average job has the mean size and complexity of the pool's replies; vcs_expected_reply() says how long this
 * client takes for it. Before the pool's first reply, clients without jobs are not judged.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_OVERFLOW, or VCS_ERR_COUNT if there is not one row for each client. Thread-safe. O(clients + jobs).
 */
VCS_API int vcs_pool_survey(const vcs_array *clients, const vcs_array *jobs, const vcs_pace *pool,
                            const vcs_dispatch_rules *rules, double now, const vcs_array *rows, vcs_error *error);

/*
 * Sums up a survey of the pool (rule 10.5).
 *
 * clients     vcs_client[], all clients
 * jobs        vcs_dispatch_job[], all jobs
 * rows        vcs_pool_client[], one for each client, as vcs_pool_survey() filled them
 * order       out: as many numbers as clients: their indices by id; may be NULL if there is none
 * job_order   out: as many numbers as jobs: first the indices of jobs that clients have, an original and its copies
 *             side by side, then the indices of other jobs; may be NULL if there is none
 * summary     out
 * error       what was refused, and where; may be NULL
 *
 * The window is the window of S3: with VCS_OVERDUE_FIRST it grows with rules.wait_factor, while duplicates fall. A copy
 * counts with the size and `queued` of its original. Sums do not depend on the order of the records.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_OVERFLOW, or VCS_ERR_COUNT if there is not one row for each client. Thread-safe.
 * O(jobs + h * log(h) + clients * log(clients)), where clients have h jobs.
 */
VCS_API int vcs_pool_sum(const vcs_array *clients, const vcs_array *jobs, const vcs_array *rows, uint32_t *order,
                         uint32_t *job_order, vcs_pool_summary *summary, vcs_error *error);

/* ---- Dispatch ---- */

/*
 * Dispatch: which job a client gets next, among millions, in a microsecond (rule 10.3, source S3).
 *
 * The records of clients and jobs are authoritative. The index is built from them in the caller's memory; rebuilding it
 * at any time changes no decision. After each change of a record, update the index. A server does this:
 *
 *     Call vcs_dispatch_next(), which names a job. If the decision says is_copy, another client already has the job:
 *     mark it as superseded, and create a fresh record that is a copy of it. Call vcs_job_send() on the fresh record,
 *     and vcs_dispatch_set_job() for each record that changed. When a reply is accepted, the job becomes replied, and
 *     all its copies are over.
 */

/* The index. It holds no pointers: it may be copied as a whole to other memory aligned to 8 bytes and used there. */
typedef struct vcs_dispatch vcs_dispatch;

/*
 * How much memory an index takes.
 *
 * max_clients   the largest number of clients that the index can hold
 * max_jobs      the largest number of jobs that it can hold
 * size          the answer, bytes
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_COUNT if either number is VCS_NONE, or VCS_ERR_OVERFLOW. Thread-safe. O(1).
 */
VCS_API int vcs_dispatch_size(uint32_t max_clients, uint32_t max_jobs, size_t *size);

/*
 * Builds the index of all records.
 *
 * index         memory, aligned to 8 bytes, of vcs_dispatch_size() or more; it becomes the index
 * size          its size in bytes
 * clients       vcs_client[], all clients
 * jobs          vcs_dispatch_job[], all jobs
 * rules         the order and the factors; to change them, rebuild the index
 * max_clients   the largest number of clients that the index can hold, at least as many as there are
 * max_jobs      the largest number of jobs that it can hold, likewise
 * error         what was refused, and where; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_COUNT, VCS_ERR_OVERFLOW or VCS_ERR_WORKSPACE. On an error the memory is unchanged. Thread-safe.
 * O(clients + jobs), and O(n * log(n)) for n copies of one job.
 */
VCS_API int vcs_dispatch_build(vcs_dispatch *index, size_t size, const vcs_array *clients, const vcs_array *jobs,
                               const vcs_dispatch_rules *rules, uint32_t max_clients, uint32_t max_jobs,
                               vcs_error *error);

/*
 * Updates a client that has changed, or appends a client.
 *
 * index    in/out
 * number   index of the client; the present number of clients appends one
 * client   its record
 * error    what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX or,
 * if the index is full, VCS_ERR_COUNT. On an error the index is unchanged. Thread-safe. O(1); for a client with h jobs
 * that goes on the blacklist or leaves it, or with VCS_DRAIN_THEN_DEAD dies or comes back, O(h * log(jobs)).
 */
VCS_API int vcs_dispatch_set_client(vcs_dispatch *index, uint32_t number, const vcs_client *client, vcs_error *error);

/*
 * Updates a job that has changed, or appends a job.
 *
 * index    in/out
 * number   index of the job; the present number of jobs appends one
 * job      its record. A job that has copies must keep its id and not become a copy: VCS_ERR_SEQUENCE
 * error    what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_SEQUENCE or, if the index is full, VCS_ERR_COUNT. On an error the index is unchanged. Thread-safe.
 * O(log(jobs)).
 */
VCS_API int vcs_dispatch_set_job(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *error);

/* What a client gets. 40 bytes. Since 1.0. */
typedef struct vcs_dispatch_decision {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t job;         /* index of the job; VCS_NONE = none now */
    uint32_t is_copy;     /* 1: another client already has the job, so send a copy of it; else 0 */
    uint32_t reason;      /* VCS_REASON_* */
    double next_check;    /* without a job: when the end of a window gives this client a job, s from now; +infinity =
                             time alone will not change the answer. With a job: 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_dispatch_decision;

/*
 * Which job a client gets next. Asking changes nothing: any number of threads may ask the same index while no thread
 * changes it.
 *
 * index      the index
 * client     index of the client
 * now        the present, a time within +-VCS_MAX_TIME
 * decision   the answer
 *
 * Jobs of clients on the blacklist go before all other jobs; the others follow rules.order. A client never gets a job
 * that it already has or has replied to, nor a copy of such a job. A client on the blacklist gets no job
 * (VCS_REASON_BLACKLISTED), nor does a client with rules.max_per_client jobs (VCS_REASON_HOST_LIMIT), so that asking
 * without ever replying does not grow more expensive.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or, for an
 * unknown client, VCS_ERR_INDEX. Thread-safe. O(log(jobs)), and O(log(jobs)) for each job skipped because the client
 * already has it or a copy of it: for a client with k jobs without further copies, O(k * log(jobs)).
 */
VCS_API int vcs_dispatch_next(const vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision);

#ifdef __cplusplus
}
#endif

#endif

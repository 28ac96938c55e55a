/*
 * Dispatch: which job a client gets next, among millions, in a microsecond (rule 10.3, source S3).
 *
 * The records of clients and jobs are authoritative. The index is built from them, in the caller's memory, and may be
 * rebuilt at any time without changing its decisions. Whenever a record changes, update the index. A server does this:
 *
 *     Call vcs_dispatch_next(), which names a job. If the decision says is_copy, another client already has it: mark it
 *     as superseded and create a fresh record that is a copy of it. Call vcs_job_send() on the fresh record and
 *     vcs_dispatch_set_job() for each record that changed. When a reply is accepted, the job becomes replied, and all
 *     copies of it are over.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_DISPATCH_H
#define VCSCHED_DISPATCH_H

#include <vcsched/job.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The index. It holds no pointers: it may be copied as a whole to other memory aligned to 8 bytes and used there. */
typedef struct vcs_dispatch vcs_dispatch;

/*
 * How much memory an index takes.
 *
 * most_clients   the largest number of clients that it can hold
 * most_jobs      the largest number of jobs
 * size           the answer, bytes
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_COUNT if either number is VCS_NONE, or VCS_ERR_OVERFLOW. Thread-safe. O(1).
 */
VCS_API int vcs_dispatch_size(uint32_t most_clients, uint32_t most_jobs, size_t *size);

/*
 * Builds the index of all records.
 *
 * clients        all clients; may be NULL if client_count is 0
 * client_size    sizeof(vcs_client) of the caller
 * client_count   how many clients
 * jobs           all jobs; may be NULL if job_count is 0
 * job_size       sizeof(vcs_dispatch_job) of the caller
 * job_count      how many jobs
 * rules          the order and the factors; to change them, rebuild the index
 * most_clients   the largest number of clients that the index can hold, client_count or more
 * most_jobs      the largest number of jobs, job_count or more
 * work           memory, aligned to 8 bytes; it belongs to the index from now on
 * work_size      of vcs_dispatch_size() or more
 * index          set to the index, at the start of `work`
 * error          what was refused, and where; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_COUNT, VCS_ERR_OVERFLOW or VCS_ERR_WORKSPACE. Thread-safe. O(n), and O(n * log(n)) for n copies of one job.
 */
VCS_API int vcs_dispatch_build(const vcs_client *clients, uint32_t client_size, uint32_t client_count,
                               const vcs_dispatch_job *jobs, uint32_t job_size, uint32_t job_count,
                               const vcs_dispatch_rules *rules, uint32_t most_clients, uint32_t most_jobs, void *work,
                               size_t work_size, vcs_dispatch **index, vcs_error *error);

/*
 * Updates a client that has changed, or adds one.
 *
 * index    in/out
 * number   index of the client; the present number of clients appends one
 * client   its record
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX or,
 * if the index is full, VCS_ERR_COUNT. On an error the index is unchanged. Thread-safe. O(1), but O(h * log(n)) if the
 * client goes on the blacklist or leaves it, and with VCS_DRAIN_THEN_DEAD if it dies or comes back, where h is the
 * number of jobs it has.
 */
VCS_API int vcs_dispatch_set_client(vcs_dispatch *index, uint32_t number, const vcs_client *client, vcs_error *error);

/*
 * Updates a job that has changed, or adds one.
 *
 * index    in/out
 * number   index of the job; the number of jobs so far adds one
 * job      its record. While others are copies of it, it must keep its id and not become a copy: VCS_ERR_SEQUENCE
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_SEQUENCE or, if the index is full, VCS_ERR_COUNT. On an error the index is unchanged. Thread-safe.
 * O(log(n)).
 */
VCS_API int vcs_dispatch_set_job(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *error);

/* What a client gets. 40 bytes. Since 0.1. */
typedef struct vcs_dispatch_decision {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t job;         /* index of the job; VCS_NONE = none now */
    uint32_t is_copy;     /* 1: another client already has the job, so send a copy of it; else 0 */
    uint32_t reason;      /* VCS_REASON_* */
    double next_check;    /* without a job: when the next job becomes overdue or its client dead, so that the answer may
                             change, s from now; +infinity = time alone will not change it. With a job: 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_dispatch_decision;

/*
 * Which job a client gets next. Asking changes nothing: any number of threads may ask one index at a time, while none
 * changes it.
 *
 * index      the index
 * client     index of the client. One that is on the blacklist gets no job, nor does one that already holds
 *            rules.most_per_client (VCS_REASON_HOST_LIMIT): a client that asks and never replies costs no more
 * now        the present, a time within +-VCS_MAX_TIME
 * decision   the answer
 *
 * A client never gets a job that it already has or has replied to, nor a copy of one. What a client on the blacklist
 * has goes before all other jobs.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or, for an
 * unknown client, VCS_ERR_INDEX. Thread-safe. O(log(n)), and O(log(n)) for each job that has to be skipped because the
 * client already has it or a copy of it: for a client with k jobs, of which nobody has further copies, O(k * log(n)).
 */
VCS_API int vcs_dispatch_next(const vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Dispatch: which job a client gets next, among millions, in a microsecond (rule 10.3, source S3).
 *
 * The records of clients and jobs are the truth. The index is made from them, in memory of the caller's, and may be
 * made anew at any time: it then decides as before. Whenever a record changes, the index is told. A server does this:
 *
 *     vcs_dispatch_next() names a job. If the decision says `again`, a client has it already: mark it as superseded,
 *     and make a fresh record that is a copy of it. vcs_job_send() on the fresh record. vcs_dispatch_set_job() for each
 *     record that changed. When a reply is accepted: the job has replied, and those that are the same are over.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_DISPATCH_H
#define VCSCHED_DISPATCH_H

#include <vcsched/job.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The index. It holds no pointer: it may be copied as a whole to memory aligned to 8 bytes and used there. */
typedef struct vcs_dispatch vcs_dispatch;

/*
 * How much memory an index takes.
 *
 * most_clients   as many clients as it may come to hold
 * most_jobs      as many jobs
 * size           the answer, bytes
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_COUNT if either number is VCS_NONE, or VCS_ERR_OVERFLOW. Thread-safe. O(1).
 */
VCS_API int vcs_dispatch_size(uint32_t most_clients, uint32_t most_jobs, size_t *size);

/*
 * Makes the index of all records.
 *
 * clients        vcs_client
 * jobs           vcs_dispatch_job
 * rules          the order and the factors; to change them, make the index anew
 * most_clients   room, at least for those there are
 * most_jobs      room, at least for those there are
 * work           memory, aligned to 8 bytes; it is the index's until it is made anew
 * work_size      of vcs_dispatch_size() or more
 * index          set to the index, which begins where `work` does
 * error          what was refused, and where; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_COUNT, VCS_ERR_OVERFLOW or VCS_ERR_WORKSPACE. Thread-safe. O(n * log(n)).
 */
VCS_API int vcs_dispatch_build(const vcs_array *clients, const vcs_array *jobs, const vcs_dispatch_rules *rules,
                               uint32_t most_clients, uint32_t most_jobs, void *work, size_t work_size,
                               vcs_dispatch **index, vcs_error *error);

/*
 * Tells the index of a client that is new or has changed.
 *
 * number   index of the client; that of the first one that is not there yet adds it
 * client   its record
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX or,
 * if there is no room, VCS_ERR_COUNT. On an error the index is as it was. Thread-safe. O(1), but O(h * log(n)) with
 * VCS_DRAIN_THEN_DEAD if the client dies or revives, h the jobs it has.
 */
VCS_API int vcs_dispatch_set_client(vcs_dispatch *index, uint32_t number, const vcs_client *client, vcs_error *error);

/*
 * Tells the index of a job that is new or has changed.
 *
 * number   index of the job; that of the first one that is not there yet adds it
 * job      its record. While others are copies of it, it must keep its id and not become a copy: VCS_ERR_SEQUENCE
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_SEQUENCE or, if there is no room, VCS_ERR_COUNT. On an error the index is as it was. Thread-safe. O(log(n)).
 */
VCS_API int vcs_dispatch_set_job(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *error);

/* What a client gets. 40 bytes. Since 0.1. */
typedef struct vcs_dispatch_decision {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t job;         /* index of the job; VCS_NONE = none now */
    uint32_t again;       /* 1: another client has the job already; else 0 */
    uint32_t reason;      /* VCS_REASON_* */
    double next_check;    /* without a job: when a window ends that may change this, s from now; +infinity = no window
                             will. With a job 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_dispatch_decision;

/*
 * Which job a client gets next. Nothing is changed by asking.
 *
 * client     index of the client. If it is on the blacklist it gets none
 * now        the present, a time within +-VCS_MAX_TIME
 * decision   the answer
 *
 * A client never gets a job that is the same as one that it has, or has replied to.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or, for an
 * unknown client, VCS_ERR_INDEX. Thread-safe. O(log(n)), and as much again for each job that would be next, but is the
 * same as one that the client has.
 */
VCS_API int vcs_dispatch_next(vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision);

#ifdef __cplusplus
}
#endif

#endif

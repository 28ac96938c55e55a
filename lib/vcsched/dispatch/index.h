/*
 * What the index of dispatch keeps of each client and job, and where.
 *
 * The index holds no pointers, so it may be moved: places are bytes from its beginning, and links are numbers of jobs.
 * Each job has two nodes in search trees (core/search_tree.h): one in its queue (queue.h), and one among the copies of
 * the same job that were sent (copies.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_INDEX_H
#define VCS_DISPATCH_INDEX_H

#include "vcsched/core/search_tree.h"

#include <vcsched/dispatch.h>

typedef struct vcs_job_entry {
    uint64_t key, id; /* its order within its rank */
    uint32_t rank;
    uint32_t state, client;
    uint32_t copy_of, copies;          /* its original, and how many copies it has itself */
    uint32_t sent_copies;              /* of an original: the root of its tree in copies.h */
    uint32_t next_held, previous_held; /* its neighbours in the list of its client's jobs in progress, or VCS_NONE */
} vcs_job_entry;

typedef struct vcs_client_entry {
    uint32_t flags;
    uint32_t first_held; /* VCS_NONE = none */
    uint32_t jobs;       /* how many it has, superseded ones included */
} vcs_client_entry;

/* The queue STARTED has the jobs in progress that another client may get a copy of. */
enum { VCS_QUEUE_FRESH, VCS_QUEUE_STARTED, VCS_QUEUES };

/* Two ranks of fresh jobs, then two of started ones. */
enum { VCS_RANK_AT_HEAD, VCS_RANK_IN_LINE, VCS_RANK_OF_BLACKLISTED, VCS_RANK_OF_ANY_CLIENT };

struct vcs_dispatch {
    uint32_t max_clients, max_jobs;
    uint32_t clients, jobs;
    uint32_t order, max_per_client;
    double wait_factor;
    uint32_t queues[VCS_QUEUES];   /* the root of each */
    uint32_t firsts[VCS_QUEUES];   /* the first job in each; VCS_NO_NODE = none */
    uint64_t client_entries;       /* place */
    uint64_t job_entries;          /* place */
    uint64_t in_queue, among_sent; /* places of the nodes in queues, and of the nodes in trees of copies */
};

/* A piece of the index. Only a caller that may change the index may change the piece. */
static inline void *vcs_dispatch_piece(const vcs_dispatch *index, uint64_t place) {
    return (unsigned char *)(uintptr_t)index + place;
}

static inline vcs_client_entry *vcs_client_at(const vcs_dispatch *index, uint32_t number) {
    return (vcs_client_entry *)vcs_dispatch_piece(index, index->client_entries) + number;
}

static inline vcs_job_entry *vcs_job_at(const vcs_dispatch *index, uint32_t number) {
    return (vcs_job_entry *)vcs_dispatch_piece(index, index->job_entries) + number;
}

#endif

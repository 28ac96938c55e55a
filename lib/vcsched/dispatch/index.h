/*
 * What the index of dispatch knows of each client and each job, and where it is kept.
 *
 * Nothing here points anywhere: places are bytes from the beginning of the index, and links are numbers of jobs, so it
 * may be moved. Each job has two nodes for search trees (core/search_tree.h): one for the queue that it waits in
 * (queue.h), and one for the copies of the same job that were sent (copies.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DISPATCH_INDEX_H
#define VCS_DISPATCH_INDEX_H

#include "vcsched/core/search_tree.h"

#include <vcsched/dispatch.h>

typedef struct vcs_job_entry {
    uint64_t key, id; /* what orders it within its rank */
    uint32_t rank;
    uint32_t state, client;
    uint32_t copy_of, copies;          /* `copies`: how many are copies of it */
    uint32_t sent_copies;              /* of a job that is no copy: the root of its tree */
    uint32_t next_held, previous_held; /* a list of those in progress with its client; VCS_NONE at the ends */
} vcs_job_entry;

typedef struct vcs_client_entry {
    uint32_t flags;
    uint32_t first_held; /* VCS_NONE = none */
    uint32_t jobs;       /* that it has, superseded ones included */
} vcs_client_entry;

/* Jobs in progress that another client may get a copy of are in the queue STARTED. */
enum { VCS_QUEUE_FRESH, VCS_QUEUE_STARTED, VCS_QUEUES };

/* The ranks: two of fresh jobs, two of those that were started. */
enum { VCS_RANK_AT_HEAD, VCS_RANK_IN_LINE, VCS_RANK_OF_BLACKLISTED, VCS_RANK_OF_ANY_CLIENT };

struct vcs_dispatch {
    uint32_t most_clients, most_jobs;
    uint32_t clients, jobs;
    uint32_t order, most_per_client;
    double wait_factor;
    uint32_t queues[VCS_QUEUES];   /* the root of each */
    uint32_t firsts[VCS_QUEUES];   /* the first job in each; VCS_NO_NODE = none */
    uint64_t client_entries;       /* where they begin, bytes from here */
    uint64_t job_entries;          /* likewise */
    uint64_t in_queue, among_sent; /* likewise: the nodes of the jobs in their queues, and in the trees of copies */
};

/* A piece of the index. Who may change the index may change the piece. */
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

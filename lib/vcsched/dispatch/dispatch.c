/*
 * The index of clients and jobs: built from all records, and brought up to date with each that changes.
 *
 * Rule 10.3; the plain reference is tests/oracle/oracle_dispatch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/arena.h"
#include "vcsched/core/number.h"
#include "vcsched/dispatch/copies.h"
#include "vcsched/dispatch/expected.h"
#include "vcsched/dispatch/job.h"
#include "vcsched/dispatch/queue.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/dispatch_fields.h"

#include <string.h>

VCS_CHECK_FIELDS(client)

/* ---- Memory ---- */

/* Lays out the index in `work`, or in no memory. Returns its size; UINT64_MAX if it does not fit in memory. */
static uint64_t lay_out(vcs_dispatch *index, uint32_t max_clients, uint32_t max_jobs, void *work) {
    vcs_arena arena = {work, 0};
    memset(index, 0, sizeof *index);
    index->max_clients = max_clients;
    index->max_jobs = max_jobs;
    vcs_arena_allocate(&arena, 1, sizeof *index);
    index->client_entries = arena.used;
    vcs_arena_allocate(&arena, max_clients, sizeof(vcs_client_entry));
    index->job_entries = arena.used;
    vcs_arena_allocate(&arena, max_jobs, sizeof(vcs_job_entry));
    index->in_queue = arena.used;
    vcs_arena_allocate(&arena, max_jobs, sizeof(vcs_search_node));
    index->among_sent = arena.used;
    vcs_arena_allocate(&arena, max_jobs, sizeof(vcs_search_node));
    return vcs_arena_size(&arena);
}

/* ---- The queue of a job, and its place there ---- */

/* VCS_QUEUES = none. */
static uint32_t queue_of(const vcs_dispatch *index, uint32_t state, uint32_t client) {
    if (state == VCS_JOB_FRESH) {
        return VCS_QUEUE_FRESH;
    }
    if (state != VCS_JOB_IN_PROGRESS) {
        return VCS_QUEUES;
    }
    /* with drain-then-dead, only jobs of clients that are no longer expected to reply */
    const bool is_lost = (vcs_client_at(index, client)->flags & (VCS_CLIENT_DEAD | VCS_BLACKLISTED)) != 0;
    return index->order != VCS_DRAIN_THEN_DEAD || is_lost ? VCS_QUEUE_STARTED : VCS_QUEUES;
}

/* Jobs of clients on the blacklist go before all others in progress. */
static uint32_t rank_of_started(const vcs_dispatch *index, uint32_t client) {
    return (vcs_client_at(index, client)->flags & VCS_BLACKLISTED) != 0 ? VCS_RANK_OF_BLACKLISTED
                                                                        : VCS_RANK_OF_ANY_CLIENT;
}

/* The order of jobs of one rank: when they joined the queue, were sent, or their window (rule 10.2) ends. */
static uint64_t key_of(const vcs_dispatch *index, const vcs_dispatch_job *job) {
    if (job->state == VCS_JOB_FRESH) {
        return vcs_order_key(job->queued);
    }
    return vcs_order_key(index->order == VCS_OVERDUE_FIRST ? job->sent + job->expected * index->wait_factor
                                                           : job->sent);
}

/* ---- The list of a client's jobs in progress ---- */

static void list_held(vcs_dispatch *index, uint32_t number) {
    vcs_job_entry *job = vcs_job_at(index, number);
    vcs_client_entry *client = vcs_client_at(index, job->client);
    job->previous_held = VCS_NONE;
    job->next_held = client->first_held;
    if (client->first_held != VCS_NONE) {
        vcs_job_at(index, client->first_held)->previous_held = number;
    }
    client->first_held = number;
}

static void unlist_held(vcs_dispatch *index, uint32_t number) {
    const vcs_job_entry *job = vcs_job_at(index, number);
    if (job->next_held != VCS_NONE) {
        vcs_job_at(index, job->next_held)->previous_held = job->previous_held;
    }
    if (job->previous_held != VCS_NONE) {
        vcs_job_at(index, job->previous_held)->next_held = job->next_held;
    } else {
        vcs_client_at(index, job->client)->first_held = job->next_held;
    }
}

/* ---- A job enters and leaves the index ---- */

/* Fills the entry from the job's own record. */
static void fill_entry(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job) {
    vcs_job_entry *entry = vcs_job_at(index, number);
    entry->id = job->id;
    entry->key = key_of(index, job);
    entry->rank = job->state == VCS_JOB_IN_PROGRESS     ? rank_of_started(index, job->client)
                  : (job->flags & VCS_JOB_AT_HEAD) != 0 ? VCS_RANK_AT_HEAD
                                                        : VCS_RANK_IN_LINE;
    entry->state = job->state;
    entry->client = job->client;
    entry->copy_of = job->copy_of;
}

/* Links the entry to its original, its copies and its client. */
static void link_entry(vcs_dispatch *index, uint32_t number) {
    const vcs_job_entry *entry = vcs_job_at(index, number);
    if (entry->copy_of != VCS_NONE) {
        vcs_job_at(index, entry->copy_of)->copies++;
    }
    if (vcs_job_is_sent(entry->state)) {
        vcs_copies_insert(index, number);
        vcs_client_at(index, entry->client)->jobs += vcs_job_is_held(entry->state);
    }
    if (entry->state == VCS_JOB_IN_PROGRESS) {
        list_held(index, number);
    }
}

static void enter(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job) {
    fill_entry(index, number, job);
    const uint32_t queue = queue_of(index, job->state, job->client);
    if (queue < VCS_QUEUES) {
        vcs_queue_insert(index, queue, number);
    }
    link_entry(index, number);
}

static void leave(vcs_dispatch *index, uint32_t number) {
    const vcs_job_entry *entry = vcs_job_at(index, number);
    const uint32_t queue = queue_of(index, entry->state, entry->client);
    if (queue < VCS_QUEUES) {
        vcs_queue_remove(index, queue, number);
    }
    if (vcs_job_is_sent(entry->state)) {
        vcs_copies_remove(index, number);
        vcs_client_at(index, entry->client)->jobs -= vcs_job_is_held(entry->state);
    }
    if (entry->state == VCS_JOB_IN_PROGRESS) {
        unlist_held(index, number);
    }
    if (entry->copy_of != VCS_NONE) {
        vcs_job_at(index, entry->copy_of)->copies--;
    }
}

/* An entry without a job: over, and no copy. */
static void begin_entry(vcs_dispatch *index, uint32_t number) {
    vcs_job_entry *entry = vcs_job_at(index, number);
    memset(entry, 0, sizeof *entry);
    entry->state = VCS_JOB_OVER;
    entry->copy_of = VCS_NONE;
    entry->sent_copies = VCS_NO_NODE;
}

/* ---- Building ---- */

_Static_assert(sizeof(vcs_sort_item) == sizeof(vcs_search_node), "fill() sorts items where the nodes will be");

int vcs_dispatch_size(uint32_t max_clients, uint32_t max_jobs, size_t *size) {
    if (size == NULL) {
        return VCS_ERR_NULL;
    }
    if (max_clients == VCS_NONE || max_jobs == VCS_NONE) {
        return VCS_ERR_COUNT;
    }
    vcs_dispatch index;
    uint64_t needed = lay_out(&index, max_clients, max_jobs, NULL);
    if (needed > SIZE_MAX) {
        return VCS_ERR_OVERFLOW;
    }
    *size = (size_t)needed;
    return VCS_OK;
}

static int check_memory(const vcs_array *clients, const vcs_array *jobs, uint32_t max_clients, uint32_t max_jobs,
                        const void *memory, size_t size, vcs_error *error) {
    if (clients->count > max_clients || jobs->count > max_jobs) {
        return vcs_fail(error, VCS_ERR_COUNT,
                        clients->count > max_clients ? &vcs_client_layout : &vcs_dispatch_job_layout, 0,
                        VCS_WHOLE_RECORD, "array has more elements than the index can hold");
    }
    size_t needed;
    int code = vcs_dispatch_size(max_clients, max_jobs, &needed);
    if (code != VCS_OK) {
        return vcs_refuse(error, code, "max_clients or max_jobs is too large");
    }
    if (size < needed || (uintptr_t)memory % 8 != 0) {
        return vcs_refuse(error, VCS_ERR_WORKSPACE, "the memory is too small or not aligned to 8 bytes");
    }
    return VCS_OK;
}

static void fill(vcs_dispatch *index, const vcs_array *clients, const vcs_array *jobs) {
    index->clients = clients->count;
    index->jobs = jobs->count;
    for (uint32_t queue = 0; queue < VCS_QUEUES; queue++) {
        index->queues[queue] = index->firsts[queue] = VCS_NO_NODE;
    }
    for (uint32_t i = 0; i < clients->count; i++) {
        const vcs_client *client = vcs_element(clients, i);
        *vcs_client_at(index, i) = (vcs_client_entry){client->flags, VCS_NONE, 0};
    }
    vcs_sort_item *items = vcs_dispatch_piece(index, index->among_sent); /* no nodes are there yet */
    vcs_sort_item *spare = vcs_dispatch_piece(index, index->in_queue);
    uint32_t queued = 0;
    for (uint32_t i = 0; i < jobs->count; i++) {
        const vcs_dispatch_job *job = vcs_element(jobs, i);
        begin_entry(index, i);
        fill_entry(index, i, job);
        if (queue_of(index, job->state, job->client) < VCS_QUEUES) {
            items[queued++].index = i;
        }
    }
    vcs_queues_fill(index, items, spare, queued);
    for (uint32_t i = 0; i < jobs->count; i++) {
        link_entry(index, i);
    }
}

int vcs_dispatch_build(vcs_dispatch *index, size_t size, const vcs_array *clients, const vcs_array *jobs,
                       const vcs_dispatch_rules *rules, uint32_t max_clients, uint32_t max_jobs, vcs_error *error) {
    vcs_dispatch_rules known;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_place(index, "index is NULL", error) : code;
    code = code == VCS_OK ? vcs_dispatch_rules_copy(&known, rules, error) : code;
    code = code == VCS_OK ? vcs_clients_and_jobs_check(clients, jobs, error) : code;
    code = code == VCS_OK ? check_memory(clients, jobs, max_clients, max_jobs, index, size, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_open_gaps(index, size);
    lay_out(index, max_clients, max_jobs, index);
    index->order = known.order;
    index->wait_factor = known.wait_factor;
    index->max_per_client = known.max_per_client;
    fill(index, clients, jobs);
    return VCS_OK;
}

/* ---- Changes ---- */

/* Puts all jobs that a client has in progress into the queue STARTED, or removes them from it. */
static void move_held(vcs_dispatch *index, const vcs_client_entry *client, bool in) {
    for (uint32_t number = client->first_held; number != VCS_NONE; number = vcs_job_at(index, number)->next_held) {
        vcs_job_entry *job = vcs_job_at(index, number);
        if (queue_of(index, job->state, job->client) != VCS_QUEUE_STARTED) {
            return; /* with this order, none of its jobs are there */
        }
        if (in) {
            job->rank = rank_of_started(index, job->client);
            vcs_queue_insert(index, VCS_QUEUE_STARTED, number);
        } else {
            vcs_queue_remove(index, VCS_QUEUE_STARTED, number);
        }
    }
}

/* The record must exist; its number must be a present one, or the next, if the index can hold another. */
static int check_update(const vcs_dispatch *index, const void *record, uint32_t number, const vcs_layout *layout,
                        vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (index == NULL || record == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, layout, number, VCS_WHOLE_RECORD, "or index is NULL");
    }
    const bool is_client = layout == &vcs_client_layout;
    if (number > (is_client ? index->clients : index->jobs)) {
        return vcs_fail(error, VCS_ERR_INDEX, layout, number, VCS_WHOLE_RECORD, "is beyond the next record");
    }
    if (number == (is_client ? index->max_clients : index->max_jobs)) {
        return vcs_fail(error, VCS_ERR_COUNT, layout, number, VCS_WHOLE_RECORD, "is one more than the index can hold");
    }
    return VCS_OK;
}

int vcs_dispatch_set_client(vcs_dispatch *index, uint32_t number, const vcs_client *client, vcs_error *error) {
    int code = check_update(index, client, number, &vcs_client_layout, error);
    code = code == VCS_OK ? vcs_check_client_fields(client, number, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_client_entry *entry = vcs_client_at(index, number);
    if (number == index->clients) {
        *entry = (vcs_client_entry){client->flags, VCS_NONE, 0};
        index->clients++;
    }
    /* the flags that decide the place of its jobs */
    const uint32_t decisive = VCS_BLACKLISTED | (index->order == VCS_DRAIN_THEN_DEAD ? VCS_CLIENT_DEAD : 0);
    if (((entry->flags ^ client->flags) & decisive) == 0) {
        entry->flags = client->flags;
        return VCS_OK;
    }
    move_held(index, entry, false);
    entry->flags = client->flags;
    move_held(index, entry, true);
    return VCS_OK;
}

/* A copy must be of an original, and an original with copies must remain the same job. */
static int check_relation(const vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *error) {
    if (job->copy_of != VCS_NONE && vcs_job_at(index, job->copy_of)->copy_of != VCS_NONE) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, number, VCS_FIELD(vcs_dispatch_job, copy_of),
                        "is a copy itself");
    }
    if (number == index->jobs || vcs_job_at(index, number)->copies == 0) {
        return VCS_OK;
    }
    if (job->copy_of != VCS_NONE || job->id != vcs_job_at(index, number)->id) {
        return vcs_fail(error, VCS_ERR_SEQUENCE, &vcs_dispatch_job_layout, number, VCS_WHOLE_RECORD,
                        "cannot become another job while others are copies of it");
    }
    return VCS_OK;
}

int vcs_dispatch_set_job(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *error) {
    int code = check_update(index, job, number, &vcs_dispatch_job_layout, error);
    code = code == VCS_OK ? vcs_job_check(job, number, index->clients, index->jobs, error) : code;
    code = code == VCS_OK ? check_relation(index, number, job, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if (number == index->jobs) {
        begin_entry(index, number);
        index->jobs++;
    }
    leave(index, number);
    enter(index, number, job);
    return VCS_OK;
}

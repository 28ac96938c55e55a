/*
 * The index of clients and jobs, and which job a client gets next.
 *
 * Rule 10.3; the plain reference is tests/oracle/oracle_dispatch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/core/arena.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/dispatch_fields.h"
#include "vcsched/core/number.h"
#include "vcsched/dispatch/copies.h"
#include "vcsched/dispatch/job.h"
#include "vcsched/dispatch/queue.h"

#include <string.h>
#include <vcsched/dispatch.h>
#include <vcsched/reason.h>

VCS_CHECK_FIELDS(client)

/* ---- Memory ---- */

/* Lays out the index, in this memory or in none; returns its size, UINT64_MAX if that does not fit in memory. */
static uint64_t lay_out(vcs_dispatch *index, uint32_t most_clients, uint32_t most_jobs, void *work) {
    vcs_arena arena = {work, 0};
    memset(index, 0, sizeof *index);
    index->most_clients = most_clients;
    index->most_jobs = most_jobs;
    vcs_arena_allocate(&arena, 1, sizeof *index);
    index->client_entries = arena.used;
    vcs_arena_allocate(&arena, most_clients, sizeof(vcs_client_entry));
    index->job_entries = arena.used;
    vcs_arena_allocate(&arena, most_jobs, sizeof(vcs_job_entry));
    index->in_queue = arena.used;
    vcs_arena_allocate(&arena, most_jobs, sizeof(vcs_search_node));
    index->among_sent = arena.used;
    vcs_arena_allocate(&arena, most_jobs, sizeof(vcs_search_node));
    return vcs_arena_size(&arena);
}

/* ---- Which queue a job is in, and where in it ---- */

/* The queue of a job; VCS_QUEUES = none. */
static uint32_t queue_of(const vcs_dispatch *index, uint32_t state, uint32_t client) {
    if (state == VCS_JOB_FRESH) {
        return VCS_QUEUE_FRESH;
    }
    if (state != VCS_JOB_IN_PROGRESS) {
        return VCS_QUEUES;
    }
    /* with drain-then-dead, only of clients that are not expected to reply any more */
    const bool is_lost = (vcs_client_at(index, client)->flags & (VCS_CLIENT_DEAD | VCS_BLACKLISTED)) != 0;
    return index->order != VCS_DRAIN_THEN_DEAD || is_lost ? VCS_QUEUE_STARTED : VCS_QUEUES;
}

/* A job in progress goes first if its client is on the blacklist. */
static uint32_t rank_of_started(const vcs_dispatch *index, uint32_t client) {
    return (vcs_client_at(index, client)->flags & VCS_BLACKLISTED) != 0 ? VCS_RANK_OF_BLACKLISTED
                                                                        : VCS_RANK_OF_ANY_CLIENT;
}

static uint32_t rank_of(const vcs_dispatch *index, const vcs_dispatch_job *job) {
    if (job->state == VCS_JOB_IN_PROGRESS) {
        return rank_of_started(index, job->client);
    }
    return (job->flags & VCS_JOB_AT_HEAD) != 0 ? VCS_RANK_AT_HEAD : VCS_RANK_IN_LINE;
}

/* What orders jobs of one rank in their queue: K_wait is `wait_factor` (rule 10.2). */
static uint64_t key_of(const vcs_dispatch *index, const vcs_dispatch_job *job) {
    if (job->state == VCS_JOB_FRESH) {
        return vcs_order_key(job->queued);
    }
    return vcs_order_key(index->order == VCS_OVERDUE_FIRST ? job->sent + job->expected * index->wait_factor
                                                           : job->sent);
}

/* ---- Jobs of one client ---- */

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

/* Whether a client was sent the job, and may not get another copy of it. */
static bool is_sent(uint32_t state) {
    return vcs_job_is_held(state) || state == VCS_JOB_REPLIED;
}

/* All that is known of the job itself. */
static void take_over(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job) {
    vcs_job_entry *entry = vcs_job_at(index, number);
    entry->id = job->id;
    entry->key = key_of(index, job);
    entry->rank = rank_of(index, job);
    entry->state = job->state;
    entry->client = job->client;
    entry->copy_of = job->copy_of;
}

/* What follows from it for others: copies of the same job, and the client that has it. */
static void relate(vcs_dispatch *index, uint32_t number) {
    const vcs_job_entry *entry = vcs_job_at(index, number);
    if (entry->copy_of != VCS_NONE) {
        vcs_job_at(index, entry->copy_of)->copies++;
    }
    if (is_sent(entry->state)) {
        vcs_copies_insert(index, number);
        vcs_client_at(index, entry->client)->jobs += vcs_job_is_held(entry->state);
    }
    if (entry->state == VCS_JOB_IN_PROGRESS) {
        list_held(index, number);
    }
}

static void enter(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job) {
    take_over(index, number, job);
    const uint32_t queue = queue_of(index, job->state, job->client);
    if (queue < VCS_QUEUES) {
        vcs_queue_insert(index, queue, number);
    }
    relate(index, number);
}

static void leave(vcs_dispatch *index, uint32_t number) {
    const vcs_job_entry *entry = vcs_job_at(index, number);
    const uint32_t queue = queue_of(index, entry->state, entry->client);
    if (queue < VCS_QUEUES) {
        vcs_queue_remove(index, queue, number);
    }
    if (is_sent(entry->state)) {
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

/* A new number: no job yet, and a copy of none. */
static void begin_entry(vcs_dispatch *index, uint32_t number) {
    vcs_job_entry *entry = vcs_job_at(index, number);
    memset(entry, 0, sizeof *entry);
    entry->state = VCS_JOB_OVER;
    entry->copy_of = VCS_NONE;
    entry->sent_copies = VCS_NO_NODE;
}

/* ---- Building ---- */

_Static_assert(sizeof(vcs_sort_item) == sizeof(vcs_search_node), "items are sorted where the nodes will be");

int vcs_dispatch_size(uint32_t most_clients, uint32_t most_jobs, size_t *size) {
    if (size == NULL) {
        return VCS_ERR_NULL;
    }
    if (most_clients == VCS_NONE || most_jobs == VCS_NONE) {
        return VCS_ERR_COUNT;
    }
    vcs_dispatch index;
    uint64_t needed = lay_out(&index, most_clients, most_jobs, NULL);
    if (needed > SIZE_MAX) {
        return VCS_ERR_OVERFLOW;
    }
    *size = (size_t)needed;
    return VCS_OK;
}

static int check_memory(const vcs_array *clients, const vcs_array *jobs, uint32_t most_clients, uint32_t most_jobs,
                        const void *memory, size_t size, vcs_error *error) {
    if (clients->count > most_clients || jobs->count > most_jobs) {
        return vcs_fail(error, VCS_ERR_COUNT,
                        clients->count > most_clients ? &vcs_client_layout : &vcs_dispatch_job_layout, 0,
                        VCS_WHOLE_RECORD, "array has more elements than the index can hold");
    }
    size_t needed;
    int code = vcs_dispatch_size(most_clients, most_jobs, &needed);
    if (code != VCS_OK) {
        return vcs_refuse(error, code, "most_clients or most_jobs is too large");
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
        take_over(index, i, job);
        if (queue_of(index, job->state, job->client) < VCS_QUEUES) {
            items[queued++].index = i;
        }
    }
    vcs_queues_fill(index, items, spare, queued);
    for (uint32_t i = 0; i < jobs->count; i++) {
        relate(index, i);
    }
}

int vcs_dispatch_build(vcs_dispatch *index, size_t size, const vcs_array *clients, const vcs_array *jobs,
                       const vcs_dispatch_rules *rules, uint32_t most_clients, uint32_t most_jobs, vcs_error *error) {
    vcs_dispatch_rules known;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_place(index, "index is NULL", error) : code;
    code = code == VCS_OK ? vcs_dispatch_rules_copy(&known, rules, error) : code;
    code = code == VCS_OK ? vcs_clients_and_jobs_check(clients, jobs, error) : code;
    code = code == VCS_OK ? check_memory(clients, jobs, most_clients, most_jobs, index, size, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_open_gaps(index, size);
    lay_out(index, most_clients, most_jobs, index);
    index->order = known.order;
    index->wait_factor = known.wait_factor;
    index->most_per_client = known.most_per_client;
    fill(index, clients, jobs);
    return VCS_OK;
}

/* ---- Changes ---- */

/* Takes all that a client has in progress out of the queue STARTED, or puts it in. */
static void move_held(vcs_dispatch *index, const vcs_client_entry *client, bool in) {
    for (uint32_t number = client->first_held; number != VCS_NONE; number = vcs_job_at(index, number)->next_held) {
        vcs_job_entry *job = vcs_job_at(index, number);
        if (queue_of(index, job->state, job->client) != VCS_QUEUE_STARTED) {
            return; /* this order has none of its jobs there */
        }
        if (in) {
            job->rank = rank_of_started(index, job->client);
            vcs_queue_insert(index, VCS_QUEUE_STARTED, number);
        } else {
            vcs_queue_remove(index, VCS_QUEUE_STARTED, number);
        }
    }
}

/* A record is there, and its number is that of one of `count` or the next one, which must fit. */
static int check_update(const vcs_dispatch *index, const void *record, uint32_t number, const vcs_layout *layout,
                        vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (index == NULL || record == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, layout, number, VCS_WHOLE_RECORD, "or index is NULL");
    }
    if (number > (layout == &vcs_client_layout ? index->clients : index->jobs)) {
        return vcs_fail(error, VCS_ERR_INDEX, layout, number, VCS_WHOLE_RECORD, "is beyond the next record");
    }
    if (number == (layout == &vcs_client_layout ? index->most_clients : index->most_jobs)) {
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
    const uint32_t decisive =
        VCS_BLACKLISTED | (index->order == VCS_DRAIN_THEN_DEAD ? VCS_CLIENT_DEAD : 0); /* where its jobs are */
    if (((entry->flags ^ client->flags) & decisive) == 0) {
        entry->flags = client->flags;
        return VCS_OK;
    }
    move_held(index, entry, false);
    entry->flags = client->flags;
    move_held(index, entry, true);
    return VCS_OK;
}

/* Whether a job may change like this, as far as others depend on it. */
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

/* ---- Decisions (rule 10.3) ---- */

#define AT_ANY_TIME UINT64_MAX

/*
 * The first job of a queue that the client has no copy of, up to a rank, and of that one up to a key; VCS_NONE if there
 * is none.
 */
static uint32_t first_for(const vcs_dispatch *index, uint32_t queue, uint32_t client, uint32_t last_rank,
                          uint64_t latest_key) {
    const vcs_search_tree tree = vcs_queue_tree(index);
    uint32_t number = index->firsts[queue];
    while (number != VCS_NO_NODE) {
        const vcs_job_entry *job = vcs_job_at(index, number);
        if (job->rank > last_rank || (job->rank == last_rank && job->key > latest_key)) {
            return VCS_NONE;
        }
        if (!vcs_copies_have(index, number, client)) {
            return number;
        }
        number = vcs_search_next(&tree, number);
    }
    return VCS_NONE;
}

static bool choose_fresh(const vcs_dispatch *index, uint32_t client, vcs_dispatch_decision *decision) {
    decision->job = first_for(index, VCS_QUEUE_FRESH, client, VCS_RANK_IN_LINE, AT_ANY_TIME);
    if (decision->job == VCS_NONE) {
        return false;
    }
    decision->reason =
        vcs_job_at(index, decision->job)->rank == VCS_RANK_AT_HEAD ? VCS_REASON_HEAD_OF_QUEUE : VCS_REASON_FRESH;
    return true;
}

static bool choose_copy(const vcs_dispatch *index, uint32_t client, uint32_t last_rank, uint64_t latest_key,
                        uint32_t reason, vcs_dispatch_decision *decision) {
    decision->job = first_for(index, VCS_QUEUE_STARTED, client, last_rank, latest_key);
    if (decision->job == VCS_NONE) {
        return false;
    }
    decision->reason = reason;
    decision->is_copy = 1;
    return true;
}

static bool choose(const vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision) {
    if (choose_copy(index, client, VCS_RANK_OF_BLACKLISTED, AT_ANY_TIME, VCS_REASON_CLIENT_BLACKLISTED, decision)) {
        return true;
    }
    if (index->order == VCS_OVERDUE_FIRST) {
        return choose_copy(index, client, VCS_RANK_OF_ANY_CLIENT, vcs_order_key(now), VCS_REASON_WINDOW_OVER,
                           decision) ||
               choose_fresh(index, client, decision);
    }
    const uint32_t reason = index->order == VCS_DRAIN_THEN_DEAD ? VCS_REASON_CLIENT_DEAD : VCS_REASON_OLDEST;
    return choose_fresh(index, client, decision) ||
           choose_copy(index, client, VCS_RANK_OF_ANY_CLIENT, AT_ANY_TIME, reason, decision);
}

/* The time that vcs_order_key() made the key from. */
static double time_of(uint64_t key) {
    uint64_t bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
    double time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

/* How long until a window ends that gives the client a job; infinity if there is none. */
static double next_window(const vcs_dispatch *index, uint32_t client, double now) {
    uint32_t job = index->order == VCS_OVERDUE_FIRST
                       ? first_for(index, VCS_QUEUE_STARTED, client, VCS_RANK_OF_ANY_CLIENT, AT_ANY_TIME)
                       : VCS_NONE;
    return job == VCS_NONE ? VCS_INFINITY : time_of(vcs_job_at(index, job)->key) - now;
}

int vcs_dispatch_next(const vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision) {
    if (index == NULL || decision == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_first_error(vcs_check_size(VCS_FIRST_dispatch_decision, decision->struct_size), vcs_check_time(now));
    if (code != VCS_OK || client >= index->clients) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    vcs_dispatch_decision answer;
    memset(&answer, 0, sizeof answer);
    answer.struct_size = decision->struct_size;
    answer.job = VCS_NONE;
    answer.next_check = VCS_INFINITY;
    const vcs_client_entry *asks = vcs_client_at(index, client);
    if ((asks->flags & VCS_BLACKLISTED) != 0) {
        answer.reason = VCS_REASON_BLACKLISTED;
    } else if (index->most_per_client != 0 && asks->jobs >= index->most_per_client) {
        answer.reason = VCS_REASON_HOST_LIMIT;
    } else if (choose(index, client, now, &answer)) {
        answer.next_check = 0.0;
    } else {
        answer.reason = VCS_REASON_NO_JOB;
        answer.next_check = next_window(index, client, now);
    }
    vcs_hand_out(decision, decision->struct_size, &answer, sizeof answer);
    return VCS_OK;
}

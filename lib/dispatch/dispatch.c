/*
 * The index of clients and jobs, and which job a client gets next.
 *
 * Rule 10.3; the plain reference is tests/oracle/oracle_dispatch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/argument.h"
#include "core/arena.h"
#include "interface/check.h"
#include "core/number.h"
#include "dispatch/job.h"
#include "dispatch/job_heap.h"

#include <string.h>
#include <vcsched/dispatch.h>
#include <vcsched/reason.h>

/* ---- What the index holds ---- */

/* A job. A ring links copies of the same job, a list those that a client has. Links are numbers of jobs. */
typedef struct job_entry {
    uint64_t id, key; /* what orders it in its heap, or would */
    uint32_t state, client;
    uint32_t copy_of, copies;          /* `copies`: how many are copies of it */
    uint32_t next_same, previous_same; /* a ring of copies of the same job; itself if it is alone */
    uint32_t next_held, previous_held; /* a list of those in progress with its client; VCS_NONE at the ends */
} job_entry;

typedef struct client_entry {
    uint32_t flags;
    uint32_t first_held; /* VCS_NONE = none */
} client_entry;

/* Jobs in progress that another client may get a copy of are in the heap STARTED. */
enum { FRESH, STARTED, HEAPS };

/* The ranks in each of them. */
enum { AT_HEAD, IN_LINE };              /* of FRESH */
enum { OF_BLACKLISTED, OF_ANY_CLIENT }; /* of STARTED */

struct vcs_dispatch {
    uint32_t most_clients, most_jobs;
    uint32_t clients, jobs;
    uint32_t order, reserved;
    double wait_factor;
    uint32_t counts[HEAPS];               /* items in each heap */
    uint64_t client_entries, job_entries; /* where they begin, bytes from here */
    uint64_t places, items[HEAPS];        /* likewise */
};

static void *part(vcs_dispatch *index, uint64_t offset) {
    return (unsigned char *)index + offset;
}

static client_entry *client_at(vcs_dispatch *index, uint32_t number) {
    return (client_entry *)part(index, index->client_entries) + number;
}

static job_entry *job_at(vcs_dispatch *index, uint32_t number) {
    return (job_entry *)part(index, index->job_entries) + number;
}

static vcs_job_heap heap_of(vcs_dispatch *index, uint32_t which) {
    return (vcs_job_heap){part(index, index->items[which]), part(index, index->places), &index->counts[which]};
}

/* Lays out the index; returns its size in bytes, UINT64_MAX if that does not fit in memory. */
static uint64_t lay_out(vcs_dispatch *index, uint32_t most_clients, uint32_t most_jobs) {
    vcs_arena arena = {NULL, 0};
    memset(index, 0, sizeof *index);
    index->most_clients = most_clients;
    index->most_jobs = most_jobs;
    vcs_arena_take(&arena, 1, sizeof *index);
    index->client_entries = arena.used;
    vcs_arena_take(&arena, most_clients, sizeof(client_entry));
    index->job_entries = arena.used;
    vcs_arena_take(&arena, most_jobs, sizeof(job_entry));
    index->places = arena.used;
    vcs_arena_take(&arena, most_jobs, sizeof(uint32_t));
    for (uint32_t which = 0; which < HEAPS; which++) {
        index->items[which] = arena.used;
        vcs_arena_take(&arena, most_jobs, sizeof(vcs_job_heap_item));
    }
    return vcs_arena_size(&arena);
}

/* ---- Which heap a job is in, and where in it ---- */

/* A client whose jobs go to others in the order drain-then-dead: it is not expected to reply any more. */
static bool is_lost(const client_entry *client) {
    return (client->flags & (VCS_CLIENT_DEAD | VCS_BLACKLISTED)) != 0;
}

/* The heap of a job; HEAPS = none. */
static uint32_t heap_for(vcs_dispatch *index, uint32_t state, uint32_t client) {
    if (state == VCS_JOB_FRESH) {
        return FRESH;
    }
    if (state != VCS_JOB_IN_PROGRESS) {
        return HEAPS;
    }
    return index->order != VCS_DRAIN_THEN_DEAD || is_lost(client_at(index, client)) ? STARTED : HEAPS;
}

/* A job in progress goes first if its client is on the blacklist. */
static uint32_t rank_of(vcs_dispatch *index, const job_entry *job) {
    return (client_at(index, job->client)->flags & VCS_BLACKLISTED) != 0 ? OF_BLACKLISTED : OF_ANY_CLIENT;
}

/* What orders jobs of one rank in their heap. */
static uint64_t key_of(const vcs_dispatch *index, const vcs_dispatch_job *job) {
    if (job->state == VCS_JOB_FRESH) {
        return vcs_order_key(job->queued);
    }
    return vcs_order_key(index->order == VCS_OVERDUE_FIRST ? job->sent + job->expected * index->wait_factor
                                                           : job->sent);
}

/* ---- Copies of the same job, and jobs of one client ---- */

/* Moves a copy from the ring of one job to that of another; VCS_NONE = no job. */
static void relate(vcs_dispatch *index, uint32_t number, uint32_t copy_of) {
    job_entry *job = job_at(index, number);
    if (job->copy_of == copy_of) {
        return;
    }
    if (job->copy_of != VCS_NONE) {
        job_at(index, job->copy_of)->copies--;
    }
    job_at(index, job->next_same)->previous_same = job->previous_same;
    job_at(index, job->previous_same)->next_same = job->next_same;
    job->next_same = job->previous_same = number;
    job->copy_of = copy_of;
    if (copy_of != VCS_NONE) {
        job_entry *original = job_at(index, copy_of);
        job->next_same = original->next_same;
        job->previous_same = copy_of;
        job_at(index, original->next_same)->previous_same = number;
        original->next_same = number;
        original->copies++;
    }
}

/* Whether the client has, or has replied to, this job or a copy of it. */
static bool had_same(vcs_dispatch *index, uint32_t number, uint32_t client) {
    uint32_t same = number;
    do {
        const job_entry *job = job_at(index, same);
        if (job->client == client && (vcs_job_is_held(job->state) || job->state == VCS_JOB_REPLIED)) {
            return true;
        }
        same = job->next_same;
    } while (same != number);
    return false;
}

static void list_held(vcs_dispatch *index, uint32_t number) {
    job_entry *job = job_at(index, number);
    client_entry *client = client_at(index, job->client);
    job->previous_held = VCS_NONE;
    job->next_held = client->first_held;
    if (client->first_held != VCS_NONE) {
        job_at(index, client->first_held)->previous_held = number;
    }
    client->first_held = number;
}

static void unlist_held(vcs_dispatch *index, uint32_t number) {
    const job_entry *job = job_at(index, number);
    if (job->next_held != VCS_NONE) {
        job_at(index, job->next_held)->previous_held = job->previous_held;
    }
    if (job->previous_held != VCS_NONE) {
        job_at(index, job->previous_held)->next_held = job->next_held;
    } else {
        client_at(index, job->client)->first_held = job->next_held;
    }
}

/* ---- A job enters and leaves the index ---- */

static void enter(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job) {
    job_entry *entry = job_at(index, number);
    entry->id = job->id;
    entry->key = key_of(index, job);
    entry->state = job->state;
    entry->client = job->client;
    uint32_t which = heap_for(index, job->state, job->client);
    if (which < HEAPS) {
        uint32_t rank = which == STARTED                      ? rank_of(index, entry)
                        : (job->flags & VCS_JOB_AT_HEAD) != 0 ? AT_HEAD
                                                              : IN_LINE;
        vcs_job_heap_insert(heap_of(index, which), (vcs_job_heap_item){entry->key, job->id, rank, number});
    }
    if (job->state == VCS_JOB_IN_PROGRESS) {
        list_held(index, number);
    }
}

static void leave(vcs_dispatch *index, uint32_t number) {
    const job_entry *entry = job_at(index, number);
    uint32_t which = heap_for(index, entry->state, entry->client);
    if (which < HEAPS) {
        vcs_job_heap heap = heap_of(index, which);
        vcs_job_heap_remove(heap, heap.places[number]);
    }
    if (entry->state == VCS_JOB_IN_PROGRESS) {
        unlist_held(index, number);
    }
}

/* A new number: no job yet, and a copy of none. */
static void begin_entry(vcs_dispatch *index, uint32_t number) {
    job_entry *entry = job_at(index, number);
    memset(entry, 0, sizeof *entry);
    entry->state = VCS_JOB_OVER;
    entry->copy_of = VCS_NONE;
    entry->next_same = entry->previous_same = number;
}

/* ---- Building ---- */

int vcs_dispatch_size(uint32_t most_clients, uint32_t most_jobs, size_t *size) {
    if (size == NULL) {
        return VCS_ERR_NULL;
    }
    if (most_clients == VCS_NONE || most_jobs == VCS_NONE) {
        return VCS_ERR_COUNT;
    }
    vcs_dispatch index;
    uint64_t needed = lay_out(&index, most_clients, most_jobs);
    if (needed > SIZE_MAX) {
        return VCS_ERR_OVERFLOW;
    }
    *size = (size_t)needed;
    return VCS_OK;
}

static int check_memory(const vcs_array *clients, const vcs_array *jobs, uint32_t most_clients, uint32_t most_jobs,
                        const void *work, size_t work_size, vcs_error *error) {
    if (clients->count > most_clients || jobs->count > most_jobs) {
        return vcs_fail(error, VCS_ERR_COUNT, clients->count > most_clients ? VCS_TYPE_CLIENT : VCS_TYPE_DISPATCH_JOB,
                        0, VCS_WHOLE_RECORD, "array has more elements than the index can hold");
    }
    size_t needed;
    int code = vcs_dispatch_size(most_clients, most_jobs, &needed);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "most_clients or most_jobs is too large");
    }
    if (work_size < needed || (uintptr_t)work % 8 != 0) {
        return vcs_fail(error, VCS_ERR_WORKSPACE, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "work memory is too small or not aligned to 8 bytes");
    }
    return VCS_OK;
}

static void fill(vcs_dispatch *index, const vcs_array *clients, const vcs_array *jobs) {
    index->clients = clients->count;
    index->jobs = jobs->count;
    for (uint32_t i = 0; i < clients->count; i++) {
        const vcs_client *client = vcs_element(clients, i);
        *client_at(index, i) = (client_entry){client->flags, VCS_NONE};
    }
    for (uint32_t i = 0; i < jobs->count; i++) {
        begin_entry(index, i);
    }
    for (uint32_t i = 0; i < jobs->count; i++) {
        const vcs_dispatch_job *job = vcs_element(jobs, i);
        enter(index, i, job);
        relate(index, i, job->copy_of);
    }
}

int vcs_dispatch_build(const vcs_client *clients, uint32_t client_size, uint32_t client_count,
                       const vcs_dispatch_job *jobs, uint32_t job_size, uint32_t job_count,
                       const vcs_dispatch_rules *rules, uint32_t most_clients, uint32_t most_jobs, void *work,
                       size_t work_size, vcs_dispatch **index, vcs_error *error) {
    const vcs_array client_array = {{clients}, client_size, client_count}, job_array = {{jobs}, job_size, job_count};
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (work == NULL || index == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        work == NULL ? "work is NULL" : "index is NULL");
    }
    vcs_dispatch_rules known;
    code = vcs_dispatch_rules_take(&known, rules, error);
    if (code == VCS_OK) {
        code = vcs_clients_and_jobs_check(&client_array, &job_array, error);
    }
    if (code == VCS_OK) {
        code = check_memory(&client_array, &job_array, most_clients, most_jobs, work, work_size, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    vcs_dispatch *made = work;
    lay_out(made, most_clients, most_jobs);
    made->order = known.order;
    made->wait_factor = known.wait_factor;
    fill(made, &client_array, &job_array);
    *index = made;
    return VCS_OK;
}

/* ---- Changes ---- */

/* Takes all that a client has in progress out of the heap STARTED, or puts it in. */
static void move_held(vcs_dispatch *index, const client_entry *client, bool in) {
    vcs_job_heap heap = heap_of(index, STARTED);
    for (uint32_t number = client->first_held; number != VCS_NONE; number = job_at(index, number)->next_held) {
        const job_entry *job = job_at(index, number);
        if (heap_for(index, job->state, job->client) != STARTED) {
            return; /* this order has none of its jobs there */
        }
        if (in) {
            vcs_job_heap_insert(heap, (vcs_job_heap_item){job->key, job->id, rank_of(index, job), number});
        } else {
            vcs_job_heap_remove(heap, heap.places[number]);
        }
    }
}

/* A record is there, and its number is that of one of `count` or the next one, which must fit. */
static int check_update(const vcs_dispatch *index, const void *record, uint32_t number, uint32_t type,
                        vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (index == NULL || record == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, type, number, VCS_WHOLE_RECORD, "or index is NULL");
    }
    if (number > (type == VCS_TYPE_CLIENT ? index->clients : index->jobs)) {
        return vcs_fail(error, VCS_ERR_INDEX, type, number, VCS_WHOLE_RECORD, "is beyond the next record");
    }
    if (number == (type == VCS_TYPE_CLIENT ? index->most_clients : index->most_jobs)) {
        return vcs_fail(error, VCS_ERR_COUNT, type, number, VCS_WHOLE_RECORD, "is one more than the index can hold");
    }
    return VCS_OK;
}

int vcs_dispatch_set_client(vcs_dispatch *index, uint32_t number, const vcs_client *client, vcs_error *error) {
    int code = check_update(index, client, number, VCS_TYPE_CLIENT, error);
    if (code == VCS_OK) {
        code = vcs_check_client_fields(client, number, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    client_entry *entry = client_at(index, number);
    if (number == index->clients) {
        *entry = (client_entry){client->flags, VCS_NONE};
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
static int check_relation(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *error) {
    if (job->copy_of != VCS_NONE && job_at(index, job->copy_of)->copy_of != VCS_NONE) {
        return vcs_fail(error, VCS_ERR_INDEX, VCS_TYPE_DISPATCH_JOB, number, VCS_FIELD(vcs_dispatch_job, copy_of),
                        "is a copy itself");
    }
    if (number == index->jobs || job_at(index, number)->copies == 0) {
        return VCS_OK;
    }
    if (job->copy_of != VCS_NONE || job->id != job_at(index, number)->id) {
        return vcs_fail(error, VCS_ERR_SEQUENCE, VCS_TYPE_DISPATCH_JOB, number, VCS_WHOLE_RECORD,
                        "cannot become another job while others are copies of it");
    }
    return VCS_OK;
}

int vcs_dispatch_set_job(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *error) {
    int code = check_update(index, job, number, VCS_TYPE_DISPATCH_JOB, error);
    if (code == VCS_OK) {
        code = vcs_job_check(job, number, index->clients, index->jobs, error);
    }
    if (code == VCS_OK) {
        code = check_relation(index, number, job, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    if (number == index->jobs) {
        begin_entry(index, number);
        index->jobs++;
    }
    leave(index, number);
    enter(index, number, job);
    relate(index, number, job->copy_of);
    return VCS_OK;
}

/* ---- Decisions (rule 10.3) ---- */

#define AT_ANY_TIME UINT64_MAX

/* Whether a job goes before all of a later rank, and not behind a key of its own. */
static bool is_within(const vcs_job_heap_item *item, uint32_t last_rank, uint64_t latest_key) {
    return item->rank < last_rank || (item->rank == last_rank && item->key <= latest_key);
}

/*
 * The first job of a heap that the client has no copy of; VCS_NONE if there is none. Jobs passed over are removed and
 * put back in the end: meanwhile they lie in the places that this leaves free.
 */
static uint32_t first_for(vcs_dispatch *index, uint32_t which, uint32_t client, uint32_t last_rank,
                          uint64_t latest_key) {
    vcs_job_heap heap = heap_of(index, which);
    uint32_t passed_over = 0, first = VCS_NONE;
    for (; *heap.count > 0 && is_within(&heap.items[0], last_rank, latest_key); passed_over++) {
        if (!had_same(index, heap.items[0].job, client)) {
            first = heap.items[0].job;
            break;
        }
        vcs_job_heap_remove(heap, 0);
    }
    for (; passed_over > 0; passed_over--) {
        vcs_job_heap_restore(heap);
    }
    return first;
}

static bool choose_fresh(vcs_dispatch *index, uint32_t client, vcs_dispatch_decision *decision) {
    const vcs_job_heap heap = heap_of(index, FRESH);
    decision->job = first_for(index, FRESH, client, IN_LINE, AT_ANY_TIME);
    if (decision->job == VCS_NONE) {
        return false;
    }
    bool is_at_head = heap.items[heap.places[decision->job]].rank == AT_HEAD;
    decision->reason = is_at_head ? VCS_REASON_HEAD_OF_QUEUE : VCS_REASON_FRESH;
    return true;
}

static bool choose_copy(vcs_dispatch *index, uint32_t client, uint32_t last_rank, uint64_t latest_key, uint32_t reason,
                        vcs_dispatch_decision *decision) {
    decision->job = first_for(index, STARTED, client, last_rank, latest_key);
    if (decision->job == VCS_NONE) {
        return false;
    }
    decision->reason = reason;
    decision->is_copy = 1;
    return true;
}

static bool choose(vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision) {
    if (choose_copy(index, client, OF_BLACKLISTED, AT_ANY_TIME, VCS_REASON_CLIENT_BLACKLISTED, decision)) {
        return true;
    }
    if (index->order == VCS_OVERDUE_FIRST) {
        return choose_copy(index, client, OF_ANY_CLIENT, vcs_order_key(now), VCS_REASON_WINDOW_OVER, decision) ||
               choose_fresh(index, client, decision);
    }
    const uint32_t reason = index->order == VCS_DRAIN_THEN_DEAD ? VCS_REASON_CLIENT_DEAD : VCS_REASON_OLDEST;
    return choose_fresh(index, client, decision) ||
           choose_copy(index, client, OF_ANY_CLIENT, AT_ANY_TIME, reason, decision);
}

/* The time that vcs_order_key() made the key from. */
static double time_of(uint64_t key) {
    uint64_t bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
    double time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

/* How long until a window ends that gives the client a job; infinity if there is none. */
static double next_window(vcs_dispatch *index, uint32_t client, double now) {
    uint32_t job =
        index->order == VCS_OVERDUE_FIRST ? first_for(index, STARTED, client, OF_ANY_CLIENT, AT_ANY_TIME) : VCS_NONE;
    return job == VCS_NONE ? VCS_INFINITY : time_of(job_at(index, job)->key) - now;
}

int vcs_dispatch_next(vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision) {
    if (index == NULL || decision == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_first_error(vcs_check_size(VCS_TYPE_DISPATCH_DECISION, decision->struct_size), vcs_check_time(now));
    if (code != VCS_OK || client >= index->clients) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    vcs_dispatch_decision answer;
    memset(&answer, 0, sizeof answer);
    answer.struct_size = decision->struct_size;
    if ((client_at(index, client)->flags & VCS_BLACKLISTED) != 0) {
        answer.job = VCS_NONE;
        answer.reason = VCS_REASON_BLACKLISTED;
        answer.next_check = VCS_INFINITY;
    } else if (!choose(index, client, now, &answer)) {
        answer.reason = VCS_REASON_NO_JOB;
        answer.next_check = next_window(index, client, now);
    }
    vcs_hand_out(decision, decision->struct_size, &answer, sizeof answer);
    return VCS_OK;
}

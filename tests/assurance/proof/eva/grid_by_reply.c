/*
 * A server by reply in a grid, as its hosts and its own clock see it: each function of it is called once on a server in
 * any state, with two units of up to four jobs together and two hosts. What is assumed of that state is asserted after
 * each call, and it is so after the first one, which makes the server; so it always is. It is:
 *   - there are as many clients, jobs and units as there is room for, at most
 *   - each link leads to a job or nowhere: those of a unit and of a host, what is free, what an answer is about
 *   - each job is of a unit that there is, and was sent to one of the hosts, or not yet
 *   - the list of hosts that are caught names hosts that there are
 * Whatever else they may be, fields are any in their ranges, even if no server ever comes to that. A host names a job
 * that there is. So it is not shown that a list ends, nor that what is on a list belongs there: see VCS_INVARIANT.
 *
 * Replaced by any answer are the queue, which is proved apart, and libvcsched.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/grid/reply/by_reply.c lib/vcemu/grid/reply/grid_jobs.c
// sources: lib/vcemu/grid/reply/answers.c lib/vcemu/grid/reply/liveness.c
// sources: lib/vcemu/grid/reply/window.c
// sources: lib/vcemu/grid/deadline/units.c lib/vcemu/grid/grid_trust.c
// sources: lib/vcemu/grid/servers.c
// sources: lib/vcemu/grid/arrivals.c
// sources: lib/vcemu/grid/supply.c lib/vcemu/grid/grid_events.c lib/vcemu/host/events.c lib/vcemu/host/failure.c
// options: -eva-slevel 1 -eva-slevel-function vcs_emu_reserve:40,reserve:9,reserve_ballots:9,vcs_grid_queue_reserve:9
// options: -eva-slevel-function allocate_job:9,allocate_unit:9,vcs_grid_job_add:20,vcs_grid_client_add:9,vote:20
// options: -eva-slevel-function vcs_grid_survey:9,vcs_grid_unit_comes:9,vcs_grid_reply_unit_create:9
// options: -eva-slevel-function vcs_grid_catch:9,decide:20,is_possible:20
// options: -eva-split-return-function is_possible:0
// options: -eva-split-return-function vcs_emu_reserve:0,reserve:0,reserve_ballots:0,vcs_grid_queue_reserve:0
// options: -eva-split-return-function vcs_grid_unit_comes:0,allocate_job:4294967295,vcs_grid_job_add:4294967295
// options: -eva-slevel-function vcs_grid_job_queue:9,copy_of:9 -eva-split-return-function allocate_unit:0
// options: -eva-min-loop-unroll 0 -eva-auto-loop-unroll 1 -eva-widening-delay 3 -eva-split-return=
#include "any_grid.h"

#include "vcemu/grid/reply/answers.h"
#include "vcemu/grid/reply/grid_jobs.h"
#include "vcemu/grid/reply/liveness.h"
#include "vcemu/grid/reply/window.h"

int code;

#define UNITS 2
#define JOBS 4

static vcs_grid_dispatcher dispatcher;
static vcs_client pool[HOSTS];
static vcs_dispatch_job records[JOBS];
static vcs_grid_job jobs[JOBS];
static vcs_grid_reply_unit units[UNITS];
static vcs_grid_entry oldest[UNITS], newest[UNITS];
static uint32_t places[UNITS];
static vcs_ballot ballots[JOBS];
static uint32_t voters[JOBS], ballot_order[JOBS];
static vcs_ballot_verdict verdicts[JOBS];
static vcs_pool_client rows[HOSTS];
static uint64_t index_memory[2]; /* nobody looks into an index */
static uint64_t bins[VCS_GRID_BINS];

static vcs_client right_client;
static vcs_dispatch_job right_job;
static vcs_pace right_pace;

/* ---- What is of units by deadline alone is not reached ---- */

const vcs_grid_kind vcs_grid_by_deadline = {0};

vcs_grid_unit *vcs_grid_unit_at(const vcs_grid_store *store, uint32_t slot) {
    //@ assert \false;
    return NULL;
}

/* ---- Memory ---- */

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    vcs_grid_dispatcher *d = &dispatcher;
    GROWS(server.clients, clients)
    GROWS_BY_ONE(server.caught, caught, server.caught_count)
    GROWS(d->clients, pool)
    GROWS_BY_ONE(d->records, records, d->job_count)
    GROWS_BY_ONE(d->jobs, jobs, d->job_count)
    GROWS_BY_ONE(d->units, units, d->unit_count)
    GROWS(d->ballots, ballots)
    GROWS(d->voters, voters)
    GROWS(d->ballot_order, ballot_order)
    GROWS(d->verdicts, verdicts)
    GROWS(d->rows, rows)
    return false_for_want_of_memory(e);
}

static int memory_is_short;

/* The dispatcher, an index, or the bins of a histogram. */
void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    if (memory_is_short) {
        false_for_want_of_memory(e);
        return NULL;
    }
    if (bytes == sizeof dispatcher) {
        return memset(&dispatcher, 0, sizeof dispatcher);
    }
    return bytes == sizeof bins ? memset(bins, 0, sizeof bins) : (void *)index_memory;
}

/* An index that a larger one has taken the place of. */
void vcs_emu_free(vcs_emu_emulator *e, void *bytes) {
    //@ assert bytes == (void *)index_memory;
}

/* ---- The queues of the window ---- */

static void any_entries(vcs_grid_queue *queue, vcs_grid_entry *entries) {
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < UNITS; i++) {
        entries[i].number = Frama_C_unsigned_int_interval(0, UNITS - 1);
        entries[i].time = any_number();
    }
    queue->count = Frama_C_unsigned_int_interval(0, UNITS);
}

static void any_window(void) {
    any_entries(&dispatcher.window.oldest, oldest);
    any_entries(&dispatcher.window.newest, newest);
}

bool vcs_grid_queue_reserve(vcs_emu_emulator *ground, vcs_grid_queue *queue, uint32_t count) {
    //@ assert queue == &dispatcher.window.oldest || queue == &dispatcher.window.newest;
    if (count > UNITS || any_yes()) {
        return false_for_want_of_memory(ground);
    }
    dispatcher.window.oldest.entries = oldest;
    dispatcher.window.newest.entries = newest;
    return true;
}

void vcs_grid_queue_add(vcs_grid_queue *queue, uint32_t number, double time) {
    //@ assert number < UNITS;
    any_window();
}

void vcs_grid_queue_move(vcs_grid_queue *queue, uint32_t number, double time) {
    //@ assert number < UNITS;
    any_window();
}

void vcs_grid_queue_remove(vcs_grid_queue *queue, uint32_t number) {
    //@ assert number < UNITS;
    any_window();
}

/* ---- Functions of libvcsched ---- */

int vcs_dispatch_rules_init(vcs_dispatch_rules *rules, uint32_t size) {
    any_right_dispatch_rules(rules);
    rules->struct_size = size;
    return VCS_OK;
}

int vcs_dispatch_size(uint32_t most_clients, uint32_t most_jobs, size_t *size) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        *size = sizeof index_memory;
    }
    return answer;
}

int vcs_dispatch_build(vcs_dispatch *index, size_t size, const vcs_array *all, const vcs_array *queued,
                       const vcs_dispatch_rules *rules, uint32_t most_clients, uint32_t most_jobs, vcs_error *where) {
    //@ assert all->count <= HOSTS && queued->count <= JOBS;
    return any_code();
}

int vcs_dispatch_set_client(vcs_dispatch *index, uint32_t number, const vcs_client *client, vcs_error *where) {
    return any_code();
}

int vcs_dispatch_set_job(vcs_dispatch *index, uint32_t number, const vcs_dispatch_job *job, vcs_error *where) {
    return any_code();
}

/* Any job that there is, or none. */
int vcs_dispatch_next(const vcs_dispatch *index, uint32_t client, double now, vcs_dispatch_decision *decision) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        any_right_dispatch_decision(decision);
        decision->struct_size = sizeof *decision;
        decision->job = any_link(JOBS);
    }
    return answer;
}

int vcs_job_send(vcs_dispatch_job *job, uint32_t client_index, const vcs_client *client, const vcs_pace *pace,
                 const vcs_dispatch_rules *rules, double now, vcs_error *where) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        check_that(client_index < HOSTS);
        *job = right_job; /* the client is one of the hosts */
    }
    return answer;
}

int vcs_client_reply(vcs_client *client, vcs_pace *pace, const vcs_reply_times *times, const vcs_dispatch_rules *rules,
                     double now, uint32_t *refused, vcs_error *where) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        *client = right_client;
        *pace = right_pace;
        *refused = (uint32_t)any_yes();
    }
    return answer;
}

int vcs_expected_reply(const vcs_client *client, const vcs_dispatch_job *job, const vcs_pace *pace,
                       const vcs_dispatch_rules *rules, double *seconds, vcs_error *where) {
    *seconds = any_between(0.0, VCS_INFINITY);
    return any_code();
}

int vcs_pool_survey(const vcs_array *all, const vcs_array *queued, const vcs_pace *pace,
                    const vcs_dispatch_rules *rules, double now, const vcs_array *of_clients, vcs_error *where) {
    ANSWER_ARRAY(pool_client, of_clients);
}

int vcs_verify(const vcs_check *check, vcs_verdict *verdict, vcs_error *where) {
    ANSWER_SIZED(verdict, verdict);
}

int vcs_credibility(uint64_t passed, double error_bound, double *credibility) {
    *credibility = any_between(0.0, 1.0);
    return any_code();
}

int vcs_vote(const vcs_array *all, const vcs_vote_terms *terms, uint32_t *order, const vcs_array *of_ballots,
             vcs_vote_summary *summary, vcs_error *where) {
    //@ assert all->count <= JOBS;
    const int answer = any_code();
    if (answer == VCS_OK) {
        any_right_vote_summary(summary);
        summary->struct_size = sizeof *summary;
        for (uint32_t i = 0; i < all->count; i++) {
            order[i] = Frama_C_unsigned_int_interval(0, JOBS - 1);
            any_right_ballot_verdict((vcs_ballot_verdict *)of_ballots->out + i);
        }
    }
    return answer;
}

/* ---- The caller's function: any job, also one that there is not, or that the client cannot get ---- */

static int hook_dispatch(void *context, const vcs_grid_situation *situation, const vcs_dispatch *index,
                         vcs_dispatch_decision *decision) {
    decision->job = ANY_U32();
    decision->is_copy = ANY_U32();
    decision->reason = ANY_U32();
    return any_code();
}

/* ---- The server ---- */

static void any_job(uint32_t number) {
    records[number] = right_job;
    jobs[number] = (vcs_grid_job){
        .flops = any_number(),
        .unit = Frama_C_unsigned_int_interval(0, UNITS - 1),
        .copy = ANY_U32(),
        .next = any_link(JOBS),
        .supersedes = any_link(JOBS),
        .reason = ANY_U32(),
        .kind = ANY_U32(),
        .fate = (vcs_grid_fate)Frama_C_unsigned_int_interval(VCS_GRID_WAITS, VCS_GRID_INVALID),
        .previous_of_host = any_link(JOBS),
        .next_of_host = any_link(JOBS),
        .is_check = any_bool(),
        .is_outside = any_bool(),
        .is_late = any_bool(),
        .has_taught = any_bool(),
    };
}

static void any_unit(vcs_grid_reply_unit *unit) {
    *unit = (vcs_grid_reply_unit){
        .number = ANY_U64(),
        .flops = any_flops(),
        .created = any_number(),
        .done = any_number(),
        .first = any_link(JOBS),
        .last = any_link(JOBS),
        .count = ANY_U32(),
        .wanted = ANY_U32(),
        .touched = ANY_U32(),
        .held = ANY_U32(),
        .outside = ANY_U32(),
        .candidate = any_link(JOBS),
        .accepted = any_link(JOBS),
        .winner = ANY_U32(),
        .is_sent = any_bool(),
        .is_at_head = any_bool(),
        .is_wrong = any_bool(),
    };
}

static void any_dispatcher(void) {
    vcs_grid_dispatcher *d = &dispatcher;
    any_right_dispatch_rules(&d->rules);
    d->index = (vcs_dispatch *)index_memory;
    d->most_clients = ANY_U32();
    d->most_jobs = ANY_U32();
    d->clients = pool;
    d->client_count = Frama_C_unsigned_int_interval(0, HOSTS);
    d->pool = right_pace;
    d->blank = right_job;
    d->blank.client = VCS_NONE;
    d->records = records;
    d->jobs = jobs;
    d->job_count = Frama_C_unsigned_int_interval(0, JOBS);
    d->free_job = any_link(JOBS);
    d->last_id = ANY_U64();
    d->units = units;
    d->unit_count = Frama_C_unsigned_int_interval(0, UNITS);
    d->free_unit = any_link(JOBS); /* one that is free leads by the link that leads to the first job otherwise */
    d->untouched = ANY_U32();
    d->window.oldest.entries = oldest;
    d->window.newest.entries = newest;
    d->window.until = any_number();
    d->window.jobs_sum = any_number();
    d->window.bytes_sum = any_number();
    d->window.span_sum = any_number();
    d->next_survey = any_number();
    if (any_yes()) { /* there was a vote already */
        d->ballots = ballots;
        d->voters = voters;
        d->ballot_order = ballot_order;
        d->verdicts = verdicts;
    }
    if (any_yes()) { /* and a survey */
        d->rows = rows;
    }
    any_window();
}

static void any_server(void) {
    any_right_client(&right_client);
    any_right_dispatch_job(&right_job);
    right_job.client = any_link(HOSTS);
    right_job.copy_of = any_link(JOBS);
    any_right_pace(&right_pace);
    any_world(&vcs_grid_by_reply, VCS_GRID_BY_REPLY, JOBS);
    world.hooks.dispatch = any_yes() ? hook_dispatch : NULL;
    server.by_reply = &dispatcher;
    any_dispatcher();
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < HOSTS; i++) {
        pool[i] = right_client;
    }
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < JOBS; i++) {
        any_job(i);
        voters[i] = Frama_C_unsigned_int_interval(0, JOBS - 1);
    }
    any_unit(&units[0]);
    any_unit(&units[1]);
}

static void check_link(uint32_t link) {
    //@ assert link < JOBS || link == 4294967295; // VCS_NONE
}

static void check_server(void) {
    const vcs_grid_dispatcher *d = &dispatcher;
    check_world(JOBS);
    check_link(d->free_job);
    check_link(d->free_unit);
    //@ assert d->client_count <= HOSTS && d->job_count <= JOBS && d->unit_count <= UNITS;
    //@ assert d->window.oldest.count <= UNITS && d->window.newest.count <= UNITS;
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < JOBS; i++) {
        const uint32_t host = records[i].client;
        //@ assert host < HOSTS || host == 4294967295;
        //@ assert jobs[i].unit < UNITS;
        //@ assert voters[i] < JOBS;
        check_link(jobs[i].next);
        check_link(jobs[i].supersedes);
        check_link(jobs[i].previous_of_host);
        check_link(jobs[i].next_of_host);
    }
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < UNITS; i++) {
        check_link(units[i].last);
        check_link(units[i].candidate);
        check_link(units[i].accepted);
        check_link(units[i].first);
        //@ assert oldest[i].number < UNITS && newest[i].number < UNITS;
    }
}

/* The server as it is made, and its first client or unit: all arrays have to grow. */
static void begin(uint32_t host) {
    memset(&dispatcher, 0, sizeof dispatcher);
    server.by_reply = NULL;
    memory_is_short = any_yes();
    /*@ split memory_is_short; */
    vcs_grid_servers_open(&world);
    if (!memory_is_short) {
        //@ assert server.by_reply == &dispatcher;
        check_server();
        if (EITHER()) {
            vcs_grid_servers_meet(&world, host);
        } else {
            vcs_grid_reply_unit_create(&server);
        }
        MAY_PASS(world.ground.code);
    }
}

int main(void) {
    const uint32_t host = Frama_C_unsigned_int_interval(0, HOSTS - 1);
    const uint32_t number = Frama_C_unsigned_int_interval(0, JOBS - 1);
    any_server();
    memory_is_short = any_yes();
    switch (Frama_C_interval(0, 7)) {
    case 0:
        begin(host);
        break;
    case 1:
        call_for_work(host);
        break;
    case 2:
        answer_for_work(host, number);
        break;
    case 3:
        tell_of_work(host, number);
        break;
    case 4:
        go_on(host);
        break;
    case 5:
        vcs_grid_by_reply.conclude(&server);
        MAY_PASS(world.ground.code);
        break;
    case 6:
        answer_for_work(host, VCS_GRID_SPOT_CHECK);
        tell_of_work(host, VCS_GRID_SPOT_CHECK);
        break;
    default:
        vcs_grid_by_reply.close(&server);
        MAY_PASS(world.ground.code);
    }
    check_server();
    return 0;
}

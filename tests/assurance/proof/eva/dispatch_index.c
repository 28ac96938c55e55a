/*
 * The index of dispatch for two clients: built, changed, and asked which job comes next. Its order, who has which job,
 * and what is changed are each of several cases, on a path of its own. No job is put at the head, and the ids of jobs
 * are their numbers; other fields are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/*.c lib/vcsched/interface/*/*.c lib/vcsched/dispatch/*.c
// options: -eva-min-loop-unroll 64 -eva-slevel 500
// options: -eva-slevel-function main:0,use:9000,add:9000,change:9000,queue:9000,any_between:0,vcs_check_records:0
// options: -eva-slevel-function vcs_refuse_record:0,vcs_refuse_fields:0,vcs_check_row:0,check_doubles:0
// options: -eva-slevel-function check_double:0,vcs_dispatch_job_passes:0,vcs_client_passes:0
// options: -eva-slevel-function vcs_are_between:0,vcs_is_between:0
#include <vcsched/vcsched.h>

#include "right.h"

int code;

#define CLIENTS 2
#define JOBS 3
#define CASES 6 /* of a job: see make_case() */
#define ORDERS (VCS_OVERDUE_FIRST + 1)
#define FLAGS 3 /* of a client: none, dead, on the blacklist */

vcs_client clients[CLIENTS];
vcs_dispatch_job jobs[JOBS];
vcs_dispatch_rules rules;
uint64_t work[344 / 8]; /* what vcs_dispatch_size() says */
vcs_dispatch *dispatch;

static uint32_t one_of(uint32_t count) {
    return Frama_C_unsigned_int_interval(0, count - 1);
}

/* Fresh, in progress with client 1, over; in progress with client 0, superseded, replied. */
static void make_case(vcs_dispatch_job *job, uint32_t number) {
    const uint32_t states[CASES] = {VCS_JOB_FRESH,       VCS_JOB_IN_PROGRESS, VCS_JOB_OVER,
                                    VCS_JOB_IN_PROGRESS, VCS_JOB_SUPERSEDED,  VCS_JOB_REPLIED};
    const uint32_t holders[CASES] = {VCS_NONE, 1, VCS_NONE, 0, 0, 0};
    job->state = states[number];
    job->client = holders[number];
}

static void build(uint32_t job_count) {
    size_t size;
    MAY_PASS(vcs_dispatch_size(CLIENTS, JOBS, &size));
    /*@ assert size == sizeof(work); */
    dispatch = (vcs_dispatch *)work;
    MAY_PASS(vcs_dispatch_build(dispatch, size, &(vcs_array){{clients}, sizeof *clients, CLIENTS},
                                &(vcs_array){{jobs}, sizeof *jobs, job_count}, &rules, CLIENTS, JOBS, NOBODY));
}

static void ask(uint32_t client) {
    vcs_dispatch_decision decision = {.struct_size = sizeof decision};
    MAY_PASS(vcs_dispatch_next(dispatch, client, ANY_TIME(), &decision));
}

static void set_job(uint32_t number) {
    MAY_PASS(vcs_dispatch_set_job(dispatch, number, &jobs[number], NOBODY));
}

/* Client 0, which has most of the jobs, is marked otherwise and asks, or a job changes and the other one asks. */
static void change(void) {
    const uint32_t changed = one_of(3), flags = one_of(FLAGS), new_case = one_of(3);
    /*@ split changed; */
    if (changed == 2) {
        /*@ split flags; */
        clients[0].flags = flags;
        MAY_PASS(vcs_dispatch_set_client(dispatch, 0, &clients[0], NOBODY));
        if (code == VCS_OK) {
            ask(0);
        }
    } else if (clients[0].flags == 0) {
        /*@ split new_case; */
        make_case(&jobs[changed], new_case);
        set_job(changed);
        if (code == VCS_OK) {
            ask(1);
        }
    }
}

/* A second job is added: another one, or a copy of the first. */
static void add(void) {
    const uint32_t second = one_of(CASES), copy_of = EITHER() ? VCS_NONE : 0;
    /*@ split second; */
    /*@ split copy_of; */
    make_case(&jobs[1], second);
    jobs[1].copy_of = copy_of;
    set_job(1);
    if (code == VCS_OK) {
        change();
    }
}

/* All that, begun with one job. */
static void use(uint32_t order, uint32_t flags, uint32_t first) {
    rules.order = order;
    clients[0].flags = flags;
    make_case(&jobs[0], first);
    build(1);
    if (code == VCS_OK) {
        add();
    }
}

/* Fresh jobs enter the queue in each order, so that its tree has to be balanced, and one leaves it. */
static void queue(void) {
    const uint32_t ended = one_of(JOBS);
    build(0);
    for (uint32_t i = 0; code == VCS_OK && i < JOBS; i++) {
        const uint32_t place = one_of(JOBS);
        /*@ split place; */
        jobs[i].state = VCS_JOB_FRESH;
        jobs[i].client = VCS_NONE;
        jobs[i].copy_of = VCS_NONE;
        jobs[i].queued = (double)place;
        set_job(i);
    }
    if (code == VCS_OK) {
        /*@ split ended; */
        jobs[ended].state = VCS_JOB_OVER;
        set_job(ended);
        ask(0);
    }
}

int main(void) {
    for (uint32_t i = 0; i < CLIENTS; i++) {
        any_right_client(&clients[i]);
        clients[i].flags = 0;
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        any_right_dispatch_job(&jobs[i]);
        jobs[i].id = i;
        jobs[i].copy_of = VCS_NONE;
        jobs[i].flags = 0;
    }
    any_right_dispatch_rules(&rules);
    rules.struct_size = sizeof rules;
    for (uint32_t order = 0; order < ORDERS; order++) {
        for (uint32_t flags = 0; flags < FLAGS; flags++) {
            for (uint32_t first = 0; first < CASES; first++) {
                use(order, flags, first);
            }
        }
    }
    queue();
    return 0;
}

/*
 * The records of clients and jobs, and what happens to them. Each event is one function, and one line of the journal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_RECORDS_H
#define DISPATCHER_RECORDS_H

#include "application.h"

enum { LONGEST_KEY = 64 };

typedef struct answer {
    uint32_t job;
    values values;
} answer;

/* What the application wants to know, until it is told. */
typedef struct portion {
    uint32_t number, copies;
    double drawn;
    bool is_finished; /* and waits for an earlier one */
    values values, result;
    uint32_t *jobs; /* the original, copies of it, and checks */
    uint32_t job_count;
    answer *answers; /* in the order in which they came */
    uint32_t answer_count;
} portion;

typedef struct task {
    portion *portion;
    uint32_t asked;
} task;

/* Of a client what the library does not keep. */
typedef struct member {
    char key[LONGEST_KEY + 1]; /* name and password in one */
    vcs_dispatch_job *missed;  /* the last jobs that it had until others had answered them, by id */
    uint32_t missed_count;
} member;

/* All records. Each event is one function, and one line of the journal: the same events give the same records. */
extern struct records {
    uint32_t method;
    double factor;
    vcs_dispatch_rules rules;
    vcs_pace pool;
    vcs_client *clients;
    vcs_trust *trust;
    member *members;
    uint32_t client_count, trust_count, member_count;
    vcs_dispatch_job *jobs;
    task *tasks; /* of each job */
    uint32_t job_count, task_count;
    uint32_t *unused; /* records of jobs that are over */
    uint32_t unused_count;
    uint64_t last_id;
    portion **open; /* those drawn and not delivered, in a ring */
    uint32_t ring, drawn, delivered, most_open;
    uint32_t *suspects; /* clients that have just come on the blacklist */
    uint32_t suspect_count;
    uint64_t sent, copies, answers, late, checks, lost;
    double waited;
    vcs_dispatch *index;
    uint32_t most_clients, most_jobs;
    text events, output;  /* not yet in the journal; not yet with the application */
    uint32_t output_from; /* portions that the application had before the last start */
} d;

/* Makes the index anew, with room for so many. */
void build(uint32_t most_clients, uint32_t most_jobs);

/* ---- Jobs ---- */

bool is_held(uint32_t state);
void set_client(uint32_t client);
void change(uint32_t number, uint32_t state);
void print_task(text *t, const portion *p, uint32_t asked);
uint32_t add_job(portion *p, uint32_t asked, double now, uint32_t flags);
void end_job(uint32_t number);
void drop(portion *p, uint32_t kept);
uint32_t find_job(uint64_t id);

/* The portion of a number from d.delivered to d.drawn - 1. */
portion **open_at(uint32_t number);

/* ---- Events ---- */

uint32_t join(const char *key, double now);
void draw(uint32_t copies, double now);
uint32_t send_job(uint32_t client, uint32_t number, double now);
void take(uint32_t client, uint32_t number, double seconds, values given, double now);
void miss(uint32_t client, uint32_t place, double seconds, double now);
void hear(uint32_t client, double now);
void bury(uint32_t client, double now);

/* ---- What clients want ---- */

bool is_complete(void);
vcs_dispatch_decision choose(uint32_t client, double now);
void live(uint32_t client, double now);
uint32_t find_client(const char *key);

/* The place of a job among the last that a client had until others had answered them; their count if it is none. */
uint32_t find_missed(uint32_t client, uint64_t id);

#endif

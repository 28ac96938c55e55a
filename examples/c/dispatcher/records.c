/*
 * The records of clients and jobs, and what happens to them.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE

#include "judge.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct records d;

void build(uint32_t most_clients, uint32_t most_jobs) {
    size_t size;
    const vcs_array clients = {.base = d.clients, .element_size = sizeof *d.clients, .count = d.client_count};
    const vcs_array jobs = {.base = d.jobs, .element_size = sizeof *d.jobs, .count = d.job_count};
    must(vcs_dispatch_size(most_clients, most_jobs, &size));
    free(d.index);
    d.index = malloc(size);
    if (d.index == NULL) {
        stop(SYSTEM, "out of memory");
    }
    must(vcs_dispatch_build(d.index, size, &clients, &jobs, &d.rules, most_clients, most_jobs, &error));
    d.most_clients = most_clients;
    d.most_jobs = most_jobs;
}

/* ---- Jobs ---- */

bool is_held(uint32_t state) {
    return state == VCS_JOB_IN_PROGRESS || state == VCS_JOB_SUPERSEDED;
}

void set_client(uint32_t client) {
    if (client >= d.most_clients) {
        build(2 * d.most_clients, d.most_jobs);
    }
    must(vcs_dispatch_set_client(d.index, client, &d.clients[client], &error));
}

static void set_job(uint32_t number) {
    if (number >= d.most_jobs) {
        build(d.most_clients, 2 * d.most_jobs);
    }
    must(vcs_dispatch_set_job(d.index, number, &d.jobs[number], &error));
}

void change(uint32_t number, uint32_t state) {
    vcs_dispatch_job *job = &d.jobs[number];
    job->state = state;
    if (state == VCS_JOB_FRESH || state == VCS_JOB_OVER) {
        job->client = VCS_NONE;
    }
    set_job(number);
}

/* A job as its worker reads it, without its number. That of a check is to invert the one answer that there is. */
void print_task(text *t, const portion *p, uint32_t asked) {
    print(t, "%s", asked_words[asked]);
    print_values(t, asked == INVERT ? p->answers[0].values : p->values);
}

/* A fresh job of a portion: its first is the original, all others are copies or checks of that. */
uint32_t add_job(portion *p, uint32_t asked, double now, uint32_t flags) {
    text words = {0};
    print(&words, "%s", asked_words[asked]);
    print_values(&words, p->values);
    const vcs_dispatch_job job = {.id = ++d.last_id,
                                  .size = (double)words.length,
                                  .complexity = complexity_of(asked, p->values),
                                  .queued = now,
                                  .flags = flags,
                                  .client = VCS_NONE,
                                  .copy_of = p->job_count > 0 ? p->jobs[0] : VCS_NONE};
    free(words.at);
    uint32_t number = d.job_count;
    if (d.unused_count > 0) {
        number = d.unused[--d.unused_count];
        d.jobs[number] = job;
        d.tasks[number] = (task){p, asked};
    } else {
        APPEND(d.jobs, d.job_count, job);
        APPEND(d.tasks, d.task_count, ((task){p, asked}));
    }
    APPEND(p->jobs, p->job_count, number);
    set_job(number);
    return number;
}

/* A job is over. Its client's answer will come in vain, but will still tell how fast the client is. */
void end_job(uint32_t number) {
    const vcs_dispatch_job *job = &d.jobs[number];
    if (is_held(job->state)) {
        member *m = &d.members[job->client];
        uint32_t place = m->missed_count;
        APPEND(m->missed, m->missed_count, *job);
        for (; place > 0 && m->missed[place - 1].id > job->id; place--) { /* in order of id */
            m->missed[place] = m->missed[place - 1];
        }
        m->missed[place] = *job;
        if (m->missed_count > d.rules.max_per_client) { /* the oldest makes room */
            memmove(m->missed, m->missed + 1, --m->missed_count * sizeof *m->missed);
        }
    }
    change(number, VCS_JOB_OVER);
}

/* The jobs of a portion, without the first `kept`, are over, and their records are used again. */
void drop(portion *p, uint32_t kept) {
    while (p->job_count > kept) { /* copies before the original that they refer to */
        const uint32_t number = p->jobs[--p->job_count];
        d.jobs[number].copy_of = VCS_NONE;
        end_job(number);
        d.jobs[number].id = 0; /* late answers to it are not known any more */
        APPEND(d.unused, d.unused_count, number);
    }
}

/* ---- Events, which are also read from the journal ---- */

static void note(double now, const char *format, ...) {
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    print(&d.events, "%.6f %s\n", now, words);
}

/* A client that was never seen before gets its first job. */
uint32_t join(const char *key, double now) {
    const uint32_t client = d.client_count;
    member m = {.missed_count = 0};
    snprintf(m.key, sizeof m.key, "%s", key);
    APPEND(d.clients, d.client_count, ((vcs_client){.id = client + 1, .last_heard = now}));
    APPEND(d.trust, d.trust_count, ((vcs_trust){.id = client + 1}));
    APPEND(d.members, d.member_count, m);
    set_client(client);
    note(now, "client %s", key);
    return client;
}

portion **open_at(uint32_t number) {
    return &d.open[number % d.ring];
}

static void widen_ring(void) {
    portion **before = d.open;
    const uint32_t ring = d.ring;
    d.ring = ring == 0 ? 16 : 2 * ring;
    d.open = calloc(d.ring, sizeof *d.open);
    if (d.open == NULL) {
        stop(SYSTEM, "out of memory");
    }
    for (uint32_t number = d.delivered; number < d.drawn; number++) {
        *open_at(number) = before[number % ring];
    }
    free(before);
}

/* The application gives its next portion. */
void draw(uint32_t copies, double now) {
    portion *p = calloc(1, sizeof *p);
    if (p == NULL) {
        stop(SYSTEM, "out of memory");
    }
    *p = (portion){.number = d.drawn, .copies = copies, .drawn = now, .values = portion_of(d.drawn)};
    if (d.drawn - d.delivered == d.ring) {
        widen_ring();
    }
    *open_at(d.drawn++) = p;
    d.most_open = d.drawn - d.delivered > d.most_open ? d.drawn - d.delivered : d.most_open;
    for (uint32_t i = 0; i < copies; i++) {
        add_job(p, COMPUTE, now, 0);
    }
    note(now, "portion %u", copies);
}

/* A client gets a job, or a copy of it if another client already has it. Returns the number of its job. */
uint32_t send_job(uint32_t client, uint32_t number, double now) {
    note(now, "sent %u %llu", client, (unsigned long long)d.jobs[number].id);
    if (d.jobs[number].state == VCS_JOB_IN_PROGRESS) {
        change(number, VCS_JOB_SUPERSEDED);
        d.copies++;
        number = add_job(d.tasks[number].portion, d.tasks[number].asked, now, 0);
    }
    must(vcs_job_send(&d.jobs[number], client, &d.clients[client], &d.pool, &d.rules, now, &error));
    set_job(number);
    d.sent++;
    return number;
}

/* What an answer says of its client's speed. What the client says is believed as far as the clock allows. */
static void learn(uint32_t client, const vcs_dispatch_job *job, double seconds, double now) {
    const double total = fmax(now - job->sent, 0), computed = fmin(seconds, total);
    const vcs_reply_times times = {.struct_size = sizeof times,
                                   .bytes = job->size,
                                   .transfer_seconds = total - computed,
                                   .complexity = job->complexity,
                                   .compute_seconds = computed};
    uint32_t refused;
    must(vcs_client_reply(&d.clients[client], &d.pool, &times, &d.rules, now, &refused, &error));
    set_client(client);
}

/* The answer to a job that a client has. */
void take(uint32_t client, uint32_t number, double seconds, values given, double now) {
    print(&d.events, "%.6f answer %u %llu %.6f", now, client, (unsigned long long)d.jobs[number].id, seconds);
    print_values(&d.events, given);
    print(&d.events, "\n");
    learn(client, &d.jobs[number], seconds, now);
    change(number, VCS_JOB_REPLIED);
    d.answers++;
    portion *p = d.tasks[number].portion;
    if (d.tasks[number].asked == INVERT) {
        judge(p, p->answers[0].job, now, equal(given, p->values) ? VCS_CHECK_PASSED : VCS_CHECK_FAILED, client);
    } else {
        APPEND(p->answers, p->answer_count, ((answer){number, copy_of(given)}));
        judge(p, number, now, VCS_CHECK_NOT_MADE, VCS_NONE);
    }
    withdraw(now);
}

/* The answer to a job that is over. Without it, a slow client would be taken for a fast one for ever. */
void miss(uint32_t client, uint32_t place, double seconds, double now) {
    member *m = &d.members[client];
    const vcs_dispatch_job job = m->missed[place];
    note(now, "late %u %llu %.6f", client, (unsigned long long)job.id, seconds);
    memmove(m->missed + place, m->missed + place + 1, (--m->missed_count - place) * sizeof *m->missed);
    learn(client, &job, seconds, now);
    d.late++;
}

/* A dead client is alive after all. */
void hear(uint32_t client, double now) {
    const vcs_reply_times nothing = {.struct_size = sizeof nothing};
    uint32_t refused;
    note(now, "alive %u", client);
    must(vcs_client_reply(&d.clients[client], &d.pool, &nothing, &d.rules, now, &refused, &error));
    set_client(client);
}

void bury(uint32_t client, double now) {
    note(now, "dead %u", client);
    d.clients[client].flags |= VCS_CLIENT_DEAD;
    set_client(client);
}

/* ---- What clients want ---- */

bool is_complete(void) {
    return d.delivered == portions;
}

/* A draw that nobody can foretell, 0 <= u < 1. */
static double chance(void) {
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits) {
        stop(SYSTEM, "no random numbers: %s", strerror(errno));
    }
    return (double)(bits >> 11) / 9007199254740992.0;
}

/* The application is asked for a portion only if the library has no better job for this client. */
vcs_dispatch_decision choose(uint32_t client, double now) {
    vcs_dispatch_decision decision = {.struct_size = sizeof decision};
    must(vcs_dispatch_next(d.index, client, now, &decision));
    const bool wants_fresh = decision.reason == VCS_REASON_NO_JOB || decision.reason == VCS_REASON_CLIENT_DEAD ||
                             decision.reason == VCS_REASON_OLDEST;
    if (wants_fresh && d.drawn < portions) {
        uint32_t copies = 1;
        if (d.method == VCS_VERIFY_RECOMPUTATION) {
            must(vcs_copies(d.factor, chance(), &copies));
        }
        draw(copies, now);
        must(vcs_dispatch_next(d.index, client, now, &decision));
    }
    return decision;
}

/* A sign of life. It is an event only if the client was given up. */
void live(uint32_t client, double now) {
    if ((d.clients[client].flags & VCS_CLIENT_DEAD) != 0) {
        hear(client, now);
    }
    d.clients[client].last_heard = fmax(now, d.clients[client].last_heard);
}

uint32_t find_job(uint64_t id) {
    for (uint32_t i = 0; id != 0 && i < d.job_count; i++) {
        if (d.jobs[i].id == id) {
            return i;
        }
    }
    return VCS_NONE;
}

uint32_t find_missed(uint32_t client, uint64_t id) {
    uint32_t place = 0;
    while (place < d.members[client].missed_count && d.members[client].missed[place].id != id) {
        place++;
    }
    return place;
}

uint32_t find_client(const char *key) {
    for (uint32_t i = 0; i < d.client_count; i++) {
        if (strcmp(d.members[i].key, key) == 0) {
            return i;
        }
    }
    return VCS_NONE;
}

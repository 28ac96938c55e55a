/*
 * How long a decision of dispatch takes, with a million jobs in progress and a hundred thousand clients.
 *
 * A decision is asked for, or asked for and carried out: the client's expected time, the job's record, the index. The
 * nanoseconds are those of this machine, in the time of this process.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vcsched/dispatch.h>

enum { CLIENTS = 100000, IN_PROGRESS = 1000000, FRESH = 500000, COPIES = 500000, DECISIONS = 200000 };
enum { JOBS = IN_PROGRESS + FRESH + COPIES };

static uint64_t stream;

static uint64_t draw_bits(void) {
    uint64_t z = stream += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double draw(double least, double greatest) {
    return least + (greatest - least) * ((double)(draw_bits() >> 11) * 0x1p-53);
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Stops the program where a figure would mean nothing. */
static void must(int code, const char *what) {
    if (code != VCS_OK) {
        fprintf(stderr, "bench_dispatch: %s: %s\n", what, vcs_strerror(code));
        exit(1);
    }
}

static void *must_allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "bench_dispatch: out of memory\n");
        exit(1);
    }
    return memory;
}

/* A server in the midst of its work, a day after it began. */
typedef struct server {
    vcs_client *clients;
    vcs_dispatch_job *jobs;
    uint32_t job_count;
    vcs_dispatch_rules rules;
    vcs_pace pool;
    double now;
    vcs_dispatch *index;
} server;

static void fill(server *s) {
    s->now = 86400;
    for (uint32_t i = 0; i < CLIENTS; i++) {
        s->clients[i] = (vcs_client){.id = i, .pace = {1e7, draw(1, 100), 1e4, draw(1e3, 1e5), 20, {0}}};
        s->clients[i].flags = i % 100 == 0 ? VCS_CLIENT_DEAD : 0;
    }
    for (uint32_t i = 0; i < IN_PROGRESS + FRESH; i++) {
        vcs_dispatch_job *job = &s->jobs[s->job_count++];
        *job = (vcs_dispatch_job){.id = i, .size = 1e6, .complexity = draw(500, 5000), .queued = draw(0, s->now)};
        job->client = job->copy_of = VCS_NONE;
        if (i < IN_PROGRESS) {
            uint32_t client = (uint32_t)(draw_bits() % CLIENTS);
            must(vcs_job_send(job, client, &s->clients[client], &s->pool, &s->rules, draw(0, s->now), NULL), "send");
        }
    }
}

static void build(server *s, void **work) {
    const vcs_array clients = {{s->clients}, sizeof *s->clients, CLIENTS};
    const vcs_array jobs = {{s->jobs}, sizeof *s->jobs, s->job_count};
    size_t size;
    must(vcs_dispatch_size(CLIENTS, JOBS, &size), "size");
    *work = must_allocate(1, size);
    const double begin = nanoseconds();
    must(vcs_dispatch_build(&clients, &jobs, &s->rules, CLIENTS, JOBS, *work, size, &s->index, NULL), "build");
    printf("  %-34s %8.1f ms, %.0f MB\n", "build", (nanoseconds() - begin) / 1e6, (double)size / 1e6);
}

static vcs_dispatch_decision next(const server *s, uint32_t client) {
    vcs_dispatch_decision decision = {.struct_size = sizeof decision};
    must(vcs_dispatch_next(s->index, client, s->now, &decision), "next");
    return decision;
}

static void set_job(server *s, uint32_t number) {
    must(vcs_dispatch_set_job(s->index, number, &s->jobs[number], NULL), "set_job");
}

/* Gives the client its next job. */
static void give(server *s, uint32_t client) {
    vcs_dispatch_decision decision = next(s, client);
    uint32_t number = decision.job;
    if (number == VCS_NONE) {
        return;
    }
    if (decision.again) {
        s->jobs[number].state = VCS_JOB_SUPERSEDED;
        set_job(s, number);
        vcs_dispatch_job *copy = &s->jobs[s->job_count];
        *copy = s->jobs[number];
        copy->id = s->job_count;
        copy->state = VCS_JOB_FRESH;
        copy->client = VCS_NONE;
        copy->copy_of = copy->copy_of == VCS_NONE ? number : copy->copy_of;
        number = s->job_count++;
    }
    must(vcs_job_send(&s->jobs[number], client, &s->clients[client], &s->pool, &s->rules, s->now, NULL), "send");
    set_job(s, number);
}

/* The reply on some job in progress. */
static void reply(server *s) {
    uint32_t number = (uint32_t)(draw_bits() % IN_PROGRESS);
    if (s->jobs[number].state == VCS_JOB_IN_PROGRESS) {
        s->jobs[number].state = VCS_JOB_OVER;
        set_job(s, number);
    }
}

static void report(const char *what, double begin) {
    const double each = (nanoseconds() - begin) / DECISIONS;
    printf("  %-34s %8.0f ns, %.2f million a second\n", what, each, 1e3 / each);
}

static void measure(uint32_t order, const char *name) {
    server s = {.clients = must_allocate(CLIENTS, sizeof(vcs_client)),
                .jobs = must_allocate(JOBS, sizeof(vcs_dispatch_job))};
    void *work;
    stream = 1;
    must(vcs_dispatch_rules_init(&s.rules, sizeof s.rules), "rules");
    s.rules.order = order;
    printf("%s\n", name);
    fill(&s);
    build(&s, &work);
    uint64_t sum = 0;
    double begin = nanoseconds();
    for (int i = 0; i < DECISIONS; i++) {
        sum += next(&s, (uint32_t)(draw_bits() % CLIENTS)).job;
    }
    report("decision", begin);
    begin = nanoseconds();
    for (int i = 0; i < DECISIONS; i++, s.now += 1e-3) {
        give(&s, (uint32_t)(draw_bits() % CLIENTS));
    }
    report("decision, carried out", begin);
    begin = nanoseconds();
    for (int i = 0; i < DECISIONS; i++) {
        reply(&s);
    }
    report("reply taken note of", begin);
    begin = nanoseconds();
    for (int i = 0; i < DECISIONS; i++, s.now += 1e-3) {
        give(&s, (uint32_t)(draw_bits() % CLIENTS));
        reply(&s);
    }
    report("decision, carried out, and a reply", begin);
    if (sum == 0) {
        printf("  every decision was job 0\n");
    }
    free(work);
    free(s.clients);
    free(s.jobs);
}

int main(void) {
    measure(VCS_OVERDUE_FIRST, "overdue first");
    measure(VCS_DRAIN_THEN_OLDEST, "drain, then the oldest");
    measure(VCS_DRAIN_THEN_DEAD, "drain, then those of the dead");
    return 0;
}

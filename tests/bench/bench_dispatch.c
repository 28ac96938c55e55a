/*
 * How long a decision of dispatch takes, with a million jobs in progress and a hundred thousand clients.
 *
 *     bench_dispatch [JOBS_IN_PROGRESS]
 *
 * A decision is asked for, or asked for and carried out: the client's expected time, the job's record, the index. The
 * nanoseconds are those of this machine, in the time of this process.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "support/array.h"

#include <vcsched/dispatch.h>

static uint64_t stream;

/* A server in the midst of its work, a day after it began. */
typedef struct server {
    uint32_t in_progress, fresh, most_jobs; /* the rest is for copies */
    uint32_t client_count;
    uint32_t decisions; /* this many are timed */
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
    for (uint32_t i = 0; i < s->client_count; i++) {
        const double rate = draw(&stream, 1, 100), speed = draw(&stream, 1e3, 1e5);
        s->clients[i] = (vcs_client){.id = i, .pace = {1e7, rate, 1e4, speed, 20, {0}}};
        s->clients[i].flags = i % 100 == 0 ? VCS_CLIENT_DEAD : 0;
    }
    for (uint32_t i = 0; i < s->in_progress + s->fresh; i++) {
        vcs_dispatch_job *job = &s->jobs[s->job_count++];
        const double complexity = draw(&stream, 500, 5000), queued = draw(&stream, 0, s->now);
        *job = (vcs_dispatch_job){.id = i, .size = 1e6, .complexity = complexity, .queued = queued};
        job->client = job->copy_of = VCS_NONE;
        if (i < s->in_progress) {
            uint32_t client = draw_below(&stream, s->client_count);
            const double sent = draw(&stream, 0, s->now);
            must(vcs_job_send(job, client, &s->clients[client], &s->pool, &s->rules, sent, NULL), "send");
        }
    }
}

static void build(server *s) {
    size_t size;
    must(vcs_dispatch_size(s->client_count, s->most_jobs, &size), "size");
    s->index = must_allocate(1, size);
    const double begin = nanoseconds();
    must(vcs_dispatch_build(s->index, size, ARRAY(s->clients, s->client_count), ARRAY(s->jobs, s->job_count), &s->rules,
                            s->client_count, s->most_jobs, NULL),
         "build");
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
    if (decision.is_copy) {
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
    uint32_t number = draw_below(&stream, s->in_progress);
    if (s->jobs[number].state == VCS_JOB_IN_PROGRESS) {
        s->jobs[number].state = VCS_JOB_OVER;
        set_job(s, number);
    }
}

static void report(const server *s, const char *what, double begin) {
    const double each = (nanoseconds() - begin) / s->decisions;
    printf("  %-34s %8.0f ns, %.2f million a second\n", what, each, 1e3 / each);
}

static void measure(uint32_t in_progress, uint32_t order, const char *name) {
    server s = {.in_progress = in_progress,
                .fresh = in_progress / 2,
                .most_jobs = in_progress * 2,
                .client_count = in_progress / 10,
                .decisions = in_progress / 5};
    stream = 1;
    s.clients = must_allocate(s.client_count, sizeof *s.clients);
    s.jobs = must_allocate(s.most_jobs, sizeof *s.jobs);
    must(vcs_dispatch_rules_init(&s.rules, sizeof s.rules), "rules");
    s.rules.order = order;
    printf("%s\n", name);
    fill(&s);
    build(&s);
    uint64_t sum = 0;
    double begin = nanoseconds();
    for (uint32_t i = 0; i < s.decisions; i++) {
        sum += next(&s, draw_below(&stream, s.client_count)).job;
    }
    report(&s, "decision", begin);
    begin = nanoseconds();
    for (uint32_t i = 0; i < s.decisions; i++, s.now += 1e-3) {
        give(&s, draw_below(&stream, s.client_count));
    }
    report(&s, "decision, carried out", begin);
    begin = nanoseconds();
    for (uint32_t i = 0; i < s.decisions; i++) {
        reply(&s);
    }
    report(&s, "reply taken note of", begin);
    begin = nanoseconds();
    for (uint32_t i = 0; i < s.decisions; i++, s.now += 1e-3) {
        give(&s, draw_below(&stream, s.client_count));
        reply(&s);
    }
    report(&s, "decision, carried out, and a reply", begin);
    if (sum == 0) {
        printf("  every decision was job 0\n");
    }
    free(s.index);
    free(s.clients);
    free(s.jobs);
}

/*
 * What a client costs that must not get what is offered: it has one of 16,000 copies of a job, which are in progress
 * with as many clients; or it has as many jobs as the rules allow, all overdue, and does not reply.
 */
static void measure_passing_over(uint32_t copies, uint32_t own) {
    const uint32_t jobs = copies + own;
    server s = {.most_jobs = jobs, .client_count = jobs, .decisions = 100};
    s.clients = must_allocate(s.client_count, sizeof *s.clients);
    s.jobs = must_allocate(s.most_jobs, sizeof *s.jobs);
    must(vcs_dispatch_rules_init(&s.rules, sizeof s.rules), "rules");
    s.rules.order = VCS_OVERDUE_FIRST;
    for (uint32_t i = 0; i < jobs; i++) {
        s.clients[i] = (vcs_client){.id = i};
        s.jobs[i] = (vcs_dispatch_job){.id = i, .complexity = 1, .copy_of = i < copies && i > 0 ? 0 : VCS_NONE};
        s.jobs[i].client = VCS_NONE;
        const uint32_t client = i < copies ? i : 0;
        must(vcs_job_send(&s.jobs[i], client, &s.clients[client], &s.pool, &s.rules, i, NULL), "send");
    }
    s.job_count = jobs;
    s.now = 1e6;
    printf("%u copies of a job and %u other jobs that a client has, all overdue\n", copies, own);
    build(&s);
    const double begin = nanoseconds();
    uint64_t found = 0;
    for (uint32_t i = 0; i < s.decisions; i++) {
        found += next(&s, 0).job != VCS_NONE;
    }
    report(&s, "decision: nothing for it", begin);
    if (found > 0) {
        printf("  it got a job twice\n");
    }
    free(s.index);
    free(s.clients);
    free(s.jobs);
}

int main(int count, char **arguments) {
    const unsigned long in_progress = count > 1 ? strtoul(arguments[1], NULL, 10) : 1000000;
    if (count > 2 || in_progress < 1000 || in_progress > 100000000) {
        fputs("usage: bench_dispatch [JOBS_IN_PROGRESS], 1000 to 100000000\n", stderr);
        return 2;
    }
    measure((uint32_t)in_progress, VCS_OVERDUE_FIRST, "overdue first");
    measure((uint32_t)in_progress, VCS_DRAIN_THEN_OLDEST, "drain, then the oldest");
    measure((uint32_t)in_progress, VCS_DRAIN_THEN_DEAD, "drain, then those of the dead");
    measure_passing_over(16000, 0);
    measure_passing_over(1, 998);
    return 0;
}

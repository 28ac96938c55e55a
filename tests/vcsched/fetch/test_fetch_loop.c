/*
 * Fetching in a closed loop (rules 6.3 to 6.10). A tiny client asks the library which tasks run and whom to call,
 * carries that out, and lets time pass until it has to ask again: a task ends, a reply comes, or the next check of the
 * answer is due. Servers answer at once. What is measured over 5,700 days of hosts in all:
 *
 * - calls for a processor type made when no task for it is left,
 * - instances that are idle although a project could be called that would send a task for them,
 * - looks made because the next check was due: they must be bounded by what happens, not by time,
 * - how much work is at hand: about as much as fills the buffer.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <vcsched/vcsched.h>

#include "support/array.h"
#include "support/effort.h"

#define DAY 86400.0
#define HOUR 3600.0
#define MOST_TASKS 8192
#define MOST_PROJECTS 3
#define RESOURCES 2  /* the CPUs, and a GPU type which may have no application */
#define AT_ONCE 1e-6 /* shorter times have passed, s */

/* ---- Hosts ---- */

/* What is odd about the hosts of a test. */
typedef struct habit {
    bool varied;     /* jobs of many lengths */
    bool wide;       /* jobs that use several CPUs */
    bool gpus;       /* 1 to 4 GPUs */
    bool limits;     /* on concurrent tasks, of projects and of applications */
    bool exclusions; /* of projects from GPUs */
    bool unreliable; /* servers that fail or have no work now and then */
    bool backup;     /* the last project has no share */
    bool piggyback;  /* calls to report results, whose answers tell when to look again */
    bool no_buffer;  /* the user wants none */
    bool hurried;    /* the simulation stops after little work, and later tasks are unknown */
} habit;

typedef struct server {
    double length[RESOURCES]; /* of a job, s; 0 = it has none for that resource */
    double width;             /* CPUs of a CPU job */
    double part;              /* of a GPU that a GPU job uses */
    double fails, is_empty;   /* how often */
} server;

typedef struct loop {
    uint64_t random;
    const habit *how;
    double now, end;
    vcs_parameters policy;
    vcs_host host;
    vcs_resource resources[RESOURCES];
    vcs_project projects[MOST_PROJECTS];
    vcs_app apps[MOST_PROJECTS];
    vcs_project_resource pairs[MOST_PROJECTS * RESOURCES];
    vcs_project_timer timers[MOST_PROJECTS];
    vcs_resource_backoff backoffs[MOST_PROJECTS * RESOURCES];
    vcs_average rec[MOST_PROJECTS];
    server servers[MOST_PROJECTS];
    vcs_task tasks[MOST_TASKS];
    uint32_t project_count, resource_count, task_count;
    uint64_t sent;
    vcs_state *state;
    size_t size;
    double schedule_due, fetch_due;
} loop;

/* What the tests judge. */
typedef struct figures {
    double days;
    uint64_t calls, dry_calls; /* for a resource; when no task for it was left */
    uint64_t most_tasks;       /* at hand after a call when there was one before */
    uint64_t looks, timed_looks, events;
    double idle, capacity; /* instance-seconds, idle only where work could be had */
    double worst;          /* of its hosts: dry calls by calls */
    double most_work;      /* at hand at any time, by what fills the buffer */
} figures;

static double draw(loop *l) {
    uint64_t z = l->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double one_of(loop *l, const double *values, uint32_t count) {
    return values[(uint32_t)(draw(l) * count)];
}

#define ONE_OF(l, ...)                                                                                                 \
    one_of(l, (const double[]){__VA_ARGS__}, (uint32_t)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

static vcs_resource *add_resource(loop *l, double instances, double flops) {
    vcs_resource *resource = &l->resources[l->resource_count++];
    *resource = (vcs_resource){.flops = flops, .usable = 1, .instances = (uint32_t)instances};
    return resource;
}

/* Where one project is limited, another one may bring what it does not. */
static void add_limits(loop *l, uint32_t p) {
    const uint32_t limit = 1 + (uint32_t)(draw(l) * l->resources[0].instances);
    if (!l->how->limits || draw(l) < 0.3) {
        return;
    }
    if (draw(l) < 0.5) {
        l->projects[p].max_concurrent = limit;
    } else {
        l->apps[p].max_concurrent = limit;
        l->projects[p].flags = VCS_PROJECT_APPS_LISTED;
    }
}

static void add_project(loop *l) {
    const uint32_t p = l->project_count++, cpus = l->resources[0].instances;
    /* so long that about fifty jobs end in a day */
    const double length = floor(fmax(cpus * DAY / 50 * ONE_OF(l, 0.5, 1, 2), 600));
    server *s = &l->servers[p];
    l->projects[p] = (vcs_project){.id = p + 1, .share = ONE_OF(l, 1, 1, 2, 5)};
    l->apps[p] = (vcs_app){.id = p + 1, .project = p};
    s->width = l->how->wide ? ceil(cpus * ONE_OF(l, 0.01, 0.3, 0.5, 1)) : 1;
    s->part = 1;
    s->length[0] = length;
    s->length[1] =
        l->resource_count > 1 ? floor(fmax(l->resources[1].instances * DAY / 50 * ONE_OF(l, 0.5, 1), 600)) : 0;
    s->fails = l->how->unreliable ? ONE_OF(l, 0, 0.1, 0.5) : 0;
    s->is_empty = l->how->unreliable ? ONE_OF(l, 0, 0.1, 0.5) : 0;
    for (uint32_t r = 0; r < l->resource_count; r++) {
        vcs_project_resource *pair = &l->pairs[p * l->resource_count + r];
        *pair = (vcs_project_resource){.id = p, .project = p, .resource = r};
        const bool is_excluded = r > 0 && l->how->exclusions && l->resources[r].instances > 1;
        pair->excluded = is_excluded ? 1 + (uint64_t)(draw(l) * (l->resources[r].instances - 1)) : 0;
    }
    add_limits(l, p);
}

static void begin(loop *l, const habit *how, uint32_t cpus, double days, uint64_t seed) {
    memset(l, 0, sizeof *l);
    l->random = seed;
    l->how = how;
    l->end = days * DAY;
    vcs_parameters_init(&l->policy, sizeof l->policy, VCS_PROFILE_CURRENT);
    l->policy.min_buffer = ONE_OF(l, 1728, 8640, 8640, 43200);
    l->policy.additional_buffer = ONE_OF(l, 0, 8640, 43200);
    if (how->no_buffer) {
        l->policy.min_buffer = l->policy.additional_buffer = 0;
    }
    if (how->hurried) {
        l->policy.simulation_effort = 1;
    }
    add_resource(l, cpus, 1e9);
    if (how->gpus) {
        add_resource(l, ONE_OF(l, 1, 2, 4), 1e10);
    }
    const uint32_t projects = 1 + (uint32_t)(draw(l) * MOST_PROJECTS);
    for (uint32_t p = 0; p < projects; p++) {
        add_project(l);
    }
    if (how->backup && projects > 1) {
        l->projects[projects - 1].share = 0;
    }
}

/* ---- What the client sees, and asks ---- */

static void must(int code) {
    assert_int_equal(code, VCS_OK);
}

static void show_timers(loop *l) {
    for (uint32_t p = 0; p < l->project_count; p++) {
        l->projects[p].rec = l->rec[p].value;
        l->projects[p].min_rpc_time = l->timers[p].min_rpc_time;
        for (uint32_t r = 0; r < l->resource_count; r++) {
            const uint32_t i = p * l->resource_count + r;
            l->pairs[i].backoff_until = l->backoffs[i].until;
        }
    }
}

static void prepare(loop *l) {
    show_timers(l);
    const vcs_snapshot snapshot = {
        .struct_size = sizeof snapshot,
        .host = array_of(&l->host, sizeof l->host, 1),
        .resources = array_of(l->resources, sizeof *l->resources, l->resource_count),
        .projects = array_of(l->projects, sizeof *l->projects, l->project_count),
        .project_resources = array_of(l->pairs, sizeof *l->pairs, l->project_count * l->resource_count),
        .apps = array_of(l->apps, sizeof *l->apps, l->project_count),
        .tasks = array_of(l->tasks, sizeof *l->tasks, l->task_count),
    };
    if (l->state == NULL ||
        vcs_state_renew(l->state, l->size, &snapshot, &l->policy, l->now, NULL) == VCS_ERR_WORKSPACE) {
        free(l->state);
        must(vcs_state_size(&snapshot, &l->size));
        l->size *= 2;
        must(vcs_state_prepare(&snapshot, &l->policy, l->now, malloc(l->size), l->size, &l->state, NULL));
    }
    must(vcs_wrr(l->state, NULL));
}

static void choose_tasks(loop *l) {
    static vcs_task_decision decisions[MOST_TASKS];
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    must(vcs_schedule(l->state, VCS_SCHEDULE_EXPLAIN, &summary));
    must(vcs_schedule_tasks(l->state, ARRAY(decisions, l->task_count)));
    for (uint32_t i = 0; i < l->task_count; i++) {
        vcs_task *task = &l->tasks[i];
        const uint32_t late = (decisions[i].flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
        const uint32_t fills_in = (decisions[i].flags & VCS_DECISION_FILLS_IN) != 0 ? VCS_TASK_FILLS_IN : 0;
        const uint32_t before = task->flags & VCS_TASK_STARTED;
        task->flags = late | fills_in | (decisions[i].run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : before);
        task->devices = decisions[i].devices;
        if ((decisions[i].flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = l->now;
        }
    }
    l->schedule_due = l->now + summary.next_check;
}

/* Whom to call, and what for; VCS_NONE if nobody. */
static uint32_t choose_project(loop *l, uint32_t called, vcs_fetch_decision *decisions) {
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = called == VCS_NONE ? VCS_FETCH_CHOOSE : VCS_FETCH_PIGGYBACK,
        .project = called,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary};
    const uint32_t count = l->project_count * l->resource_count;
    must(vcs_fetch(l->state, &question, &summary));
    must(vcs_fetch_decisions(l->state, ARRAY(decisions, count)));
    assert_true(summary.next_check >= 1);
    l->fetch_due = l->now + summary.next_check;
    return summary.project;
}

/* ---- Servers ---- */

static void send_jobs(loop *l, uint32_t p, uint32_t r, const vcs_fetch_decision *asked, vcs_resource_reply *reply) {
    const server *s = &l->servers[p];
    double seconds = asked->seconds, instances = asked->instances;
    while ((seconds > 0 || instances > 0) && asked->seconds > 0 && s->length[r] > 0 && l->task_count < MOST_TASKS) {
        const double width = r == 0 ? s->width : s->part;
        vcs_task task = {.id = ++l->sent, .project = p, .app = p, .gpu = r, .received = l->now, .deadline = INFINITY};
        task.cpus = r == 0 ? width : 0;
        task.gpus = r == 0 ? 0 : s->part;
        task.remaining = s->length[r] * (l->how->varied ? 0.2 + 1.6 * draw(l) : 1);
        l->tasks[l->task_count++] = task;
        seconds -= task.remaining * width;
        instances -= width;
        reply->tasks++;
    }
}

static uint32_t tasks_for(const loop *l, uint32_t r) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->task_count; i++) {
        count += l->tasks[i].gpu == r;
    }
    return count;
}

static void count_calls(const loop *l, uint32_t p, const vcs_fetch_decision *asked, figures *f) {
    for (uint32_t r = 0; r < l->resource_count; r++) {
        if (asked[p * l->resource_count + r].reason == VCS_REASON_ASKED) {
            f->calls++;
            f->dry_calls += l->now > 0 && tasks_for(l, r) == 0;
        }
    }
}

static void call(loop *l, uint32_t p, const vcs_fetch_decision *asked) {
    const bool fails = draw(l) < l->servers[p].fails, is_empty = draw(l) < l->servers[p].is_empty;
    vcs_reply reply = {.struct_size = sizeof reply, .now = l->now, .request_delay = 60, .u = draw(l)};
    vcs_resource_reply replies[RESOURCES] = {{0}};
    reply.flags = fails ? VCS_REPLY_FAILED : 0;
    for (uint32_t r = 0; r < l->resource_count; r++) {
        const vcs_fetch_decision *of = &asked[p * l->resource_count + r];
        replies[r].seconds = of->seconds;
        replies[r].u = draw(l);
        if (!fails && !is_empty) {
            send_jobs(l, p, r, of, &replies[r]);
        }
    }
    must(vcs_reply_apply(&l->timers[p],
                         ARRAY_OF(&l->backoffs[p * l->resource_count], sizeof *l->backoffs, l->resource_count), &reply,
                         ARRAY(replies, l->resource_count), &l->policy, NULL));
}

/* ---- Time ---- */

static double used_of(const loop *l, uint32_t r) {
    double used = 0;
    for (uint32_t i = 0; i < l->task_count; i++) {
        const bool runs = (l->tasks[i].flags & VCS_TASK_RUNNING) != 0 && l->tasks[i].gpu == r;
        used += !runs ? 0 : r == 0 ? l->tasks[i].cpus : l->tasks[i].gpus;
    }
    return used;
}

/* Whether a device is free that the project may use. */
static bool has_device(const loop *l, uint32_t p, uint32_t r) {
    uint64_t kept = l->pairs[p * l->resource_count + r].excluded;
    for (uint32_t i = 0; i < l->task_count; i++) {
        kept |= (l->tasks[i].flags & VCS_TASK_RUNNING) != 0 && l->tasks[i].gpu == r ? l->tasks[i].devices : 0;
    }
    return r == 0 || (~kept & (UINT64_MAX >> (64 - l->resources[r].instances))) != 0;
}

/*
 * Whether one more task of a project could run now: it has none waiting for the resource, and its limits allow it.
 * Where jobs are wide, what is idle beside a task that waits is for backup projects alone.
 */
static bool could_run_another(const loop *l, uint32_t p, uint32_t r, double idle) {
    const double width = r == 0 ? l->servers[p].width : 1;
    uint32_t running = 0, waiting = 0;
    for (uint32_t i = 0; i < l->task_count; i++) {
        const bool runs = (l->tasks[i].flags & VCS_TASK_RUNNING) != 0, is_own = l->tasks[i].project == p;
        running += is_own && runs;
        const bool counts = is_own || (l->how->wide && l->projects[p].share > 0);
        waiting += counts && !runs && l->tasks[i].gpu == r;
    }
    const uint32_t limit = l->projects[p].max_concurrent + l->apps[p].max_concurrent;
    return waiting == 0 && width <= idle && l->servers[p].length[r] > 0 && (limit == 0 || running < limit) &&
           has_device(l, p, r);
}

/* For how much of the next `seconds` instances are idle although somebody could be called for them. */
static double idle_in_vain(const loop *l, uint32_t r, double seconds) {
    const double idle = floor(l->resources[r].instances - used_of(l, r) + AT_ONCE);
    double longest = 0;
    for (uint32_t p = 0; p < l->project_count && idle > 0; p++) {
        if (could_run_another(l, p, r, idle)) {
            const double open = fmax(l->timers[p].min_rpc_time, l->backoffs[p * l->resource_count + r].until);
            longest = fmax(longest, fmin(seconds, l->now + seconds - open));
        }
    }
    return longest;
}

/* Work at hand by what all instances can do within the buffer and the time of one more job. */
static double work_at_hand(const loop *l, uint32_t r) {
    double work = 0, longest = 0;
    for (uint32_t i = 0; i < l->task_count; i++) {
        const double use = l->tasks[i].gpu == 0 ? l->tasks[i].cpus : l->tasks[i].gpus;
        work += l->tasks[i].gpu == r ? l->tasks[i].remaining * use : 0;
    }
    for (uint32_t p = 0; p < l->project_count; p++) {
        longest = fmax(longest, l->servers[p].length[r] * (l->how->varied ? 1.8 : 1));
    }
    return work / (l->resources[r].instances *
                   (fmax(l->policy.min_buffer, l->policy.least_buffer) + l->policy.additional_buffer + longest));
}

static double next_end(const loop *l) {
    double least = INFINITY;
    for (uint32_t i = 0; i < l->task_count; i++) {
        least = (l->tasks[i].flags & VCS_TASK_RUNNING) != 0 ? fmin(least, l->tasks[i].remaining) : least;
    }
    return least;
}

/* Lets time pass; returns how many tasks ended, and the project of one of them. */
static uint32_t compute(loop *l, double seconds, uint32_t *project) {
    double flops[MOST_PROJECTS] = {0};
    uint32_t left = 0;
    l->now += seconds;
    for (uint32_t i = 0; i < l->task_count; i++) {
        vcs_task *task = &l->tasks[i];
        if ((task->flags & VCS_TASK_RUNNING) != 0) {
            flops[task->project] += task->cpus * l->resources[0].flops + task->gpus * l->resources[task->gpu].flops;
            task->remaining -= seconds;
        }
        if (task->remaining > AT_ONCE) {
            l->tasks[left++] = *task;
        } else {
            *project = task->project;
        }
    }
    const uint32_t ended = l->task_count - left;
    l->task_count = left;
    for (uint32_t p = 0; p < l->project_count; p++) {
        double credits;
        must(vcs_credits(flops[p] * seconds, &credits));
        must(vcs_average_blend(&l->rec[p], credits, l->policy.rec_half_life, l->now));
    }
    return ended;
}

/* ---- The loop ---- */

/* Until nobody is to be called any more. */
static void fetch(loop *l, figures *f) {
    vcs_fetch_decision decisions[MOST_PROJECTS * RESOURCES];
    for (uint32_t calls = 0;; calls++) {
        assert_in_range(calls, 0, 100);
        const uint32_t p = choose_project(l, VCS_NONE, decisions);
        f->looks++;
        if (p == VCS_NONE) {
            return;
        }
        count_calls(l, p, decisions, f);
        f->events++;
        const bool had_tasks = l->task_count > 0;
        call(l, p, decisions);
        f->most_tasks = had_tasks && l->task_count > f->most_tasks ? l->task_count : f->most_tasks;
        prepare(l);
        choose_tasks(l);
    }
}

/* A result is reported, and work asked for by the way; the answer also tells when to look again. */
static void report(loop *l, uint32_t p, figures *f) {
    vcs_fetch_decision decisions[MOST_PROJECTS * RESOURCES];
    choose_project(l, p, decisions);
    f->events++;
    call(l, p, decisions);
    l->schedule_due = l->now;
}

static void run(loop *l, figures *f) {
    uint32_t ended = 1, of = VCS_NONE;
    while (l->now < l->end) {
        const bool is_choice_due = ended > 0 || l->schedule_due <= l->now;
        prepare(l);
        choose_tasks(l);
        if (ended > 0 && of != VCS_NONE && l->how->piggyback) {
            report(l, of, f); /* and nothing else: what it says of the next look is kept */
            prepare(l);
            choose_tasks(l);
        } else if (is_choice_due || l->fetch_due <= l->now) {
            f->timed_looks += !is_choice_due;
            fetch(l, f);
        }
        const double due = fmin(fmin(l->schedule_due, l->fetch_due), l->end);
        const double seconds = fmin(fmax(due - l->now, AT_ONCE), next_end(l));
        for (uint32_t r = 0; r < l->resource_count; r++) {
            f->idle += idle_in_vain(l, r, seconds);
            f->capacity += seconds;
            f->most_work = fmax(f->most_work, work_at_hand(l, r));
        }
        ended = compute(l, seconds, &of);
        f->events += ended > 0;
    }
    f->days += l->end / DAY;
    free(l->state);
}

static const uint32_t cpu_counts[] = {1, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64};

#define HOSTS 12 /* of each kind */

/* Of one host. With VCS_DAYS=70 in the environment all hosts together have 10,000 days. */
static double days(const habit *how) {
    const char *text = getenv("VCS_DAYS");
    const double most = text == NULL ? 40 : strtod(text, NULL);
    return how->gpus ? most * 3 / 7 : most;
}

static figures run_hosts(const habit *how, const char *name) {
    static loop l;
    figures f = {0};
    const uint64_t hosts = cases_to_try(HOSTS);
    for (uint64_t i = 0; i < hosts; i++) {
        const figures before = f;
        begin(&l, how, cpu_counts[i % (sizeof cpu_counts / sizeof *cpu_counts)], days(how), 1000 + i);
        run(&l, &f);
        f.worst = fmax(f.worst, (double)(f.dry_calls - before.dry_calls) / (double)(f.calls - before.calls));
    }
    if (getenv("VCS_SHOW") != NULL) {
        print_message("%-50s %5.0f calls, dry %5.1f %%, at worst %5.1f %%, idle %.5f, timed looks %.2f a happening, "
                      "work %.2f\n",
                      name, (double)f.calls, 100.0 * (double)f.dry_calls / (double)f.calls, 100.0 * f.worst,
                      f.idle / f.capacity, (double)f.timed_looks / (double)f.events, f.most_work);
    }
    return f;
}

/* Nothing is idle for want of a call, and what makes the client look is what happens. */
static figures is_never_idle_in_vain(const habit *how, const char *name) {
    const figures f = run_hosts(how, name);
    assert_true(f.calls > 0);
    assert_true(f.idle <= 1e-4 * f.capacity);
    assert_true(f.timed_looks <= f.events);
    assert_true(f.most_work <= 2);
    return f;
}

/* Nor does it wait with a call until nothing is left, on any host. */
static void calls_in_time(const habit *how, const char *name) {
    const figures f = is_never_idle_in_vain(how, name);
    assert_true(f.worst <= 0.02);
}

#define WITH(...) &(const habit){__VA_ARGS__}, #__VA_ARGS__

static void jobs_of_one_length(void **unused) {
    (void)unused;
    calls_in_time(WITH(0));
    calls_in_time(WITH(.gpus = true));
}

/* It is filled for three minutes all the same. */
static void no_buffer(void **unused) {
    (void)unused;
    calls_in_time(WITH(.no_buffer = true));
    calls_in_time(WITH(.no_buffer = true, .varied = true, .gpus = true));
}

static void jobs_of_many_lengths(void **unused) {
    (void)unused;
    calls_in_time(WITH(.varied = true));
    calls_in_time(WITH(.varied = true, .gpus = true));
}

static void jobs_of_several_cpus(void **unused) {
    (void)unused;
    calls_in_time(WITH(.wide = true));
    calls_in_time(WITH(.wide = true, .varied = true));
}

static void limits_on_concurrent_tasks(void **unused) {
    (void)unused;
    calls_in_time(WITH(.limits = true));
    calls_in_time(WITH(.limits = true, .varied = true));
    calls_in_time(WITH(.limits = true, .gpus = true));
}

/*
 * Four jobs of 10,000 s share a card, and no more run. The limit runs 4 * 51,840 / 10,000 = 20.7 of them in the buffer,
 * so at most 22 are at hand, and the 4 that run may have little left. From the minimum of 8,640 s, 3.5 jobs, 17 are
 * asked for at a time.
 */
static void a_limit_on_parts_of_gpus(void **unused) {
    (void)unused;
    static loop l;
    const habit how = {.gpus = true};
    const double parts[] = {0.25, 1.0 / 3, 0.5};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        figures f = {0};
        begin(&l, &how, 8, 60, 1);
        l.policy.min_buffer = 8640;
        l.policy.additional_buffer = 43200;
        l.resources[1].instances = 2;
        l.project_count = 1;
        l.apps[0].max_concurrent = 4;
        l.projects[0].flags = VCS_PROJECT_APPS_LISTED;
        l.pairs[0].flags = VCS_PROJECT_RESOURCE_NO_APPS;
        l.servers[0] = (server){.length = {0, 10000}, .width = 1, .part = parts[i]};
        run(&l, &f);
        assert_true((double)f.calls <= 0.065 * (double)l.sent);
        assert_in_range(f.most_tasks, 20, 22 + 4);
        assert_true(l.sent >= 4 * 60 * 86400 / 10000); /* four run all the time */
    }
}

/*
 * The same four quarters of a card, by a limit of one card, or of two tasks on each of two cards; and eight of 24 CPUs,
 * of which a job of eight takes all: 5.2 of these run in the buffer.
 */
static void limits_in_instances_and_per_device(void **unused) {
    (void)unused;
    static loop l;
    for (uint32_t i = 0; i < 3; i++) {
        const habit how = {.gpus = i < 2};
        figures f = {0};
        begin(&l, &how, i < 2 ? 8 : 24, 60, 1);
        l.policy.min_buffer = 8640;
        l.policy.additional_buffer = 43200;
        l.project_count = 1;
        l.servers[0] = (server){.length = {i < 2 ? 0 : 10000, i < 2 ? 10000 : 0}, .width = i < 2 ? 1 : 8, .part = 0.25};
        l.pairs[0].flags = i < 2 ? VCS_PROJECT_RESOURCE_NO_APPS : 0;
        l.pairs[0].max_instances = i < 2 ? 0 : 8;
        if (i < 2) {
            l.resources[1].instances = 2;
            l.pairs[1].max_instances = i == 0 ? 1 : 0;
            l.pairs[1].max_per_device = i == 0 ? 0 : 2;
        }
        run(&l, &f);
        const uint32_t at_a_time = i < 2 ? 4 : 1, in_the_buffer = i < 2 ? 22 : 6;
        assert_in_range(f.most_tasks, in_the_buffer - 2, in_the_buffer + at_a_time);
        assert_true((double)f.calls <= (i < 2 ? 0.065 : 0.3) * (double)l.sent);
        assert_true(l.sent >= at_a_time * 60 * 86400 / 10000);
    }
}

static void projects_excluded_from_gpus(void **unused) {
    (void)unused;
    calls_in_time(WITH(.exclusions = true, .gpus = true));
    calls_in_time(WITH(.exclusions = true, .gpus = true, .varied = true));
}

/* A server that fails or has nothing may let the host run dry, but not for longer than the client must wait. */
static void unreliable_servers(void **unused) {
    (void)unused;
    is_never_idle_in_vain(WITH(.unreliable = true));
    is_never_idle_in_vain(WITH(.unreliable = true, .varied = true, .gpus = true));
}

static void a_backup_project(void **unused) {
    (void)unused;
    is_never_idle_in_vain(WITH(.backup = true, .unreliable = true));
}

/* The client keeps what it was told in a call to report a result. */
static void answers_of_calls_made_anyway(void **unused) {
    (void)unused;
    calls_in_time(WITH(.piggyback = true));
    calls_in_time(WITH(.piggyback = true, .varied = true, .limits = true));
}

/*
 * A simulation that stops after its first step knows little of what comes. The client then calls late, when nothing is
 * left, but it never waits with an instance idle that a call would fill, nor does it look without end.
 */
static void unknown_is_not_enough(void **unused) {
    (void)unused;
    is_never_idle_in_vain(WITH(.hurried = true));
    is_never_idle_in_vain(WITH(.hurried = true, .varied = true, .gpus = true));
    is_never_idle_in_vain(WITH(.hurried = true, .limits = true, .wide = true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_of_one_length),
        cmocka_unit_test(no_buffer),
        cmocka_unit_test(jobs_of_many_lengths),
        cmocka_unit_test(jobs_of_several_cpus),
        cmocka_unit_test(limits_on_concurrent_tasks),
        cmocka_unit_test(limits_in_instances_and_per_device),
        cmocka_unit_test(a_limit_on_parts_of_gpus),
        cmocka_unit_test(projects_excluded_from_gpus),
        cmocka_unit_test(unreliable_servers),
        cmocka_unit_test(a_backup_project),
        cmocka_unit_test(answers_of_calls_made_anyway),
        cmocka_unit_test(unknown_is_not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

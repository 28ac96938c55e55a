/*
 * How near 100 simulated days come to the resource shares, if nothing but the choice of tasks decides.
 *
 *     share_over_time [CPUS ...]
 *
 * Each project always has as many tasks as there are CPUs, of one CPU each and without deadlines. A decision is made
 * when a task ends and when a slice does. REC follows what was done. Printed is the share violation: the sum over the
 * projects of |used - due|, as a part of twice all that was used; 0 is best, 1 worst. Without arguments: 1, 4 and 64
 * CPUs. The exit status is 1 if the violation on 1 CPU is not below 0.01.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "support/array.h"

#include <math.h>
#include <vcsched/accounts.h>
#include <vcsched/schedule.h>
#include <vcsched/host.h>

#define DAYS 100
#define DAY 86400.0
#define FLOPS 1e9
#define MOST_PROJECTS 20
#define MOST_CPUS 1024
#define MOST_VIOLATION_ON_1_CPU 0.01

/* A host that computes. */
typedef struct world {
    vcs_host host;
    vcs_resource cpu;
    vcs_project projects[MOST_PROJECTS];
    vcs_project_resource project_resources[MOST_PROJECTS];
    vcs_average work[MOST_PROJECTS]; /* REC */
    double used[MOST_PROJECTS];      /* CPU seconds */
    vcs_task *tasks;                 /* as many for each project as there are CPUs */
    vcs_task_decision *decisions;
    vcs_snapshot snapshot;
    vcs_parameters parameters;
    double now;
    uint64_t arrived, decided; /* tasks, decisions */
    void *memory;
    size_t size;
} world;

/* Tasks last from 3.6 h on, longer by a quarter of an hour from project to project. */
static void receive_task(world *w, vcs_task *task, uint32_t project) {
    *task = (vcs_task){
        .id = ++w->arrived,
        .project = project,
        .app = VCS_NONE,
        .cpus = 1,
        .remaining = 12960 + 900.0 * project,
        .deadline = INFINITY,
        .received = w->now,
    };
}

static void begin(world *w, const double *shares, uint32_t projects, uint32_t cpus, uint32_t accounting) {
    *w = (world){.cpu = {.id = 1, .flops = FLOPS, .usable = 1, .instances = cpus}};
    must(vcs_parameters_init(&w->parameters, sizeof w->parameters, VCS_PROFILE_CURRENT), "vcs_parameters_init");
    w->parameters.scheduling = VCS_SCHEDULING_ROUND_ROBIN;
    w->parameters.accounting = accounting;
    w->tasks = must_allocate((size_t)projects * cpus, sizeof *w->tasks);
    w->decisions = must_allocate((size_t)projects * cpus, sizeof *w->decisions);
    for (uint32_t p = 0; p < projects; p++) {
        w->projects[p] = (vcs_project){.id = p + 1, .share = shares[p]};
        w->project_resources[p] = (vcs_project_resource){.id = p + 1, .project = p};
        w->work[p] = (vcs_average){.time = w->now};
        for (uint32_t i = 0; i < cpus; i++) {
            receive_task(w, &w->tasks[p * cpus + i], p);
        }
    }
    w->snapshot = (vcs_snapshot){
        .struct_size = sizeof w->snapshot,
        .host = array_of(&w->host, sizeof w->host, 1),
        .resources = array_of(&w->cpu, sizeof w->cpu, 1),
        .projects = array_of(w->projects, sizeof *w->projects, projects),
        .project_resources = array_of(w->project_resources, sizeof *w->project_resources, projects),
        .tasks = array_of(w->tasks, sizeof *w->tasks, projects * cpus),
    };
    must(vcs_state_size(&w->snapshot, &w->size), "vcs_state_size");
    w->memory = must_allocate(1, w->size);
}

static void end(world *w) {
    free(w->tasks);
    free(w->decisions);
    free(w->memory);
}

/* Decides which tasks run. Returns in how many seconds to decide again if none of them ends before. */
static double decide(world *w) {
    vcs_state *state;
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    const uint32_t tasks = w->snapshot.tasks.count;
    must(vcs_state_prepare(&w->snapshot, &w->parameters, w->now, w->memory, w->size, &state, NULL),
         "vcs_state_prepare");
    must(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), "vcs_schedule");
    must(vcs_schedule_tasks(state, ARRAY(w->decisions, tasks)), "vcs_schedule_tasks");
    for (uint32_t i = 0; i < tasks; i++) {
        const vcs_task_decision *decision = &w->decisions[i];
        w->tasks[i].flags &= ~VCS_TASK_RUNNING;
        w->tasks[i].flags |= decision->run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
        if ((decision->flags & VCS_DECISION_NEW_SLICE) != 0) {
            w->tasks[i].running_since = w->now;
        }
    }
    w->decided++;
    return summary.next_check;
}

/* The running tasks compute until the first of them ends, but no longer than this many seconds. */
static void compute(world *w, double seconds) {
    double done[MOST_PROJECTS] = {0};
    const uint32_t tasks = w->snapshot.tasks.count;
    for (uint32_t i = 0; i < tasks; i++) {
        if (w->decisions[i].run && w->tasks[i].remaining < seconds) {
            seconds = w->tasks[i].remaining;
        }
    }
    w->now += seconds;
    for (uint32_t i = 0; i < tasks; i++) {
        vcs_task *task = &w->tasks[i];
        if (w->decisions[i].run) {
            task->remaining -= seconds;
            done[task->project] += seconds;
            if (task->remaining == 0) {
                receive_task(w, task, task->project);
            }
        }
    }
    for (uint32_t p = 0; p < w->snapshot.projects.count; p++) {
        double credits;
        must(vcs_credits(done[p] * FLOPS, &credits), "vcs_credits");
        must(vcs_average_blend(&w->work[p], credits, w->parameters.rec_half_life, w->now), "vcs_average_blend");
        w->projects[p].rec = w->project_resources[p].rec = w->work[p].value;
        w->used[p] += done[p];
    }
}

static double share_violation(const world *w) {
    const uint32_t projects = w->snapshot.projects.count;
    double total = 0, share_sum = 0, off = 0;
    for (uint32_t p = 0; p < projects; p++) {
        total += w->used[p];
        share_sum += w->projects[p].share;
    }
    for (uint32_t p = 0; p < projects; p++) {
        off += fabs(w->used[p] - total * w->projects[p].share / share_sum);
    }
    return off / (2 * total);
}

static double simulate(const double *shares, uint32_t projects, uint32_t cpus, uint32_t accounting) {
    static world w;
    begin(&w, shares, projects, cpus, accounting);
    while (w.now < DAYS * DAY) {
        double until = decide(&w);
        compute(&w, fmin(until, DAYS * DAY - w.now));
    }
    double violation = share_violation(&w);
    printf("%5u  %-16s %-10s %9llu  %.5f\n", (unsigned)cpus, projects == 3 ? "500 : 300 : 100" : "1 : 2 : ... : 20",
           accounting == VCS_ACCOUNTING_LOCAL ? "local" : "global", (unsigned long long)w.decided, violation);
    end(&w);
    return violation;
}

/* Both sets of shares, by both kinds of accounts. Returns the greatest violation. */
static double simulate_all(uint32_t cpus) {
    const double few[] = {500, 300, 100};
    double many[MOST_PROJECTS], greatest = 0;
    for (uint32_t p = 0; p < MOST_PROJECTS; p++) {
        many[p] = p + 1;
    }
    for (uint32_t accounting = VCS_ACCOUNTING_GLOBAL; accounting <= VCS_ACCOUNTING_LOCAL; accounting++) {
        greatest = fmax(greatest, simulate(few, 3, cpus, accounting));
        greatest = fmax(greatest, simulate(many, MOST_PROJECTS, cpus, accounting));
    }
    return greatest;
}

int main(int argc, char **argv) {
    const uint32_t usual[] = {1, 4, 64};
    const int count = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
    double on_1_cpu = 0;
    printf(" CPUs  shares           accounting decisions  share violation\n");
    for (int i = 0; i < count; i++) {
        const uint32_t cpus = argc > 1 ? (uint32_t)strtoul(argv[i + 1], NULL, 10) : usual[i];
        if (cpus < 1 || cpus > MOST_CPUS) {
            fprintf(stderr, "share_over_time: %s: not a number of CPUs from 1 to %d\n", argv[i + 1], MOST_CPUS);
            return 2;
        }
        const double violation = simulate_all(cpus);
        on_1_cpu = cpus == 1 ? violation : on_1_cpu;
    }
    return on_1_cpu < MOST_VIOLATION_ON_1_CPU ? 0 : 1;
}

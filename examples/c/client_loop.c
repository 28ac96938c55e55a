/*
 * The smallest honest client: a simulated day on a computer of four CPUs that is attached to two projects.
 *
 * Each turn it asks the library which tasks run and whom to call for work, does that, and lets time pass until there
 * may be something to decide. The server of Alpha is down until three o'clock, Beta's has no work around noon.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vcsched/vcsched.h>

#define HOUR 3600.0
#define DAY (24 * HOUR)
#define CPUS 4
#define FLOPS 1e9
#define PROJECTS 2
#define MOST_TASKS 100

/* What a client keeps. */
typedef struct client {
    double now, computed[PROJECTS]; /* computed: CPU seconds */
    vcs_parameters policy;
    vcs_project projects[PROJECTS];
    vcs_project_resource project_resources[PROJECTS]; /* of each project with the CPUs */
    vcs_average rec[PROJECTS];
    vcs_project_timer timers[PROJECTS];
    vcs_resource_backoff backoffs[PROJECTS];
    vcs_task tasks[MOST_TASKS];
    uint32_t task_count, received;
    int calls[PROJECTS], finished[PROJECTS], late[PROJECTS];
    size_t size; /* bytes of the memory that the prepared state lives in */
    vcs_state *state;
} client;

/* What the library decided. */
typedef struct orders {
    vcs_task_decision tasks[MOST_TASKS];
    vcs_fetch_decision project_resources[PROJECTS]; /* there is one resource, so one pair for each project */
    uint32_t call;                     /* the project to ask for work; VCS_NONE = none */
    double next_check;                 /* s */
} orders;

static const char *const names[PROJECTS] = {"Alpha", "Beta"};

static void say(double now, uint32_t project, const char *what, double number, const char *more) {
    int s = (int)now;
    printf("%02d:%02d:%02d %-5s %s %.0f%s\n", s / 3600, s / 60 % 60, s % 60, names[project], what, number, more);
}

/* A draw that is the same in every run, 0 <= u < 1. */
static double draw(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

/* A real client would ask for the vcs_error, which says what was refused. */
static void must(int code) {
    if (code != VCS_OK) {
        fprintf(stderr, "%s\n", vcs_strerror(code));
        exit(1);
    }
}

/* The server of a project: tasks worth `seconds`, if it has any. Returns how many; -1 = no answer. */
static int server_sends(client *c, uint32_t project, double seconds) {
    const double length[PROJECTS] = {2.5 * HOUR, HOUR}, time_limit[PROJECTS] = {2 * DAY, 8 * HOUR};
    const int is_down = project == 0 && c->now < 3 * HOUR;
    const int is_empty = project == 1 && c->now > 11 * HOUR && c->now < 14 * HOUR;
    int sent = is_down ? -1 : 0;
    while (seconds > 0 && c->task_count < MOST_TASKS && !is_down && !is_empty) {
        vcs_task task = {.id = ++c->received, .project = project, .app = VCS_NONE, .cpus = 1, .received = c->now};
        task.deadline = c->now + time_limit[project];
        task.remaining = length[project] * (0.75 + 0.5 * draw());
        seconds -= task.remaining;
        c->project_resources[project].received += task.remaining; /* fetching by what is owed reads these */
        c->project_resources[project].job_seconds = task.remaining;
        c->project_resources[project].job_bound = time_limit[project];
        c->tasks[c->task_count++] = task;
        sent++;
    }
    return sent;
}

/* The state of the last decision, brought up to date; a new one, with room to spare, if the tasks have outgrown it. */
static vcs_state *look_at(client *c, const vcs_snapshot *snapshot) {
    if (c->state == NULL ||
        vcs_state_renew(c->state, c->size, snapshot, &c->policy, c->now, NULL) == VCS_ERR_WORKSPACE) {
        free(c->state);
        must(vcs_state_size(snapshot, &c->size));
        c->size += c->size / 2;
        must(vcs_state_prepare(snapshot, &c->policy, c->now, malloc(c->size), c->size, &c->state, NULL));
    }
    return c->state;
}

/* Asks the library. Timers go first, so that they take note of the present. */
static void decide(client *c, orders *o) {
    const vcs_host host = {.id = 1};
    const vcs_resource cpu = {.flops = FLOPS, .usable = 1, .instances = CPUS};
    for (uint32_t p = 0; p < PROJECTS; p++) {
        double wait; /* of no interest here: the fetch looks at the times themselves */
        must(vcs_project_timer_wait(&c->timers[p], c->now, &wait));
        must(vcs_resource_backoff_wait(&c->backoffs[p], c->now, &wait));
        c->projects[p].rec = c->rec[p].value;
        c->projects[p].min_rpc_time = c->timers[p].min_rpc_time;
        c->project_resources[p].backoff_until = c->backoffs[p].until;
    }
    const vcs_snapshot snapshot = {
        .struct_size = sizeof snapshot,
        .host = {.base = &host, .element_size = sizeof host, .count = 1},
        .resources = {.base = &cpu, .element_size = sizeof cpu, .count = 1},
        .projects = {.base = c->projects, .element_size = sizeof *c->projects, .count = PROJECTS},
        .project_resources = {.base = c->project_resources, .element_size = sizeof *c->project_resources,
                              .count = PROJECTS},
        .tasks = {.base = c->tasks, .element_size = sizeof *c->tasks, .count = c->task_count},
    };
    vcs_state *state = look_at(c, &snapshot);
    vcs_schedule_summary schedule = {.struct_size = sizeof schedule};
    vcs_fetch_summary fetch = {.struct_size = sizeof fetch};
    must(vcs_wrr(state, NULL));
    must(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &schedule));
    must(vcs_schedule_tasks(state, &(vcs_array){{o->tasks}, sizeof *o->tasks, c->task_count}));
    must(vcs_fetch(state, NULL, &fetch));
    must(vcs_fetch_decisions(state, &(vcs_array){{o->project_resources}, sizeof *o->project_resources, PROJECTS}));
    o->call = fetch.project;
    o->next_check = fmin(schedule.next_check, fetch.next_check);
}

static void start_and_stop(client *c, const orders *o) {
    for (uint32_t i = 0; i < c->task_count; i++) {
        vcs_task *task = &c->tasks[i];
        uint32_t change = o->tasks[i].flags;
        task->flags = o->tasks[i].run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : task->flags & VCS_TASK_STARTED;
        task->flags |= change & VCS_DECISION_LATE ? VCS_TASK_WAS_LATE : 0;
        task->flags |= change & VCS_DECISION_FILLS_IN ? VCS_TASK_FILLS_IN : 0;
        task->running_since = change & VCS_DECISION_NEW_SLICE ? c->now : task->running_since;
        task->devices = o->tasks[i].run ? o->tasks[i].devices : task->devices; /* of a GPU; these tasks need none */
        if (change & (VCS_DECISION_START | VCS_DECISION_STOP)) {
            say(c->now, task->project, o->tasks[i].run ? "starts task" : "stops task", (double)task->id, "");
        }
    }
}

/* Calls the scheduler of a project, and updates its timers with the outcome. */
static void call(client *c, const orders *o) {
    uint32_t p = o->call;
    int sent = server_sends(c, p, o->project_resources[p].seconds);
    vcs_reply reply = {.struct_size = sizeof reply, .now = c->now, .request_delay = 60, .u = draw()};
    vcs_resource_reply cpu = {
        .seconds = o->project_resources[p].seconds, .tasks = sent > 0 ? (uint32_t)sent : 0, .u = draw()};
    reply.flags = sent < 0 ? VCS_REPLY_FAILED : 0;
    must(vcs_reply_apply(&c->timers[p], &(vcs_array){{&c->backoffs[p]}, sizeof *c->backoffs, 1}, &reply,
                         &(vcs_array){{&cpu}, sizeof cpu, 1}, &c->policy, NULL));
    c->calls[p]++;
    say(c->now, p, "is asked for work, s:", cpu.seconds, sent < 0 ? ", no answer" : sent == 0 ? ", has none" : "");
}

/* Until the library is to be asked again, a task ends or the day does, but a second at least. */
static double time_to_pass(const client *c, const orders *o) {
    double seconds = fmin(o->next_check, DAY - c->now);
    for (uint32_t i = 0; i < c->task_count; i++) {
        seconds = c->tasks[i].flags & VCS_TASK_RUNNING ? fmin(seconds, c->tasks[i].remaining) : seconds;
    }
    return fmax(seconds, 1);
}

static void compute(client *c, double seconds) {
    double ran[PROJECTS] = {0}, credits;
    uint32_t left = 0;
    c->now += seconds;
    for (uint32_t i = 0; i < c->task_count; i++) {
        vcs_task task = c->tasks[i];
        if (task.flags & VCS_TASK_RUNNING) {
            ran[task.project] += fmin(seconds, task.remaining);
            task.remaining = fmax(task.remaining - seconds, 0);
        }
        if (task.remaining > 0) {
            c->tasks[left++] = task;
            continue;
        }
        c->finished[task.project]++;
        c->late[task.project] += c->now > task.deadline;
        say(c->now, task.project, "ends task", (double)task.id, c->now > task.deadline ? ", too late" : "");
    }
    c->task_count = left;
    for (uint32_t p = 0; p < PROJECTS; p++) {
        c->computed[p] += ran[p];
        must(vcs_credits(ran[p] * FLOPS, &credits));
        must(vcs_average_blend(&c->rec[p], credits, c->policy.rec_half_life, c->now));
    }
}

int main(void) {
    static client c = {.projects = {{.id = 1, .share = 2}, {.id = 2, .share = 1}},
                       .project_resources = {{.project = 0}, {.project = 1}}};
    static orders o;
    must(vcs_parameters_init(&c.policy, sizeof c.policy, VCS_PROFILE_CURRENT));
    c.policy.min_buffer = 1 * HOUR;
    c.policy.additional_buffer = 2 * HOUR;
    while (c.now < DAY) {
        decide(&c, &o);
        start_and_stop(&c, &o);
        if (o.call != VCS_NONE) {
            call(&c, &o); /* and decide again, with what arrived */
        } else {
            compute(&c, time_to_pass(&c, &o));
        }
    }
    for (int p = 0; p < PROJECTS; p++) {
        printf("%s: %d calls, %d tasks done, %d late, %.1f CPU hours\n", names[p], c.calls[p], c.finished[p], c.late[p],
               c.computed[p] / HOUR);
    }
    free(c.state);
    return 0;
}

/*
 * A client in the style of 2004: two days of scheduler calls, made as vcs_rpc_next() says (rule 7, profile rpc2003).
 *
 * Work is fetched in sessions: when less is left than the low-water mark, the project with the greatest resource debt
 * is asked for what is missing up to the high-water mark, then the next, until there is enough. A project has several
 * schedulers, which are tried in order; their addresses stand in its master file, a page that is read when the user
 * joins, and again when the schedulers failed ten times in a row. Results that are due soon get a session of their own.
 *
 *   Alpha  has two schedulers. The first is down at times, and on the second day both move to other addresses.
 *   Beta   has no work for twenty hours, and asks for a pause of an hour after each call.
 *   Gamma  has just been joined: only the address of its master file is known.
 *
 * Replace call_scheduler() and read_master() by real ones to have a client. sessions.txt is the output.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vcsched/vcsched.h>

#define MINUTE 60.0
#define HOUR 3600.0
#define DAYS 2
#define END (DAYS * 24 * HOUR)

#define PROJECTS 3
#define MOST_URLS 4
#define MOST_TASKS 200

typedef struct project {
    const char *name;
    double share, bound, job, pause; /* s: time to the deadline, length of a job, pause between calls */
    char urls[MOST_URLS][24];        /* of its schedulers; rpc.scheduler_urls of them */
    vcs_rpc_project rpc;
    vcs_average used; /* CPU time, which decays */
    int done, late, calls, failed_calls;
} project;

typedef struct task {
    int project;
    double left, deadline, ended; /* s of CPU time; times */
} task;

typedef struct client {
    double now;
    vcs_parameters policy;
    project projects[PROJECTS];
    task tasks[MOST_TASKS]; /* running or waiting; a finished one is kept until it is reported */
    int task_count, tasks_received;
    uint32_t order[PROJECTS]; /* greatest resource debt first */
    vcs_rpc_session session;
    double idle;
} client;

static void must(int code) {
    if (code != VCS_OK) {
        fprintf(stderr, "%s\n", vcs_strerror(code));
        exit(1);
    }
}

static void say(const client *c, const char *who, const char *what) {
    const int minutes = (int)(c->now / MINUTE);
    printf("%d %02d:%02d  %-10s %-5s %s\n", 1 + minutes / 1440, minutes / 60 % 24, minutes % 60,
           c->session.kind == VCS_RPC_GET_WORK        ? "get work"
           : c->session.kind == VCS_RPC_REPORT_RESULT ? "report"
                                                      : "",
           who, what);
}

/* A draw that is the same in every run, 0 <= u < 1. */
static double draw(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

/* ---- The world: what a real client would ask the network ---- */

/* When the schedulers answer. */
static int is_up(const char *url, double now) {
    static const struct {
        const char *url;
        double from, to;
    } times[] = {
        {"alpha.example/one", 9 * HOUR, 28 * HOUR},
        {"alpha.example/two", 0, 28 * HOUR},
        {"new.alpha.example", 28 * HOUR, END},
        {"beta.example", 0, END},
        {"gamma.example/a", 0, END},
        {"gamma.example/b", 0, END},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (strcmp(times[i].url, url) == 0) {
            return now >= times[i].from && now < times[i].to;
        }
    }
    return 0;
}

/* The master files, which list schedulers one to a line. Gamma's web server is down for the first half hour. */
static const char *master_file(const client *c, int number) {
    switch (number) {
    case 0:
        return c->now < 28 * HOUR ? "alpha.example/one\nalpha.example/two\n" : "new.alpha.example\n";
    case 1:
        return "beta.example\n";
    default:
        return c->now < 0.5 * HOUR ? NULL : "gamma.example/a\ngamma.example/b\n";
    }
}

static int has_work(int number, double now) {
    return number != 1 || now < 20 * HOUR || now >= 40 * HOUR;
}

/* ---- The client's side of an action ---- */

static double work_at_hand(const client *c) {
    double work = 0;
    for (int i = 0; i < c->task_count; i++) {
        work += c->tasks[i].left;
    }
    return work;
}

/* Results that were computed leave the list: the scheduler has them now. */
static int report_results(client *c, int number) {
    int kept = 0, reported = 0;
    for (int i = 0; i < c->task_count; i++) {
        const task *t = &c->tasks[i];
        if (t->project == number && t->left == 0) {
            c->projects[number].done++;
            c->projects[number].late += c->now > t->deadline;
            reported++;
        } else {
            c->tasks[kept++] = *t;
        }
    }
    c->task_count = kept;
    return reported;
}

/* Calls one scheduler: all finished results go along, and work comes back if some is asked for. */
static void call_scheduler(client *c, const vcs_rpc_action *action, vcs_rpc_outcome *outcome) {
    project *p = &c->projects[action->project];
    const char *url = p->urls[action->url];
    char line[120];
    p->calls++;
    if (!is_up(url, c->now)) {
        p->failed_calls++;
        outcome->kind = VCS_RPC_NO_ANSWER;
        snprintf(line, sizeof line, "%s: no answer", url);
        say(c, p->name, line);
        return;
    }
    const int reported = report_results(c, (int)action->project);
    while (has_work((int)action->project, c->now) && outcome->tasks * p->job < action->seconds &&
           c->task_count < MOST_TASKS) {
        c->tasks[c->task_count++] = (task){(int)action->project, p->job, c->now + p->bound, 0};
        c->tasks_received++;
        outcome->tasks++;
    }
    outcome->kind = VCS_RPC_ANSWERED;
    outcome->request_delay = p->pause;
    snprintf(line, sizeof line,
             action->seconds > 0 ? "%s: results taken: %d; asked for %.1f h, tasks sent: %u" : "%s: results taken: %d",
             url, reported, action->seconds / HOUR, (unsigned)outcome->tasks);
    say(c, p->name, line);
}

/* Reads and parses the master file. A scheduler that was not known before is worth a call at once. */
static void read_master(client *c, const vcs_rpc_action *action, vcs_rpc_outcome *outcome) {
    project *p = &c->projects[action->project];
    char urls[MOST_URLS][24];
    char line[120];
    const char *text = master_file(c, (int)action->project);
    outcome->kind = text == NULL ? VCS_RPC_MASTER_FAILED : VCS_RPC_MASTER_FETCHED;
    while (text != NULL && *text != '\0' && outcome->scheduler_urls < MOST_URLS) {
        const size_t length = strcspn(text, "\n");
        char *url = urls[outcome->scheduler_urls++];
        int is_new = 1;
        snprintf(url, sizeof *urls, "%.*s", (int)length, text);
        for (uint32_t i = 0; i < p->rpc.scheduler_urls; i++) {
            is_new = is_new && strcmp(p->urls[i], url) != 0;
        }
        outcome->flags |= is_new ? VCS_RPC_NEW_URLS : 0;
        text += length + (text[length] == '\n');
    }
    if (outcome->kind == VCS_RPC_MASTER_FETCHED) {
        memcpy(p->urls, urls, sizeof urls);
        snprintf(line, sizeof line, "master file read; schedulers: %u%s", (unsigned)outcome->scheduler_urls,
                 outcome->flags != 0 ? ", some of them new" : "");
    } else {
        snprintf(line, sizeof line, "master file cannot be read");
    }
    say(c, p->name, line);
}

/* ---- The loop ---- */

/* Tells the session about the projects: their order by resource debt, and results that have to be reported. */
static void describe_projects(client *c, vcs_rpc_project *records) {
    vcs_rank_entry entries[PROJECTS];
    const vcs_ranking ranking = {.struct_size = sizeof ranking, .rule = c->policy.ranking};
    for (int i = 0; i < PROJECTS; i++) {
        project *p = &c->projects[i];
        must(vcs_average_add(&p->used, 0, c->policy.average_rate, c->now));
        entries[i] = (vcs_rank_entry){.id = p->rpc.id, .share = p->share, .exp_avg_cpu = p->used.value};
        p->rpc.overdue = 0;
    }
    must(vcs_rank(&(vcs_array){{entries}, sizeof *entries, PROJECTS}, &ranking, c->order, NULL, NULL));
    for (uint32_t i = 0; i < PROJECTS; i++) {
        c->projects[c->order[i]].rpc.rank = i;
    }
    for (int i = 0; i < c->task_count; i++) {
        const task *t = &c->tasks[i];
        uint32_t is_overdue = 0;
        if (t->left == 0) {
            must(vcs_result_overdue(t->deadline, t->ended, &c->policy, c->now, &is_overdue));
        }
        c->projects[t->project].rpc.overdue += is_overdue;
    }
    for (int i = 0; i < PROJECTS; i++) {
        records[i] = c->projects[i].rpc;
    }
}

/* Does what the session says until it says to wait. */
static void call_schedulers(client *c) {
    for (;;) {
        vcs_rpc_project records[PROJECTS];
        const vcs_array projects = {{records}, sizeof *records, PROJECTS};
        const vcs_rpc_situation situation = {
            .struct_size = sizeof situation, .now = c->now, .estimated_work = work_at_hand(c)};
        vcs_rpc_action action = {.struct_size = sizeof action};
        vcs_rpc_outcome outcome = {.struct_size = sizeof outcome, .now = c->now, .u = draw()};
        describe_projects(c, records);
        must(vcs_rpc_next(&c->session, &projects, &situation, &c->policy, &action, NULL));
        if (action.kind == VCS_RPC_CALL) {
            call_scheduler(c, &action, &outcome);
        } else if (action.kind == VCS_RPC_FETCH_MASTER) {
            read_master(c, &action, &outcome);
        }
        if (action.kind != VCS_RPC_WAIT) {
            must(vcs_rpc_report(&c->session, &projects, &outcome, &c->policy, NULL));
        }
        for (int i = 0; i < PROJECTS; i++) {
            c->projects[i].rpc = records[i];
        }
        if (action.kind == VCS_RPC_WAIT) {
            return;
        }
    }
}

/* The CPU works for a minute on the oldest task of the project with the greatest debt. */
static void compute(client *c) {
    task *best = NULL;
    for (int i = 0; i < PROJECTS && best == NULL; i++) {
        for (int k = 0; k < c->task_count && best == NULL; k++) {
            best = c->tasks[k].project == (int)c->order[i] && c->tasks[k].left > 0 ? &c->tasks[k] : NULL;
        }
    }
    if (best == NULL) {
        c->idle += MINUTE;
        return;
    }
    best->left = fmax(best->left - MINUTE, 0);
    best->ended = best->left == 0 ? c->now + MINUTE : 0;
    must(vcs_average_add(&c->projects[best->project].used, MINUTE, c->policy.average_rate, c->now + MINUTE));
}

int main(void) {
    static client c = {
        .projects =
            {
                {.name = "Alpha",
                 .share = 200,
                 .bound = 10 * HOUR,
                 .job = 1.5 * HOUR,
                 .urls = {"alpha.example/one", "alpha.example/two"},
                 .rpc = {.id = 1, .scheduler_urls = 2}},
                {.name = "Beta",
                 .share = 100,
                 .bound = 48 * HOUR,
                 .job = 2 * HOUR,
                 .pause = HOUR,
                 .urls = {"beta.example"},
                 .rpc = {.id = 2, .scheduler_urls = 1}},
                {.name = "Gamma", .share = 100, .bound = 24 * HOUR, .job = HOUR, .rpc = {.id = 3}},
            },
    };
    must(vcs_parameters_init(&c.policy, sizeof c.policy, VCS_PROFILE_RPC2003));
    c.policy.min_buffer = 2 * HOUR;        /* the low-water mark */
    c.policy.additional_buffer = 4 * HOUR; /* the high-water mark is above it by so much */
    for (; c.now < END; c.now += MINUTE) {
        call_schedulers(&c);
        compute(&c);
    }
    printf("\n");
    for (int i = 0; i < PROJECTS; i++) {
        const project *p = &c.projects[i];
        printf("%-5s  share %3.0f: %4.1f h of CPU time of late; %2d results reported, %d late; %d calls, %d failed\n",
               p->name, p->share, p->used.value / HOUR, p->done, p->late, p->calls, p->failed_calls);
    }
    printf("%d tasks received; the CPU was idle for %.0f min\n", c.tasks_received, c.idle / MINUTE);
    return 0;
}

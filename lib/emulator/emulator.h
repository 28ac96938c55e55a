/*
 * The emulator as its parts see it: the records that decisions look at, and what stands behind them.
 *
 * Two clocks run. `now` is time on the wall; `active` is the time for which the host has been on since the start. Tasks
 * get on by active time, so switching the host off and on touches none of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_EMULATOR_H
#define VCS_EMULATOR_EMULATOR_H

#include "core/number.h"
#include "emulator/random.h"

#include <vcsched/average.h>
#include <vcsched/backoff.h>
#include <vcsched/debt.h>
#include <vcsched/edf.h>
#include <vcsched/emulator.h>
#include <vcsched/reply.h>
#include <vcsched/rpc.h>
#include <vcsched/send.h>

/* An array that grows. */
typedef struct vcs_room {
    void *base;
    size_t size; /* bytes */
} vcs_room;

/* What a task needs in truth, beside the vcs_task of the same index. */
typedef struct vcs_true_task {
    double est_flops; /* operations that it is said to need */
    double total;     /* device seconds that it needs */
    double done;      /* device seconds behind it; while it runs, as of the last account */
    double speed;     /* operations per device second on all that it uses */
    double rate;      /* while it runs: device seconds per second; below 1 if CPUs are shared */
    double finish;    /* while it runs: the active time at which it will have come to its end */
    double checkpoint_interval;
    uint32_t app;     /* VCS_NONE = an initial task, whose remaining time is known */
    uint32_t place;   /* in the list of running tasks; VCS_NONE = does not run */
    uint32_t track;
    uint32_t chosen;  /* while a decision is carried out: 1 = runs from now on */
} vcs_true_task;

/* A result that has not been reported. */
typedef struct vcs_unreported {
    uint64_t task;
    double flops;
    double deadline;
    double due; /* when it must be reported, if no call comes before */
    uint32_t project, resource;
} vcs_unreported;

/* What stands behind a project. */
typedef struct vcs_true_project {
    vcs_project_outcome outcome;
    vcs_rpc_project rpc; /* its timer, and whether its master file is to be read */
    vcs_average rec, cpu_time;
    vcs_correction correction;
    double flops_run;   /* operations since REC was last brought up to date */
    double cpu_run;     /* CPU seconds since the average of CPU time was */
    double wait_square; /* integral of the square of the time since it last ran, over active time */
    double last_ran;    /* active time at which it last ran */
    uint32_t running;   /* tasks of it that run */
    uint32_t tasks;     /* tasks that it has */
    uint32_t unreported;
    uint32_t learns;    /* 1: its correction is that of the project, 0: each application has its own */
    /* its server */
    vcs_stream spells, scheduler_failures, network_failures, master_failures, backoffs;
    double spell_end;   /* when the server next goes down or comes up */
    uint32_t down;
    uint32_t knows_move; /* 1: the client has read where the scheduler is now */
} vcs_true_project;

/* What stands behind a (project, resource). */
typedef struct vcs_true_project_resource {
    vcs_average rec;
    vcs_resource_backoff backoff;
    vcs_stream backoffs;
    vcs_stream applications; /* of which the jobs are that its server sends */
    double flops_run; /* operations since `rec` was last brought up to date */
} vcs_true_project_resource;

/* What stands behind an application. */
typedef struct vcs_true_app {
    vcs_stream sizes;
    vcs_correction correction;
    double speed; /* operations per device second of its jobs */
} vcs_true_app;

/* When the host is on. */
typedef struct vcs_clock {
    double now, active;
    double switch_at; /* when it is next switched on or off */
    double end;
    vcs_stream spells;
    uint32_t next_switch; /* in the trace */
    uint32_t on;
} vcs_clock;

/* Which accounts a policy looks at. */
#define VCS_KEEP_REC 0x1u
#define VCS_KEEP_CPU_TIME 0x2u
#define VCS_KEEP_DEBTS 0x4u

typedef struct vcs_emulator {
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_hooks hooks;
    vcs_error *error;

    /* what decisions look at: copies of the caller's records, kept up to date */
    vcs_snapshot snapshot;
    vcs_host host;
    vcs_resource *resources;
    vcs_project *projects;
    vcs_project_resource *project_resources; /* all, project by project */
    vcs_app *apps;
    vcs_task *tasks;
    vcs_task *candidates;
    vcs_room task_room, candidate_room;

    vcs_room fixed_room; /* of all that does not grow */

    /* what stands behind */
    const vcs_job_model *models;
    const vcs_server_model *servers;
    const double *sizes, *switches;
    uint32_t switch_count;
    vcs_true_project *true_projects;
    vcs_true_project_resource *true_project_resources;
    vcs_true_app *true_apps;
    vcs_true_task *true_tasks;      /* beside `tasks` */
    vcs_true_task *true_candidates; /* beside `candidates` */
    vcs_room true_task_room, true_candidate_room;
    vcs_unreported *unreported;
    uint32_t unreported_count;
    vcs_room unreported_room;
    uint64_t next_task; /* id of the next task */

    /* the tasks that run */
    uint32_t *running;
    uint32_t running_count;
    vcs_room running_room;
    double next_finish;     /* the least finish of those that run, in active time */
    vcs_room *tracks;        /* of each resource: which tracks are taken, a byte each; for who observes */

    /* accounts */
    uint32_t keeps;         /* VCS_KEEP_* */
    uint32_t corrected;     /* a correction factor has changed: all estimates are out of date */
    double accounted;       /* active time up to which progress is accounted for, */
    double accounted_now;   /* and time on the wall */
    double settled;         /* time up to which debts are */
    vcs_debt *debts;
    uint32_t *debt_order;
    vcs_usable *usable;     /* of each resource */
    double *scheduled;      /* of each resource: device seconds of scheduled tasks since it learned, if always on, */
    double *ran;            /* and those that they got */

    /* the present decision */
    vcs_room work;          /* memory of the state, which is renewed from one decision to the next */
    vcs_state *latest;      /* of the records as they were at the last decision, the client's or a server's; NULL */
    vcs_state *state;       /* of the records as they are; NULL = they have changed */
    uint32_t simulated;     /* vcs_wrr() has run on it */
    uint32_t chosen_count;  /* tasks that run from now on */
    uint32_t changes;       /* tasks that are to be stopped or started */
    uint32_t unused;
    uint32_t *chosen;       /* the tasks that run from now on */
    vcs_task_decision *task_decisions; /* on each of them; a function of the caller's fills in those on all tasks */
    uint64_t *switching;    /* a set of all tasks, a bit each: those that are to be stopped or started */
    vcs_room chosen_room, task_decision_room, switching_room;
    vcs_fetch_decision *fetch_decisions;
    vcs_resource_reply *resource_replies;
    vcs_resource_forecast *forecasts;
    vcs_edf_resource *busy;         /* of each resource, as the client reports it */
    vcs_send_request *requests;     /* of each resource: what a server is asked for */
    vcs_resource *server_resources; /* as the server sees them */
    vcs_send_job *send_jobs;        /* beside the candidates */
    vcs_send_decision *send_decisions;
    vcs_room send_job_room, send_decision_room;
    vcs_resource_backoff *backoffs; /* of one project, for a reply */

    /* what is due when */
    vcs_clock clock;
    double schedule_at;  /* when to decide again which tasks run */
    double fetch_at;     /* when to look again whether to fetch */
    double report_at;    /* when a result must be reported */
    double connected;    /* when a server was last called */
    uint32_t is_calling; /* servers are being called, one after the other, at the same moment */

    vcs_outcome outcome;
} vcs_emulator;

/* ---- memory ---- */

/* Makes a room larger, so that it holds `count` elements of `size` bytes; what is in it stays. */
int vcs_enlarge_room(const vcs_hooks *hooks, vcs_room *room, uint64_t count, size_t size);

/* Sees to it that there is room for so many elements, which mostly there is already; VCS_OK or VCS_ERR_MEMORY. */
static inline int vcs_make_room(const vcs_hooks *hooks, vcs_room *room, uint64_t count, size_t size) {
    return count <= room->size / size ? VCS_OK : vcs_enlarge_room(hooks, room, count, size);
}

void vcs_release_room(const vcs_hooks *hooks, vcs_room *room);

/* ---- the scenario ---- */

/* Checks everything and copies the records; on an error nothing is left to release. */
int vcs_emulator_open(vcs_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters,
                      const vcs_hooks *hooks, vcs_error *error);
void vcs_emulator_close(vcs_emulator *e);

/* Operations per device second on all that a task uses. */
double vcs_speed_of(const vcs_emulator *e, double cpus, uint32_t gpu, double gpus);

/* ---- the clock ---- */

void vcs_clock_start(vcs_emulator *e);
/* Switches the host on or off, and draws when it is switched next. */
void vcs_clock_switch(vcs_emulator *e);

/* ---- tasks ---- */

/* Makes room for so many candidates. */
int vcs_make_candidates(vcs_emulator *e, uint64_t count);
/* Adds candidate `index` to the tasks of the host. */
int vcs_add_task(vcs_emulator *e, uint32_t candidate);
/* Brings the progress of the running tasks, and what depends on it, up to the present. */
void vcs_account(vcs_emulator *e);
/* Ends the tasks that have come to their end. */
int vcs_end_tasks(vcs_emulator *e);
/* Notes what the decision on a task says for the next one: whether it is late. */
void vcs_note_late(vcs_emulator *e, uint32_t task, const vcs_task_decision *decision);
/* Starts the chosen tasks and stops the others. */
int vcs_apply_schedule(vcs_emulator *e);

/* ---- accounts ---- */

/* Brings REC, averages, debts and what is learned of the usable fraction up to the present. */
int vcs_settle(vcs_emulator *e);
/* Learns from a task that has ended. */
int vcs_learn(vcs_emulator *e, const vcs_task *task, const vcs_true_task *truth);
/* The correction factor for jobs of an application; 0 = none. */
double vcs_correction_of(const vcs_emulator *e, uint32_t project, uint32_t app);
/* Writes the estimate of what is left of a task. */
int vcs_estimate_task(vcs_emulator *e, vcs_task *task, const vcs_true_task *truth);

/* ---- decisions ---- */

/* Makes e->state a state of the present records on which vcs_wrr() has run. */
int vcs_prepare(vcs_emulator *e);
/* Makes e->state a state of these records and this policy, on which nothing has run. */
int vcs_prepare_snapshot(vcs_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy);
/* Decides which tasks run, and starts and stops them. */
int vcs_choose_tasks(vcs_emulator *e);
/* What a function of the caller's looks at. */
vcs_situation vcs_situation_of(const vcs_emulator *e, const vcs_snapshot *snapshot);
/* How long to wait until a decision is made again that asks for so long a wait: time must go on. */
double vcs_wait_of(double next_check);
/* Refuses what a function of the caller's did; VCS_OK if `code` is. */
int vcs_hook_failed(vcs_emulator *e, int code, const char *name);

/* ---- servers ---- */

/* Whether the server answers a call that is made now. */
int vcs_server_answers(vcs_emulator *e, uint32_t project);
/* Whether its master file can be read now. */
int vcs_master_answers(vcs_emulator *e, uint32_t project);
/* Whether its scheduler is at another URL than the one that the client knows. */
int vcs_server_has_moved(const vcs_emulator *e, uint32_t project);
/* Sends what the server has for the request in e->fetch_decisions, and counts it in e->resource_replies. */
int vcs_send_jobs(vcs_emulator *e, uint32_t project);

/* ---- the network ---- */

/* When something is next to be done on the network. */
double vcs_network_at(const vcs_emulator *e);
/* Makes all calls that are due now. */
int vcs_network(vcs_emulator *e);

/* ---- merit ---- */

/* A project begins to run, or has ceased to: the time that it waited. */
void vcs_merit_runs(vcs_emulator *e, uint32_t project);
void vcs_merit_waits(vcs_emulator *e, uint32_t project);
/* Works out the figures of merit at the end. */
void vcs_merit(vcs_emulator *e);

/* ---- events ---- */

/* Tells an event to who observes. */
int vcs_tell(vcs_emulator *e, uint32_t kind, uint32_t project, const vcs_task *task, uint32_t track, double amount);
int vcs_tell_resource(vcs_emulator *e, uint32_t kind, uint32_t project, uint32_t resource, double amount);

#endif

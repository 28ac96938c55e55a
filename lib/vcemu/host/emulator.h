/*
 * The whole emulator: a host and its servers, part by part, and the functions of each part's file.
 *
 * Each part is written by its own file alone and read by those below it here. The first failure stays in emulator.code
 * and ends the emulation: nothing more is decided, and no function of the caller's is called. So nothing but new memory
 * has to be looked at before it is used.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_EMULATOR_H
#define VCS_EMU_HOST_EMULATOR_H

#include "vcsched/core/arena.h"
#include "vcsched/core/invariant.h"
#include "vcsched/core/number.h"
#include "vcemu/host/random.h"

#include <stdbool.h>
#include <string.h>
#include <vcsched/accounts.h>
#include <vcsched/simulation.h>
#include <vcemu/emulator.h>
#include <vcsched/timers.h>
#include <vcsched/send.h>

/* The arrays of a snapshot. */
#define VCS_EMU_ARRAYS 7

/* A server that was called is not called again before this time has passed, s. */
#define VCS_EMU_LEAST_CALL_INTERVAL 1.0

typedef struct vcs_emu_block vcs_emu_block;

/* The caller's functions for memory; NULL = malloc() and free(). */
typedef struct vcs_emu_memory {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory, size_t size);
} vcs_emu_memory;

/* What is emulated: the caller's scenario, policy and functions, checked and copied. It does not change afterwards. */
typedef struct vcs_emu_setup {
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_hooks hooks;
    vcs_snapshot sizes_of;     /* the caller's: of its arrays, how long the records are */
    vcs_job_model *models;     /* of each application */
    vcs_server_model *servers; /* of each project */
    const double *sizes, *switches;
    uint32_t switch_count;
} vcs_emu_setup;

/*
 * Two clocks run. `now` is wall time; `active` is the time for which the host has been on since the start. Tasks make
 * progress in active time, so switching the host off and on changes none of them.
 */
typedef struct vcs_emu_clock {
    double now, active;
    double end;           /* of the emulation */
    double switch_at;     /* when the host is next switched on or off */
    bool on;              /* the host is on */
    bool truly_on;        /* the same without available_step, before */
    double true_switch;   /* this moment, at which that changes */
    uint32_t next_switch; /* in the trace */
    vcs_emu_stream spells;
} vcs_emu_clock;

/* The host's records, which all decisions look at: copies of the caller's, kept up to date. */
typedef struct vcs_emu_records {
    vcs_snapshot snapshot; /* of the arrays below */
    vcs_host host;
    vcs_resource *resources;
    vcs_project *projects;
    vcs_project_resource *project_resources; /* all, project by project */
    vcs_app *apps;
    vcs_task *tasks;
    uint32_t resource_count, project_count, app_count; /* tasks alone come and go */
    uint32_t *task_counts;                             /* of each project */
    bool changed;                                      /* since a state was last prepared from them */
} vcs_emu_records;

/* Where a job of a host in a grid comes from (rule 14.2); all 0 on a host alone. */
typedef struct vcs_emu_origin {
    uint64_t copy; /* the server's number of it */
    uint32_t fate; /* VCS_EMU_FATE_*: what becomes of it on this host */
} vcs_emu_origin;

#define VCS_EMU_FATE_DONE 0u  /* it is computed, rightly or wrongly, and reported */
#define VCS_EMU_FATE_FAILS 1u /* it ends in an error, which is reported */
#define VCS_EMU_FATE_LOST 2u  /* it is computed, and never reported */

/* A result that has not been reported yet. */
typedef struct vcs_emu_result {
    uint64_t task; /* its id, and what else is known of it: */
    uint32_t project, gpu;
    double cpus, gpus;
    double deadline;
    vcs_emu_origin origin;
    double flops;
    double worked; /* operations done for it: those that had to be done again, too */
    double spent;  /* device seconds */
    double due;    /* when it must be reported, if its server is not called before */
    double ready;  /* when its files are there: it cannot be reported before */
} vcs_emu_result;

/* How long a project waits for its turn, in active time. */
typedef struct vcs_emu_wait {
    double square;    /* integral of the square of the time since it last ran */
    double last_ran;  /* when it last ran */
    uint32_t running; /* its tasks that run */
} vcs_emu_wait;

/* What came of the emulation, and the results that are not reported yet. */
typedef struct vcs_emu_merit {
    vcs_outcome total;
    vcs_project_outcome *projects;
    vcs_resource_outcome *resources;
    vcs_emu_wait *waits;     /* of each project */
    vcs_emu_result *results; /* in the order in which the tasks ended */
    uint32_t result_count;
    uint32_t *result_counts; /* of each project */
} vcs_emu_merit;

/* What the projects and resources did since the accounts were last brought up to date. */
typedef struct vcs_emu_accounts {
    struct vcs_emu_project_work {
        double flops, cpu; /* operations, CPU seconds */
    } * projects;
    double *flops; /* of each (project, resource) */
    struct vcs_emu_usage {
        double scheduled, ran; /* device seconds for which tasks were scheduled, and those that they got */
    } * usage;                 /* of each resource */
    vcs_debt *debts;           /* of each project */
    uint32_t *debt_order;
    bool has_rec, has_cpu_time, has_debts; /* those that the policy looks at */
    double settled;                        /* when all were last brought up to date */
} vcs_emu_accounts;

/* What a task needs in truth, beside the vcs_task of the same index, which is all that decisions see. */
typedef struct vcs_emu_true_task {
    double est_flops; /* operations that it is said to need */
    double total;     /* device seconds that it needs */
    double spent;     /* device seconds on it since the start, those that had to be done again too */
    double done;      /* device seconds done; while it runs, when progress was last booked */
    double speed;     /* operations per device second on all that it uses */
    double rate;      /* while it runs: device seconds per second; below 1 if processors are shared */
    double finish;    /* while it runs: the active time at which it will end */
    double checkpoint_interval;
    uint32_t app;   /* VCS_NONE = an initial task, whose remaining time is known */
    uint32_t place; /* in the list of running tasks; VCS_NONE = does not run */
    uint32_t track; /* on the timeline of its resource */
    vcs_emu_origin origin;
    double ready; /* when its files have arrived, in wall time; read while it is downloading */
    bool chosen;  /* while a decision is carried out: it runs from now on */
    bool moves;   /* likewise: it runs, but on other devices from now on */
} vcs_emu_true_task;

/* The tasks of the host in truth: what they need, how far they are, and which run. */
typedef struct vcs_emu_tasks {
    vcs_emu_true_task *truths; /* beside the tasks of the records */
    uint32_t *running;         /* the tasks that run */
    uint32_t running_count;
    uint64_t capacity;                /* tasks for which there is memory */
    double *used;                     /* instances of each resource that they use, by the rates at which they run */
    bool leave_idle;                  /* they do not use all instances */
    double next_finish;               /* the least finish of those that run, in active time */
    double next_ready;                /* when the files of the next task have arrived, in wall time */
    double booked_now, booked_active; /* when progress was last booked, by both clocks */
    bool progressed;                  /* since the estimates were last brought up to date, progress has been booked, */
    bool corrected;                   /* or a correction factor has changed: all of them are out of date */
    bool regrouped;                   /* since they were last chosen among, some have come, gone or become ready */
    unsigned char **tracks;           /* of each resource: which tracks are taken */
} vcs_emu_tasks;

/* When projects may be called, and asked for work for each resource. */
typedef struct vcs_emu_timers {
    vcs_rpc_project *projects;      /* their timers, and whether their master files are to be read */
    vcs_resource_backoff *backoffs; /* of each resource, of the project that is called */
    vcs_emu_stream *project_draws;
    vcs_emu_stream *backoff_draws; /* of each (project, resource) */
} vcs_emu_timers;

/* The client's decisions: which tasks run, which project is asked for how much work, and when to decide that again. */
typedef struct vcs_emu_client {
    bool simulated;               /* vcs_wrr() has run on the state, */
    bool scheduled;               /* and vcs_schedule(), for what runs */
    vcs_schedule_summary summary; /* what that said */

    double schedule_due;   /* when to decide again which tasks run */
    bool may_stand;        /* a choice among tasks of one project may stand, */
    bool may_last;         /* and what they have to do may last until the next choice (standing.c) */
    uint32_t chosen_count; /* tasks that run from now on */
    uint32_t changes;      /* tasks that are to be started or stopped */

    double fetch_due;                    /* when to decide again whether to fetch */
    vcs_fetch_decision *fetch_decisions; /* of each (project, resource): what to ask for */
    vcs_resource_forecast *forecasts;    /* of each resource, for the observer */

    vcs_snapshot shown; /* to the caller's functions, with records as long as the caller knows them */
    void *shown_arrays[VCS_EMU_ARRAYS];
} vcs_emu_client;

/* How the jobs of servers are drawn, when they are asked for. */
typedef struct vcs_emu_jobs {
    vcs_emu_stream *sizes;        /* of each application */
    vcs_emu_stream *applications; /* of each (project, resource): the application of each job */
    double *speeds;               /* of each application: operations per device second */
    uint64_t next_id;             /* of the next job that is sent */
} vcs_emu_jobs;

/*
 * What is needed only while something is decided: a host alone has its own, the hosts of a grid use the same one after
 * the other.
 */
typedef struct vcs_emu_workspace {
    vcs_state *state; /* of the last decision, the client's or a server's; NULL = none. It lies in */
    void *memory;

    uint64_t capacity;                 /* tasks for which there is memory here: */
    uint32_t *chosen;                  /* the tasks that run from now on, */
    vcs_task_decision *task_decisions; /* what was decided on each of them; in the caller's function, on all tasks */
    uint64_t *switching;               /* a set of tasks, a bit each: those that are to start or stop */

    /* What the server that is called has on offer: */
    uint32_t offered;        /* jobs on offer, */
    uint64_t offer_capacity; /* and those for which there is memory */
    vcs_task *candidates;
    vcs_emu_true_task *truths;    /* beside them, */
    vcs_send_job *descriptions;   /* what vcs_send() is told of them, */
    vcs_send_decision *decisions; /* and what is decided on them */
} vcs_emu_workspace;

/* Whether the server of one project answers. */
typedef struct vcs_emu_server {
    vcs_emu_stream spells, scheduler_failures, network_failures, master_failures;
    double spell_end; /* when it next goes down or comes up */
    bool down;
    bool knows_move; /* the client has read where the scheduler is now */
} vcs_emu_server;

/* The servers, and what vcs_send() is told of the host when one is called: an element for each resource. */
typedef struct vcs_emu_servers {
    vcs_emu_server *servers;    /* of each project */
    vcs_send_request *requests; /* what the server is asked for, */
    vcs_edf_resource *busy;     /* and for how long the client says it is busy */
    vcs_resource *resources;    /* as the server sees them */
    double asked;               /* instance-seconds, in the last call; and in its reply */
    uint32_t sent, late;        /* jobs sent, and those that were not only because of deadlines */
} vcs_emu_servers;

/* Calls of servers, and when they are due. */
typedef struct vcs_emu_network {
    double report_due;           /* when a result must be reported */
    double connected;            /* when a server was last called; -infinity = never */
    bool is_calling;             /* servers are being called, one after the other, at the same moment */
    vcs_resource_reply *replies; /* of each resource: what was asked for and sent in the present call */
    vcs_rpc_session session;     /* of all projects, if the policy fetches by sessions (chapter 7), */
    vcs_rank_entry *ranks;       /* and what puts the projects in order then */
    uint32_t *order;
} vcs_emu_network;

/* Why instances of a resource are idle, VCS_IDLE_*, as found when something was last decided. */
typedef struct vcs_emu_idle_resource {
    double amount;     /* instances; 0 = none */
    double until;      /* when the reason is over, if it is a wait, */
    double used_up;    /* and what the active time was then; +infinity = it is not over */
    uint32_t reason;   /* of all */
    uint32_t of_tasks; /* of the tasks that wait */
} vcs_emu_idle_resource;

typedef struct vcs_emu_idle {
    vcs_emu_idle_resource *resources;
    vcs_fetch_decision *asked; /* of each (project, resource) */
    bool any;                  /* instances were idle after the last decisions */
} vcs_emu_idle;

typedef struct vcs_emu_emulator vcs_emu_emulator;

/*
 * The servers of a grid, as one of its hosts sees them (rule 14.2). A host alone has none: its servers have as many
 * jobs as are asked for, drawn when they are.
 */
typedef struct vcs_emu_grid_servers {
    /* The server of the project is called, and answers. */
    void (*call)(vcs_emu_emulator *e, uint32_t project);
    /* The next job on offer: writes its size in operations, what is said of that, and where it comes from. */
    bool (*next)(vcs_emu_emulator *e, uint32_t project, double *flops, double *est_flops, vcs_emu_origin *origin);
    /* What the host may get, besides what the host's model of the server says. */
    void (*limit)(vcs_emu_emulator *e, uint32_t project, vcs_send_limits *limits);
    /* A job on offer is sent: it may get a fate, less to do with that, and the time when its files are there. */
    void (*send)(vcs_emu_emulator *e, vcs_task *task, vcs_emu_true_task *truth);
    /* A job on offer is not sent, for a reason. */
    void (*keep)(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, uint32_t reason);
    /* Nor was it considered: what was drawn for it is for the next job on offer. */
    void (*take_back)(vcs_emu_emulator *e, uint32_t project);
    /* Whether the host should go on with a job, which may have `started`; if not, the server hears that it does not. */
    bool (*needs)(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);
    /* How long it takes to send the files of a job that has been computed, s. */
    double (*upload)(vcs_emu_emulator *e, uint32_t project);
    /* A result is reported. */
    void (*report)(vcs_emu_emulator *e, const vcs_emu_result *result);
    /* How long the host is told to stay away after a call, s. */
    double (*delay)(vcs_emu_emulator *e, uint32_t project);
    /* The host has a job no more, and its server never hears of it. So many operations for it were in vain. */
    void (*forget)(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, double flops);
    /* Something happened on the host, if anybody observes. */
    void (*observe)(vcs_emu_emulator *e, const vcs_event *event);
} vcs_emu_grid_servers;

struct vcs_emu_emulator {
    int code;         /* why the emulation failed */
    vcs_error *error; /* where that is described, which is done once; may be NULL */
    vcs_emu_memory memory;
    vcs_emu_block *blocks;                    /* of it: those in use, a list */
    const vcs_emu_grid_servers *grid_servers; /* NULL = a host alone */
    vcs_emu_emulator *ground;                 /* whose workspace is used: its own, or that of the whole grid */
    void *grid;                               /* the grid, and the number of the host in it */
    uint32_t number;
    bool is_observed; /* somebody is told of events */
    vcs_emu_setup setup;
    vcs_emu_clock clock;
    vcs_emu_records records; /* what decisions see of the host, */
    vcs_emu_merit merit;
    vcs_emu_accounts accounts;
    vcs_emu_tasks tasks; /* and what its tasks are in truth */
    vcs_emu_timers timers;
    vcs_emu_client client;
    vcs_emu_jobs jobs;
    vcs_emu_servers servers;
    vcs_emu_network network;
    vcs_emu_idle idle;
    vcs_emu_workspace workspace; /* see ground */
};

/* The state of the last decision. */
static inline vcs_state *vcs_emu_state(const vcs_emu_emulator *e) {
    return e->ground->workspace.state;
}

/* ---- Failures: the first one counts ---- */

/* What a function of libvcsched returned. What it refuses it has described. */
static inline void vcs_emu_note(vcs_emu_emulator *e, int code) {
    if (code != VCS_OK) {
        e->code = e->code == VCS_OK ? code : e->code;
        e->error = NULL;
    }
}

/* What a function of the caller's returned. */
void vcs_emu_note_hook(vcs_emu_emulator *e, int code, const char *name);

/* A failure of the emulator's own: the message is `what` and `why`. */
void vcs_emu_fail(vcs_emu_emulator *e, int code, uint64_t index, const char *what, const char *why);

/* ---- memory.c ---- */

/* So many bytes, zeroed. NULL if there is not enough memory, and the emulation has failed. */
void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes);

/* Makes the array, whose address is at `array`, hold `count` elements; what is new is 0. Whether there is memory. */
bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size);

/* The bytes that such an array has; 0 for NULL. */
size_t vcs_emu_capacity(const void *array);

/* Gives such bytes back before the end. */
void vcs_emu_free(vcs_emu_emulator *e, void *bytes);

void vcs_emu_release_all(vcs_emu_emulator *e);

/* ---- emulate.c ---- */

/* Makes a host of a checked scenario; it is at the first moment of it. */
void vcs_emu_open(vcs_emu_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters);

/* Does what is due at the present moment, and goes on to the next one. Whether there is one. */
bool vcs_emu_step(vcs_emu_emulator *e);

/* ---- setup.c ---- */

/* The caller's scenario or functions, of any age, as this version knows them. VCS_OK or the error. */
int vcs_emu_take_scenario(vcs_scenario *known, const vcs_scenario *callers);
int vcs_emu_take_hooks(vcs_hooks *known, const vcs_hooks *callers);

/* Checks the scenario as a whole and takes it over. The hooks are there already. */
void vcs_emu_setup_open(vcs_emu_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters);

/* Rule 13: client and servers behave like the study's program (study.h). */
static inline bool vcs_emu_is_study(const vcs_emu_emulator *e) {
    return e->setup.emulation.study_rules != 0;
}

/* ---- events.c ---- */

static inline bool vcs_emu_is_observed(const vcs_emu_emulator *e) {
    return e->is_observed;
}

/* An event about a task, if anybody observes. */
void vcs_emu_notify_task(vcs_emu_emulator *e, uint32_t kind, const vcs_task *task, uint32_t track, double amount);

/* An event about a project, a resource, both or neither. */
void vcs_emu_notify(vcs_emu_emulator *e, uint32_t kind, uint32_t project, uint32_t resource, double amount,
                    uint32_t reason);

/* ---- clock.c ---- */

void vcs_emu_clock_open(vcs_emu_emulator *e);

/* Has this moment come? 0 stands for none to wait for, also where the clock is below 0. */
static inline bool vcs_emu_has_come(const vcs_emu_emulator *e, double moment) {
    return moment == 0.0 || moment <= e->clock.now;
}

/* The fraction of the emulation for which the host is on: what is stated of it, or that of the trace (rule 12.1). */
double vcs_emu_available(const vcs_emu_setup *setup);

/* Switches the host on or off, and draws the time of the next switch. */
void vcs_emu_clock_switch(vcs_emu_emulator *e);

/* ---- records.c ---- */

/* Copies all records but the tasks. */
void vcs_emu_records_open(vcs_emu_emulator *e, const vcs_snapshot *snapshot);

/* Where the records of a project begin that lie project by project, one for each resource. */
static inline size_t vcs_emu_first_of(const vcs_emu_emulator *e, uint32_t project) {
    return (size_t)project * e->records.resource_count;
}

/* FLOPS on all that a task uses; one that uses nothing runs at the speed of a CPU. */
double vcs_emu_speed(const vcs_emu_records *records, double cpus, uint32_t gpu, double gpus);

/* ---- merit.c ---- */

/* One of the results that are not reported yet. */
static inline vcs_emu_result *vcs_emu_result_at(const vcs_emu_emulator *e, uint32_t index) {
    VCS_INVARIANT(e->merit.results != NULL && index < e->merit.result_count); /* callers count up to it */
    return &e->merit.results[index];
}

/* Notes which waits of idle resources are over. Since the last call the host has been on all the time, or off. */
void vcs_emu_merit_end_idle_waits(vcs_emu_emulator *e);

/* Books what the running tasks used of each resource in so much active time, and why the rest was idle. */
void vcs_emu_merit_book(vcs_emu_emulator *e, double active);

/* A task of a project begins to run, or ceases to. */
void vcs_emu_merit_starts(vcs_emu_emulator *e, uint32_t project);
void vcs_emu_merit_stops(vcs_emu_emulator *e, uint32_t project);

/* Adds the result of a task that has ended. */
void vcs_emu_add_result(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

/* Counts a task that is given up. */
void vcs_emu_merit_abort(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

/* Reports all results that a call of a project reports. */
void vcs_emu_report_results(vcs_emu_emulator *e, uint32_t project);

/* Works out the figures of merit at the end. */
void vcs_emu_merit_close(vcs_emu_emulator *e);

/* ---- accounts.c ---- */

void vcs_emu_accounts_open(vcs_emu_emulator *e);

/* Brings REC, averages, debts and the usable fraction of the records up to now. */
void vcs_emu_settle(vcs_emu_emulator *e);

/* ---- estimates.c ---- */

/* The correction factor for jobs of an application; 0 = none. */
double vcs_emu_correction(const vcs_emu_emulator *e, uint32_t project, uint32_t app);

/* Writes task->remaining. */
void vcs_emu_estimate(vcs_emu_emulator *e, vcs_task *task, const vcs_emu_true_task *truth);

/* Learns from a task that has ended. */
void vcs_emu_learn(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

/* ---- tasks.c ---- */

/* Takes over the initial tasks, none of which runs yet. */
void vcs_emu_tasks_open(vcs_emu_emulator *e, const vcs_array *initial);

void vcs_emu_add_task(vcs_emu_emulator *e, const vcs_task *record, const vcs_emu_true_task *truth);

/* Books the progress of the running tasks up to now, and all that depends on it. */
void vcs_emu_book_progress(vcs_emu_emulator *e);

/* Brings the estimates of all tasks up to date. */
void vcs_emu_estimate_tasks(vcs_emu_emulator *e);

/* Starts those of the chosen tasks that do not run, stops those that run and are not chosen, and moves some. */
void vcs_emu_run_tasks(vcs_emu_emulator *e, uint32_t chosen_count);

/* Ends the tasks that have done all that they need. */
void vcs_emu_end_tasks(vcs_emu_emulator *e);

/* Lets the tasks run whose files have arrived by now. */
void vcs_emu_tasks_ready(vcs_emu_emulator *e);

/* Gives up the tasks of a project that its server in the grid does not need any more. */
void vcs_emu_abort_tasks(vcs_emu_emulator *e, uint32_t project);

/* ---- timers.c ---- */

void vcs_emu_timers_open(vcs_emu_emulator *e);

/* Copies the timers of the projects to the records. */
void vcs_emu_show_timers(vcs_emu_emulator *e);

/* What an answer means for asking the project for work for each resource (rule 3.3). */
void vcs_emu_apply_reply(vcs_emu_emulator *e, uint32_t project, vcs_resource_reply *replies);

/*
 * Tells a session how its action ended: it moves the timer of the project, or marks its master file (3.2, 7.2). It
 * is of all projects if it is that of the network, else of this one.
 */
void vcs_emu_end_action(vcs_emu_emulator *e, uint32_t project, vcs_rpc_session *session, vcs_rpc_outcome *outcome);

/* ---- situation.c ---- */

/* What a function of the caller's looks at. A caller of another age finds records of the size that it knows. */
bool vcs_emu_show(vcs_emu_emulator *e, const vcs_snapshot *snapshot, vcs_situation *situation);

/* ---- client.c ---- */

/* Makes the workspace's state one of the present records on which vcs_wrr() has run. Whether it is one. */
bool vcs_emu_prepare(vcs_emu_emulator *e);

/* Likewise; where that matters for fetching, it is also known which tasks run. */
bool vcs_emu_prepare_to_fetch(vcs_emu_emulator *e);

/* Makes it a state of other records, on which nothing has run: the host as a server sees it, or with another policy. */
bool vcs_emu_prepare_other(vcs_emu_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *policy);

/* Decides which tasks run, and starts and stops them. */
void vcs_emu_choose_tasks(vcs_emu_emulator *e);

/*
 * Decides which project to call to ask for work, and when to decide that again; returns VCS_NONE if there is none to
 * call. If `project` is one that is called anyway, decides only what to ask that for.
 */
uint32_t vcs_emu_choose_project(vcs_emu_emulator *e, uint32_t project);

/* Prepares a decision on whether to fetch, finds how long each resource is saturated, and tells an observer. */
bool vcs_emu_begin_fetch(vcs_emu_emulator *e);

/* What a project is asked for: an element for each resource, and their instance-seconds together. */
static inline const vcs_fetch_decision *vcs_emu_asked_of(const vcs_emu_emulator *e, uint32_t project) {
    return &e->client.fetch_decisions[vcs_emu_first_of(e, project)];
}

double vcs_emu_seconds_asked(const vcs_emu_emulator *e, uint32_t project);

/* ---- standing.c ---- */

/* Finds whether the host is one on which decisions may be left out. */
void vcs_emu_standing_open(vcs_emu_emulator *e);

/* Whether a choice of tasks is due, and until the one after that nobody would be asked for work. */
bool vcs_emu_work_lasts(vcs_emu_emulator *e);

/* Whether a choice of tasks that was made now would leave the same ones running. */
bool vcs_emu_choice_stands(vcs_emu_emulator *e);

/* Lets them run on, in new slices where one has ended; returns when to choose again, s from now. */
double vcs_emu_let_stand(vcs_emu_emulator *e);

/* ---- jobs.c ---- */

/* The initial tasks say which ids are taken. */
void vcs_emu_jobs_open(vcs_emu_emulator *e, const vcs_array *initial);

/* Whether jobs of an application are sent, and are of a project and for a resource. */
bool vcs_emu_has_jobs(const vcs_emu_emulator *e, uint32_t app, uint32_t project, uint32_t resource);

/* Puts as many jobs on offer as a request can take, those for GPUs first. */
void vcs_emu_offer(vcs_emu_emulator *e, uint32_t project, const vcs_send_request *requests);

/* The instance-seconds of a request that the server expects a job of an application to fill (rules 9.1, 13.4). */
double vcs_emu_job_fills(const vcs_emu_emulator *e, uint32_t app);

/* Takes back a job that the server did not consider: it is the next one again. */
void vcs_emu_take_back(vcs_emu_emulator *e, uint32_t index);

/* ---- server.c ---- */

void vcs_emu_servers_open(vcs_emu_emulator *e);

/* Whether the scheduler of a project answers a call that is made now. */
bool vcs_emu_scheduler_answers(vcs_emu_emulator *e, uint32_t project);

/* Whether its master file can be read now; `moved` is set if it names another scheduler than the client knew. */
bool vcs_emu_master_answers(vcs_emu_emulator *e, uint32_t project, bool *moved);

/* Sends what the server has for a request, one decision for each resource, and counts the jobs in the replies. */
void vcs_emu_send(vcs_emu_emulator *e, uint32_t project, const vcs_fetch_decision *asked, vcs_resource_reply *replies);

/* ---- network.c ---- */

void vcs_emu_network_open(vcs_emu_emulator *e);

/* When something is next to be done on the network; what is due may have been so for a while. */
double vcs_emu_network_due(const vcs_emu_emulator *e);

/* When the host is connected next; the past if it always is. */
double vcs_emu_next_connection(const vcs_emu_emulator *e);

/* Makes all calls that are due now. */
void vcs_emu_make_calls(vcs_emu_emulator *e);

/* ---- idle.c ---- */

/* After decisions, finds why instances are idle, if any are. */
void vcs_emu_explain_idleness(vcs_emu_emulator *e, bool tasks_were_chosen);

#endif

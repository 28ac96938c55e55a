/*
 * The whole grid in virtual time: hosts, servers, and the functions of each part's file.
 *
 * A host is an emulator of lib/vcemu/host that gets its jobs from here. Hosts meet only at servers. All that happens is
 * in order of time: before each moment of a host every server does what is due. Among equal moments the host with the
 * lowest number goes first.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_GRID_H
#define VCS_EMU_GRID_GRID_H

#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/whole.h"
#include "vcemu/grid/grid_queue.h"

#include <vcemu/grid.h>
#include <vcsched/unit.h>
#include <vcsched/verify.h>

typedef struct vcs_grid_world vcs_grid_world;
typedef struct vcs_grid_server vcs_grid_server;
typedef struct vcs_grid_dispatcher vcs_grid_dispatcher;

/* The purposes of draws, besides those of lib/emulator. */
enum {
    VCS_GRID_DRAW_ARRIVAL = 100,
    VCS_GRID_DRAW_LIFETIME,
    VCS_GRID_DRAW_SABOTEUR,
    VCS_GRID_DRAW_SPEED,
    VCS_GRID_DRAW_FATE,
    VCS_GRID_DRAW_ERROR,
    VCS_GRID_DRAW_LIE,
    VCS_GRID_DRAW_SPOT,
    VCS_GRID_DRAW_DOUBT,
    VCS_GRID_DRAW_SPOT_SIZE,
    VCS_GRID_DRAW_UNIT,
    VCS_GRID_DRAW_COPIES,
    VCS_GRID_DRAW_DELAY
};

/* ---- Hosts ---- */

/* A class of hosts, checked and copied; `sample` is a host of it, from which the others are made. */
typedef struct vcs_grid_class {
    vcs_emu_whole sample;
    vcs_parameters parameters;
    vcs_hooks hooks;
    vcs_host_model model;
    vcs_host_row *rows;
    double *weights; /* of the rows, summed up to each of them */
    uint32_t row_count;
    uint32_t *projects;      /* in the grid, of each of the scenario's */
    vcs_resource *resources; /* for a host that is made */
} vcs_grid_class;

/* A host, whether it has arrived, is there, or has left. */
typedef struct vcs_grid_volunteer {
    vcs_emu_whole *whole;  /* NULL = it is not there */
    vcs_emu_stream fates;  /* what becomes of its jobs, */
    vcs_emu_stream errors; /* how far they get before an error, */
    vcs_emu_stream lies;   /* and whether their results are right */
    vcs_emu_stream delays; /* when it comes back on a new day */
    double joins, leaves;
    uint32_t class_index;
    uint32_t place; /* among the hosts of its class; one that comes in the place of another has that one's */
    uint32_t is_saboteur;
} vcs_grid_volunteer;

/* ---- Units by deadline ---- */

/* What a server knows of a copy beyond the result of the same index. */
typedef struct vcs_grid_copy {
    double sent;
    double flops;      /* operations that the host did for it; known when it has been reported or given up */
    uint32_t host;     /* number of the host; VCS_NONE before it is sent */
    uint32_t kind;     /* class of equal results: VCS_GRID_RIGHT, ... */
    uint32_t outside;  /* 1 = a host has the copy, or its unreported result */
    uint32_t aborted;  /* 1 = it was given up because nobody needed it */
    uint32_t previous; /* of the copies of its host: slots of the units, */
    uint32_t next;
} vcs_grid_copy;

/* vcs_grid_copy.kind */
#define VCS_GRID_RIGHT 0u
#define VCS_GRID_COLLUDED 1u    /* the wrong result that all who collude return */
#define VCS_GRID_FIRST_WRONG 2u /* from here on each number is a wrong result of its own */

typedef struct vcs_grid_unit {
    vcs_unit record;
    vcs_result *results;   /* of each copy, and behind them */
    vcs_grid_copy *copies; /* what else is known of it */
    double flops;
    double created;
    double done;     /* when it got its canonical result */
    uint32_t slot;   /* in the store */
    uint32_t count;  /* copies */
    uint32_t room;   /* for as many */
    uint32_t unsent; /* copies that wait for a host */
    uint32_t outside;
    uint32_t refusals;       /* hosts in a row that could not take a copy */
    uint32_t previous, next; /* in the queue of units with unsent copies: slots */
    bool is_queued;
    bool is_counted; /* among those that are done */
    bool is_wrong;   /* its canonical result is wrong */
    bool is_failed;
} vcs_grid_unit;

#define VCS_GRID_ROOMS 13u /* 2^0 ... 2^12 copies */
#define VCS_GRID_MOST_COPIES 4096u
#define VCS_GRID_CHUNK 256u

/* The units that are not finished. Those that are leave their slot to others. */
typedef struct vcs_grid_store {
    vcs_grid_unit **chunks;
    uint32_t slots;     /* that have ever been used */
    uint32_t free_slot; /* the first one that is free; VCS_NONE = none. Its `next` is another one */
    void *free_rooms[VCS_GRID_ROOMS];
} vcs_grid_store;

/* What a server remembers of a client. */
typedef struct vcs_grid_client {
    vcs_trust trust;
    vcs_quota quota;
    vcs_emu_stream spots;  /* whether its next job is one of known result, */
    vcs_emu_stream doubts; /* and whether a copy is needed beside it */
    uint32_t first; /* of its copies that may be withdrawn, in units that are not finished: slot; VCS_NONE = none */
} vcs_grid_client;

/* ---- Servers ---- */

/* What is counted while the emulation runs, besides what stands in the outcome itself. */
typedef struct vcs_grid_counts {
    double in_progress_until; /* up to when copies in progress were summed up */
    double in_progress_sum;   /* copy-seconds */
    double time_sum;          /* of the copies that are over: from being sent to being over */
    double turnaround_sum;
    uint64_t over;        /* copies that were sent and are over */
    uint64_t in_progress; /* copies now */
    uint64_t unsent;      /* likewise */
    uint64_t done;        /* units now; a verdict may be taken back */
    uint64_t failed;
    uint64_t wrong_accepted; /* likewise */
    uint64_t window;         /* by reply: units of which clients have jobs, now */
    double last_done;        /* when the last unit was done, */
    double nearly_done;      /* and when 95 % of a batch were */
    uint64_t *bins;          /* of the histogram of turnaround */
} vcs_grid_counts;

/* How a kind of server does its part, spot checks aside; see vcs_emu_grid_servers. */
typedef struct vcs_grid_kind {
    void (*open)(vcs_grid_server *s);
    void (*meet)(vcs_grid_server *s, uint32_t host);   /* a new client, which may call later */
    double (*due)(const vcs_grid_server *s);           /* when it acts next without being called */
    void (*act)(vcs_grid_server *s);                   /* it does */
    void (*advance)(vcs_grid_server *s, double until); /* time goes on; nothing was due before */
    bool (*next)(vcs_grid_server *s, uint32_t host, double *flops, vcs_emu_origin *origin);
    void (*send)(vcs_grid_server *s, uint32_t host, vcs_task *task, vcs_emu_origin *origin);
    void (*keep)(vcs_grid_server *s, vcs_emu_origin origin, uint32_t reason);
    bool (*needs)(vcs_grid_server *s, uint32_t host, const vcs_task *task, vcs_emu_origin origin, double flops);
    void (*report)(vcs_grid_server *s, uint32_t host, const vcs_emu_result *result);
    void (*forget)(vcs_grid_server *s, vcs_emu_origin origin); /* the host has it no more, and says nothing */
    void (*conclude)(vcs_grid_server *s);                      /* what follows for other units */
    void (*close)(vcs_grid_server *s);
} vcs_grid_kind;

extern const vcs_grid_kind vcs_grid_by_deadline, vcs_grid_by_reply;

struct vcs_grid_server {
    vcs_grid_world *world;
    const vcs_grid_kind *kind;
    vcs_grid_project project;
    uint32_t index;
    double now;
    uint64_t created;    /* units */
    double next_arrival; /* of the next unit, if they come at a rate */
    vcs_emu_stream sizes, spot_sizes, arrivals, copies;
    vcs_grid_client *clients; /* of each host */
    vcs_grid_project_outcome outcome;
    vcs_grid_counts counts;
    bool is_batch_done;

    vcs_grid_store store;  /* by deadline: */
    vcs_grid_queue timers; /* transition times of the units, by slot */
    uint32_t first_queued, last_queued;
    uint32_t walk;       /* the unit at which the next one on offer is looked for; VCS_NONE = new ones alone */
    vcs_change *changes; /* of a decision */
    uint32_t *classes;   /* likewise */
    uint32_t *caught;    /* hosts that have been caught, what follows from which has not been done yet */
    uint32_t caught_count;

    vcs_grid_dispatcher *by_reply; /* what only such a server has */
};

struct vcs_grid_world {
    vcs_emu_emulator ground; /* its memory and its first failure */
    vcs_emu_workspace workspace;
    vcs_grid_terms terms;
    vcs_grid_hooks hooks;
    double end;
    vcs_grid_server *servers;
    uint32_t server_count;
    vcs_grid_class *classes;
    uint32_t class_count;
    vcs_grid_volunteer *hosts;
    uint32_t host_count;
    uint64_t planned;       /* hosts, and those that would come too late */
    vcs_grid_queue moments; /* of the hosts, by number */
    vcs_grid_outcome outcome;
    const vcs_grid_results *results;
    double next_sample;
    vcs_grid_sample *samples; /* of all servers, one time after the other */
    uint32_t sample_count;
    vcs_grid_host_outcome *rows; /* of the hosts that have left, by number */
    double told;                 /* from where on the caller is told again how far it is, */
    uint64_t told_steps;         /* and after how many steps */
};

static inline bool vcs_grid_has_failed(const vcs_grid_world *w) {
    return w->ground.code != VCS_OK;
}

/* What a function of libvcsched returned, which describes there what it refuses. */
static inline void vcs_grid_note(vcs_grid_server *s, int code) {
    vcs_emu_note(&s->world->ground, code);
}

static inline vcs_error *vcs_grid_error(const vcs_grid_server *s) {
    return s->world->ground.error;
}

/* ---- take.c ---- */

/* Checks and copies what the caller describes. */
void vcs_grid_take(vcs_grid_world *w, const vcs_grid *grid, const vcs_grid_hooks *hooks);

/* What has just been refused, if anything, is of a class: `error` says so, unless memory was short. */
void vcs_grid_name_class(const vcs_grid_world *w, uint32_t index, vcs_error *error);

/* ---- hosts.c ---- */

/* Makes the host of this number arrive: it is in the queue from then on. */
void vcs_grid_host_plan(vcs_grid_world *w, uint32_t class_index, uint32_t place, double from);

/* It arrives. */
void vcs_grid_host_open(vcs_grid_world *w, uint32_t number);

/* It leaves, or the emulation ends. */
void vcs_grid_host_close(vcs_grid_world *w, uint32_t number);

/* ---- servers.c ---- */

void vcs_grid_servers_open(vcs_grid_world *w);

/* The servers of a host get to know it. */
void vcs_grid_servers_meet(vcs_grid_world *w, uint32_t number);

/* Does all that is due at servers before a time, in order of time, whoever is called then. */
void vcs_grid_servers_advance(vcs_grid_world *w, double now);

/* ---- supply.c: what hosts see of servers ---- */

/* How long a host takes to transfer so many bytes. */
double vcs_grid_transfer_seconds(const vcs_grid_world *w, uint32_t host, double bytes);

extern const vcs_emu_grid_servers vcs_grid_supply;

/* ---- spot_checks.c: jobs whose result is known already ---- */

/* vcs_emu_origin.copy of such a job */
#define VCS_GRID_SPOT_CHECK UINT64_MAX

/* Draws whether the next job of a host is one; then it is on offer. */
bool vcs_grid_spot_check_next(vcs_grid_server *s, uint32_t host, double *flops, vcs_emu_origin *origin);

/* There was no next job. */
void vcs_grid_spot_check_take_back(vcs_grid_server *s, uint32_t host);

void vcs_grid_spot_check_report(vcs_grid_server *s, uint32_t host, const vcs_emu_result *result);

/* ---- store.c ---- */

void vcs_grid_store_open(vcs_grid_store *store);
vcs_grid_unit *vcs_grid_unit_at(const vcs_grid_store *store, uint32_t slot);
vcs_grid_unit *vcs_grid_unit_new(vcs_grid_server *s);

/* Makes room for so many copies. Whether there is. */
bool vcs_grid_unit_reserve(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t count);
void vcs_grid_unit_free(vcs_grid_server *s, vcs_grid_unit *unit);

/* ---- units.c ---- */

/* With adaptive replication: how many equal results it takes if the first host is not trusted (rule 11.3). */
static inline uint32_t vcs_grid_untrusted_quorum(const vcs_grid_project *project) {
    return project->min_quorum > 2 ? project->min_quorum : 2;
}

/* The next unit comes into being, if there is one by now. */
vcs_grid_unit *vcs_grid_unit_create(vcs_grid_server *s);

/* The size of the next unit, or job of known result. */
double vcs_grid_draw_size(const vcs_grid_project *project, vcs_emu_stream *sizes);

/* With recomputation: how many hosts compute the next unit if nothing goes wrong (rule 11.2). */
uint32_t vcs_grid_draw_copies(vcs_grid_server *s);

/* Whether one more unit has come by now; then it is counted. */
bool vcs_grid_unit_comes(vcs_grid_server *s, double *created);

/* Something happens to a unit: carries out what follows from it, until nothing is due. The unit may be gone then. The
   event needs no struct_size. */
void vcs_grid_unit_event(vcs_grid_server *s, vcs_grid_unit *unit, vcs_unit_event event);
void vcs_grid_unit_settle(vcs_grid_server *s, vcs_grid_unit *unit);

/* Adds what became of a unit and its copies to the outcome. */
void vcs_grid_unit_count(vcs_grid_server *s, const vcs_grid_unit *unit);

/* Which of its copies a host has. There is one. */
uint32_t vcs_grid_copy_of_host(const vcs_grid_unit *unit, uint32_t host);

/* Puts a unit in the list of its host, if its results may be withdrawn, or takes it out. */
void vcs_grid_link_copy(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t index);
void vcs_grid_unlink_copy(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t index);

/* ---- trust.c ---- */

/* What a host may get: nothing on the blacklist, else what its quota leaves. */
void vcs_grid_limit(vcs_grid_server *s, uint32_t host, vcs_send_limits *limits);

/* A job is sent to it; one of its results was found valid, or was not. Only if the project has quotas. */
void vcs_grid_quota_take(vcs_grid_server *s, uint32_t host);
void vcs_grid_quota_judge(vcs_grid_server *s, uint32_t host, uint32_t valid);

/* The class of a result that the host returns for a unit. */
uint32_t vcs_grid_draw_result(vcs_grid_world *w, uint32_t host, uint32_t own_number);

/* What a change says of the host of the result. */
void vcs_grid_learn(vcs_grid_server *s, const vcs_grid_unit *unit, const vcs_change *change);

/* The host returned a wrong result, and the server knows. */
void vcs_grid_catch(vcs_grid_server *s, uint32_t host, uint32_t reason);

/* ---- course.c ---- */

/* What follows for other units: withdraws what hosts returned that have been caught, and ends a batch that is done. */
void vcs_grid_conclude(vcs_grid_server *s);

/* When the next unit comes, if units come at a rate; else +infinity. */
double vcs_grid_next_unit(const vcs_grid_server *s);

/* When the next transition is due, or the next unit comes; this happens; and time goes on, with nothing due before. */
double vcs_grid_units_due(const vcs_grid_server *s);
void vcs_grid_units_act(vcs_grid_server *s);
void vcs_grid_units_advance(vcs_grid_server *s, double until);

/* ---- figures.c ---- */

void vcs_grid_copy_sent(vcs_grid_server *s, double now);
void vcs_grid_copy_over(vcs_grid_server *s, double now, double sent);

/* The end of a unit, or of the emulation: it `took` so long if it is done. */
void vcs_grid_unit_end(vcs_grid_server *s, bool is_done, bool is_failed, bool is_wrong, double took);

/* A unit is done, or is not after all. */
void vcs_grid_unit_done(vcs_grid_server *s, double now, bool is_done);

/* Takes the samples that are due before a time. */
void vcs_grid_take_samples(vcs_grid_world *w, double until);
void vcs_grid_server_close(vcs_grid_server *s);

/* Hands the outcome to the caller. */
void vcs_grid_hand_out(const vcs_grid_world *w, const vcs_grid_results *results);

/* ---- events.c ---- */

void vcs_grid_notify_host(vcs_grid_world *w, uint32_t kind, uint32_t host, double time);
void vcs_grid_observe_host(vcs_emu_emulator *e, const vcs_event *event);

vcs_grid_situation vcs_grid_situation_of(const vcs_grid_server *s, uint32_t host);

void vcs_grid_notify(vcs_grid_server *s, uint32_t kind, uint32_t host, const vcs_grid_unit *unit, uint32_t copy,
                     double amount, uint32_t reason);

/* The same of a unit by its number. */
void vcs_grid_notify_copy(vcs_grid_server *s, uint32_t kind, uint32_t host, uint64_t unit, uint32_t copy,
                          double deadline, double amount, uint32_t reason);

static inline bool vcs_grid_is_observed(const vcs_grid_world *w) {
    return w->hooks.observe != NULL;
}

#endif

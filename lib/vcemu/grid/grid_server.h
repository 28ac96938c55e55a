/*
 * A server of a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_GRID_GRID_SERVER_H
#define VCS_EMU_GRID_GRID_SERVER_H

#include "vcemu/grid/deadline/grid_unit.h"
#include "vcemu/grid/world.h"
#include "vcemu/host/random.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/tasks/results.h"

#include <vcsched/verify.h>

typedef struct vcs_grid_dispatcher vcs_grid_dispatcher;

/* vcs_grid_copy.kind */
#define VCS_GRID_RIGHT 0u
#define VCS_GRID_COLLUDED 1u    /* the wrong result that all who collude return */
#define VCS_GRID_FIRST_WRONG 2u /* from here on each number is a wrong result of its own */

/* What a server remembers of a client. */
typedef struct vcs_grid_client {
    vcs_trust trust;
    vcs_quota quota;
    vcs_emu_stream spots;  /* whether its next job is a spot check */
    vcs_emu_stream doubts; /* whether a copy is needed beside its next job */
    uint32_t first;        /* of its copies that may be withdrawn, in unfinished units: slot or job; VCS_NONE = none */
} vcs_grid_client;

/* Counts while the emulation runs, besides the outcome. */
typedef struct vcs_grid_counts {
    double in_progress_until; /* when copies in progress were last summed up */
    double in_progress_sum;   /* copy-seconds */
    double time_sum;          /* of the copies that are over: seconds from sending to the end */
    double turnaround_sum;
    uint64_t over;        /* copies that were sent and are over */
    uint64_t in_progress; /* copies on hosts now */
    uint64_t unsent;      /* copies that wait for a host now */
    uint64_t done;        /* units done now; a verdict may be withdrawn */
    uint64_t failed;
    uint64_t wrong_accepted; /* units with a wrong result now; a verdict may be withdrawn */
    uint64_t window;         /* by reply: units with jobs on clients now */
    double last_done;        /* when the last unit was done */
    double nearly_done;      /* when 95 % of a batch were done */
    uint64_t *bins;          /* histogram of turnaround */
} vcs_grid_counts;

/* How a kind of server does its part, without spot checks; see vcs_emu_grid_servers. */
typedef struct vcs_grid_kind {
    void (*open)(vcs_grid_server *s);
    void (*meet)(vcs_grid_server *s, uint32_t host);   /* adds a client, which may call later */
    double (*due)(const vcs_grid_server *s);           /* when it acts next without being called */
    void (*act)(vcs_grid_server *s);                   /* does what is due next */
    void (*advance)(vcs_grid_server *s, double until); /* moves the time; nothing was due before */
    bool (*next)(vcs_grid_server *s, uint32_t host, double *flops, vcs_emu_origin *origin);
    void (*send)(vcs_grid_server *s, uint32_t host, vcs_task *task, vcs_emu_origin *origin);
    void (*put_back)(vcs_grid_server *s, vcs_emu_origin origin, uint32_t reason);
    bool (*needs)(vcs_grid_server *s, uint32_t host, const vcs_task *task, vcs_emu_origin origin, double flops);
    void (*report)(vcs_grid_server *s, uint32_t host, const vcs_emu_result *result);
    void (*forget)(vcs_grid_server *s, vcs_emu_origin origin); /* the host no longer has it, and says nothing */
    void (*conclude)(vcs_grid_server *s);                      /* carries out what follows for other units */
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
    double next_arrival; /* of the next unit, if units come at a rate */
    vcs_emu_stream sizes, spot_sizes, arrivals, copies;
    vcs_grid_client *clients; /* of each host */
    vcs_grid_project_outcome outcome;
    vcs_grid_counts counts;
    bool is_batch_done;

    vcs_grid_store store;  /* by deadline: */
    vcs_grid_queue timers; /* transition times of the units, by slot */
    uint32_t first_queued, last_queued;
    uint32_t walk;       /* slot from which the next offer is looked for; VCS_NONE = only new units */
    vcs_change *changes; /* of a decision */
    uint32_t *classes;   /* of results, for a decision */
    uint32_t *caught;    /* caught hosts, before the consequences are carried out */
    uint32_t caught_count;

    vcs_grid_dispatcher *by_reply; /* by reply: clients and jobs */
};

/* Notes what a function of libvcsched returned; it has described what it refused. */
static inline void vcs_grid_note(vcs_grid_server *s, int code) {
    vcs_emu_note(&s->world->ground, code);
}

static inline vcs_error *vcs_grid_error(const vcs_grid_server *s) {
    return s->world->ground.error;
}

#endif

/*
 * The sliced simulation from inside: what its parts share.
 *
 *   sliced_layout.c   lays the tasks out as queues, and the projects that compete for a resource as competitors
 *   sliced_pick.c     decides who runs, anew in each step
 *   sliced_uniform.c  decides the same, faster, for the usual host: tasks of one CPU each, no limits
 *   sliced_front.c    lets the tasks of such a host run and finish
 *   wrr_sliced.c      advances time
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_H
#define VCS_SIMULATION_SLICED_H

#include "simulation/instance_sets.h"
#include "state/prepared.h"
#include "core/least_stack.h"
#include "core/least_tree.h"
#include "core/min_tree.h"

/* Work of one FLOPS over a day, in credits: 200 per 86400e9 FLOPs. */
#define VCS_CREDITS_PER_FLOPS 2e-7

/*
 * A queue: the unfinished tasks of one project for one resource, first in, first out. Tasks of an application with a
 * limit have a queue of their own, since its limit passes them over without holding up the others.
 *
 * Each task has a slot; the slots of a queue stand one after the other, linked past those that have finished. Of the
 * unfinished ones, the first `running` run; behind them, single ones may run in the place that a task of several
 * instances left because it did not fit ("backfills").
 */
typedef struct vcs_queue {
    uint32_t competitor;
    uint32_t app; /* the application with a limit whose tasks these are; VCS_NONE */
    uint32_t first_slot, slot_count;
    uint32_t last;     /* slot of the last that runs at the front; VCS_NONE */
    uint32_t fresh;    /* slot of the first unfinished behind those; VCS_NONE */
    uint32_t running;  /* how many run at the front */
    uint32_t backfills;  /* how many run behind */
    uint32_t limit;    /* how many may run in the present pick */
    uint32_t cursor;   /* slot from which on the present pick has still to look for backfills; VCS_NONE */
    uint32_t width;    /* of the tree of uses */
    uint32_t nodes;    /* of the tree of finishes */
    int64_t *finishes; /* tree: finish of each slot that runs */
    int64_t *uses;     /* tree: use of each unfinished slot */
} vcs_queue;

/* A slot, one task in its queue: what changes when the task starts or stops. */
typedef struct vcs_slot {
    int64_t left;            /* microseconds left while it does not run */
    uint32_t next, previous; /* unfinished neighbours; VCS_NONE */
} vcs_slot;

/* The task in a slot: what stays. Apart from the slot, so that a step touches little memory. */
typedef struct vcs_slot_task {
    int64_t use;     /* of the queue's resource, units */
    int64_t cpu_use; /* of the CPU beside a GPU, units; 0 for a task of the CPU */
    int64_t latest;  /* the latest finish in time, microseconds */
    int64_t finish;  /* microseconds; VCS_NEVER as long as it has not finished */
    uint32_t job;
    uint32_t arrival; /* its place in the order of arrival */
} vcs_slot_task;

/* A project that competes for a resource. */
typedef struct vcs_competitor {
    uint32_t project, resource;
    uint32_t account;
    uint32_t group; /* competitors of a lower group go first, whatever they have had: class, then share > 0 */
    uint32_t first_queue, queue_count;
    uint32_t touched;   /* 1: on the list of those whose use may have changed */
    uint32_t jobs;      /* its tasks that run on this resource */
    uint32_t job_limit; /* how many may run in the present pick */
    uint32_t closed;    /* 1: has nothing more to offer in the present pick */
    int64_t units;      /* what they use of the resource */
    int64_t cpu_units;  /* what they use of the CPU beside a GPU */
    uint64_t allowed;   /* instances it may use, if the resource has exclusions */
    double fraction;    /* its part of all shares; 1 if it has no share */
    double rec_sum;     /* over all that take part; 1 for 0 */
    double load_coefficient;
} vcs_competitor;

/* What a project, or a project on a resource with local accounting, has done of late. */
typedef struct vcs_account {
    double rec;    /* credits per day at `since` */
    double rate;   /* credits per day of its present use */
    double scaled; /* (rec - rate) * 2^((since - base) / half_life): see vcs_sliced.base */
    int64_t since;
} vcs_account;

/* What a project uses of a resource, and what it could use. */
typedef struct vcs_usage {
    int64_t used;       /* units, of its tasks for the resource and of its GPU tasks on the CPU */
    int64_t could;      /* units */
    int64_t since;      /* when `used` last changed */
    uint32_t competitor; /* VCS_NONE */
    uint32_t unused;
    vcs_wide shortfall; /* unit-microseconds up to `since` */
} vcs_usage;

/* A resource during the simulation. */
typedef struct vcs_pool {
    int64_t capacity; /* units */
    int64_t free;     /* units after the pick; below 0 where a fraction overshot */
    int64_t idle;     /* units that count as idle since `since` */
    int64_t since;
    int64_t saturated; /* VCS_NEVER until an instance is idle */
    int64_t idle_now;
    vcs_wide shortfall;
    uint32_t first_competitor, competitor_count;
    uint32_t backfill_count;
    uint32_t suspended, excludes;
    uint32_t instances;
    double speed, flops;
} vcs_pool;

/* A task that runs behind the front of its queue. */
typedef struct vcs_backfill {
    uint32_t queue, slot;
} vcs_backfill;

/* A task that does not run: what it has left, and its slot. */
typedef struct vcs_waiting {
    int64_t left; /* microseconds */
    uint32_t slot;
    uint32_t unused;
} vcs_waiting;

/* The queue of a competitor in the fast simulation: those that run are the first of its unfinished tasks. */
typedef struct vcs_front {
    vcs_least_stack running; /* the finish of each task that runs; tag: its slot */
    vcs_waiting *waiting;    /* the first task that does not run; the others stand behind it */
} vcs_front;

/*
 * The competitors in the fast simulation, one array for each property, in the order of the competitors. The key of the
 * task that follows n others is rate + scaled * decay + n * load. Numbers of tasks are doubles, since they go into
 * keys.
 */
typedef struct vcs_uniform {
    double *rate, *scaled; /* of the account, times the competitor's weight */
    double *load;          /* what one task adds to the key */
    double *per_load;      /* 1 / load */
    double *weight;        /* what turns credits per day into a key */
    double *key;           /* of the first task, in the present pick */
    double *count;         /* tasks that are to run */
    double *limit;         /* unfinished tasks */
    double *running;       /* tasks that run */
    double *used;          /* tasks that the account is charged for */
    double *last, *next;   /* keys, marked, of the last task that is to run and of the one after it */
    double largest;        /* the largest number that went into a key, or larger */
    int64_t *next_finish;  /* of the tasks that run; VCS_TREE_EMPTY */
    vcs_front *fronts;
    uint32_t *starting;    /* competitors in the present step: tasks of theirs start, */
    uint32_t *stopping;    /* stop, */
    uint32_t *charged;     /* or their use changes */
    uint32_t *unfinished;  /* of each group */
    uint32_t *group_start; /* where each group begins, one more than there are groups */
    uint32_t group_count;
    uint32_t settled;   /* first competitor of the group that had more tasks than places in the last pick */
    double threshold;   /* of that group: tasks with keys below it ran */
    double drift;       /* how fast the threshold rises, per microsecond */
    int64_t settled_at; /* when that pick was */
    int64_t *tree;      /* over the competitors */
} vcs_uniform;

typedef struct vcs_sliced {
    vcs_state *state;
    uint32_t resource_count, project_count, queue_count, competitor_count, account_count, slot_count;
    uint32_t touched_count;
    uint32_t is_uniform; /* 1: tasks of one CPU each and nothing else, no limits: the fast pick serves */
    uint32_t overcommit, freeze, local;
    int64_t now;  /* microseconds from the start */
    int64_t base; /* all accounts decay alike, so one power of two from `base` to now serves every approximate key */
    double half_life; /* microseconds */
    double decay;     /* 2^-((now - base) / half_life) */
    vcs_slot *slots;
    vcs_slot_task *tasks;    /* per slot */
    vcs_waiting *waiting;    /* per slot */
    vcs_stack_block *blocks; /* of all fronts */
    int64_t *trees;          /* of all queues or fronts */
    vcs_queue *queues;
    vcs_competitor *competitors;
    vcs_account *accounts;
    vcs_usage *usages; /* project by project */
    vcs_pool *pools;
    vcs_backfill *backfills;         /* of all resources; those of resource r begin at its first slot */
    uint32_t *backfill_start;      /* per resource */
    uint32_t *touched;           /* competitors */
    uint32_t *app_jobs;          /* tasks of each application in the present pick */
    int64_t *next_finish;        /* per queue: the least finish */
    double *last_key, *next_key; /* exact keys of the present pick, per competitor */
    vcs_instance_sets sets;      /* what is free of the resource that is picked for */
    uint64_t *set_maps;
    int64_t *set_room;
    vcs_uniform uniform;
} vcs_sliced;

/* sliced_layout.c */
void vcs_sliced_lay_out(vcs_sliced *sim, vcs_state *state);

/* sliced_pick.c: starts and stops tasks so that exactly those run which the rule picks now. */
void vcs_sliced_pick(vcs_sliced *sim);

/* sliced_uniform.c: decides, for tasks of one CPU each without limits, how many of each competitor are to run. */
void vcs_uniform_pick(vcs_sliced *sim);

/* sliced_front.c: makes the fast simulation ready, if it serves. */
void vcs_uniform_open(vcs_sliced *sim);

/* Starts and stops tasks as the pick says, and charges the accounts for them. */
void vcs_uniform_settle(vcs_sliced *sim, int64_t buffer_end);

/* When the next task finishes; VCS_TREE_EMPTY if none runs. */
int64_t vcs_uniform_first_finish(const vcs_sliced *sim);

/* All tasks whose time has come finish. */
void vcs_uniform_finish_due(vcs_sliced *sim);

/* Follows the accounts after sim->base has moved. */
void vcs_uniform_rebase(vcs_sliced *sim);

/* REC of an account at the present moment, exactly as the rule states it. */
static inline double vcs_account_now(const vcs_sliced *sim, const vcs_account *account) {
    if (sim->freeze || account->since == sim->now) {
        return account->rec;
    }
    double age = (double)(sim->now - account->since) / sim->half_life;
    return account->rate + (account->rec - account->rate) * vcs_exp2(-age);
}

/* Lets an account follow its present use from now on, if that is another than before. */
static inline void vcs_account_set_rate(const vcs_sliced *sim, vcs_account *account, double flops) {
    const double rate = VCS_CREDITS_PER_FLOPS * flops;
    if (rate != account->rate) {
        account->rec = vcs_account_now(sim, account);
        account->since = sim->now;
        account->rate = rate;
        account->scaled = (account->rec - rate) / sim->decay;
    }
}

/* Adds to a shortfall what the time since the last change was short of, up to the end of the buffer. */
static inline void vcs_add_shortfall(vcs_wide *shortfall, int64_t units, int64_t since, int64_t now,
                                     int64_t buffer_end) {
    const int64_t end = now < buffer_end ? now : buffer_end;
    if (units > 0 && end > since) {
        vcs_wide_add(shortfall, (uint64_t)units, (uint64_t)(end - since));
    }
}

static inline void vcs_bring_usage_forward(vcs_usage *usage, int64_t now, int64_t buffer_end) {
    vcs_add_shortfall(&usage->shortfall, usage->could - usage->used, usage->since, now, buffer_end);
    usage->since = now;
}

static inline void vcs_set_used(vcs_usage *usage, int64_t used, int64_t now, int64_t buffer_end) {
    if (usage->used != used) {
        vcs_bring_usage_forward(usage, now, buffer_end);
        usage->used = used;
    }
}

/* sliced_pick.c: a task no longer uses anything. */
void vcs_release(vcs_sliced *sim, uint32_t competitor, const vcs_slot_task *task);

static inline uint32_t vcs_leaf(const vcs_queue *queue, uint32_t slot) {
    return slot - queue->first_slot;
}

/* Whether a task runs. */
static inline int vcs_slot_runs(const vcs_queue *queue, uint32_t slot) {
    return queue->finishes[queue->nodes + vcs_leaf(queue, slot)] != VCS_TREE_EMPTY;
}

/* A task begins to run, or stops before its end: time alone. */
static inline void vcs_slot_run(vcs_sliced *sim, uint32_t queue_index, uint32_t index) {
    vcs_queue *queue = &sim->queues[queue_index];
    vcs_least_set(queue->finishes, queue->nodes, vcs_leaf(queue, index), sim->now + sim->slots[index].left);
    sim->next_finish[queue_index] = queue->finishes[0];
}

static inline void vcs_slot_pause(vcs_sliced *sim, uint32_t queue_index, uint32_t index) {
    vcs_queue *queue = &sim->queues[queue_index];
    const uint32_t leaf = vcs_leaf(queue, index);
    sim->slots[index].left = queue->finishes[queue->nodes + leaf] - sim->now;
    vcs_least_set(queue->finishes, queue->nodes, leaf, VCS_TREE_EMPTY);
    sim->next_finish[queue_index] = queue->finishes[0];
}

/* The front of a queue grows by one task, or shrinks: time and order alone. */
static inline uint32_t vcs_front_run(vcs_sliced *sim, uint32_t queue_index) {
    vcs_queue *queue = &sim->queues[queue_index];
    const uint32_t slot = queue->fresh;
    vcs_slot_run(sim, queue_index, slot);
    queue->last = slot;
    queue->fresh = sim->slots[slot].next;
    queue->running++;
    return slot;
}

static inline uint32_t vcs_front_pause(vcs_sliced *sim, uint32_t queue_index) {
    vcs_queue *queue = &sim->queues[queue_index];
    const uint32_t slot = queue->last;
    vcs_slot_pause(sim, queue_index, slot);
    queue->last = sim->slots[slot].previous;
    queue->fresh = slot;
    queue->running--;
    return slot;
}

#endif

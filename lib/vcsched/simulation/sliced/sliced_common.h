/*
 * What both forms of the sliced simulation keep: who competes and by what rank, REC in the course of time, use and
 * shortfalls, simulated time, and the forecasts.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * A form begins it, counts its tasks into the demands, and lines up the competitors. In each step it decides who runs,
 * reports what changed through the functions here, and lets time pass with vcs_sliced_step().
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_SLICED_SLICED_COMMON_H
#define VCS_SIMULATION_SLICED_SLICED_COMMON_H

#include "vcsched/accounts/priority_sums.h"
#include "vcsched/core/sort.h"
#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* Work of one FLOPS over a day, in credits: 200 per 86400e9 FLOPs. */
#define VCS_CREDITS_PER_FLOPS 2e-7

/* What the unfinished tasks of a project ask of a resource. */
typedef struct vcs_sliced_demand {
    uint32_t tasks;
    uint32_t competitor; /* VCS_NONE without tasks */
    int64_t widest;      /* units that its widest task uses; 0 = at most one instance */
} vcs_sliced_demand;

/* A project with tasks for a resource. */
typedef struct vcs_sliced_competitor {
    uint32_t project, resource;
    uint32_t account;
    uint32_t group;  /* lower goes first, whatever work was done: by class, then by share > 0 */
    double fraction; /* its part of all shares; 1 if it has no share */
} vcs_sliced_competitor;

/* REC of a project, or with local accounting of a project on a resource. */
typedef struct vcs_sliced_account {
    double rec;  /* credits per day at `since` */
    double rate; /* credits per day of its present use */
    int64_t since;
    double above; /* REC is nearly rate + above * decay */
} vcs_sliced_account;

/* What a project uses of a resource, and what it could use. */
typedef struct vcs_sliced_usage {
    int64_t used;       /* units, by its tasks for the resource and by its GPU tasks on the CPU */
    int64_t could;      /* units */
    int64_t since;      /* when `used` last changed */
    vcs_wide shortfall; /* unit-microseconds up to `since` */
} vcs_sliced_usage;

typedef struct vcs_sliced_resource {
    int64_t capacity; /* units; 0 if it is suspended */
    int64_t free;     /* units after the pick; below 0 where a fraction overshot */
    int64_t idle;     /* units that count as idle since `since` */
    int64_t since;
    int64_t saturated; /* VCS_NEVER until an instance is idle */
    int64_t idle_now;
    vcs_wide shortfall;
    uint32_t first, end; /* its competitors, in the order in which ties are decided */
    uint32_t suspended;
    uint32_t instances;
    double speed, flops;
    vcs_priority_sums sums; /* what its competitors are measured against */
} vcs_sliced_resource;

typedef struct vcs_sliced {
    vcs_state *state;
    uint32_t resource_count, project_count, competitor_count, account_count;
    bool freeze, local;
    uint32_t unfinished; /* tasks that take part */
    uint32_t misses;
    int64_t now; /* microseconds from the start, as all times here */
    int64_t buffer_end, horizon;
    uint64_t steps, step_budget;
    uint64_t effort, most_effort;
    double half_life; /* microseconds */
    /* all accounts decay alike, so one power of two serves for nearly the REC of each */
    int64_t base;
    double decay; /* 2^-((now - base) / half_life) */
    /* the power for the account that was looked at last: those that change together often did so before */
    int64_t power_since, power_at;
    double power; /* 2^-((power_at - power_since) / half_life) */
    vcs_sliced_competitor *competitors;
    vcs_sliced_account *accounts;
    vcs_sliced_resource *resources;
    vcs_sliced_demand *demands; /* project by project */
    vcs_sliced_usage *usages;   /* likewise */
    uint64_t *limits;           /* tasks of each project that may run at the same time; 0 = any number */
    vcs_sort_item *items, *spare;
} vcs_sliced;

/* ---- Beginning ---- */

/* Takes its memory from an arena. Inline: where it only measures, additions remain. */
static inline void vcs_sliced_allocate(vcs_sliced *sim, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t project_resources = counts->projects * counts->resources;
    sim->competitors = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_competitor));
    sim->accounts = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_account));
    sim->resources = vcs_arena_allocate(arena, counts->resources, sizeof(vcs_sliced_resource));
    sim->demands = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_demand));
    sim->usages = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_usage));
    sim->limits = vcs_arena_allocate(arena, counts->projects, sizeof(uint64_t));
    sim->items = vcs_arena_allocate(arena, counts->projects, sizeof(vcs_sort_item));
    sim->spare = vcs_arena_allocate(arena, counts->projects, sizeof(vcs_sort_item));
}

/* Begins at time 0, in memory already taken. No demands yet. */
void vcs_sliced_begin(vcs_sliced *sim, vcs_state *state);

/* All demands are counted: finds the competitors, their ranks and accounts, and opens the forecasts. */
void vcs_sliced_line_up(vcs_sliced *sim);

static inline size_t vcs_sliced_index(const vcs_sliced *sim, uint32_t project, uint32_t resource) {
    return (size_t)project * sim->resource_count + resource;
}

/* ---- REC in the course of time ---- */

/* REC of an account now. */
static inline double vcs_sliced_rec(vcs_sliced *sim, const vcs_sliced_account *account) {
    if (sim->freeze || account->since == sim->now) {
        return account->rec;
    }
    if (account->since != sim->power_since || sim->now != sim->power_at) {
        const double age = (double)(sim->now - account->since) / sim->half_life;
        sim->power = vcs_exp2(-age);
        sim->power_since = account->since;
        sim->power_at = sim->now;
    }
    return account->rate + (account->rec - account->rate) * sim->power;
}

/* Lets time pass for the REC that is nearly right. Returns whether all accounts are to be followed anew. */
static inline bool vcs_sliced_let_decay(vcs_sliced *sim) {
    if (sim->freeze) {
        return false;
    }
    const double age = (double)(sim->now - sim->base) / sim->half_life;
    sim->decay = vcs_exp2(-age);
    if (age <= 16.0) {
        return false;
    }
    sim->base = sim->now; /* before the power gets so small, or the factors to it so large, that digits are lost */
    sim->decay = 1.0;
    return true;
}

/* What is nearly the REC of an account follows from what it is now. */
static inline void vcs_sliced_follow(vcs_sliced *sim, vcs_sliced_account *account) {
    account->above = (vcs_sliced_rec(sim, account) - account->rate) / sim->decay;
}

/* From now on an account is charged for a use of this many FLOPS. */
static inline void vcs_sliced_charge(vcs_sliced *sim, vcs_sliced_account *account, double flops) {
    const double rate = VCS_CREDITS_PER_FLOPS * flops;
    if (rate != account->rate) {
        account->rec = vcs_sliced_rec(sim, account);
        account->since = sim->now;
        account->rate = rate;
    }
}

/* ---- Use and shortfalls ---- */

/* Adds what was lacking between `since` and `until`, up to the end of the buffer. */
static inline void vcs_sliced_add_shortfall(const vcs_sliced *sim, vcs_wide *shortfall, int64_t units, int64_t since,
                                            int64_t until) {
    const int64_t end = vcs_min_i64(until, sim->buffer_end);
    if (units > 0 && end > since) {
        vcs_wide_add(shortfall, (uint64_t)units, (uint64_t)(end - since));
    }
}

/* From now on a project uses this many units of a resource. */
static inline void vcs_sliced_set_used(const vcs_sliced *sim, vcs_sliced_usage *usage, int64_t used) {
    vcs_sliced_add_shortfall(sim, &usage->shortfall, usage->could - usage->used, usage->since, sim->now);
    usage->since = sim->now;
    usage->used = used;
}

/* What is free of a resource after the pick is idle from now on. Returns whether it is idle, and was not before now. */
static inline bool vcs_sliced_settle(const vcs_sliced *sim, vcs_sliced_resource *resource) {
    const int64_t idle = resource->free >= VCS_LEAST_FREE ? resource->free : 0;
    if (idle > 0) {
        resource->saturated = vcs_min_i64(sim->now, resource->saturated);
    }
    if (idle != resource->idle) {
        vcs_sliced_add_shortfall(sim, &resource->shortfall, resource->idle, resource->since, sim->now);
        resource->idle = idle;
        resource->since = sim->now;
    }
    return idle > 0 && resource->saturated == sim->now;
}

/* The first pick has been settled: what is idle now is idle from the start. */
void vcs_sliced_note_idle(vcs_sliced *sim);

/* ---- Time ---- */

typedef enum vcs_sliced_end_of_step {
    VCS_SLICED_NONE_FINISHES, /* the step is over, and nobody finishes in it */
    VCS_SLICED_SOME_FINISH,   /* those finish whose time has come */
    VCS_SLICED_ALL_DONE,      /* nobody runs: the simulation is over */
    VCS_SLICED_STOPPED        /* it has to stop at the horizon or the budget */
} vcs_sliced_end_of_step;

/* Lets time pass up to the end of the step (rule 4.3 b), if the first finish is at `first`; VCS_NEVER = nobody runs. */
vcs_sliced_end_of_step vcs_sliced_step(vcs_sliced *sim, int64_t first);

/* A task finishes now. */
void vcs_sliced_finish(vcs_sliced *sim, uint32_t task);

/* Completes the forecasts and the summary, once the simulation is over or stopped. */
void vcs_sliced_report(vcs_sliced *sim, bool stopped, vcs_wrr_summary *summary);

#endif

/*
 * The common part of all forms of the sliced simulation: competitors and their ranks, REC over time, use and
 * shortfalls, and forecasts.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * A form begins the simulation, counts its tasks into the demands, and lines up the competitors. In each step it
 * decides which tasks run, reports changes through the functions here, and lets time pass with sliced_time.h.
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

/* Demand of a project's unfinished tasks for a resource. */
typedef struct vcs_sliced_demand {
    uint32_t tasks;
    uint32_t competitor; /* VCS_NONE without tasks */
    /* units of a task; 0 = unknown or one instance */
    int64_t widest, narrowest;
} vcs_sliced_demand;

/* A project with tasks for a resource. */
typedef struct vcs_sliced_competitor {
    uint32_t project, resource;
    uint32_t account;
    uint32_t group;  /* a lower group goes first, whatever its REC: by class, then by share > 0 */
    double fraction; /* part of all shares; 1 without a share */
} vcs_sliced_competitor;

/* REC of a project; with local accounting, of a project on a resource. */
typedef struct vcs_sliced_account {
    double rec;  /* credits per day at `since` */
    double rate; /* credits per day earned by its present use */
    int64_t since;
    double above; /* REC is nearly rate + above * decay */
} vcs_sliced_account;

/* Present and possible use of a resource by a project. */
typedef struct vcs_sliced_usage {
    int64_t used;       /* units in use; of the CPU, by GPU tasks too */
    int64_t could;      /* units that it could use */
    int64_t enough;     /* units from which on it uses all that its limits allow; 0 = it has no limits */
    int64_t saturated;  /* when it first uses less than that; VCS_NEVER = not yet */
    int64_t since;      /* when `used` last changed */
    vcs_wide shortfall; /* unit-microseconds up to `since` */
} vcs_sliced_usage;

typedef struct vcs_sliced_resource {
    int64_t capacity; /* units; 0 if it is suspended */
    int64_t free;     /* units free after the pick; below 0 where a fraction overshot */
    int64_t idle;     /* units idle since `since` */
    int64_t parts;    /* units free in parts of devices that are too small for any task */
    int64_t useless;  /* those, and units idle only until slices end, for which tasks wait: they lack no work */
    int64_t since;
    int64_t saturated;   /* when an instance is first idle; VCS_NEVER = not yet */
    int64_t idle_now;    /* units idle from the start */
    int64_t useless_now; /* those of them that are useless */
    vcs_wide shortfall;  /* unit-microseconds up to `since` */
    int64_t whole;       /* units of an instance, or all if there are less */
    int64_t least_part;  /* units of a device that some task could use: a smaller part is useless */
    int64_t idle_from;   /* when so many are first idle; VCS_NEVER = not yet */
    int64_t least;       /* a shortfall below is no reason to call a project; microseconds of an instance */
    int64_t short_from;  /* when so much is missing within the buffer; VCS_NEVER = not yet */
    vcs_wide all_idle;   /* unit-microseconds up to `since`, as long as it is not */
    int64_t gap, busy;   /* when some were idle after all were busy, and the other way round, for the last time */
    uint32_t first, end; /* its competitors; ties go to the first */
    uint32_t suspended;
    uint32_t instances;
    bool has_slices; /* slices under way at the start count */
    double speed, flops;
    vcs_priority_sums sums; /* over its competitors */
} vcs_sliced_resource;

typedef struct vcs_sliced {
    vcs_state *state;
    uint32_t resource_count, project_count, competitor_count, account_count;
    bool freeze, local;
    uint32_t unfinished; /* tasks that take part */
    uint32_t misses;
    int64_t now; /* microseconds from the start, like all times here */
    int64_t buffer_end, horizon;
    int64_t pause; /* a step ends here, since the next pick may differ; VCS_NEVER = anywhere */
    uint64_t steps, step_budget;
    uint64_t effort, most_effort;
    double half_life; /* microseconds */
    double cushion;   /* seconds from a finish in time to the deadline */
    /* for approximate REC: all accounts decay alike, so one power of two serves for all */
    int64_t base;
    double decay; /* 2^-((now - base) / half_life) */
    /* the last power computed for an account: accounts that change together often did so before */
    int64_t power_since, power_at;
    double power; /* 2^-((power_at - power_since) / half_life) */
    vcs_sliced_competitor *competitors;
    vcs_sliced_account *accounts;
    vcs_sliced_resource *resources;
    vcs_sliced_demand *demands; /* project by project, see vcs_sliced_index() */
    vcs_sliced_usage *usages;   /* likewise */
    uint64_t *limits;           /* tasks that may run at the same time, likewise; 0 = any number */
    uint64_t *used_by_apps;     /* memory for them */
    vcs_sort_item *items, *spare;
} vcs_sliced;

/* ---- Beginning ---- */

/* Inline, so that measuring is a few additions. */
static inline void vcs_sliced_allocate(vcs_sliced *sim, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t project_resources = counts->projects * counts->resources;
    sim->competitors = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_competitor));
    sim->accounts = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_account));
    sim->resources = vcs_arena_allocate(arena, counts->resources, sizeof(vcs_sliced_resource));
    sim->demands = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_demand));
    sim->usages = vcs_arena_allocate(arena, project_resources, sizeof(vcs_sliced_usage));
    sim->limits = vcs_arena_allocate(arena, project_resources, sizeof(uint64_t));
    sim->used_by_apps = vcs_arena_allocate(arena, counts->apps, sizeof(uint64_t));
    sim->items = vcs_arena_allocate(arena, counts->projects, sizeof(vcs_sort_item));
    sim->spare = vcs_arena_allocate(arena, counts->projects, sizeof(vcs_sort_item));
}

/* Begins at time 0 without demands; the memory is allocated. */
void vcs_sliced_begin(vcs_sliced *sim, vcs_state *state);

/* Finds the competitors, their ranks and accounts, and opens the forecasts, once all demands are counted. */
void vcs_sliced_line_up(vcs_sliced *sim);

static inline size_t vcs_sliced_index(const vcs_sliced *sim, uint32_t project, uint32_t resource) {
    return (size_t)project * sim->resource_count + resource;
}

/* Whether keys made of a factor stay far enough from the limits of a double to be compared. */
static inline bool vcs_sliced_is_moderate(double factor) {
    return factor > 1e-200 && factor < 1e200;
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

/* Lets time pass for approximate REC. Returns whether vcs_sliced_follow() must be called for all accounts. */
static inline bool vcs_sliced_let_decay(vcs_sliced *sim) {
    if (sim->freeze) {
        return false;
    }
    const double age = (double)(sim->now - sim->base) / sim->half_life;
    sim->decay = vcs_exp2(-age);
    if (age <= 16.0) {
        return false;
    }
    sim->base = sim->now; /* before a small power, or large factors to it, lose digits */
    sim->decay = 1.0;
    return true;
}

/* Sets the approximate REC of an account from its exact REC now. */
static inline void vcs_sliced_follow(vcs_sliced *sim, vcs_sliced_account *account) {
    account->above = (vcs_sliced_rec(sim, account) - account->rate) / sim->decay;
}

/* Charges an account for a use of `flops` from now on. */
static inline void vcs_sliced_charge(vcs_sliced *sim, vcs_sliced_account *account, double flops) {
    const double rate = VCS_CREDITS_PER_FLOPS * flops;
    if (rate != account->rate) {
        account->rec = vcs_sliced_rec(sim, account);
        account->since = sim->now;
        account->rate = rate;
    }
}

/* ---- Use and shortfalls ---- */

/* Adds a shortfall of `units` between `since` and `until`, up to the end of the buffer. */
static inline void vcs_sliced_add_shortfall(const vcs_sliced *sim, vcs_wide *shortfall, int64_t units, int64_t since,
                                            int64_t until) {
    const int64_t end = vcs_min_i64(until, sim->buffer_end);
    if (units > 0 && end > since) {
        vcs_wide_add(shortfall, (uint64_t)units, (uint64_t)(end - since));
    }
}

/* Sets the units of a resource that a project uses from now on. */
static inline void vcs_sliced_set_used(const vcs_sliced *sim, vcs_sliced_usage *usage, int64_t used) {
    vcs_sliced_add_shortfall(sim, &usage->shortfall, usage->could - usage->used, usage->since, sim->now);
    usage->since = sim->now;
    usage->used = used;
    if (used < usage->enough) {
        usage->saturated = vcs_min_i64(sim->now, usage->saturated);
    } else if (usage->enough > 0 && sim->steps == 0) {
        usage->saturated = VCS_NEVER; /* the first pick: it uses nothing before */
    }
}

/* Counts the units that have been idle since `since`, and notes when so much is missing that a project is called. */
void vcs_sliced_count_idle(const vcs_sliced *sim, vcs_sliced_resource *resource, int64_t until);

/* Makes the units that the pick left free idle from now on. Returns whether the resource is idle for the first time. */
static inline bool vcs_sliced_settle(const vcs_sliced *sim, vcs_sliced_resource *resource) {
    const int64_t idle = resource->free >= VCS_LEAST_FREE ? resource->free : 0;
    if (idle > 0) {
        resource->saturated = vcs_min_i64(sim->now, resource->saturated);
    }
    if (idle != resource->idle) {
        vcs_sliced_add_shortfall(sim, &resource->shortfall, resource->idle, resource->since, sim->now);
        vcs_sliced_count_idle(sim, resource, sim->now);
        resource->gap = resource->idle == 0 ? sim->now : resource->gap;
        resource->busy = idle == 0 ? sim->now : resource->busy;
        resource->idle = idle;
        resource->since = sim->now;
        if (idle >= resource->whole) {
            resource->idle_from = vcs_min_i64(sim->now, resource->idle_from);
        }
    }
    return idle > 0 && resource->saturated == sim->now;
}

/* Notes the units idle from the start, after the first pick. */
void vcs_sliced_note_idle(vcs_sliced *sim);

/* ---- Results ---- */

/* Records that a task finishes now. */
void vcs_sliced_finish(vcs_sliced *sim, uint32_t task);

/* Completes the forecasts and the summary after the simulation is over or stopped. */
void vcs_sliced_report(vcs_sliced *sim, bool stopped, vcs_wrr_summary *summary);

#endif

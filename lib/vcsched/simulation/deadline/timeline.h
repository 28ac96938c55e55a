/*
 * The instances of one resource, and the tasks booked on them one after the other.
 *
 * Rule 4.4; the plain reference is tests/oracle/oracle_place.c.
 *
 * No booking of an instance starts before the previous one: gaps that a task had to leave stay empty. So the state of
 * an instance is the start of its latest booking, and its residents: the bookings that end later.
 *
 * For each of a few uses, a tree over the instances holds the first moments at which that much is free. A search reads
 * the tree of the greatest use not above its own. If that is its own use, the tree is exact; else the search checks the
 * instances that the tree names one by one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DEADLINE_TIMELINE_H
#define VCS_SIMULATION_DEADLINE_TIMELINE_H

#include "vcsched/core/number.h"
#include "vcsched/core/search_tree.h"

#include <stdbool.h>
#include <stdint.h>

/* Different uses of a resource that have a tree: one for whole instances, the others for fractions. */
#define VCS_TIMELINE_USES 8u

/*
 * The residents of all instances: bookings that have not ended when the latest booking of their instance starts. Each
 * instance has a tree of residents, ordered by end, with the sum of units below each node. Freed nodes are linked by
 * `up`.
 */
typedef struct vcs_residents {
    vcs_search_tree tree; /* weights: units */
    int64_t *ends;        /* when each resident ends */
    uint32_t unused;      /* the first freed node */
    uint32_t taken;       /* nodes from here on were never used */
    uint64_t effort; /* see vcs_plan.most_effort */
} vcs_residents;

typedef struct vcs_instance {
    int64_t open_at; /* when its latest booking starts */
    uint32_t root;   /* of its residents */
    uint32_t unused;
} vcs_instance;

/* What tasks will be booked: vcs_timeline.expected */
#define VCS_EXPECTED_SINGLE 0x1u /* tasks of one whole instance */
#define VCS_EXPECTED_OTHER 0x2u  /* any others */

typedef struct vcs_timeline {
    uint32_t instances;
    uint32_t width;                  /* leaves of a tree */
    uint32_t expected;               /* VCS_EXPECTED_* */
    uint32_t columns;                /* trees in use */
    int64_t uses[VCS_TIMELINE_USES]; /* what the trees are for: units, ascending; the last is one whole instance */
    int64_t idle;                    /* the first free moment that a booking left behind; VCS_NEVER if none did */
    vcs_instance *row; /* [instances] */
    int64_t *trees;    /* [columns][2 * width] */
    uint32_t *chosen;  /* [instances]: instances set aside for the next booking */
    vcs_residents *residents;
} vcs_timeline;

/* What one task needs of a resource while it runs. */
typedef struct vcs_need {
    int64_t units;     /* 0: nothing; below VCS_ONE: part of an instance; else whole instances, rounded up */
    uint64_t excluded; /* bit i set: not on instance i */
    const int64_t *openings; /* [instances] when limits let it use each; NULL = whenever */
} vcs_need;

/* No task is expected yet. */
void vcs_timeline_begin(vcs_timeline *timeline, uint32_t instances);

/* Prepares for bookings of part of an instance: they may get a tree of their own. */
void vcs_timeline_expect_part(vcs_timeline *timeline, int64_t units);

/* Prepares for bookings of this many units. Every use must be announced before vcs_timeline_clear(). */
static inline void vcs_timeline_expect(vcs_timeline *timeline, int64_t units) {
    timeline->expected |= units == VCS_ONE ? VCS_EXPECTED_SINGLE : VCS_EXPECTED_OTHER;
    if (units > 0 && units < VCS_ONE) {
        vcs_timeline_expect_part(timeline, units);
    }
}

/* Removes all bookings: all instances are free at 0. O(instances). */
void vcs_timeline_clear(vcs_timeline *timeline);

/* Whether there are as many instances as a task needs. O(1), with exclusions O(instances). */
bool vcs_timeline_suffices(const vcs_timeline *timeline, const vcs_need *need);

/*
 * When a task can start, if vcs_timeline_suffices(). Whole instances are set aside for it: the next call must be
 * vcs_timeline_book() for the same task. O(log(instances)) for each instance.
 */
int64_t vcs_timeline_earliest(vcs_timeline *timeline, const vcs_need *need);

/* vcs_timeline_earliest() of a GPU type that sets nothing aside. O(instances) for each instance. */
int64_t vcs_timeline_when(const vcs_timeline *timeline, const vcs_need *need);

/* When the first instance that a task can take is free; VCS_NEVER if it needs nothing. Sets nothing aside. */
int64_t vcs_timeline_first_free(const vcs_timeline *timeline, const vcs_need *need);

/*
 * Books a task that starts at vcs_timeline_earliest() or later. `also` may be NULL, or another timeline of the same
 * instances; the task is booked there whether it fits or not.
 */
void vcs_timeline_book(vcs_timeline *timeline, const vcs_need *need, int64_t start, int64_t end, vcs_timeline *also);

/* The first moment at which something is free on some instance. O(instances). */
int64_t vcs_timeline_busy(const vcs_timeline *timeline);

#endif

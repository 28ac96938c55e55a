/*
 * The instances of one resource, and the tasks booked on them one after the other.
 *
 * Rule 4.4; the plain reference is tests/oracle/oracle_place.c.
 *
 * Nothing is ever booked before the latest booking of an instance starts: gaps that a task had to leave stay empty. So
 * an instance is described by that moment and by its residents, the bookings that end later.
 *
 * For each of a few uses, a tree over the instances holds the first moments at which that much is free. A search looks
 * at the tree of the greatest use that is not above its own. That is exact if the use is one of the few; else the
 * instances that the tree names are looked at one by one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DEADLINE_TIMELINE_H
#define VCS_SIMULATION_DEADLINE_TIMELINE_H

#include "vcsched/core/number.h"
#include "vcsched/core/search_tree.h"

#include <stdbool.h>
#include <stdint.h>

/* How many different uses of a resource have a tree: one for whole instances, the others for fractions. */
#define VCS_TIMELINE_USES 8u

/*
 * The residents of all instances together: bookings that have not ended when the latest one of their instance starts.
 * Those of an instance are a tree, the next one to end first, with the units that each part of it takes together. Its
 * nodes are places, of which those given back are linked by `up`.
 */
typedef struct vcs_residents {
    vcs_search_tree tree; /* weights: units */
    int64_t *ends;
    uint32_t unused; /* the first place that was given back */
    uint32_t taken;  /* places from here on were never used */
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
    int64_t idle;      /* the first free moment that has passed on some instance; VCS_NEVER if there was none */
    vcs_instance *row; /* [instances] */
    int64_t *trees;    /* [columns][2 * width] */
    uint32_t *chosen;  /* [instances]: those set aside for the next booking */
    vcs_residents *residents;
} vcs_timeline;

/* What one task takes of a resource while it runs. */
typedef struct vcs_need {
    int64_t units;     /* 0: nothing; below VCS_ONE: part of an instance; else whole instances, rounded up */
    uint64_t excluded; /* bit i set: not on instance i */
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

/* Nothing is booked: all instances are free at 0. O(instances). */
void vcs_timeline_clear(vcs_timeline *timeline);

/* Whether there are as many instances as a task needs. O(1), with exclusions O(instances). */
bool vcs_timeline_suffices(const vcs_timeline *timeline, const vcs_need *need);

/*
 * When a task can start that needs no more than there is. If it takes whole instances, they are set aside: the next
 * call must be vcs_timeline_book() for the same task. O(log(instances)) for each instance it takes.
 */
int64_t vcs_timeline_earliest(vcs_timeline *timeline, const vcs_need *need);

/* When the first instance is free that a task can take; VCS_NEVER if it needs nothing. Nothing is set aside. */
int64_t vcs_timeline_first_free(const vcs_timeline *timeline, const vcs_need *need);

/*
 * Books a task that starts when vcs_timeline_earliest() said, or later. `also` may be NULL, or another timeline of the
 * same instances, where it is booked without regard to what is free.
 */
void vcs_timeline_book(vcs_timeline *timeline, const vcs_need *need, int64_t start, int64_t end, vcs_timeline *also);

/* The first moment at which something is free on some instance. O(instances). */
int64_t vcs_timeline_busy(const vcs_timeline *timeline);

#endif

/*
 * When each CPU becomes free, if the next task always goes to the CPU that is free first.
 *
 * Rule 4.4; the plain reference is tests/oracle/oracle_place.c.
 *
 * Most tasks end in the order in which they start. So the times stand in a line: a time not before the last one joins
 * it. An earlier time overtakes, and goes into a heap. The last of the line is after all overtakers, so the line is
 * never empty.
 *
 * With a heap alone, admission takes 1.9 times as many instructions in an emulation of examples/study/crowded.ini.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DEADLINE_FREE_TIMES_H
#define VCS_SIMULATION_DEADLINE_FREE_TIMES_H

#include "vcsched/core/heap.h"
#include "vcsched/core/invariant.h"

#include <stdint.h>

typedef struct vcs_free_times {
    int64_t *line;    /* [cpus], ascending from `first` on, and round its end */
    int64_t *heap;    /* [cpus + 1]: the overtakers */
    int64_t last;     /* last time of the line */
    uint32_t cpus;    /* at least 1 */
    uint32_t first;   /* index of the first time in `line` */
    uint32_t in_line; /* length of the line */
    uint32_t unused;
} vcs_free_times;

/* Length of a row for vcs_free_times_keep(). */
static inline uint64_t vcs_free_times_row(uint64_t cpus) {
    return cpus + 1;
}

/* Frees all CPUs at 0; `line` and `heap` must be set. O(cpus). */
void vcs_free_times_clear(vcs_free_times *times, uint32_t cpus);

/* Copies all times to a row, and back for the same number of CPUs. O(cpus). */
void vcs_free_times_keep(const vcs_free_times *times, int64_t *row);
void vcs_free_times_restore(vcs_free_times *times, const int64_t *row);

/* vcs_free_times_occupy() where the first free time is an overtaker's, or `until` overtakes. */
void vcs_free_times_overtake(vcs_free_times *times, int64_t until);

/* When the first CPU is free. */
static inline int64_t vcs_free_times_least(const vcs_free_times *times) {
    const int64_t overtaker = vcs_heap_least(times->heap), line = times->line[times->first];
    return overtaker < line ? overtaker : line;
}

/* The index in `line` of the time `behind` the first. */
static inline uint32_t vcs_free_times_place(const vcs_free_times *times, uint32_t behind) {
    VCS_INVARIANT(times->first < times->cpus && behind <= times->cpus); /* it goes round the end once at most */
    const uint32_t place = times->first + behind;
    return place < times->cpus ? place : place - times->cpus;
}

/*
 * Occupies the CPU that is free first up to `until`, which is not before it is free.
 * O(1), with overtakers O(log(cpus)).
 */
static inline void vcs_free_times_occupy(vcs_free_times *times, int64_t until) {
    if (vcs_heap_least(times->heap) < times->line[times->first] || until < times->last) {
        vcs_free_times_overtake(times, until);
        return;
    }
    times->line[vcs_free_times_place(times, times->in_line)] = times->last = until;
    times->first = vcs_free_times_place(times, 1);
}

#endif

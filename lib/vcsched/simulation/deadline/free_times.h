/*
 * When each of a number of CPUs becomes free, if the one that is free first always takes the next task.
 *
 * Rule 4.4; the plain reference is tests/oracle/oracle_place.c.
 *
 * Tasks of the same length end in the order in which they start, and most do. So the times stand in a line: one that is
 * not before the last of the line joins it. One that is before overtakes others, and goes into a heap.
 *
 * The last of the line is after all overtakers, so the line is never empty.
 *
 * With the heap alone, admission takes 1.9 times as many instructions in an emulation of examples/study/crowded.ini.
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
    int64_t *heap;    /* [cpus + 1]: the others */
    int64_t last;     /* of the line */
    uint32_t cpus;    /* one at least */
    uint32_t first;   /* of the line */
    uint32_t in_line; /* how many stand there */
    uint32_t unused;
} vcs_free_times;

/* How long a row must be for vcs_free_times_keep(). */
static inline uint64_t vcs_free_times_row(uint64_t cpus) {
    return cpus + 1;
}

/* All CPUs are free at 0. `line` and `heap` are set. O(cpus). */
void vcs_free_times_clear(vcs_free_times *times, uint32_t cpus);

/* Copies all times to a row, and back to where there are as many CPUs. O(cpus). */
void vcs_free_times_keep(const vcs_free_times *times, int64_t *row);
void vcs_free_times_restore(vcs_free_times *times, const int64_t *row);

/* vcs_free_times_occupy() where the first CPU is that of an overtaker, or becomes one. */
void vcs_free_times_overtake(vcs_free_times *times, int64_t until);

/* When the first CPU is free. */
static inline int64_t vcs_free_times_least(const vcs_free_times *times) {
    const int64_t overtaker = vcs_heap_least(times->heap), line = times->line[times->first];
    return overtaker < line ? overtaker : line;
}

/* The place in the line that is `behind` places after its first. */
static inline uint32_t vcs_free_times_place(const vcs_free_times *times, uint32_t behind) {
    VCS_INVARIANT(times->first < times->cpus && behind <= times->cpus); /* it goes round the end once at most */
    const uint32_t place = times->first + behind;
    return place < times->cpus ? place : place - times->cpus;
}

/*
 * The CPU that is free first takes a task, and is free again at `until`, which is not before that.
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

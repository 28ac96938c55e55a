/*
 * Placement by earliest deadline first under limits on the concurrent tasks of projects and applications.
 *
 * Rules 4.4 to 4.6; the plain reference is tests/oracle/oracle_place.c.
 *
 * Tasks that count against the same limits stand in one line, by deadline. Tasks without a limit share another line.
 * All tasks of a line wait for the same limits, so only the first of each line is compared. Where tasks do not all take
 * one whole CPU, a task under a limit in instances or per device stands in a line with tasks like it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DEADLINE_LINES_H
#define VCS_SIMULATION_DEADLINE_LINES_H

#include "vcsched/simulation/deadline/placement.h"
#include "vcsched/simulation/deadline/unit_limits.h"

#include <stdbool.h>

/* How many tasks of a project or an application may run at a time. */
typedef struct vcs_limit {
    int64_t *ends;  /* heap of the latest ends of placed tasks, at most `most` */
    uint32_t most;  /* tasks at a time; 0 = any number */
    uint32_t count; /* ends in the heap */
    uint32_t line;  /* the line of its tasks; VCS_NONE if none stands there yet */
    uint32_t room;  /* ends that there is memory for */
} vcs_limit;

/* Tasks that count against the same limits, by their number in the order of deadline. */
typedef struct vcs_line {
    uint32_t first, last;     /* VCS_NONE if no task is left */
    vcs_limit *project, *app; /* NULL: no such limit */
    uint32_t has_units;       /* 1: limits in instances or per device hold for its tasks */
    uint32_t unused;
} vcs_line;

typedef struct vcs_lines {
    vcs_plan *plan;
    const uint32_t *tasks; /* indices of prepared tasks, by deadline */
    uint32_t *behind;      /* for each of `tasks` the next in its line; VCS_NONE = the last */
    vcs_line *lines;       /* the first is for tasks without a limit */
    vcs_limit *limits;     /* [projects + applications] */
    int64_t *ends;         /* memory of all limits */
    vcs_unit_limits units; /* limits in instances and per device */
    /* where all tasks take one whole CPU: */
    int64_t *ready;   /* tree of lines with room in their limits, as far as is known: the first task of each */
    int64_t *blocked; /* tree of the other lines: when their limits open, at the earliest */
    int64_t moment;   /* when a CPU is free and the limits of some line have room */
    uint32_t width;   /* leaves of a tree */
    uint32_t count;   /* lines */
} vcs_lines;

/* Allocates memory for all tasks and candidates. */
void vcs_lines_lay_out(vcs_lines *lines, const vcs_counts *counts, vcs_arena *arena);

/* Lines up tasks, given by deadline, for a plan in which nothing is placed. O(tasks + projects + apps). */
void vcs_lines_begin(vcs_lines *lines, vcs_plan *plan, const uint32_t *tasks, uint32_t count);

/*
 * Places the next task. Returns its number in the order of deadline, VCS_NONE if none is left; *start is what
 * vcs_place() returns. Beyond vcs_place(), O(log(lines)) for its line and for each other line of its project where all
 * tasks take one whole CPU; elsewhere the time to find a free instance for each line.
 */
uint32_t vcs_lines_place(vcs_lines *lines, int64_t *start);

#endif

/*
 * Placing tasks by earliest deadline first where projects or applications may run only so many tasks at a time.
 *
 * Rules 4.4 to 4.6; the plain reference is tests/oracle/oracle_place.c.
 *
 * Tasks that count against the same limits stand in one line, by deadline; those that count against none, in another.
 * What the first of a line waits for, the others wait for too, so only the first ones are compared.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SIMULATION_DEADLINE_LINES_H
#define VCS_SIMULATION_DEADLINE_LINES_H

#include "vcsched/simulation/deadline/placement.h"

#include <stdbool.h>

/* How many tasks of a project or an application may run at a time. */
typedef struct vcs_limit {
    int64_t *ends;  /* a heap of the latest ends of the tasks that were placed, as many as may run at a time */
    uint32_t most;  /* tasks at a time; 0 = any number */
    uint32_t count; /* of the ends */
    uint32_t line;  /* where its tasks stand; VCS_NONE if nobody does yet */
    uint32_t room;  /* how many ends there is memory for */
} vcs_limit;

/* Tasks that count against the same limits. They are known by their number in the order of deadline. */
typedef struct vcs_line {
    uint32_t first, last;     /* VCS_NONE if nobody is left */
    vcs_limit *project, *app; /* NULL: no such limit */
} vcs_line;

typedef struct vcs_lines {
    vcs_plan *plan;
    const uint32_t *tasks; /* by deadline: places in the prepared tasks */
    uint32_t *behind;      /* for each of them the next in its line; VCS_NONE = the last */
    vcs_line *lines;       /* the first is of those that no limit concerns */
    vcs_limit *limits;     /* [projects + applications] */
    int64_t *ends;         /* memory of all limits */
    /* where all tasks take one whole CPU: */
    int64_t *ready;   /* a tree of the first tasks of the lines whose limits have room, as far as is known */
    int64_t *blocked; /* a tree of when the limits of the other lines open, at the earliest */
    int64_t moment;   /* when a CPU is free and the limits of some line have room */
    uint32_t width;   /* of the trees */
    uint32_t count;   /* of the lines */
} vcs_lines;

/* Takes the memory from an arena, enough for all tasks and candidates. */
void vcs_lines_lay_out(vcs_lines *lines, const vcs_counts *counts, vcs_arena *arena);

/* Lets tasks, given by deadline, stand in line for a plan in which nothing is placed. O(tasks + projects + apps). */
void vcs_lines_begin(vcs_lines *lines, vcs_plan *plan, const uint32_t *tasks, uint32_t count);

/*
 * Places the task whose turn it is. Returns its number in the order of deadline, VCS_NONE if none is left; *start is
 * what vcs_place() returns. Where all tasks take one whole CPU, that adds O(log(lines)) for the line and for each other
 * one of its project; elsewhere it adds the time to find a free instance, for each line.
 */
uint32_t vcs_lines_place(vcs_lines *lines, int64_t *start);

#endif

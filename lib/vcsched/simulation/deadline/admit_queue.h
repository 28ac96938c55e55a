/*
 * The queue that admission keeps from one candidate to the next.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DEADLINE_ADMIT_QUEUE_H
#define VCS_DEADLINE_ADMIT_QUEUE_H

#include "vcsched/simulation/deadline/chances.h"
#include "vcsched/simulation/deadline/lines.h"
#include "vcsched/simulation/deadline/placement.h"

/* A task that is queued, or a candidate. */
typedef struct member {
    double deadline;
    int64_t run_time;
    int64_t latest; /* the latest finish in time for its computation deadline; valid if tally.latest_known */
    int64_t start;  /* when it starts */
    int64_t tried;  /* when it would start with the candidate before it */
    uint32_t task;  /* index of a task, or number of tasks + index of a candidate */
    uint32_t unused;
} member;

/* Counts kept from one candidate to the next. */
typedef struct tally {
    uint32_t members;
    uint32_t reached;      /* members placed before the horizon or the budget */
    uint32_t entry;        /* the plan holds exactly the first `entry` members; VCS_NONE = something else */
    uint32_t latest_known; /* 1: member.latest is set, from the first candidate that goes before a member */
    uint64_t placed;       /* tasks that the plan has placed */
    uint32_t has_limits;   /* 1: limits on concurrent tasks of projects or applications */
    uint32_t unused;
} tally;

/*
 * The queue: its members by deadline, and how they are placed.
 *
 * Under limits on concurrent tasks, a candidate may delay members of earlier deadline: they wait for a limit while it
 * occupies their instances. So a trial places the whole queue again, and the rest of this comment does not apply.
 *
 * Otherwise a trial places only the members after the candidate again. The result is kept aside and replaces the
 * placement if the candidate is admitted. Where all tasks take one whole CPU, the free times before every `interval`
 * members are kept too, a row each, so that a trial need not place the members before the candidate. The row before the
 * first member is not filled in: all CPUs are free then.
 */
typedef struct queue {
    vcs_plan plan;
    tally *tally;
    member *members;
    int64_t *free_times;       /* the rows as they are */
    int64_t *tried_free_times; /* the rows with the candidate */
    unsigned char *joined;     /* [candidates] 1: it was admitted */
    uint32_t interval;         /* members for each row; a power of two */
    /* under limits: */
    vcs_lines lines;  /* the tasks that wait */
    uint32_t *placed; /* the tasks to place, by deadline */
} queue;

/* The queue of admission by chance, in the same memory. */
typedef struct chance_queue {
    vcs_chances chances;
    unsigned char *joined; /* [candidates] 1: it was admitted */
} chance_queue;

void vcs_admit_lay_out_chances(chance_queue *q, const vcs_counts *counts, vcs_arena *arena);

/* Lays the queue out for these counts; its size is vcs_admit_queue() of host/scratch.h. */
void vcs_admit_lay_out(queue *q, const vcs_counts *counts, vcs_arena *arena);

#endif

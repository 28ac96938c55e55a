/*
 * The work at hand as admission by chance sees it: what is due before a job, and which tasks wait behind it.
 *
 * Rules 15.5 and 15.7; the plain reference is tests/oracle/oracle_likely.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DEADLINE_CHANCES_H
#define VCS_DEADLINE_CHANCES_H

#include "vcsched/chance/hours.h"
#include "vcsched/host/prepared.h"

#include <stdbool.h>
#include <vcsched/chance.h>

/* A task at hand, or a candidate that has been admitted. Work is in seconds of one instance. */
typedef struct vcs_due_task {
    double deadline; /* -infinity: it runs, and nothing stops it */
    double work;
    double remaining; /* device seconds of its own */
    double before;    /* work due before its own */
    double margin; /* how much later it could finish, device seconds; +infinity = it runs on, or is too late anyway */
    double least;  /* least margin from here on */
    int64_t units;   /* that it uses */
    int64_t through; /* that it and all before it use together; counted no further beyond the capacity */
    uint32_t task; /* index of a task, or number of tasks + index of a candidate */
    uint32_t least_one; /* whose the least margin is, if it is finite */
} vcs_due_task;

/* A job that asks whether it may join. */
typedef struct vcs_chance_job {
    uint32_t resource;
    double remaining; /* device seconds */
    double spread;    /* of `remaining` */
    double deadline;  /* a time */
    int64_t units;    /* that it uses */
    uint32_t task;    /* number of tasks + index of the candidate; VCS_NONE = it is none */
} vcs_chance_job;

typedef struct vcs_chances {
    const vcs_state *state;
    vcs_due_task *tasks; /* resource by resource, then by deadline */
    uint32_t *first;     /* [resources + 1] where those of each resource begin */
    double *best;        /* [resources] greatest chance of the last jobs of all projects */
    vcs_hourly hourly;
} vcs_chances;

void vcs_chances_lay_out(vcs_chances *chances, const vcs_counts *counts, vcs_arena *arena);

/* Fills in the tasks at hand, in memory that was laid out for the state's counts. O(resources * tasks). */
void vcs_chances_begin(vcs_chances *chances, const vcs_state *state);

/* Uses what vcs_chances_begin() has left in the memory, and those who joined since. O(1). */
void vcs_chances_resume(vcs_chances *chances, const vcs_state *state);

/* The mean spells of the host until a job or task must end, `window` seconds from now. O(hours). */
static inline vcs_mean_spells vcs_chances_spells(const vcs_chances *chances, double window) {
    return vcs_spells_within(&chances->hourly, chances->state->now, window);
}

/* What decides on a job: vcs_admit_reason(). O(log(tasks)). */
vcs_admit_terms vcs_chances_terms(const vcs_chances *chances, const vcs_chance_job *job);

/* All the work at hand for a resource, in seconds of one instance. O(1). */
double vcs_chances_work(const vcs_chances *chances, uint32_t resource);

/* The task with the least margin of all due later than the job, as vcs_due_task.task; some must have a finite one.
   O(log(tasks)). */
uint32_t vcs_chances_least(const vcs_chances *chances, const vcs_chance_job *job);

/* Whether a task may run, now or when others are done. Others never compute, and nobody waits for them. */
bool vcs_chances_can_run(const vcs_state *state, const vcs_prepared_task *task);

/* Puts an admitted job among the tasks. O(tasks). */
void vcs_chances_join(vcs_chances *chances, const vcs_chance_job *job);

/* The job as the candidate of a state, at its estimate. */
vcs_chance_job vcs_chance_job_of(const vcs_state *state, const vcs_prepared_task *candidate);

/* The last job of a project on a resource, sent at the present moment; false if it is not known. */
bool vcs_chance_last_job(const vcs_state *state, size_t place, int64_t units, vcs_chance_job *job);

#endif

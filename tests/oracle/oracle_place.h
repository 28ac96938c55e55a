/*
 * The placing of tasks on instances that rules 4.4 and 4.5 share: one after the other in order of deadline, each on the
 * instances that are free first, never into a gap before a task that was placed earlier.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_PLACE_H
#define ORACLE_PLACE_H

#include "oracle/oracle_records.h"

/* How the placing of a task came out. */
typedef enum placing {
    PLACING_UNKNOWN, /* the horizon or the budget came first */
    PLACING_DONE,
    PLACING_STUCK, /* it needs more than there is */
} placing;

/* A task or candidate in the queue. */
typedef struct oracle_queued {
    const vcs_task *task;
    uint32_t index; /* in the snapshot's tasks, or its candidates */
    uint32_t turn;  /* 0: a task of the host; else a candidate, in order of admission */
    int64_t start;  /* microseconds from now, if placed */
    int64_t finish;
    placing placing;
    bool stuck; /* it needs more than there is, whatever else is placed */
} oracle_queued;

/* What a task books of one instance. */
typedef struct oracle_booking {
    int64_t start;
    int64_t end;
    int64_t units;
    bool is_share; /* of less than a CPU, by a GPU task */
    const vcs_task *task;
} oracle_booking;

/* The bookings of one instance in the order in which they were made. */
typedef struct oracle_instance {
    oracle_booking *bookings;
    uint32_t count;
} oracle_instance;

typedef struct oracle_plan {
    oracle_instance **instances; /* by resource, by instance */
    uint32_t resources;
    uint32_t *counts; /* instances of each resource */
    uint32_t placed;
    bool stopped; /* at the horizon or the budget */
} oracle_plan;

/* Sorts the queue by deadline, remaining run time and arrival, and places it from empty instances. */
oracle_plan oracle_place(const vcs_snapshot *snapshot, const vcs_parameters *parameters, oracle_queued *queue,
                         uint32_t count);
void oracle_plan_free(oracle_plan *plan);

/* The first moment at which an instance of the resource has enough free. */
int64_t oracle_plan_busy(const oracle_plan *plan, uint32_t resource);

#endif

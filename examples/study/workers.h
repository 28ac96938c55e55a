/*
 * Independent jobs, distributed over several processes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_WORKERS_H
#define STUDY_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#define MOST_WORKERS 256

struct workers {
    size_t count;       /* 1 ... MOST_WORKERS */
    size_t job_count;
    size_t result_size; /* at most 512 bytes, so that a pipe passes it on in one piece */
    void *context;

    /* Done by a worker: writes the result of a job. Returns 0, or anything else to give up. */
    int (*work)(void *context, size_t job, void *result);

    /* Called with each result, in the order of the jobs. */
    void (*accept)(void *context, size_t job, const void *result);
};

/* Returns 0, or -1 if a worker gave up or could not be started. */
int workers_run(const struct workers *workers);

/* How many processors are online, 1 to MOST_WORKERS. */
size_t workers_online(void);

/* Reads the value of an option: a whole number from 1 to `most`. Returns false if it is none. */
bool workers_read_count(const char *text, long most, size_t *count);

#endif

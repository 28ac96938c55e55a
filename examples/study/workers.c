/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RESULT 512

/* A worker does every n-th job, so that the slow points are spread over all of them. */
static int work(const struct workers *workers, size_t first, int out) {
    char result[MOST_RESULT];
    for (size_t job = first; job < workers->job_count; job += workers->count) {
        if (workers->work(workers->context, job, result) != 0 ||
            write(out, result, workers->result_size) != (ssize_t)workers->result_size) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

/* Starts a worker. Returns the end of the pipe on which its results arrive, or -1. */
static int start(const struct workers *workers, size_t number) {
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(work(workers, number, ends[1]));
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return -1;
    }
    return ends[0];
}

static int read_fully(int from, char *to, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t more = read(from, to + got, size - got);
        if (more <= 0) {
            return -1;
        }
        got += (size_t)more;
    }
    return 0;
}

static int accept_results(const struct workers *workers, const int *ends) {
    char result[MOST_RESULT];
    for (size_t job = 0; job < workers->job_count; job++) {
        if (read_fully(ends[job % workers->count], result, workers->result_size) != 0) {
            return -1;
        }
        workers->accept(workers->context, job, result);
    }
    return 0;
}

int workers_run(const struct workers *workers) {
    int ends[MOST_WORKERS];
    size_t started = 0;
    fflush(NULL); /* or each worker would write the buffered output again */
    while (started < workers->count && (ends[started] = start(workers, started)) >= 0) {
        started++;
    }
    int code = started == workers->count ? accept_results(workers, ends) : -1;
    if (started < workers->count) {
        perror("starting a worker");
    }
    for (size_t i = 0; i < started; i++) {
        close(ends[i]);
    }
    while (wait(NULL) > 0) {
    }
    return code;
}

size_t workers_online(void) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > MOST_WORKERS ? MOST_WORKERS : (size_t)online;
}

bool workers_read_count(const char *text, long most, size_t *count) {
    char *end;
    const long number = strtol(text, &end, 10);
    *count = (size_t)number;
    return *text != '\0' && *end == '\0' && number >= 1 && number <= most;
}

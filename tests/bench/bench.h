/*
 * What the programs that measure share: the time, random numbers, and stopping where a figure would mean nothing.
 * Included before all others.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef BENCH_H
#define BENCH_H

#define _POSIX_C_SOURCE 200809L

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vcsched/abi.h>

/* Time of this process, so that others on the machine disturb it little. */
static inline double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- Random numbers: splitmix64, the same on every machine; `stream` is where they begin ---- */

static inline uint64_t draw_bits(uint64_t *stream) {
    uint64_t z = *stream += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 ... count - 1 */
static inline uint32_t draw_below(uint64_t *stream, uint32_t count) {
    return (uint32_t)(draw_bits(stream) % count);
}

static inline double draw(uint64_t *stream, double least, double greatest) {
    return least + (greatest - least) * ((double)(draw_bits(stream) >> 11) * 0x1p-53);
}

/* ---- Stopping ---- */

static inline void must(int code, const char *what) {
    if (code != VCS_OK) {
        fprintf(stderr, "%s: %s\n", what, vcs_strerror(code));
        exit(2);
    }
}

/*
 * Zeroes. Each page is written to, so that the system does not hand it out while time is taken. Never of 0 bytes, for
 * which NULL would be an answer.
 */
static inline void *must_allocate(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    volatile unsigned char *bytes = memory;
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    for (size_t i = 0; i < count * size; i += 4096) {
        bytes[i] = 0;
    }
    return memory;
}

/* ---- The yardstick ---- */

/* Each figure is the least of at least this many runs, and of more until they have lasted this long, ns. */
#define LEAST_RUNS 15
#define LEAST_TIME 0.3e9

static inline int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How long a qsort() of this many random doubles takes, ns. */
static inline double time_qsort(uint32_t count, uint64_t *stream) {
    double *drawn = must_allocate(count, sizeof(double)), *sorted = must_allocate(count, sizeof(double));
    double least = 1e300;
    for (uint32_t i = 0; i < count; i++) {
        drawn[i] = draw(stream, 0, 1);
    }
    const double begin = nanoseconds();
    for (int run = 0; run < LEAST_RUNS || nanoseconds() - begin < LEAST_TIME; run++) {
        memcpy(sorted, drawn, sizeof(double) * count);
        double start = nanoseconds();
        qsort(sorted, count, sizeof(double), compare_doubles);
        double took = nanoseconds() - start;
        least = took < least ? took : least;
    }
    free(drawn);
    free(sorted);
    return least;
}

#endif

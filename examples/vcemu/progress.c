/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_DRAWING_S 0.5
#define BETWEEN_DRAWINGS_S 0.1
#define BAR_CELLS 30

static double monotonic_seconds(void) {
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_start(struct progress *progress, const char *what) {
    *progress = (struct progress){
        .what = what,
        .next_look = monotonic_seconds() + FIRST_DRAWING_S,
        .terminal = isatty(STDERR_FILENO) == 1,
    };
}

static void draw(const struct progress *progress, uint64_t done, uint64_t total) {
    if (total == 0) {
        fprintf(stderr, "\r%s: %.1f MB", progress->what, 1e-6 * (double)done);
        return;
    }
    double fraction = done < total ? (double)done / (double)total : 1;
    int full = (int)(BAR_CELLS * fraction);
    fprintf(stderr, "\r%s [", progress->what);
    for (int i = 0; i < BAR_CELLS; i++) {
        fputc(i < full ? '#' : '.', stderr);
    }
    fprintf(stderr, "] %3.0f %%", 100 * fraction);
}

void progress_step(struct progress *progress, uint64_t done, uint64_t total) {
    if (!progress->terminal) {
        return;
    }
    double now = monotonic_seconds();
    if (now >= progress->next_look) {
        progress->next_look = now + BETWEEN_DRAWINGS_S;
        progress->drawn = true;
        draw(progress, done, total);
    }
}

void progress_end(struct progress *progress) {
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        progress->drawn = false;
    }
}

/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "text/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BETWEEN_DRAWINGS_S 0.1
#define BAR_CELLS 30
#define MOST_SECONDS_SHOWN 3.6e6 /* 1000 hours */

static double monotonic_seconds(void) {
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_start(struct progress *progress, const char *what, double first_after) {
    const double now = monotonic_seconds();
    *progress = (struct progress){
        .what = what,
        .started = now,
        .next_look = now + first_after,
        .terminal = isatty(STDERR_FILENO) == 1,
    };
}

/* How long the rest takes at the present rate. Says nothing before anything is done. */
static void draw_time_left(const struct progress *progress, double now, uint64_t done, uint64_t total) {
    if (done <= progress->before || done >= total) {
        return;
    }
    const double seconds = (now - progress->started) * (double)(total - done) / (double)(done - progress->before);
    if (seconds < MOST_SECONDS_SHOWN) {
        const unsigned whole = (unsigned)seconds;
        fprintf(stderr, ", %u:%02u:%02u left", whole / 3600, whole / 60 % 60, whole % 60);
    }
}

static void draw(const struct progress *progress, double now, uint64_t done, uint64_t total) {
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
    draw_time_left(progress, now, done, total);
    fputs("\033[K", stderr); /* the rest of a longer previous bar */
}

void progress_step(struct progress *progress, uint64_t done, uint64_t total) {
    if (!progress->terminal) {
        return;
    }
    if (!progress->stepped) {
        progress->stepped = true;
        progress->before = done;
    }
    double now = monotonic_seconds();
    if (now >= progress->next_look) {
        progress->next_look = now + BETWEEN_DRAWINGS_S;
        progress->drawn = true;
        draw(progress, now, done, total);
    }
}

void progress_end(struct progress *progress) {
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        progress->drawn = false;
    }
}

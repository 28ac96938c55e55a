/*
 * A progress bar on the standard error output. It shows nothing unless that is a terminal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TEXT_PROGRESS_H
#define VCEMU_TEXT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what; /* such as "reading state.ini" */
    double started;   /* when it began, s of the monotonic clock */
    double next_look; /* when to draw next */
    uint64_t before;  /* what was done before that */
    bool terminal;    /* is there anybody to show it to? */
    bool stepped;     /* has there been a step? */
    bool drawn;       /* is there a bar to wipe away? */
};

/* When to draw first: work that usually takes long shows its bar immediately, other work only if it turns out long. */
#define PROGRESS_AT_ONCE 0.0
#define PROGRESS_IF_LONG 0.5

/* `first_after` is the time until the first drawing, s. */
void progress_start(struct progress *progress, const char *what, double first_after);

/*
 * `done` of `total` is finished; a total of 0 is not known. Draws at most ten times a second.
 * The first step says what was done before the start: the remaining time is estimated from what follows it.
 */
void progress_step(struct progress *progress, uint64_t done, uint64_t total);

/* Wipes the bar away. */
void progress_end(struct progress *progress);

#endif

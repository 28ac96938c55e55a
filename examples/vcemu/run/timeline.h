/*
 * The course of an emulation as a page for a browser: one HTML file that needs nothing else.
 *
 * Open it, pass it each event that the emulation reports (it keeps none of them), and close it. The page itself is
 * timeline.html; its data are written into it as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TIMELINE_H
#define VCEMU_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <vcemu/emulator.h>

#include "vcemu/scenario/text/fault.h"

enum timeline_named { TIMELINE_RESOURCE, TIMELINE_PROJECT, TIMELINE_TASK };

/* What is emulated, and what its parts are called. */
struct timeline_about {
    const char *title;                /* UTF-8, as all names */
    const vcs_scenario *scenario;     /* as vcs_emulate() takes it */
    const vcs_parameters *parameters; /* likewise */
    /* The name of the resource, project, or initial task of this index in the scenario. */
    const char *(*name)(const void *context, enum timeline_named kind, uint32_t index);
    const void *context; /* passed to it */
};

struct timeline {
    FILE *out;
    const char *path; /* the caller's */
    double start;     /* of the emulation; times in the page count from it */
    bool empty;       /* no event has been written */
    int problem;      /* errno of the first failure, or 0 */
};

/*
 * Begins the page `path`, in place of what the file contained. If it cannot be written, returns false and describes
 * why; nothing is to be closed then.
 */
bool timeline_open(struct timeline *timeline, const char *path, const struct timeline_about *about,
                   struct fault *fault);

/* Adds an event, in order of time. Returns false if the file cannot be written; timeline_close() will say why. */
bool timeline_event(struct timeline *timeline, const vcs_event *event);

/*
 * Ends the page, with the figures of merit; NULL if there are none, since the emulation failed. If not all of it could
 * be written, returns false and describes why.
 */
bool timeline_close(struct timeline *timeline, const vcs_outcome *outcome, struct fault *fault);

#endif

/*
 * The course of an emulation as a page for a browser: one HTML file that needs nothing else.
 *
 * Open it, pass each event as the emulation reports it (none is kept), and close it. The page is timeline.html with its
 * data as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_RUN_TIMELINE_H
#define VCEMU_RUN_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <vcemu/emulator.h>

#include "vcemu/scenario/text/fault.h"

enum timeline_named { TIMELINE_RESOURCE, TIMELINE_PROJECT, TIMELINE_TASK };

/* The scenario, and the names of its parts. */
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
    double start;     /* start of the emulation, 0 on the page */
    bool empty;       /* no event has been written */
    int problem;      /* errno of the first failure, or 0 */
};

/*
 * Begins the page in the file `path`, replacing the file. Returns false with a fault if it cannot be written; do not
 * close it then.
 */
bool timeline_open(struct timeline *timeline, const char *path, const struct timeline_about *about,
                   struct fault *fault);

/* Adds an event, in order of time. Returns false if the file cannot be written; timeline_close() will say why. */
bool timeline_event(struct timeline *timeline, const vcs_event *event);

/*
 * Ends the page with the figures of merit, or NULL if the emulation failed. Returns false with a fault unless the whole
 * page was written.
 */
bool timeline_close(struct timeline *timeline, const vcs_outcome *outcome, struct fault *fault);

#endif

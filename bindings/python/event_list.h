/*
 * The events of an emulation, kept as they come: without Python, so that its lock stays released.
 *
 * cffi reads the declarations here too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_PYTHON_EVENT_LIST_H
#define VCSCHED_PYTHON_EVENT_LIST_H

#include <stddef.h>

#include <vcemu/grid.h>

/* What the functions that an emulation calls back need. Zero it; event_list_free() in the end. */
typedef struct run_context {
    void *python;    /* the handle of the object whose methods are called; NULL = none */
    char *events;    /* vcs_event, or in a grid vcs_grid_event */
    size_t count;    /* events kept */
    size_t capacity; /* events for which there is memory */
} run_context;

/* For vcs_hooks.observe: keeps an event in the run_context. VCS_OK or VCS_ERR_MEMORY. */
int event_list_add(void *context, const vcs_event *event);

/* The same for vcs_grid_hooks.observe. */
int event_list_add_of_grid(void *context, const vcs_grid_event *event);

void event_list_free(run_context *context);

#endif

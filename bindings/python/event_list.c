/* SPDX-License-Identifier: MIT */
#include "event_list.h"

#include <stdlib.h>
#include <string.h>

static int add(run_context *list, const void *event, size_t size) {
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity + list->capacity / 2 + 256;
        if (capacity > SIZE_MAX / size) {
            return VCS_ERR_MEMORY;
        }
        char *larger = realloc(list->events, capacity * size);
        if (larger == NULL) {
            return VCS_ERR_MEMORY;
        }
        list->events = larger;
        list->capacity = capacity;
    }
    memcpy(list->events + list->count++ * size, event, size);
    return VCS_OK;
}

int event_list_add(void *context, const vcs_event *event) {
    return add(context, event, sizeof *event);
}

int event_list_add_of_grid(void *context, const vcs_grid_event *event) {
    return add(context, event, sizeof *event);
}

void event_list_free(run_context *context) {
    free(context->events);
    context->events = NULL;
    context->count = context->capacity = 0;
}

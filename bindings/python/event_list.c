/* SPDX-License-Identifier: MIT */
#include "event_list.h"

#include <stdlib.h>

int event_list_add(void *context, const vcs_event *event) {
    run_context *list = context;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity + list->capacity / 2 + 256;
        if (capacity > SIZE_MAX / sizeof *list->events) {
            return VCS_ERR_MEMORY;
        }
        vcs_event *larger = realloc(list->events, capacity * sizeof *larger);
        if (larger == NULL) {
            return VCS_ERR_MEMORY;
        }
        list->events = larger;
        list->capacity = capacity;
    }
    list->events[list->count++] = *event;
    return VCS_OK;
}

void event_list_free(run_context *context) {
    free(context->events);
    context->events = NULL;
    context->count = context->capacity = 0;
}

/* SPDX-License-Identifier: MIT */
#include "event_list.h"

#include <stdlib.h>

int event_list_add(void *context, const vcs_event *event) {
    run_context *list = context;
    if (list->count == list->room) {
        const size_t room = list->room + list->room / 2 + 256;
        if (room > SIZE_MAX / sizeof *list->events) {
            return VCS_ERR_MEMORY;
        }
        vcs_event *larger = realloc(list->events, room * sizeof *larger);
        if (larger == NULL) {
            return VCS_ERR_MEMORY;
        }
        list->events = larger;
        list->room = room;
    }
    list->events[list->count++] = *event;
    return VCS_OK;
}

void event_list_free(run_context *context) {
    free(context->events);
    context->events = NULL;
    context->count = context->room = 0;
}

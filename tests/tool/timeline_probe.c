/*
 * Writes a timeline of a few events and awkward names, for test_timeline.py.
 *
 *     timeline_probe PAGE.html
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "run/timeline.h"

#define START 1e9

static const char *name_of(const void *context, enum timeline_named kind, uint32_t index) {
    (void)index;
    switch (kind) {
    case TIMELINE_RESOURCE:
        return "CPU";
    case TIMELINE_PROJECT:
        return "\xc5\xa0koda </script><!-- & \"a\" \\ \x01 \xff";
    default:
        return context;
    }
}

static const vcs_event events[] = {
    {.time = START, .kind = VCS_EVENT_RECEIVED, .task = 8, .track = VCS_NONE, .amount = 4e12, .deadline = START + 80},
    {.time = START, .kind = VCS_EVENT_STARTED, .task = 7, .amount = 2.5, .deadline = START + 50},
    {.time = START + 10.5, .kind = VCS_EVENT_OFF, .project = VCS_NONE, .resource = VCS_NONE, .track = VCS_NONE},
    {.time = START + 20, .kind = VCS_EVENT_ON, .project = VCS_NONE, .resource = VCS_NONE, .track = VCS_NONE},
    {.time = START + 60, .kind = VCS_EVENT_ENDED, .task = 7, .deadline = START + 50},
    {.time = START + 60, .kind = VCS_EVENT_CALLED, .resource = VCS_NONE, .track = VCS_NONE, .amount = 0.25},
    {.time = START + 60, .kind = VCS_EVENT_LATE, .task = 7, .track = VCS_NONE, .amount = 3, .deadline = START + 50},
    {.time = START + 61, .kind = VCS_EVENT_FAILED, .resource = VCS_NONE, .track = VCS_NONE},
    {.time = START + 61, .kind = VCS_EVENT_FORECAST, .project = VCS_NONE, .track = VCS_NONE, .amount = INFINITY},
    {.time = START + 61, .kind = VCS_EVENT_GIVEN_UP, .task = 8, .track = 1, .deadline = START + 80},
    {.time = START + 61,
     .kind = VCS_EVENT_IDLE,
     .project = VCS_NONE,
     .track = VCS_NONE,
     .amount = 2,
     .reason = VCS_IDLE_BACKED_OFF},
};

static bool write_page(const char *path, const struct timeline_about *about, struct fault *fault) {
    struct timeline timeline;
    if (!timeline_open(&timeline, path, about, fault)) {
        return false;
    }
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        timeline_event(&timeline, &events[i]);
    }
    const vcs_outcome outcome = {
        .flags = VCS_UNDEFINED_RPCS, .waste = 0.25, .idleness = 0.125, .late = 1, .available_time = 90.5};
    return timeline_close(&timeline, &outcome, fault);
}

int main(int argument_count, char *arguments[]) {
    if (argument_count != 2) {
        return 2;
    }
    const vcs_resource cpu = {.id = 1, .instances = 3, .flops = 2e9};
    const vcs_project project = {.id = 1, .share = 100};
    const vcs_task task = {.id = 7};
    const vcs_emulation emulation = {.start = START, .duration = 100, .seed = UINT64_MAX};
    const vcs_parameters parameters = {.profile = VCS_PROFILE_STUDY2007, .min_buffer = 30, .additional_buffer = 12};
    const vcs_scenario scenario = {
        .snapshot = {.resources = {{&cpu}, sizeof cpu, 1},
                     .projects = {{&project}, sizeof project, 1},
                     .tasks = {{&task}, sizeof task, 1}},
        .emulation = {{&emulation}, sizeof emulation, 1},
    };
    const struct timeline_about about = {"a <b> & \"c\"", &scenario, &parameters, name_of, "the first"};
    struct fault fault;
    if (!write_page(arguments[1], &about, &fault)) {
        puts(fault.message);
        return 1;
    }
    return 0;
}

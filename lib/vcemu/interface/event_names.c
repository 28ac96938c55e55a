/*
 * What events and idle processors are called.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcemu/grid.h>

static const char host_events[VCS_EVENT_KINDS][12] = {
    [VCS_EVENT_ON] = "on",
    [VCS_EVENT_OFF] = "off",
    [VCS_EVENT_RECEIVED] = "received",
    [VCS_EVENT_STARTED] = "started",
    [VCS_EVENT_STOPPED] = "stopped",
    [VCS_EVENT_ENDED] = "ended",
    [VCS_EVENT_REPORTED] = "reported",
    [VCS_EVENT_LATE] = "late",
    [VCS_EVENT_CALLED] = "called",
    [VCS_EVENT_FAILED] = "failed",
    [VCS_EVENT_FORECAST] = "forecast",
    [VCS_EVENT_MASTER] = "master",
    [VCS_EVENT_NO_MASTER] = "no_master",
    [VCS_EVENT_IDLE] = "idle",
    [VCS_EVENT_ABORTED] = "aborted",
    [VCS_EVENT_GIVEN_UP] = "given_up",
};

/* The events of servers, from VCS_GRID_EVENT_UNIT on. */
static const char server_events[][12] = {
    [VCS_GRID_EVENT_UNIT - VCS_GRID_EVENT_UNIT] = "unit",
    [VCS_GRID_EVENT_SENT - VCS_GRID_EVENT_UNIT] = "sent",
    [VCS_GRID_EVENT_REPORTED - VCS_GRID_EVENT_UNIT] = "returned",
    [VCS_GRID_EVENT_NO_REPLY - VCS_GRID_EVENT_UNIT] = "no_reply",
    [VCS_GRID_EVENT_ACCEPTED - VCS_GRID_EVENT_UNIT] = "accepted",
    [VCS_GRID_EVENT_FAILED - VCS_GRID_EVENT_UNIT] = "unit_failed",
    [VCS_GRID_EVENT_CAUGHT - VCS_GRID_EVENT_UNIT] = "caught",
    [VCS_GRID_EVENT_JOINED - VCS_GRID_EVENT_UNIT] = "joined",
    [VCS_GRID_EVENT_LEFT - VCS_GRID_EVENT_UNIT] = "left",
};

static const struct idle_words {
    char name[16];
    char sentence[56];
} idle_reasons[VCS_IDLE_REASONS] = {
    [VCS_IDLE_NONE] = {"none", "Nothing is idle."},
    [VCS_IDLE_UNFIT] = {"unfit", "The waiting tasks do not fit into what is free."},
    [VCS_IDLE_LIMIT] = {"limit", "Limits, memory, exclusions or a reserve forbid more."},
    [VCS_IDLE_HELD] = {"held", "The waiting tasks are suspended or not ready."},
    [VCS_IDLE_BACKED_OFF] = {"backed_off", "No task, and projects are deferred or backed off."},
    [VCS_IDLE_DISCONNECTED] = {"disconnected", "No task, and the host is not connected."},
    [VCS_IDLE_NO_WORK] = {"no_work", "No task, and no project has work for it."},
    [VCS_IDLE_UNEXPLAINED] = {"unexplained", "The policy's fault: a task fits, or work is to be had."},
    [VCS_IDLE_SERVER_LIMIT] = {"server_limit", "No task, and as many jobs as a server allows."},
};

const char *vcs_event_name(uint32_t kind) {
    const uint32_t of_server = kind - VCS_GRID_EVENT_UNIT;
    if (kind < VCS_EVENT_KINDS) {
        return host_events[kind];
    }
    return of_server < sizeof server_events / sizeof *server_events ? server_events[of_server] : "";
}

const char *vcs_idle_name(uint32_t reason) {
    return reason < VCS_IDLE_REASONS ? idle_reasons[reason].name : "";
}

const char *vcs_idle_sentence(uint32_t reason) {
    return reason < VCS_IDLE_REASONS ? idle_reasons[reason].sentence : "";
}

/* SPDX-License-Identifier: MIT */
#include "emulator/notify.h"

static const char event_names[VCS_EVENT_KINDS][12] = {
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
    [VCS_EVENT_NO_MASTER] = "no master",
};

const char *vcs_event_name(uint32_t kind) {
    return kind < VCS_EVENT_KINDS ? event_names[kind] : "";
}

int vcs_emu_pass_event(const vcs_emu_clock *clock, vcs_event *event) {
    const vcs_hooks *hooks = &clock->setup->hooks;
    event->time = clock->now;
    return vcs_emu_hook_result(clock->setup, hooks->observe(hooks->context, event), "observe");
}

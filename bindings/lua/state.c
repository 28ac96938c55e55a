/* SPDX-License-Identifier: MIT */
#include "state.h"

/* The arguments by name, and where prepare() has them on the stack: the table is at 1. */
enum { AT_NOW = 2, AT_HOST, AT_CANDIDATES = AT_HOST + STATE_RECORDS, AT_PARAMETERS };

static const char *const names[] = {"now", RECORDS_OF_SNAPSHOT, "candidates", "parameters"};

vcs_snapshot state_take_view(call *c, int first, storage *host) {
    vcs_snapshot snapshot = {.struct_size = sizeof snapshot};
    snapshot.host.base = call_struct(c, first, "host", VCS_TYPE_HOST, host);
    snapshot.host.element_size = struct_size_of(c, VCS_TYPE_HOST);
    snapshot.host.count = 1;
    snapshot.resources = call_array(c, first + 1, "resources", VCS_TYPE_RESOURCE);
    snapshot.projects = call_array(c, first + 2, "projects", VCS_TYPE_PROJECT);
    snapshot.project_resources = call_array(c, first + 3, "project_resources", VCS_TYPE_PROJECT_RESOURCE);
    snapshot.apps = call_array(c, first + 4, "apps", VCS_TYPE_APP);
    snapshot.app_resources = call_array(c, first + 5, "app_resources", VCS_TYPE_APP_RESOURCE);
    snapshot.hours = call_array(c, first + 6, "hours", VCS_TYPE_HOUR);
    snapshot.tasks = call_array(c, first + 7, "tasks", VCS_TYPE_TASK);
    return snapshot;
}

void state_show(prepared *self, const vcs_snapshot *snapshot, vcs_state *state) {
    self->state = state;
    self->tasks = snapshot->tasks.count;
    self->resources = snapshot->resources.count;
    self->project_resources = snapshot->projects.count * snapshot->resources.count;
}

prepared *state_push(lua_State *L, const vcs_snapshot *snapshot, size_t size, int metatable) {
    const size_t head = (sizeof(prepared) + 7) / 8 * 8;
    prepared *made = lua_newuserdata(L, head + size);
    state_show(made, snapshot, (vcs_state *)((char *)made + head));
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    return made;
}

int state_prepare(lua_State *L) {
    storage host_storage, parameters_storage;
    call c = call_begin(L, "prepare", 1);
    call_spread(&c, 1, "arguments", names, sizeof names / sizeof *names, 1);
    const double now = call_number(&c, AT_NOW, "now");
    vcs_snapshot snapshot = state_take_view(&c, AT_HOST, &host_storage);
    snapshot.candidates = call_array(&c, AT_CANDIDATES, "candidates", VCS_TYPE_TASK);
    const vcs_parameters *parameters =
        call_struct(&c, AT_PARAMETERS, "parameters", VCS_TYPE_PARAMETERS, &parameters_storage);
    if (c.refused) {
        return call_refused(&c);
    }
    vcs_error error = call_error();
    size_t size = 0;
    if (vcs_state_size(&snapshot, &size) != VCS_OK) {
        size = 8; /* vcs_state_prepare() refuses the same, and says what */
    }
    prepared *made = state_push(L, &snapshot, size, lua_upvalueindex(2));
    const int code = vcs_state_prepare(&snapshot, parameters, now, made->state, size, &made->state, &error);
    return code == VCS_OK ? 1 : call_failed(&c, code, &error);
}

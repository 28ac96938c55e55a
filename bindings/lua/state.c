/* SPDX-License-Identifier: MIT */
#include "state.h"

/* The arguments by name, and where prepare() has them on the stack: the table is at 1. */
enum { AT_NOW = 2, AT_HOST, AT_RESOURCES, AT_PROJECTS, AT_PAIRS, AT_APPS, AT_TASKS, AT_CANDIDATES, AT_PARAMETERS };

static const char *const names[] = {"now",  "host",  "resources",  "projects", "pairs",
                                    "apps", "tasks", "candidates", "parameters"};

static vcs_array take_list(call *c, int position, uint32_t type) {
    return call_as_array(call_array(c, position, names[position - 2], type));
}

static vcs_view take_view(call *c, room *host) {
    vcs_view view = {.struct_size = sizeof view};
    view.host.base = call_struct(c, AT_HOST, "host", VCS_TYPE_HOST, host);
    view.host.element_size = struct_size_of(c, VCS_TYPE_HOST);
    view.host.count = 1;
    view.resources = take_list(c, AT_RESOURCES, VCS_TYPE_RESOURCE);
    view.projects = take_list(c, AT_PROJECTS, VCS_TYPE_PROJECT);
    view.pairs = take_list(c, AT_PAIRS, VCS_TYPE_PAIR);
    view.apps = take_list(c, AT_APPS, VCS_TYPE_APP);
    view.tasks = take_list(c, AT_TASKS, VCS_TYPE_TASK);
    view.candidates = take_list(c, AT_CANDIDATES, VCS_TYPE_TASK);
    return view;
}

/* A userdata with the state behind what is said of it. */
static prepared *push_state(lua_State *L, const vcs_view *view, size_t size) {
    const size_t head = (sizeof(prepared) + 7) / 8 * 8;
    prepared *made = lua_newuserdata(L, head + size);
    made->state = (vcs_state *)((char *)made + head);
    made->tasks = view->tasks.count;
    made->resources = view->resources.count;
    made->pairs = view->projects.count * view->resources.count;
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_setmetatable(L, -2);
    return made;
}

int state_prepare(lua_State *L) {
    room host_room, parameters_room;
    call c = call_begin(L, "prepare", 1);
    call_spread(&c, names, sizeof names / sizeof *names, 1);
    const double now = call_number(&c, AT_NOW, "now");
    const vcs_view view = take_view(&c, &host_room);
    const vcs_parameters *parameters =
        call_struct(&c, AT_PARAMETERS, "parameters", VCS_TYPE_PARAMETERS, &parameters_room);
    if (c.refused) {
        return call_refused(&c);
    }
    vcs_error error = call_error();
    size_t size = 0;
    int code = vcs_state_size(&view, &size);
    if (code != VCS_OK) {
        return call_failed(&c, code, NULL);
    }
    prepared *made = push_state(L, &view, size);
    code = vcs_state_prepare(&view, parameters, now, made->state, size, &made->state, &error);
    return code == VCS_OK ? 1 : call_failed(&c, code, &error);
}

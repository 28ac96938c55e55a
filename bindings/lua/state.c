/* SPDX-License-Identifier: MIT */
#include "state.h"

/* The arguments by name, and where prepare() has them on the stack: the table is at 1. */
enum { AT_NOW = 2, AT_HOST, AT_CANDIDATES = AT_HOST + 6, AT_PARAMETERS };

static const char *const names[] = {"now", RECORDS_OF_VIEW, "candidates", "parameters"};

vcs_view state_take_view(call *c, int first, room *host) {
    vcs_view view = {.struct_size = sizeof view};
    view.host.base = call_struct(c, first, "host", VCS_TYPE_HOST, host);
    view.host.element_size = struct_size_of(c, VCS_TYPE_HOST);
    view.host.count = 1;
    view.resources = call_as_array(call_array(c, first + 1, "resources", VCS_TYPE_RESOURCE));
    view.projects = call_as_array(call_array(c, first + 2, "projects", VCS_TYPE_PROJECT));
    view.pairs = call_as_array(call_array(c, first + 3, "pairs", VCS_TYPE_PAIR));
    view.apps = call_as_array(call_array(c, first + 4, "apps", VCS_TYPE_APP));
    view.tasks = call_as_array(call_array(c, first + 5, "tasks", VCS_TYPE_TASK));
    return view;
}

prepared *state_push(lua_State *L, const vcs_view *view, size_t size, int metatable) {
    const size_t head = (sizeof(prepared) + 7) / 8 * 8;
    prepared *made = lua_newuserdata(L, head + size);
    made->state = (vcs_state *)((char *)made + head);
    made->tasks = view->tasks.count;
    made->resources = view->resources.count;
    made->pairs = view->projects.count * view->resources.count;
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    return made;
}

int state_prepare(lua_State *L) {
    room host_room, parameters_room;
    call c = call_begin(L, "prepare", 1);
    call_spread(&c, 1, "arguments", names, sizeof names / sizeof *names, 1);
    const double now = call_number(&c, AT_NOW, "now");
    vcs_view view = state_take_view(&c, AT_HOST, &host_room);
    view.candidates = call_as_array(call_array(&c, AT_CANDIDATES, "candidates", VCS_TYPE_TASK));
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
    prepared *made = state_push(L, &view, size, lua_upvalueindex(2));
    code = vcs_state_prepare(&view, parameters, now, made->state, size, &made->state, &error);
    return code == VCS_OK ? 1 : call_failed(&c, code, &error);
}

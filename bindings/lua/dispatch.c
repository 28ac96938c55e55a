/* SPDX-License-Identifier: MIT */
#include "dispatch.h"

/* The arguments by name, and where dispatch() has them on the stack: the table is at 1. */
enum { AT_CLIENTS = 2, AT_JOBS, AT_RULES, AT_MOST_CLIENTS, AT_MOST_JOBS };

static const char *const names[] = {"clients", "jobs", "rules", "max_clients", "max_jobs"};

/* Capacity for as many as there are, unless more is asked for. */
static uint32_t take_most(call *c, int position, uint32_t count) {
    return c->refused || lua_istable(c->L, position) ? count : call_u32(c, position, names[position - 2]);
}

/* Rules as the library has them, and what the table at `position` changes about them. */
static const vcs_dispatch_rules *take_rules(call *c, int position, storage *memory) {
    const uint32_t size = struct_size_of(c, VCS_TYPE_DISPATCH_RULES);
    vcs_dispatch_rules *rules = call_new_struct(c, VCS_TYPE_DISPATCH_RULES, memory);
    vcs_dispatch_rules_init(rules, size);
    return call_changed_struct(c, position, "rules", VCS_TYPE_DISPATCH_RULES, rules);
}

/* A userdata with the index behind what is said of it. */
static indexed *push_index(lua_State *L, size_t size) {
    const size_t head = (sizeof(indexed) + 7) / 8 * 8;
    indexed *made = lua_newuserdata(L, head + size);
    made->index = (vcs_dispatch *)((char *)made + head);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_setmetatable(L, -2);
    return made;
}

int dispatch_build(lua_State *L) {
    storage rules_storage;
    call c = call_begin(L, "dispatch", 1);
    call_spread(&c, 1, "arguments", names, sizeof names / sizeof *names, 0);
    const vcs_array clients = call_array(&c, AT_CLIENTS, "clients", VCS_TYPE_CLIENT);
    const vcs_array jobs = call_array(&c, AT_JOBS, "jobs", VCS_TYPE_DISPATCH_JOB);
    const vcs_dispatch_rules *rules = take_rules(&c, AT_RULES, &rules_storage);
    const uint32_t max_clients = take_most(&c, AT_MOST_CLIENTS, clients.count);
    const uint32_t max_jobs = take_most(&c, AT_MOST_JOBS, jobs.count);
    if (c.refused) {
        return call_refused(&c);
    }
    vcs_error error = call_error();
    size_t size = 0;
    int code = vcs_dispatch_size(max_clients, max_jobs, &size);
    if (code != VCS_OK) {
        return call_failed(&c, code, NULL);
    }
    indexed *made = push_index(L, size);
    code = vcs_dispatch_build(made->index, size, &clients, &jobs, rules, max_clients, max_jobs, &error);
    return code == VCS_OK ? 1 : call_failed(&c, code, &error);
}

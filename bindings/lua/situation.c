/* SPDX-License-Identifier: MIT */
#include "situation.h"

#include "state.h"

#include <stddef.h>
#include <string.h>

#define STATE_METATABLE lua_upvalueindex(4)

/* ---- Its fields ---- */

static void push_record(lua_State *L, uint32_t type, const void *bytes, uint32_t size) {
    const typed *made = record_push(L, layout_of(layouts_of(L), type));
    copy_records(made->base, made->structure->size, bytes, size, 1);
}

static void push_array(lua_State *L, uint32_t type, const vcs_array *records) {
    const typed *made = array_push(L, layout_of(layouts_of(L), type), records->count);
    copy_records(made->base, made->structure->size, records->base, records->element_size, records->count);
}

static void push_state(lua_State *L, situation *self) {
    self->state = state_push(L, self->seen->snapshot, 0, STATE_METATABLE);
    self->state->state = self->seen->state;
}

/* The arrays of a snapshot by name. */
static const struct {
    char name[24];
    uint32_t type;
    size_t offset;
} arrays[] = {
    {"resources", VCS_TYPE_RESOURCE, offsetof(vcs_snapshot, resources)},
    {"projects", VCS_TYPE_PROJECT, offsetof(vcs_snapshot, projects)},
    {"project_resources", VCS_TYPE_PROJECT_RESOURCE, offsetof(vcs_snapshot, project_resources)},
    {"apps", VCS_TYPE_APP, offsetof(vcs_snapshot, apps)},
    {"tasks", VCS_TYPE_TASK, offsetof(vcs_snapshot, tasks)},
    {"candidates", VCS_TYPE_TASK, offsetof(vcs_snapshot, candidates)},
};

static int push_array_called(lua_State *L, const vcs_snapshot *snapshot, const char *name) {
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (strcmp(arrays[i].name, name) == 0) {
            push_array(L, arrays[i].type, (const vcs_array *)((const char *)snapshot + arrays[i].offset));
            return 1;
        }
    }
    return 0;
}

static void push_field_called(lua_State *L, situation *self, const char *name) {
    const vcs_situation *seen = self->seen;
    if (strcmp(name, "now") == 0) {
        lua_pushnumber(L, seen->now);
    } else if (strcmp(name, "seed") == 0) {
        push_u64(L, seen->seed);
    } else if (strcmp(name, "state") == 0) {
        push_state(L, self);
    } else if (strcmp(name, "parameters") == 0) {
        push_record(L, VCS_TYPE_PARAMETERS, seen->parameters, seen->parameters->struct_size);
    } else if (strcmp(name, "host") == 0) {
        push_record(L, VCS_TYPE_HOST, seen->snapshot->host.base, seen->snapshot->host.element_size);
    } else if (!push_array_called(L, seen->snapshot, name)) {
        luaL_error(L, "a situation has no field called '%s'", name);
    }
}

/* situation.name: what was looked at before, or else it is made now */
static int situation_index(lua_State *L) {
    situation *self = lua_touserdata(L, 1);
    if (lua_type(L, 2) != LUA_TSTRING) {
        return luaL_error(L, "a situation has fields with names");
    }
    if (self->seen == NULL) {
        return luaL_error(L, "the situation has passed: it lasts as long as the call");
    }
    lua_getuservalue(L, 1);
    lua_pushvalue(L, 2);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushvalue(L, 2);
        self->looked_at = true;
        push_field_called(L, self, lua_tostring(L, 2));
        lua_pushvalue(L, -1);
        lua_insert(L, -4);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    return 1;
}

static int situation_newindex(lua_State *L) {
    return luaL_error(L, "a situation is there to be looked at");
}

static int situation_to_text(lua_State *L) {
    lua_pushliteral(L, "vcsched.situation");
    return 1;
}

/* ---- Its life ---- */

void situation_open(lua_State *L, int upvalues) {
    static const luaL_Reg events[] = {
        {"__index", situation_index}, {"__newindex", situation_newindex}, {"__tostring", situation_to_text},
    };
    lua_newtable(L);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        for (int upvalue = 0; upvalue < 4; upvalue++) {
            lua_pushvalue(L, upvalues + upvalue);
        }
        lua_pushcclosure(L, events[i].func, 4);
        lua_setfield(L, -2, events[i].name);
    }
    lua_pushliteral(L, "vcsched");
    lua_setfield(L, -2, "__metatable");
}

situation *situation_push(lua_State *L, int metatable) {
    situation *made = lua_newuserdata(L, sizeof *made);
    made->seen = NULL;
    made->state = NULL;
    made->looked_at = true; /* it has no table yet */
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    return made;
}

void situation_begin(lua_State *L, int index, const vcs_situation *seen) {
    situation *self = lua_touserdata(L, index);
    if (self->looked_at) {
        lua_newtable(L); /* what has been made of it */
        lua_setuservalue(L, index);
        self->looked_at = false;
    }
    self->seen = seen;
    self->state = NULL;
}

void situation_end(situation *self) {
    if (self->state != NULL) {
        self->state->state = NULL;
    }
    self->seen = NULL;
    self->state = NULL;
}

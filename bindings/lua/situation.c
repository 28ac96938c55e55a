/* SPDX-License-Identifier: MIT */
#include "situation.h"

#include "convert.h"
#include "state.h"

#include <stddef.h>
#include <string.h>

#define STATE_METATABLE lua_upvalueindex(4)

/* ---- Its fields ---- */

/*
 * What a situation shows as records. They are made when they are first looked at, and the same ones serve all calls:
 * memory and a metatable for each call would cost more than most decisions.
 */
static const struct {
    char name[24];
    uint32_t type;
    size_t offset;  /* in a snapshot; 0 = it is not there */
    bool is_record; /* one alone, not an array */
} fields[] = {
    {"tasks", VCS_TYPE_TASK, offsetof(vcs_snapshot, tasks), false},
    {"resources", VCS_TYPE_RESOURCE, offsetof(vcs_snapshot, resources), false},
    {"projects", VCS_TYPE_PROJECT, offsetof(vcs_snapshot, projects), false},
    {"project_resources", VCS_TYPE_PROJECT_RESOURCE, offsetof(vcs_snapshot, project_resources), false},
    {"candidates", VCS_TYPE_TASK, offsetof(vcs_snapshot, candidates), false},
    {"apps", VCS_TYPE_APP, offsetof(vcs_snapshot, apps), false},
    {"app_resources", VCS_TYPE_APP_RESOURCE, offsetof(vcs_snapshot, app_resources), false},
    {"hours", VCS_TYPE_HOUR, offsetof(vcs_snapshot, hours), false},
    {"host", VCS_TYPE_HOST, offsetof(vcs_snapshot, host), true},
    {"parameters", VCS_TYPE_PARAMETERS, 0, true},
};

enum { FIELDS = sizeof fields / sizeof *fields, STATE = FIELDS, TASK_DECISIONS, FETCH_DECISIONS, KEPT };

/* The number of what is kept under a name; -1 = nothing is. */
static int field_called(const situation *self, const char *name) {
    for (int i = 0; i < FIELDS; i++) {
        if (fields[i].name[0] == name[0] && strcmp(fields[i].name, name) == 0) {
            return i;
        }
    }
    if (strcmp(name, "decisions") == 0 && self->decision != VCS_TYPE_NONE) {
        return self->decision == VCS_TYPE_TASK_DECISION ? TASK_DECISIONS : FETCH_DECISIONS;
    }
    return strcmp(name, "state") == 0 ? STATE : -1;
}

/* What the library shows under a field. */
static vcs_array seen_of(const situation *self, int which) {
    const vcs_situation *seen = self->seen;
    if (fields[which].offset != 0) {
        return *(const vcs_array *)((const char *)seen->snapshot + fields[which].offset);
    }
    return (vcs_array){{seen->parameters}, seen->parameters->struct_size, 1};
}

static void keep(lua_State *L, int which) {
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, which + 1);
}

/*
 * On top of the stack is what served an earlier call, or nil; below it is all that is kept. Leaves on top what serves
 * this call, with room for `count` records.
 */
static typed *make_room(lua_State *L, int which, uint32_t type, uint32_t count) {
    const layout *structure = layout_of(layouts_of(L), type);
    typed *made = lua_touserdata(L, -1);
    if (made == NULL || lua_rawlen(L, -1) < sizeof *made + (size_t)count * structure->size) {
        const bool is_record = which < FIELDS && fields[which].is_record;
        lua_pop(L, 1);
        made = is_record ? record_push(L, structure) : array_push(L, structure, count + count / 2);
        keep(L, which);
    }
    made->count = count;
    return made;
}

static void show_records(lua_State *L, const situation *self, int which) {
    const vcs_array records = seen_of(self, which);
    const typed *made = make_room(L, which, fields[which].type, records.count);
    copy_records(made->base, made->structure->size, records.base, records.element_size, records.count);
}

/* Decisions that say nothing yet. */
static void show_decisions(lua_State *L, const situation *self, int which) {
    const typed *made = make_room(L, which, self->decision, self->decision_count);
    const size_t size = made->structure->size;
    if (made->count > 0) {
        clear_struct(made->structure, made->base);
    }
    for (uint32_t i = 1; i < made->count; i++) {
        memcpy(made->base + i * size, made->base, size);
    }
}

static void show_state(lua_State *L, situation *self) {
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        state_push(L, self->seen->snapshot, 0, STATE_METATABLE);
        keep(L, STATE);
    }
    self->state = lua_touserdata(L, -1);
    state_show(self->state, self->seen->snapshot, self->seen->state);
}

/* Pushes what is kept of a field, brought up to date if it has not been looked at in this call. */
static void push_kept(lua_State *L, situation *self, int which) {
    lua_getuservalue(L, 1);
    lua_rawgeti(L, -1, which + 1);
    if ((self->fresh & 1u << which) == 0) {
        if (which < FIELDS) {
            show_records(L, self, which);
        } else if (which == STATE) {
            show_state(L, self);
        } else {
            show_decisions(L, self, which);
        }
        self->fresh |= 1u << which;
    }
}

/* situation.name */
static int situation_index(lua_State *L) {
    situation *self = lua_touserdata(L, 1);
    if (lua_type(L, 2) != LUA_TSTRING) {
        return luaL_error(L, "a situation has fields with names");
    }
    if (self->seen == NULL) {
        return luaL_error(L, "the situation has passed: it lasts as long as the call");
    }
    const char *name = lua_tostring(L, 2);
    const int which = field_called(self, name);
    if (which >= 0) {
        push_kept(L, self, which);
    } else if (strcmp(name, "now") == 0) {
        lua_pushnumber(L, self->seen->now);
    } else if (strcmp(name, "seed") == 0) {
        push_u64(L, self->seen->seed);
    } else {
        return luaL_error(L, "a situation has no field called '%s'", name);
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
    *made = (situation){0};
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    lua_createtable(L, KEPT, 0); /* what has been made of it */
    lua_setuservalue(L, -2);
    return made;
}

void situation_begin(situation *self, const vcs_situation *seen, uint32_t decision, uint32_t decision_count) {
    self->seen = seen;
    self->decision = decision;
    self->decision_count = decision_count;
    self->fresh = 0;
}

void situation_end(situation *self) {
    if (self->state != NULL) {
        self->state->state = NULL;
    }
    self->seen = NULL;
    self->state = NULL;
}

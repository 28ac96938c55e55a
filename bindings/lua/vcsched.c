/*
 * The Lua module `vcsched`: libvcsched and libvcemu for Lua 5.1 to 5.4 and LuaJIT.
 *
 * Records are tables or typed memory, and functions have the names of the library's without the prefix. A function
 * returns its answers, or nil, a message and a code. doc/lua.md is its manual.
 *
 * SPDX-License-Identifier: MIT
 */
#include "array.h"
#include "dispatch.h"
#include "emulate.h"
#include "functions.h"
#include "layout.h"
#include "number.h"
#include "state.h"

#include <stdbool.h>
#include <string.h>

typedef struct constant_row {
    char name[40];
    double value;
} constant_row;

#define CONSTANT(name) {#name, (double)(name)},
static const constant_row constant_rows[] = {
#include "constants.inc"
};

/* Each constant under its name without the prefix; whole numbers as such. */
static void set_constants(lua_State *L, int module) {
    for (size_t i = 0; i < sizeof constant_rows / sizeof *constant_rows; i++) {
        const constant_row *row = &constant_rows[i];
        if (row->value > -1e9 && row->value < 1e10 && row->value == (double)(int64_t)row->value) {
            push_i64(L, (int64_t)row->value);
        } else {
            lua_pushnumber(L, row->value);
        }
        lua_setfield(L, module, row->name + strlen("VCS_"));
    }
}

/* has(flags, flag): whether all bits of the flag are set; Lua 5.1 has no operator for that */
static int has_flag(lua_State *L) {
    uint32_t flags = 0, flag = 0;
    if (!to_u32(L, 1, &flags) || !to_u32(L, 2, &flag)) {
        return luaL_error(L, "has: two whole numbers from 0 to 4294967295 expected");
    }
    lua_pushboolean(L, (flags & flag) == flag);
    return 1;
}

/* Whether a field of a unit or a result is a double. */
static bool is_double(uint32_t struct_type, const char *field) {
    vcs_field_info info = {.struct_size = sizeof info};
    for (uint32_t i = 0; vcs_field_at(struct_type, i, &info) == VCS_OK; i++) {
        if (strcmp(info.name, field) == 0) {
            return strcmp(info.kind, "f64") == 0;
        }
    }
    return false;
}

/*
 * change_value(change): the name of the field that it sets, and the new value; of a change that asks for new results
 * "", and how many
 */
static int change_value(lua_State *L) {
    uint32_t field = 0;
    if (!lua_istable(L, 1) && !lua_isuserdata(L, 1)) {
        return luaL_error(L, "change_value: a change expected, got %s", luaL_typename(L, 1));
    }
    lua_getfield(L, 1, "field");
    if (!to_u32(L, -1, &field)) {
        return luaL_error(L, "change_value: a change expected: it has no field that it sets");
    }
    const char *name = vcs_change_field_name(field);
    lua_getfield(L, 1, "result");
    const bool is_number = is_double(lua_isnil(L, -1) ? VCS_TYPE_UNIT : VCS_TYPE_RESULT, name);
    lua_pushstring(L, name);
    lua_getfield(L, 1, is_number ? "number" : "integer");
    return 2;
}

static void set_functions(lua_State *L, int target, const luaL_Reg *functions, int layouts_at) {
    for (; functions->name != NULL; functions++) {
        lua_pushvalue(L, layouts_at);
        lua_pushcclosure(L, functions->func, 1);
        lua_setfield(L, target, functions->name);
    }
}

/*
 * Objects that a function of the module makes, and their methods. Pushes their metatable, by which they are known and
 * which is the second upvalue of the function that makes them.
 */
static const void *open_objects(lua_State *L, int module, int layouts_at, const char *name, lua_CFunction make,
                                const luaL_Reg *methods) {
    lua_newtable(L);
    const int metatable = lua_gettop(L);
    const void *identity = lua_topointer(L, metatable);
    lua_newtable(L);
    set_functions(L, metatable + 1, methods, layouts_at);
    lua_setfield(L, metatable, "__index");
    /* Scripts do not get at the table by which objects are known. */
    lua_pushliteral(L, "vcsched");
    lua_setfield(L, metatable, "__metatable");
    lua_pushvalue(L, layouts_at);
    lua_pushvalue(L, metatable);
    lua_pushcclosure(L, make, 2);
    lua_setfield(L, module, name);
    return identity;
}

__attribute__((visibility("default"))) int luaopen_vcsched(lua_State *L);

/* Raises an error where the library computes in another way than elsewhere. Flushed denormals change no decision. */
static void check_arithmetic(lua_State *L) {
    vcs_error error = {.struct_size = sizeof error};
    if (vcs_self_test(&error) != VCS_OK && strcmp(error.field, "denormals") != 0) {
        luaL_error(L, "libvcsched decides otherwise here than elsewhere: %s", error.message);
    }
}

int luaopen_vcsched(lua_State *L) {
    check_arithmetic(L);
    layouts *all = layouts_push(L);
    const int layouts_at = lua_gettop(L);
    lua_newtable(L);
    const int module = lua_gettop(L);
    set_constants(L, module);
    set_functions(L, module, module_functions(), layouts_at);
    lua_pushcfunction(L, has_flag);
    lua_setfield(L, module, "has");
    lua_pushcfunction(L, change_value);
    lua_setfield(L, module, "change_value");
    const int upvalues = module + 1;
    lua_pushvalue(L, module);
    array_open(L, all, layouts_at);
    all->state_metatable = open_objects(L, module, layouts_at, "prepare", state_prepare, state_methods());
    /* Above the module are now itself, and the metatables of arrays, records and states. */
    lua_pushvalue(L, layouts_at);
    lua_replace(L, upvalues);
    emulate_open(L, module, upvalues);
    all->index_metatable = open_objects(L, module, layouts_at, "dispatch", dispatch_build, index_methods());
    lua_settop(L, module);
    return 1;
}

/*
 * A Lua interpreter with the module built in, for sanitizers, which want to be loaded before anything else.
 *
 *     host SCRIPT ARGUMENT...
 *
 * SPDX-License-Identifier: MIT
 */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

int luaopen_vcsched(lua_State *L);

static void set_arguments(lua_State *L, int count, char **arguments) {
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, arguments[i]);
        lua_rawseti(L, -2, i);
    }
    lua_setglobal(L, "arg");
}

/* os.exit() that gives the memory back first: what is lost after that is lost for good. */
static int leave(lua_State *L) {
    lua_pushvalue(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "status");
    return luaL_error(L, "left");
}

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    if (L == NULL || argc < 2) {
        return 2;
    }
    luaL_openlibs(L);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, luaopen_vcsched);
    lua_setfield(L, -2, "vcsched");
    lua_getglobal(L, "os");
    lua_pushcfunction(L, leave);
    lua_setfield(L, -2, "exit");
    set_arguments(L, argc - 1, argv + 1);
    const int failed = luaL_dofile(L, argv[1]);
    lua_getfield(L, LUA_REGISTRYINDEX, "status");
    const int has_left = lua_isnumber(L, -1);
    const int status = has_left ? (int)lua_tonumber(L, -1) : 1;
    if (failed && !has_left) {
        fprintf(stderr, "%s\n", lua_tostring(L, -2));
    }
    lua_close(L);
    return status;
}

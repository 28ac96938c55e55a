/*
 * Lua 5.1 to 5.4 and LuaJIT as one: names that not all of them have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_COMPAT_H
#define VCSCHED_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>

#if LUA_VERSION_NUM < 502
#define lua_rawlen lua_objlen
#define lua_setuservalue lua_setfenv
#define lua_getuservalue lua_getfenv
#endif

/* Whether a number may be an integer of 64 bits; before 5.3 all numbers are doubles. */
#define LUA_HAS_INTEGERS (LUA_VERSION_NUM >= 503)

#endif

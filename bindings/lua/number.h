/*
 * Numbers between Lua and C, without loss: what does not fit is refused, never rounded.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_NUMBER_H
#define VCSCHED_LUA_NUMBER_H

#include "compat.h"

#include <stdint.h>

/*
 * Numbers of 64 bits that the numbers of this Lua cannot hold are strings of decimal digits. Before Lua 5.3 that begins
 * above 2^53, and from 5.3 on above 2^63 - 1.
 */
void push_u64(lua_State *L, uint64_t value);
void push_i64(lua_State *L, int64_t value);

/* An index of C as a place in a Lua list, from 1; nil for VCS_NONE. */
void push_place(lua_State *L, uint32_t index);

/* The value at `index` of the stack, which may be any. Return 0, and leave `value`, if it does not fit. */
int to_f64(lua_State *L, int index, double *value);
int to_u64(lua_State *L, int index, uint64_t *value);
int to_i64(lua_State *L, int index, int64_t *value);
int to_u32(lua_State *L, int index, uint32_t *value);
int to_i32(lua_State *L, int index, int32_t *value);
int to_place(lua_State *L, int index, uint32_t *value);
int to_yes_or_no(lua_State *L, int index, uint32_t *value);

/* Pushes what the value is, for messages: "nil", "the string 'x'", "1.5", "a table". */
void push_description(lua_State *L, int index);

#endif

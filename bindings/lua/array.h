/*
 * Typed memory: arrays of records, and single ones, that the library reads and writes where they are.
 *
 *     a = vcsched.array("task", 1000)    a[1].remaining = 3600    #a    a:get(1, "remaining")    a:set(1, "ram", 1e9)
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_ARRAY_H
#define VCSCHED_LUA_ARRAY_H

#include "layout.h"

/* An array, one element of an array, or a record of its own. */
typedef struct typed {
    const layout *structure;
    char *base;
    uint32_t count;
} typed;

/* The layouts, which every function of the module has as its first upvalue. */
static inline const layouts *layouts_of(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* The array or the record at `index` of the stack; NULL if there is none. */
typed *array_at(lua_State *L, const layouts *all, int index);
typed *record_at(lua_State *L, const layouts *all, int index);

/* Adds array(), record() and bytes() to the module on top of the stack; all functions get the layouts at `upvalue`. */
void array_open(lua_State *L, layouts *all, int upvalue);

#endif

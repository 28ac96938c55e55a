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
    const void *owner; /* the layouts: no userdata of anybody else begins with their address */
    const layout *structure;
    char *base;
    uint32_t count;
    int is_array;
} typed;

/* The layouts, which every function of the module has as its first upvalue. */
static inline const layouts *layouts_of(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* The array or the record at `index` of the stack; NULL if there is none. */
typed *array_at(lua_State *L, const layouts *all, int index);
typed *record_at(lua_State *L, const layouts *all, int index);

/*
 * Push an array or a record of zeros. The function that calls this has the metatable of arrays as its second upvalue,
 * and that of records as its third.
 */
typed *array_push(lua_State *L, const layout *structure, uint32_t count);
typed *record_push(lua_State *L, const layout *structure);

/* Copies records of one size to records of another: what one side alone knows is left out, or 0. */
void copy_records(void *to, size_t to_size, const void *from, size_t from_size, uint32_t count);

/*
 * Adds array(), record() and bytes() to the module on top of the stack; all functions get the layouts at `upvalue`.
 * Pushes the metatables of arrays and of records.
 */
void array_open(lua_State *L, layouts *all, int upvalue);

#endif

/*
 * Structs from tables and tables from structs, field by field, whatever the struct is.
 *
 * A field that a table does not name is 0, or "none" where it refers to a record and may refer to none. A name that is
 * no field is refused, unless it begins with an underscore: such names are the caller's own. Parameters begin with a
 * profile, "current" unless the table names another; an emulation begins as vcs_emulation_init() fills it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_CONVERT_H
#define VCSCHED_LUA_CONVERT_H

#include "layout.h"

/* Which argument is being read, for messages; `element` counts from 1, 0 = it is no list. */
typedef struct place {
    const char *argument;
    uint32_t element;
} place;

/* Pushes a message: "tasks[3].remaining: a number expected, got the string 'x'". `got` is an index of the stack. */
void push_expectation(lua_State *L, const place *where, const char *name, const char *expected, int got);

/* A struct of nothing: all 0, no record referred to, its size set. `bytes` are structure->size. */
void clear_struct(const layout *structure, void *bytes);

/*
 * Fills a struct from the table at `index`. Returns VCS_OK, or a code and a message on top of the stack; the struct is
 * to be thrown away then.
 */
int read_struct(lua_State *L, int index, const layout *structure, void *bytes, const place *where);

/* The same, but what the table does not name stays as it is. */
int read_named(lua_State *L, int index, const layout *structure, void *bytes, const place *where);

/* The same for one field, from the value at `index`. */
int read_field(lua_State *L, int index, const layout *structure, const field *row, void *bytes, const place *where);

/* Sets all fields of the table at `index`. */
void write_struct(lua_State *L, int index, const layout *structure, const void *bytes);

/* Pushes a new table of all fields. */
void push_struct(lua_State *L, const layout *structure, const void *bytes);

/* Pushes the value of one field that is no struct. */
void push_field(lua_State *L, const field *row, const void *bytes);

#endif

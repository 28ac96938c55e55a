/*
 * What the functions that are made from the headers share: arguments from Lua, answers to Lua, errors.
 *
 * An argument that is refused leaves its code and message in the call, and what is read after it does not matter: the
 * function looks once, before it calls the library, and hands out nil, message and code.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_CALL_H
#define VCSCHED_LUA_CALL_H

#include "array.h"
#include "layout.h"
#include "number.h"

#include <stddef.h>

/* One call from Lua. A message stands on top of the stack when it is refused. */
typedef struct call {
    lua_State *L;
    const layouts *layouts;
    const char *function;
    int refused; /* 0, or the code */
} call;

/* Memory for any struct of any version. */
typedef union storage {
    uint64_t alignment;
    char bytes[LARGEST_STRUCT];
} storage;

/* A prepared state, and how many records it was prepared from. NULL = it is there no more. */
typedef struct prepared {
    vcs_state *state;
    uint32_t tasks, resources, project_resources;
} prepared;

/* An index of jobs. */
typedef struct indexed {
    vcs_dispatch *index;
} indexed;

/* Begins a call with this many arguments; missing ones are nil. */
static inline call call_begin(lua_State *L, const char *function, int arguments) {
    lua_settop(L, arguments);
    return (call){L, layouts_of(L), function, 0};
}

/* The same for a function that takes and gives numbers alone. */
static inline call call_begin_numbers(lua_State *L, const char *function, int arguments) {
    (void)arguments;
    return (call){L, NULL, function, 0};
}

/* Refuses the call, with the message that is on top of the stack. */
void call_refuse(call *c, int code);
/* Refuses an argument for what it is. */
void call_expect(call *c, int position, const char *name, const char *expected);
/* Hands out nil, message and code. */
int call_refused(call *c);
/* The same for an error of the library, which `error` describes unless it is NULL. */
int call_failed(call *c, int code, const vcs_error *error);

static inline vcs_error call_error(void) {
    vcs_error error;
    error.struct_size = sizeof error;
    error.type = VCS_TYPE_NONE;
    error.index = 0;
    error.field[0] = '\0';
    error.message[0] = '\0';
    return error;
}

/* ---- Arguments ---- */

/*
 * Arguments with names, from the table at `position`: pushes them in the order of `names`, nil for those that are
 * missing; names that are not known are refused. `name` is what the table is called.
 */
void call_members(call *c, int position, const char *name, const char *const *names, size_t count);
/* The same, but those that are missing are empty tables, except for the first `required`, which must be there. */
void call_spread(call *c, int position, const char *name, const char *const *names, size_t count, size_t required);
/* An empty table instead of a nil. */
void call_default_table(call *c, int position);

static inline double call_number(call *c, int position, const char *name) {
    if (lua_type(c->L, position) == LUA_TNUMBER) {
        return lua_tonumber(c->L, position);
    }
    call_expect(c, position, name, "a number");
    return 0;
}

uint32_t call_u32(call *c, int position, const char *name);
uint64_t call_u64(call *c, int position, const char *name);
int call_int(call *c, int position, const char *name);
uint32_t call_place(call *c, int position, const char *name);
uint32_t call_yes_or_no(call *c, int position, const char *name);
const char *call_text(call *c, int position, const char *name);
/* A function, or nil: whether there is one. */
int call_function_or_nil(call *c, int position, const char *name);

/* A table, or a record of that type, which is used where it is. */
void *call_struct(call *c, int position, const char *name, uint32_t type, storage *memory);
void *call_struct_or_nil(call *c, int position, const char *name, uint32_t type, storage *memory);
/* A record of that type, or else `bytes`, in which the table at `position` changes what it names. */
const void *call_changed_struct(call *c, int position, const char *name, uint32_t type, void *bytes);
/* A table or a record, in memory of Lua's. */
const void *call_record(call *c, int position, const char *name, const layout *structure);

/* A list of tables, or an array of that type, which is used where it is. */
vcs_array call_array(call *c, int position, const char *name, uint32_t type);
void call_same_count(call *c, const char *name, uint32_t count, uint32_t expected);

/* How long the list at `position` is; one with holes or other keys is refused. */
uint32_t call_list_length(call *c, int position, const char *name);
void call_read_list(call *c, int position, const char *name, const layout *structure, char *base, uint32_t count);

/* A list of numbers, as many as there are. */
vcs_array call_f64s(call *c, int position, const char *name);
/* A list of `count` whole numbers. */
const uint32_t *call_u32s(call *c, int position, const char *name, uint32_t count);

const prepared *call_prepared(call *c, int position);
const indexed *call_indexed(call *c, int position);

/* ---- Memory for answers ---- */

static inline uint32_t struct_size_of(const call *c, uint32_t type) {
    return layout_of(c->layouts, type)->size;
}

void *call_memory(call *c, uint64_t count, size_t size);
void *call_new_struct(call *c, uint32_t type, storage *memory);
/* The array at `position` if there is one, which must be of that type and length; else new memory. */
vcs_array call_new_array(call *c, int position, const char *name, uint32_t type, uint64_t count);

/* ---- Answers ---- */

/* What the function changed goes back to where it came from. */
void call_store(call *c, int position, uint32_t type, const void *bytes);
void call_store_array(call *c, int position, uint32_t type, vcs_array records);

void call_push_struct(call *c, uint32_t type, const void *bytes);
void call_push_array(call *c, int position, uint32_t type, vcs_array records, uint32_t count);
void call_push_places(call *c, const uint32_t *indices, uint32_t count);
void call_push_numbers(call *c, const double *values, uint32_t count);

#endif

/*
 * The structs of both libraries as they tell of them at run time: sizes, and fields by name.
 *
 * Everything that converts records goes by these; no struct is converted by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_LAYOUT_H
#define VCSCHED_LUA_LAYOUT_H

#include "compat.h"

#include <stdint.h>
#include <vcemu/bound.h>
#include <vcemu/grid.h>
#include <vcsched/vcsched.h>

/* The greatest size that any version of a struct may have. */
#define LARGEST_STRUCT 4096

/* How a field is stored. */
typedef enum field_kind {
    KIND_F64,
    KIND_F64_LIST,
    KIND_U64,
    KIND_I64,
    KIND_U32,
    KIND_I32,
    KIND_TEXT,
    KIND_STRUCT
} field_kind;

/* What a uint32_t means, where Lua has something better than a number. */
typedef enum field_meaning {
    MEANS_NUMBER,
    MEANS_PLACE,         /* the index of a record: in Lua its place in the list, from 1 */
    MEANS_PLACE_OR_NONE, /* the same, or VCS_NONE: nil */
    MEANS_YES_OR_NO      /* 1 or 0: a boolean */
} field_meaning;

typedef struct layout layout;

typedef struct field {
    char name[40];
    const char *key; /* the name as Lua keeps it, for quick comparison */
    int place;       /* where it is in the list of names */
    uint32_t offset, size;
    field_kind kind;
    field_meaning meaning;
    const layout *inner; /* of a struct inside the struct */
} field;

struct layout {
    uint32_t type; /* VCS_TYPE_* */
    uint32_t size; /* bytes; 0 = there is no such struct */
    uint32_t count;
    int begins_with_size; /* whether the first field is struct_size */
    int names;            /* the list of names in the registry: to take one from there is quicker than to make it */
    field *fields;        /* those that Lua sees, in order of offset */
    char name[32];
};

/* The layouts, first those of libvcsched by their numbers, then those of libvcemu. */
typedef struct layouts {
    const void *array_metatable, *record_metatable, *state_metatable, *index_metatable;
    uint32_t count;
    layout at[];
} layouts;

/* The structs of libvcemu have numbers from here on. */
#define FIRST_TYPE_OF_EMULATOR VCS_TYPE_EMULATION

static inline const layout *layout_of(const layouts *all, uint32_t type) {
    return &all->at[type < FIRST_TYPE_OF_EMULATOR ? type : VCS_TYPE_COUNT + (type - FIRST_TYPE_OF_EMULATOR)];
}

/*
 * Asks the libraries for all layouts, checks them against what this module was compiled for, and pushes them as a
 * userdata. A library that is older, or of another kind, is a Lua error that says so. A newer one is welcome.
 */
layouts *layouts_push(lua_State *L);

/* The layout of a struct called so, such as "task"; NULL if there is none. */
const layout *layout_named(const layouts *all, const char *name);

/* The field called so; NULL if there is none. `name` is best a string that Lua holds. */
const field *layout_field(const layout *structure, const char *name);

#endif

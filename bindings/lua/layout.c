/* SPDX-License-Identifier: MIT */
#include "layout.h"

#include <stddef.h>
#include <string.h>

/* What this module was compiled for, from the headers. */
typedef struct struct_row {
    uint32_t type, size;
    char name[40];
} struct_row;

typedef struct field_row {
    uint32_t type, offset, size;
    char name[40];
} field_row;

typedef struct meaning_row {
    uint32_t type, offset;
    field_meaning meaning;
} meaning_row;

typedef struct nested_row {
    uint32_t type, offset, inner;
} nested_row;

#define SIZE_OF(structure, member) ((uint32_t)sizeof(((structure *)0)->member))
#define OFFSET_OF(structure, member) ((uint32_t)offsetof(structure, member))

#define STRUCT(type, structure) {type, (uint32_t)sizeof(structure), #structure},
#define FIELD(type, structure, member)
#define MEANING(type, structure, member, meaning)
#define NESTED(type, structure, member, inner)
static const struct_row struct_rows[] = {
#include "layouts.inc"
};
#undef STRUCT
#undef FIELD
#define STRUCT(type, structure)
#define FIELD(type, structure, member) {type, OFFSET_OF(structure, member), SIZE_OF(structure, member), #member},
static const field_row field_rows[] = {
#include "layouts.inc"
};
#undef FIELD
#undef MEANING
#define FIELD(type, structure, member)
#define MEANING(type, structure, member, meaning) {type, OFFSET_OF(structure, member), meaning},
static const meaning_row meaning_rows[] = {
#include "layouts.inc"
};
#undef MEANING
#undef NESTED
#define MEANING(type, structure, member, meaning)
#define NESTED(type, structure, member, inner) {type, OFFSET_OF(structure, member), inner},
static const nested_row nested_rows[] = {
#include "layouts.inc"
};

#define COUNT_OF(rows) (sizeof(rows) / sizeof *(rows))

/* ---- What the library says of a struct ---- */

static vcs_field_info field_of(uint32_t type, uint32_t index) {
    vcs_field_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    vcs_emulator_field_at(type, index, &info);
    return info;
}

/* ---- The check ---- */

/* Whether the library has this field at this place, or, for a struct inside a struct, its first field. */
static int library_has(const field_row *row) {
    const size_t length = strlen(row->name);
    const uint32_t count = vcs_emulator_field_count(row->type);
    for (uint32_t i = 0; i < count; i++) {
        const vcs_field_info info = field_of(row->type, i);
        if (info.offset == row->offset && strncmp(info.name, row->name, length) == 0) {
            return info.name[length] == '.' || (info.name[length] == '\0' && info.size == row->size);
        }
    }
    return 0;
}

static int refuse(lua_State *L, const char *what) {
    return luaL_error(L, "libvcsched %s does not fit this module, which was made for " VCS_VERSION ": %s",
                      vcs_version(), what);
}

static void check_layouts(lua_State *L) {
    if (vcs_abi_version() != VCS_ABI_VERSION) {
        refuse(L, "its binary interface is another one");
    }
    for (size_t i = 0; i < COUNT_OF(struct_rows); i++) {
        const struct_row *row = &struct_rows[i];
        const uint32_t size = vcs_emulator_struct_size(row->type);
        if (size < row->size) {
            refuse(L, lua_pushfstring(L, "it is older: its %s has %d bytes, not %d", row->name, (int)size,
                                      (int)row->size));
        }
        if (size > LARGEST_STRUCT || size % 8 != 0) {
            refuse(L, lua_pushfstring(L, "%d bytes are no size of %s", (int)size, row->name));
        }
    }
    for (size_t i = 0; i < COUNT_OF(field_rows); i++) {
        const field_row *row = &field_rows[i];
        if (!library_has(row)) {
            refuse(L, lua_pushfstring(L, "struct number %d has no field %s where this module expects it",
                                      (int)row->type, row->name));
        }
    }
}

/* ---- The layouts ---- */

/* What Lua does not see: sizes, which this module keeps, and reserved bytes. */
static int is_hidden(const vcs_field_info *info) {
    return strcmp(info->name, "struct_size") == 0 || strncmp(info->name, "reserved", 8) == 0;
}

static field_kind kind_of(const vcs_field_info *info) {
    static const struct {
        char name[8];
        field_kind kind;
    } kinds[] = {{"u64", KIND_U64}, {"i64", KIND_I64}, {"u32", KIND_U32}, {"i32", KIND_I32}, {"bytes", KIND_TEXT}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(info->kind, kinds[i].name) == 0) {
            return kinds[i].kind;
        }
    }
    return info->size == 8 ? KIND_F64 : KIND_F64_LIST;
}

static field_meaning meaning_of(uint32_t type, uint32_t offset) {
    for (size_t i = 0; i < COUNT_OF(meaning_rows); i++) {
        if (meaning_rows[i].type == type && meaning_rows[i].offset == offset) {
            return meaning_rows[i].meaning;
        }
    }
    return MEANS_NUMBER;
}

/* The struct that begins at this place inside another one; NULL if none does. */
static const layout *inner_of(const layouts *all, uint32_t type, uint32_t offset) {
    for (size_t i = 0; i < COUNT_OF(nested_rows); i++) {
        if (nested_rows[i].type == type && nested_rows[i].offset == offset) {
            return layout_of(all, nested_rows[i].inner);
        }
    }
    return NULL;
}

/* Fields of structs inside the struct have names with a dot: the first of them stands for the whole. */
static int is_inside(const vcs_field_info *info, const layouts *all) {
    return strchr(info->name, '.') != NULL && inner_of(all, info->type, info->offset) == NULL;
}

static void fill_field(lua_State *L, const layouts *all, field *row, const vcs_field_info *info) {
    const layout *inner = inner_of(all, info->type, info->offset);
    memcpy(row->name, info->name, sizeof row->name);
    row->offset = info->offset;
    row->size = info->size;
    row->kind = inner == NULL ? kind_of(info) : KIND_STRUCT;
    row->meaning = meaning_of(info->type, info->offset);
    row->inner = inner;
    if (inner != NULL) {
        *strchr(row->name, '.') = '\0';
    }
    /* Lua keeps one copy of each short string; the list on the stack holds on to it. */
    lua_pushstring(L, row->name);
    row->key = lua_tostring(L, -1);
    row->place = (int)lua_rawlen(L, -2) + 1;
    lua_rawseti(L, -2, row->place);
}

static field *fill_layout(lua_State *L, const layouts *all, layout *structure, field *next) {
    structure->fields = next;
    for (uint32_t i = 0; i < vcs_emulator_field_count(structure->type); i++) {
        const vcs_field_info info = field_of(structure->type, i);
        structure->begins_with_size |= strcmp(info.name, "struct_size") == 0;
        if (!is_hidden(&info) && !is_inside(&info, all)) {
            fill_field(L, all, next++, &info);
        }
    }
    structure->count = (uint32_t)(next - structure->fields);
    return next;
}

/* How many layouts there are, empty ones included: the structs of the emulator are numbered one after the other. */
static uint32_t count_layouts(void) {
    uint32_t count = VCS_TYPE_COUNT;
    for (size_t i = 0; i < COUNT_OF(struct_rows); i++) {
        count += struct_rows[i].type >= FIRST_TYPE_OF_EMULATOR ? 1 : 0;
    }
    return count;
}

static uint32_t type_at(uint32_t place) {
    return place < VCS_TYPE_COUNT ? place : FIRST_TYPE_OF_EMULATOR + (place - VCS_TYPE_COUNT);
}

static size_t count_fields(uint32_t layout_count) {
    size_t count = 0;
    for (uint32_t i = 0; i < layout_count; i++) {
        count += vcs_emulator_field_count(type_at(i));
    }
    return count;
}

layouts *layouts_push(lua_State *L) {
    check_layouts(L);
    const uint32_t count = count_layouts();
    const size_t size = sizeof(layouts) + count * sizeof(layout) + count_fields(count) * sizeof(field);
    layouts *all = lua_newuserdata(L, size);
    memset(all, 0, size);
    all->count = count;
    /* The names of the fields stay alive with the layouts. */
    field *next = (field *)&all->at[count];
    lua_newtable(L);
    for (uint32_t i = 0; i < count; i++) {
        layout *structure = &all->at[i];
        if (type_at(i) == VCS_TYPE_SNAPSHOT) {
            continue; /* pointers: Lua has no business with it */
        }
        structure->type = type_at(i);
        structure->size = vcs_emulator_struct_size(structure->type);
        strncpy(structure->name, vcs_emulator_struct_name(structure->type), sizeof structure->name - 1);
        next = fill_layout(L, all, structure, next);
    }
    lua_pushvalue(L, -1);
    const int names = luaL_ref(L, LUA_REGISTRYINDEX);
    for (uint32_t i = 0; i < count; i++) {
        all->at[i].names = names;
    }
    lua_setuservalue(L, -2);
    return all;
}

const layout *layout_named(const layouts *all, const char *name) {
    for (uint32_t i = 0; i < all->count; i++) {
        const layout *found = &all->at[i];
        if (found->size != 0 && strcmp(found->name, name) == 0) {
            /* A candidate is a task: one layout for both. */
            return found->type == VCS_TYPE_CANDIDATE ? layout_of(all, VCS_TYPE_TASK) : found;
        }
    }
    return NULL;
}

const field *layout_field(const layout *structure, const char *name) {
    for (uint32_t i = 0; i < structure->count; i++) {
        if (structure->fields[i].key == name) {
            return &structure->fields[i];
        }
    }
    for (uint32_t i = 0; i < structure->count; i++) {
        if (strcmp(structure->fields[i].name, name) == 0) {
            return &structure->fields[i];
        }
    }
    return NULL;
}

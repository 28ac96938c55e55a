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

/* ---- The check ---- */

static vcs_field_info ask(uint32_t type, uint32_t index) {
    vcs_field_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    vcs_field_at(type, index, &info);
    return info;
}

/* Whether the library has this field at this place, or, for a struct inside a struct, its first field. */
static int library_has(const field_row *row) {
    const size_t length = strlen(row->name);
    const uint32_t count = vcs_field_count(row->type);
    for (uint32_t i = 0; i < count; i++) {
        const vcs_field_info info = ask(row->type, i);
        if (info.offset == row->offset && strncmp(info.name, row->name, length) == 0) {
            return info.name[length] == '.' || (info.name[length] == '\0' && info.size == row->size);
        }
    }
    return 0;
}

static int refuse(lua_State *L, const char *what) {
    return luaL_error(L, "libvcsched %s does not fit this module, which was made for %d.%d.%d: %s", vcs_version(),
                      VCS_VERSION_MAJOR, VCS_VERSION_MINOR, VCS_VERSION_PATCH, what);
}

static void check_layouts(lua_State *L) {
    if (vcs_abi_version() != VCS_ABI_VERSION) {
        refuse(L, "its binary interface is another one");
    }
    for (size_t i = 0; i < COUNT_OF(struct_rows); i++) {
        const uint32_t size = vcs_struct_size(struct_rows[i].type);
        if (size < struct_rows[i].size) {
            refuse(L, lua_pushfstring(L, "it is older: its %s has %d bytes, not %d", struct_rows[i].name, (int)size,
                                      (int)struct_rows[i].size));
        }
        if (size > LARGEST_STRUCT || size % 8 != 0) {
            refuse(L, lua_pushfstring(L, "%d bytes are no size of %s", (int)size, struct_rows[i].name));
        }
    }
    for (size_t i = 0; i < COUNT_OF(field_rows); i++) {
        if (!library_has(&field_rows[i])) {
            refuse(L, lua_pushfstring(L, "it has no field %s where this module expects it in struct number %d",
                                      field_rows[i].name, (int)field_rows[i].type));
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
            return &all->of[nested_rows[i].inner];
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
    lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
}

static field *fill_layout(lua_State *L, const layouts *all, layout *structure, field *next) {
    structure->fields = next;
    for (uint32_t i = 0; i < vcs_field_count(structure->type); i++) {
        const vcs_field_info info = ask(structure->type, i);
        structure->begins_with_size |= strcmp(info.name, "struct_size") == 0;
        if (!is_hidden(&info) && !is_inside(&info, all)) {
            fill_field(L, all, next++, &info);
        }
    }
    structure->count = (uint32_t)(next - structure->fields);
    return next;
}

static size_t count_fields(void) {
    size_t count = 0;
    for (uint32_t type = 0; type < VCS_TYPE_COUNT; type++) {
        count += vcs_field_count(type);
    }
    return count;
}

layouts *layouts_push(lua_State *L) {
    check_layouts(L);
    const size_t size = sizeof(layouts) + count_fields() * sizeof(field);
    layouts *all = lua_newuserdata(L, size);
    memset(all, 0, size);
    /* The names of the fields stay alive with the layouts. */
    field *next = (field *)(all + 1);
    lua_newtable(L);
    for (uint32_t type = 0; type < VCS_TYPE_COUNT; type++) {
        layout *structure = &all->of[type];
        if (type == VCS_TYPE_VIEW) {
            continue; /* pointers: Lua has no business with it */
        }
        structure->type = type;
        structure->size = vcs_struct_size(type);
        strncpy(structure->name, vcs_struct_name(type), sizeof structure->name - 1);
        next = fill_layout(L, all, structure, next);
    }
    lua_setuservalue(L, -2);
    return all;
}

const layout *layout_named(const layouts *all, const char *name) {
    for (uint32_t type = 0; type < VCS_TYPE_COUNT; type++) {
        if (all->of[type].size != 0 && strcmp(all->of[type].name, name) == 0) {
            /* A candidate is a task: one layout for both. */
            return &all->of[type == VCS_TYPE_CANDIDATE ? VCS_TYPE_TASK : type];
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

/* SPDX-License-Identifier: MIT */
#include "convert.h"

#include "number.h"

#include <string.h>

/* ---- Messages ---- */

static void push_place_name(lua_State *L, const place *where, const char *name) {
    if (where->element != 0) {
        lua_pushfstring(L, "%s[%d]", where->argument, (int)where->element);
    } else {
        lua_pushstring(L, where->argument);
    }
    if (name != NULL) {
        lua_pushfstring(L, "%s.%s", lua_tostring(L, -1), name);
        lua_remove(L, -2);
    }
}

void push_expectation(lua_State *L, const place *where, const char *name, const char *expected, int got) {
    push_description(L, got);
    push_place_name(L, where, name);
    lua_pushfstring(L, "%s: %s expected, got %s", lua_tostring(L, -1), expected, lua_tostring(L, -2));
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/* ---- From Lua ---- */

static const char *const expectations[] = {
    [KIND_F64] = "a number",
    [KIND_F64_LIST] = "nothing",
    [KIND_U64] = "a whole number, 0 or more,",
    [KIND_I64] = "a whole number",
    [KIND_U32] = "a whole number from 0 to 4294967295",
    [KIND_I32] = "a whole number from -2147483648 to 2147483647",
    [KIND_TEXT] = "nothing",
    [KIND_STRUCT] = "a table",
};

static const char *expectation_of(const field *row) {
    switch (row->meaning) {
    case MEANS_PLACE:
    case MEANS_PLACE_OR_NONE:
        return "a place in a list, from 1,";
    case MEANS_YES_OR_NO:
        return "true or false";
    default:
        return expectations[row->kind];
    }
}

static int to_meant(lua_State *L, int index, field_meaning meaning, uint32_t *value) {
    switch (meaning) {
    case MEANS_PLACE:
    case MEANS_PLACE_OR_NONE:
        return to_place(L, index, value);
    case MEANS_YES_OR_NO:
        return to_yes_or_no(L, index, value);
    default:
        return to_u32(L, index, value);
    }
}

/* Whether the value could be stored. What only the library writes, texts and lists, cannot. */
static int store(lua_State *L, int index, const field *row, char *target) {
    double f64;
    uint64_t u64;
    int64_t i64;
    uint32_t u32;
    int32_t i32;
    switch (row->kind) {
    case KIND_F64:
        return to_f64(L, index, &f64) && memcpy(target, &f64, sizeof f64);
    case KIND_U64:
        return to_u64(L, index, &u64) && memcpy(target, &u64, sizeof u64);
    case KIND_I64:
        return to_i64(L, index, &i64) && memcpy(target, &i64, sizeof i64);
    case KIND_U32:
        return to_meant(L, index, row->meaning, &u32) && memcpy(target, &u32, sizeof u32);
    case KIND_I32:
        return to_i32(L, index, &i32) && memcpy(target, &i32, sizeof i32);
    default:
        return 0;
    }
}

/* Choices of a policy have names: { work_fetch = "wf2" }. "" if a parameter does not have this choice. */
static const char *name_of_choice(const char *parameter, uint32_t value) {
    return strcmp(parameter, "profile") == 0 ? vcs_profile_name(value)
                                             : vcs_parameter_choice(vcs_parameter_find(parameter), value);
}

/* Whether the parameter has a choice called so. */
static int choice_called(const char *parameter, const char *name, uint32_t *value) {
    for (uint32_t i = 0; *name_of_choice(parameter, i) != '\0'; i++) {
        if (strcmp(name_of_choice(parameter, i), name) == 0) {
            *value = i;
            return 1;
        }
    }
    return 0;
}

static int store_choice(lua_State *L, int index, const layout *structure, const field *row, char *target) {
    uint32_t value = 0;
    if (structure->type != VCS_TYPE_PARAMETERS || lua_type(L, index) != LUA_TSTRING) {
        return 0;
    }
    if (!choice_called(row->name, lua_tostring(L, index), &value)) {
        return 0;
    }
    memcpy(target, &value, sizeof value);
    return 1;
}

/* Says what is expected of a field instead of the value at `index`. */
static void refuse_value(lua_State *L, int index, const layout *structure, const field *row, const place *where) {
    const int is_choice = structure->type == VCS_TYPE_PARAMETERS && row->meaning != MEANS_YES_OR_NO &&
                          *name_of_choice(row->name, 0) != '\0';
    if (!is_choice) {
        push_expectation(L, where, row->name, expectation_of(row), index);
        return;
    }
    lua_pushfstring(L, "one of %s", name_of_choice(row->name, 0));
    for (uint32_t i = 1; *name_of_choice(row->name, i) != '\0'; i++) {
        lua_pushfstring(L, "%s, %s", lua_tostring(L, -1), name_of_choice(row->name, i));
        lua_remove(L, -2);
    }
    push_expectation(L, where, row->name, lua_tostring(L, -1), index);
    lua_remove(L, -2);
}

static int read_inner(lua_State *L, int index, const field *row, char *target, const place *where) {
    if (!lua_istable(L, index)) {
        push_expectation(L, where, row->name, expectations[KIND_STRUCT], index);
        return VCS_ERR_RANGE;
    }
    clear_struct(row->inner, target);
    push_place_name(L, where, row->name);
    const place inside = {lua_tostring(L, -1), 0};
    const int code = read_named(L, index, row->inner, target, &inside);
    if (code == VCS_OK) {
        lua_pop(L, 1);
    }
    return code;
}

int read_field(lua_State *L, int index, const layout *structure, const field *row, void *bytes, const place *where) {
    char *target = (char *)bytes + row->offset;
    if (row->kind == KIND_STRUCT) {
        return read_inner(L, index, row, target, where);
    }
    if (store(L, index, row, target) || store_choice(L, index, structure, row, target)) {
        return VCS_OK;
    }
    if (row->meaning == MEANS_PLACE_OR_NONE && lua_isnil(L, index)) {
        memset(target, 0xff, row->size);
        return VCS_OK;
    }
    refuse_value(L, index, structure, row, where);
    return lua_isnil(L, index) ? VCS_ERR_NULL : VCS_ERR_RANGE;
}

/* A key that is no field: the caller's own if it begins with an underscore. The key is on top of the stack. */
static int refuse_key(lua_State *L, const layout *structure, const place *where) {
    if (lua_type(L, -1) == LUA_TSTRING) {
        lua_pushfstring(L, "%s has no field '%s'", structure->name, lua_tostring(L, -1));
    } else {
        push_description(L, -1);
        lua_pushfstring(L, "%s has fields with names, not %s", structure->name, lua_tostring(L, -1));
    }
    push_place_name(L, where, NULL);
    lua_pushfstring(L, "%s: %s", lua_tostring(L, -1), lua_tostring(L, -2));
    return VCS_ERR_FLAGS;
}

static int is_own_key(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING && *lua_tostring(L, index) == '_';
}

/* Sets what the table at `index` of the stack names. */
int read_named(lua_State *L, int index, const layout *structure, void *bytes, const place *where) {
    luaL_checkstack(L, 12, "too many tables in tables");
    lua_pushnil(L);
    while (lua_next(L, index)) {
        const int value = lua_gettop(L);
        const field *row = lua_type(L, value - 1) == LUA_TSTRING
                               ? layout_field(structure, lua_tostring(L, value - 1)) : NULL;
        int code = VCS_OK;
        if (row != NULL) {
            code = read_field(L, value, structure, row, bytes, where);
        } else if (!is_own_key(L, value - 1)) {
            lua_pop(L, 1);
            code = refuse_key(L, structure, where);
        }
        if (code != VCS_OK) {
            return code;
        }
        lua_settop(L, value - 1);
    }
    return VCS_OK;
}

void clear_struct(const layout *structure, void *bytes) {
    memset(bytes, 0, structure->size);
    if (structure->begins_with_size) {
        memcpy(bytes, &structure->size, sizeof structure->size);
    }
    for (uint32_t i = 0; i < structure->count; i++) {
        if (structure->fields[i].meaning == MEANS_PLACE_OR_NONE) {
            memset((char *)bytes + structure->fields[i].offset, 0xff, structure->fields[i].size);
        }
    }
}

/* Parameters begin with those of the profile that the table names. */
static int begin_parameters(lua_State *L, int index, const layout *structure, void *bytes, const place *where) {
    const field *row = layout_field(structure, "profile");
    uint32_t profile = VCS_PROFILE_CURRENT;
    lua_getfield(L, index, "profile");
    if (!lua_isnil(L, -1)) {
        const int code = read_field(L, lua_gettop(L), structure, row, bytes, where);
        if (code != VCS_OK) {
            return code;
        }
        memcpy(&profile, (char *)bytes + offsetof(vcs_parameters, profile), sizeof profile);
    }
    const int code = vcs_parameters_init(bytes, structure->size, profile);
    if (code != VCS_OK) {
        refuse_value(L, lua_gettop(L), structure, row, where);
        return code;
    }
    lua_pop(L, 1);
    return VCS_OK;
}

int read_struct(lua_State *L, int index, const layout *structure, void *bytes, const place *where) {
    luaL_checkstack(L, 12, "too many tables in tables");
    clear_struct(structure, bytes);
    if (structure->type == VCS_TYPE_PARAMETERS) {
        const int code = begin_parameters(L, index, structure, bytes, where);
        if (code != VCS_OK) {
            return code;
        }
    } else if (structure->type == VCS_TYPE_EMULATION) {
        vcs_emulation_init(bytes, structure->size, VCS_PROFILE_CURRENT);
    }
    return read_named(L, index, structure, bytes, where);
}

/* ---- To Lua ---- */

static void push_u32(lua_State *L, field_meaning meaning, uint32_t value) {
    switch (meaning) {
    case MEANS_PLACE:
    case MEANS_PLACE_OR_NONE:
        push_place(L, value);
        break;
    case MEANS_YES_OR_NO:
        lua_pushboolean(L, value != 0);
        break;
    default:
        push_u64(L, value);
    }
}

static void push_list(lua_State *L, const field *row, const char *source) {
    double value;
    lua_createtable(L, (int)(row->size / sizeof value), 0);
    for (uint32_t i = 0; i < row->size / sizeof value; i++) {
        memcpy(&value, source + i * sizeof value, sizeof value);
        lua_pushnumber(L, value);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_text(lua_State *L, const field *row, const char *source) {
    const char *end = memchr(source, '\0', row->size);
    lua_pushlstring(L, source, end == NULL ? row->size : (size_t)(end - source));
}

void push_field(lua_State *L, const field *row, const void *bytes) {
    const char *source = (const char *)bytes + row->offset;
    double f64;
    uint64_t u64;
    int64_t i64;
    uint32_t u32;
    int32_t i32;
    switch (row->kind) {
    case KIND_F64:
        memcpy(&f64, source, sizeof f64);
        lua_pushnumber(L, f64);
        break;
    case KIND_F64_LIST:
        push_list(L, row, source);
        break;
    case KIND_U64:
        memcpy(&u64, source, sizeof u64);
        push_u64(L, u64);
        break;
    case KIND_I64:
        memcpy(&i64, source, sizeof i64);
        push_i64(L, i64);
        break;
    case KIND_U32:
        memcpy(&u32, source, sizeof u32);
        push_u32(L, row->meaning, u32);
        break;
    case KIND_I32:
        memcpy(&i32, source, sizeof i32);
        push_i64(L, i32);
        break;
    case KIND_TEXT:
        push_text(L, row, source);
        break;
    case KIND_STRUCT:
        push_struct(L, row->inner, source);
        break;
    }
}

/* A table inside the table stays the same table. */
static void write_inner(lua_State *L, int index, const field *row, const char *source) {
    lua_getfield(L, index, row->name);
    if (lua_istable(L, -1)) {
        write_struct(L, lua_gettop(L), row->inner, source);
        lua_pop(L, 1);
    } else {
        lua_pop(L, 1);
        push_struct(L, row->inner, source);
        lua_setfield(L, index, row->name);
    }
}

void write_struct(lua_State *L, int index, const layout *structure, const void *bytes) {
    luaL_checkstack(L, 12, "too many tables in tables");
    lua_rawgeti(L, LUA_REGISTRYINDEX, structure->names);
    const int names = lua_gettop(L);
    for (uint32_t i = 0; i < structure->count; i++) {
        const field *row = &structure->fields[i];
        if (row->kind == KIND_STRUCT) {
            write_inner(L, index, row, (const char *)bytes + row->offset);
        } else {
            lua_rawgeti(L, names, row->place);
            push_field(L, row, bytes);
            lua_rawset(L, index);
        }
    }
    lua_pop(L, 1);
}

void push_struct(lua_State *L, const layout *structure, const void *bytes) {
    luaL_checkstack(L, 12, "too many tables in tables");
    lua_createtable(L, 0, (int)structure->count);
    write_struct(L, lua_gettop(L), structure, bytes);
}

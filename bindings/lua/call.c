/* SPDX-License-Identifier: MIT */
#include "call.h"

#include "convert.h"

#include <string.h>

/* ---- Refusals ---- */

void call_refuse(call *c, int code) {
    if (c->refused == 0) {
        c->refused = code;
        lua_pushfstring(c->L, "%s: %s", c->function, lua_tostring(c->L, -1));
    } else {
        lua_pop(c->L, 1);
    }
}

void call_expect(call *c, int position, const char *name, const char *expected) {
    const place where = {name, 0};
    if (c->refused == 0) {
        const int code = lua_isnoneornil(c->L, position) ? VCS_ERR_NULL : VCS_ERR_RANGE;
        push_expectation(c->L, &where, NULL, expected, position);
        call_refuse(c, code);
    }
}

int call_refused(call *c) {
    lua_pushnil(c->L);
    lua_insert(c->L, -2);
    push_i64(c->L, c->refused);
    return 3;
}

/* "task 2: remaining is negative" counts from 0; Lua gets "task[3]: remaining is negative". */
static void push_message(lua_State *L, const vcs_error *error) {
    const char *name = vcs_emulator_struct_name(error->type);
    const char *message = error->message;
    const char *colon = strstr(message, ": ");
    if (colon == NULL || strncmp(message, name, strlen(name)) != 0 || message[strlen(name)] != ' ') {
        lua_pushstring(L, message);
        return;
    }
    push_u64(L, error->index + 1);
    lua_pushfstring(L, "%s[%s]%s", name, lua_tostring(L, -1), colon);
    lua_remove(L, -2);
}

int call_failed(call *c, int code, const vcs_error *error) {
    if (error != NULL && error->message[0] != '\0') {
        push_message(c->L, error);
    } else {
        lua_pushstring(c->L, vcs_strerror(code));
    }
    call_refuse(c, code);
    return call_refused(c);
}

/* ---- Arguments with names ---- */

static int is_one_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Refuses the key on top of the stack, and says which names there are. */
static void refuse_name(call *c, const char *table, const char *const *names, size_t count) {
    lua_State *L = c->L;
    push_description(L, -1);
    lua_pushfstring(L, "%s: %s is none of %s", table, lua_tostring(L, -1), names[0]);
    for (size_t i = 1; i < count; i++) {
        lua_pushfstring(L, "%s, %s", lua_tostring(L, -1), names[i]);
        lua_remove(L, -2);
    }
    call_refuse(c, VCS_ERR_FLAGS);
}

static void check_names(call *c, int position, const char *table, const char *const *names, size_t count) {
    lua_State *L = c->L;
    lua_pushnil(L);
    while (!c->refused && lua_next(L, position)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING || !is_one_of(lua_tostring(L, -1), names, count)) {
            refuse_name(c, table, names, count);
        }
    }
}

void call_members(call *c, int position, const char *name, const char *const *names, size_t count) {
    lua_State *L = c->L;
    if (c->refused || !lua_istable(L, position)) {
        call_expect(c, position, name, "a table");
        return;
    }
    luaL_checkstack(L, (int)count + 12, NULL);
    check_names(c, position, name, names, count);
    for (size_t i = 0; i < count && !c->refused; i++) {
        lua_getfield(L, position, names[i]);
    }
}

void call_default_table(call *c, int position) {
    if (!c->refused && lua_isnil(c->L, position)) {
        lua_newtable(c->L);
        lua_replace(c->L, position);
    }
}

void call_spread(call *c, int position, const char *name, const char *const *names, size_t count, size_t required) {
    const int first = lua_gettop(c->L) + 1;
    call_members(c, position, name, names, count);
    for (size_t i = required; i < count; i++) {
        call_default_table(c, first + (int)i);
    }
}

/* ---- Numbers and texts ---- */

uint32_t call_u32(call *c, int position, const char *name) {
    uint32_t value = 0;
    if (!to_u32(c->L, position, &value)) {
        call_expect(c, position, name, "a whole number from 0 to 4294967295");
    }
    return value;
}

uint64_t call_u64(call *c, int position, const char *name) {
    uint64_t value = 0;
    if (!to_u64(c->L, position, &value)) {
        call_expect(c, position, name, "a whole number, 0 or more,");
    }
    return value;
}

int call_int(call *c, int position, const char *name) {
    int32_t value = 0;
    if (!to_i32(c->L, position, &value)) {
        call_expect(c, position, name, "a whole number");
    }
    return value;
}

uint32_t call_place(call *c, int position, const char *name) {
    uint32_t value = 0;
    if (!to_place(c->L, position, &value)) {
        call_expect(c, position, name, "a place in a list, from 1,");
    }
    return value;
}

uint32_t call_yes_or_no(call *c, int position, const char *name) {
    uint32_t value = 0;
    if (!to_yes_or_no(c->L, position, &value)) {
        call_expect(c, position, name, "true or false");
    }
    return value;
}

const char *call_text(call *c, int position, const char *name) {
    if (lua_type(c->L, position) != LUA_TSTRING) {
        call_expect(c, position, name, "a string");
        return "";
    }
    return lua_tostring(c->L, position);
}

int call_function_or_nil(call *c, int position, const char *name) {
    if (!lua_isnoneornil(c->L, position) && !lua_isfunction(c->L, position)) {
        call_expect(c, position, name, "a function");
    }
    return lua_isfunction(c->L, position);
}

/* ---- Structs ---- */

/* The record at `position` if there is one of this type. */
static void *struct_in_place(call *c, int position, const layout *structure) {
    const typed *record = record_at(c->L, c->layouts, position);
    return record != NULL && record->structure == structure ? record->base : NULL;
}

static void read_table(call *c, int position, const char *name, const layout *structure, void *bytes) {
    const place where = {name, 0};
    if (!lua_istable(c->L, position)) {
        lua_pushfstring(c->L, "a table or a record of %s", structure->name);
        call_expect(c, position, name, lua_tostring(c->L, -1));
        return;
    }
    const int code = read_struct(c->L, position, structure, bytes, &where);
    if (code != VCS_OK) {
        call_refuse(c, code);
    }
}

void *call_struct(call *c, int position, const char *name, uint32_t type, storage *memory) {
    const layout *structure = layout_of(c->layouts, type);
    if (c->refused) {
        return NULL;
    }
    void *found = struct_in_place(c, position, structure);
    if (found == NULL) {
        read_table(c, position, name, structure, memory->bytes);
        found = memory->bytes;
    }
    return found;
}

void *call_struct_or_nil(call *c, int position, const char *name, uint32_t type, storage *memory) {
    return lua_isnil(c->L, position) ? NULL : call_struct(c, position, name, type, memory);
}

const void *call_record(call *c, int position, const char *name, const layout *structure) {
    void *found = struct_in_place(c, position, structure);
    if (found == NULL) {
        found = lua_newuserdata(c->L, structure->size);
        read_table(c, position, name, structure, found);
    }
    return found;
}

const void *call_changed_struct(call *c, int position, const char *name, uint32_t type, void *bytes) {
    const layout *structure = layout_of(c->layouts, type);
    const void *found = c->refused ? bytes : struct_in_place(c, position, structure);
    if (found != NULL) {
        return found;
    }
    const place where = {name, 0};
    const int code = lua_istable(c->L, position) ? read_named(c->L, position, structure, bytes, &where) : VCS_OK;
    if (code != VCS_OK) {
        call_refuse(c, code);
    } else if (!lua_istable(c->L, position)) {
        lua_pushfstring(c->L, "a table or a record of %s", structure->name);
        call_expect(c, position, name, lua_tostring(c->L, -1));
    }
    return bytes;
}

/* ---- Lists ---- */

/* A list has the keys 1 to n and no other. */
uint32_t call_list_length(call *c, int position, const char *name) {
    lua_State *L = c->L;
    const size_t length = lua_rawlen(L, position);
    size_t keys = 0;
    lua_pushnil(L);
    while (lua_next(L, position)) {
        lua_pop(L, 1);
        keys++;
        uint32_t place;
        if (!to_place(L, -1, &place) || place >= length) {
            push_description(L, -1);
            lua_pushfstring(L, "%s: a list without holes expected; it has the key %s, and ends at %d", name,
                            lua_tostring(L, -1), (int)length);
            call_refuse(c, VCS_ERR_COUNT);
            return 0;
        }
    }
    if (keys != length) {
        lua_pushfstring(L, "%s: a list without holes expected; one of its %d elements is nil", name, (int)length);
        call_refuse(c, VCS_ERR_COUNT);
    }
    return (uint32_t)keys;
}

void call_read_list(call *c, int position, const char *name, const layout *structure, char *base, uint32_t count) {
    lua_State *L = c->L;
    for (uint32_t i = 0; i < count && !c->refused; i++) {
        const place where = {name, i + 1};
        lua_rawgeti(L, position, (int)i + 1);
        const int value = lua_gettop(L);
        const typed *record = record_at(L, c->layouts, value);
        int code = VCS_OK;
        if (record != NULL && record->structure == structure) {
            memcpy(base + (size_t)i * structure->size, record->base, structure->size);
        } else if (lua_istable(L, value)) {
            code = read_struct(L, value, structure, base + (size_t)i * structure->size, &where);
        } else {
            lua_pushfstring(L, "a table or a record of %s", structure->name);
            push_expectation(L, &where, NULL, lua_tostring(L, -1), value);
            code = VCS_ERR_RANGE;
        }
        if (code != VCS_OK) {
            call_refuse(c, code);
            return;
        }
        lua_settop(L, value - 1);
    }
}

vcs_array call_array(call *c, int position, const char *name, uint32_t type) {
    const layout *structure = layout_of(c->layouts, type);
    vcs_array records = {{NULL}, structure->size, 0};
    if (c->refused) {
        return records;
    }
    const typed *array = array_at(c->L, c->layouts, position);
    if (array != NULL && array->structure == structure) {
        records.out = array->base;
        records.count = array->count;
    } else if (lua_istable(c->L, position)) {
        records.count = call_list_length(c, position, name);
        records.out = call_memory(c, records.count, structure->size);
        if (!c->refused) {
            call_read_list(c, position, name, structure, records.out, records.count);
        }
    } else {
        lua_pushfstring(c->L, "a list or an array of %s", structure->name);
        call_expect(c, position, name, lua_tostring(c->L, -1));
    }
    return records;
}

void call_same_count(call *c, const char *name, uint32_t count, uint32_t expected) {
    if (!c->refused && count != expected) {
        lua_pushfstring(c->L, "%s: %d elements expected, got %d", name, (int)expected, (int)count);
        call_refuse(c, VCS_ERR_COUNT);
    }
}

/* How many numbers the list at `position` has. */
static uint32_t count_numbers(call *c, int position, const char *name) {
    if (!c->refused && !lua_istable(c->L, position)) {
        call_expect(c, position, name, "a list of numbers");
    }
    return c->refused ? 0 : call_list_length(c, position, name);
}

vcs_array call_f64s(call *c, int position, const char *name) {
    lua_State *L = c->L;
    const uint32_t count = count_numbers(c, position, name);
    double *numbers = call_memory(c, count, sizeof *numbers);
    for (uint32_t i = 0; i < count && !c->refused; i++) {
        const place where = {name, i + 1};
        lua_rawgeti(L, position, (int)i + 1);
        if (!to_f64(L, -1, &numbers[i])) {
            push_expectation(L, &where, NULL, "a number", lua_gettop(L));
            call_refuse(c, VCS_ERR_RANGE);
        } else {
            lua_pop(L, 1);
        }
    }
    return (vcs_array){{numbers}, sizeof *numbers, count};
}

const uint32_t *call_u32s(call *c, int position, const char *name, uint32_t count) {
    lua_State *L = c->L;
    call_same_count(c, name, count_numbers(c, position, name), count);
    uint32_t *numbers = call_memory(c, count, sizeof *numbers);
    for (uint32_t i = 0; i < count && !c->refused; i++) {
        const place where = {name, i + 1};
        lua_rawgeti(L, position, (int)i + 1);
        if (!to_u32(L, -1, &numbers[i])) {
            push_expectation(L, &where, NULL, "a whole number from 0 to 4294967295", lua_gettop(L));
            call_refuse(c, VCS_ERR_RANGE);
        } else {
            lua_pop(L, 1);
        }
    }
    return numbers;
}

/* The userdata at `position` with this metatable; NULL, and the call is refused, if it is something else. */
static void *call_object(call *c, int position, const char *name, const void *metatable, const char *maker) {
    if (lua_type(c->L, position) == LUA_TUSERDATA && lua_getmetatable(c->L, position)) {
        const int is_one = lua_topointer(c->L, -1) == metatable;
        lua_pop(c->L, 1);
        if (is_one) {
            return lua_touserdata(c->L, position);
        }
    }
    lua_pushfstring(c->L, "what vcsched.%s() returns", maker);
    call_expect(c, position, name, lua_tostring(c->L, -1));
    return NULL;
}

const prepared *call_prepared(call *c, int position) {
    static const prepared nothing = {NULL, 0, 0, 0};
    const prepared *found = call_object(c, position, "state", c->layouts->state_metatable, "prepare");
    if (found != NULL && found->state == NULL) {
        lua_pushliteral(c->L, "state: the situation that it belongs to has passed");
        call_refuse(c, VCS_ERR_SEQUENCE);
    }
    return found == NULL ? &nothing : found;
}

const indexed *call_indexed(call *c, int position) {
    static const indexed nothing = {NULL};
    const indexed *found = call_object(c, position, "index", c->layouts->index_metatable, "dispatch");
    return found == NULL ? &nothing : found;
}

/* ---- Memory ---- */

void *call_memory(call *c, uint64_t count, size_t size) {
    if (c->refused) {
        return NULL;
    }
    if (count >= VCS_NONE || count > (SIZE_MAX / 2) / size) {
        lua_pushliteral(c->L, "too many elements");
        call_refuse(c, VCS_ERR_OVERFLOW);
        return NULL;
    }
    luaL_checkstack(c->L, 12, NULL);
    return lua_newuserdata(c->L, count == 0 ? 1 : (size_t)count * size);
}

void *call_new_struct(call *c, uint32_t type, storage *memory) {
    const layout *structure = layout_of(c->layouts, type);
    memset(memory->bytes, 0, structure->size);
    if (structure->begins_with_size) {
        memcpy(memory->bytes, &structure->size, sizeof structure->size);
    }
    return memory->bytes;
}

vcs_array call_new_array(call *c, int position, const char *name, uint32_t type, uint64_t count) {
    const layout *structure = layout_of(c->layouts, type);
    vcs_array records = {{NULL}, structure->size, (uint32_t)count};
    if (c->refused) {
        return records;
    }
    if (position == 0 || lua_isnil(c->L, position)) {
        records.out = call_memory(c, count, structure->size);
        return records;
    }
    const typed *array = array_at(c->L, c->layouts, position);
    if (array != NULL && array->structure == structure) {
        call_same_count(c, name, array->count, (uint32_t)count);
        records.out = array->base;
    } else {
        lua_pushfstring(c->L, "nil or an array of %s", structure->name);
        call_expect(c, position, name, lua_tostring(c->L, -1));
    }
    return records;
}

/* ---- Answers ---- */

void call_store(call *c, int position, uint32_t type, const void *bytes) {
    if (lua_istable(c->L, position)) {
        write_struct(c->L, position, layout_of(c->layouts, type), bytes);
    }
}

void call_store_array(call *c, int position, uint32_t type, vcs_array records) {
    lua_State *L = c->L;
    if (!lua_istable(L, position)) {
        return;
    }
    for (uint32_t i = 0; i < records.count; i++) {
        const char *bytes = (const char *)records.base + (size_t)i * records.element_size;
        lua_rawgeti(L, position, (int)i + 1);
        typed *record = record_at(L, c->layouts, lua_gettop(L));
        if (record != NULL) {
            memcpy(record->base, bytes, records.element_size);
        } else {
            write_struct(L, lua_gettop(L), layout_of(c->layouts, type), bytes);
        }
        lua_pop(L, 1);
    }
}

void call_push_struct(call *c, uint32_t type, const void *bytes) {
    push_struct(c->L, layout_of(c->layouts, type), bytes);
}

void call_push_array(call *c, int position, uint32_t type, vcs_array records, uint32_t count) {
    if (position != 0 && !lua_isnil(c->L, position)) {
        lua_pushvalue(c->L, position);
        return;
    }
    luaL_checkstack(c->L, 12, NULL);
    lua_createtable(c->L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        push_struct(c->L, layout_of(c->layouts, type), (const char *)records.base + (size_t)i * records.element_size);
        lua_rawseti(c->L, -2, (int)i + 1);
    }
}

void call_push_places(call *c, const uint32_t *indices, uint32_t count) {
    lua_createtable(c->L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        push_place(c->L, indices[i]);
        lua_rawseti(c->L, -2, (int)i + 1);
    }
}

void call_push_numbers(call *c, const double *values, uint32_t count) {
    lua_createtable(c->L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushnumber(c->L, values[i]);
        lua_rawseti(c->L, -2, (int)i + 1);
    }
}

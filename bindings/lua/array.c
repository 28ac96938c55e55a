/* SPDX-License-Identifier: MIT */
#include "array.h"

#include "call.h"
#include "convert.h"
#include "number.h"

#include <string.h>

/* ---- What is at an index of the stack ---- */

/* An array or a record. To ask for its metatable would take twice as long. */
static typed *typed_at(lua_State *L, const layouts *all, int index) {
    typed *found = lua_touserdata(L, index);
    return found != NULL && lua_rawlen(L, index) >= sizeof *found && found->owner == all ? found : NULL;
}

typed *array_at(lua_State *L, const layouts *all, int index) {
    typed *found = typed_at(L, all, index);
    return found != NULL && found->is_array ? found : NULL;
}

typed *record_at(lua_State *L, const layouts *all, int index) {
    typed *found = typed_at(L, all, index);
    return found != NULL && !found->is_array ? found : NULL;
}

static typed *self_of(lua_State *L) {
    typed *self = typed_at(L, layouts_of(L), 1);
    if (self == NULL) {
        luaL_error(L, "an array or a record of vcsched expected, got %s", luaL_typename(L, 1));
    }
    return self;
}

/* ---- Making them ---- */

#define ARRAY_METATABLE lua_upvalueindex(2)
#define RECORD_METATABLE lua_upvalueindex(3)

/* A userdata for `count` elements, which are all 0. The metatable is the second or third upvalue. */
static typed *push_typed(lua_State *L, const layout *structure, uint32_t count, int metatable) {
    const size_t size = (size_t)count * structure->size;
    typed *made = lua_newuserdata(L, sizeof *made + size);
    *made = (typed){layouts_of(L), structure, (char *)(made + 1), count, metatable == ARRAY_METATABLE};
    memset(made->base, 0, size);
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    return made;
}

typed *array_push(lua_State *L, const layout *structure, uint32_t count) {
    return push_typed(L, structure, count, ARRAY_METATABLE);
}

typed *record_push(lua_State *L, const layout *structure) {
    return push_typed(L, structure, 1, RECORD_METATABLE);
}

void copy_records(void *to, size_t to_size, const void *from, size_t from_size, uint32_t count) {
    const size_t common = to_size < from_size ? to_size : from_size;
    if (to_size == from_size && count > 0) {
        memmove(to, from, count * to_size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        char *record = (char *)to + i * to_size;
        memcpy(record, (const char *)from + i * from_size, common);
        memset(record + common, 0, to_size - common);
    }
}

static const layout *call_layout(call *c, int position) {
    const char *name = call_text(c, position, "type");
    const layout *structure = c->refused ? NULL : layout_named(c->layouts, name);
    if (structure == NULL && !c->refused) {
        lua_pushfstring(c->L, "type: '%s' is no struct of the library", name);
        call_refuse(c, VCS_ERR_INDEX);
    }
    return structure;
}

static uint32_t call_array_count(call *c, const layout *structure) {
    lua_State *L = c->L;
    if (lua_istable(L, 2)) {
        return call_list_length(c, 2, "count");
    }
    if (lua_type(L, 2) == LUA_TSTRING) {
        const size_t length = lua_rawlen(L, 2);
        if (length % structure->size != 0 || length / structure->size >= VCS_NONE) {
            lua_pushfstring(L, "bytes: a multiple of %d bytes expected, got %d", (int)structure->size, (int)length);
            call_refuse(c, VCS_ERR_ABI_SIZE);
        }
        return (uint32_t)(length / structure->size);
    }
    const uint32_t count = call_u32(c, 2, "count");
    if (count == VCS_NONE || (size_t)count > (SIZE_MAX / 2) / structure->size) {
        lua_pushliteral(L, "count: too many");
        call_refuse(c, VCS_ERR_OVERFLOW);
    }
    return count;
}

static void fill_array(call *c, const typed *made) {
    lua_State *L = c->L;
    if (lua_type(L, 2) == LUA_TSTRING) {
        memcpy(made->base, lua_tostring(L, 2), (size_t)made->count * made->structure->size);
    } else if (lua_istable(L, 2)) {
        call_read_list(c, 2, made->structure->name, made->structure, made->base, made->count);
    } else {
        for (uint32_t i = 0; i < made->count; i++) {
            clear_struct(made->structure, made->base + (size_t)i * made->structure->size);
        }
    }
}

/* array(type, count), array(type, { {...}, ... }), array(type, bytes) */
static int make_array(lua_State *L) {
    call c = call_begin(L, "array", 2);
    const layout *structure = call_layout(&c, 1);
    const uint32_t count = c.refused ? 0 : call_array_count(&c, structure);
    if (c.refused) {
        return call_refused(&c);
    }
    const typed *made = array_push(L, structure, count);
    fill_array(&c, made);
    return c.refused ? call_refused(&c) : 1;
}

/* record(type), record(type, { ... }) */
static int make_record(lua_State *L) {
    call c = call_begin(L, "record", 2);
    const layout *structure = call_layout(&c, 1);
    if (!c.refused && lua_isnil(L, 2)) {
        lua_newtable(L);
        lua_replace(L, 2);
    }
    const void *bytes = c.refused ? NULL : call_record(&c, 2, structure->name, structure);
    if (c.refused) {
        return call_refused(&c);
    }
    const typed *made = record_push(L, structure);
    memcpy(made->base, bytes, structure->size);
    return 1;
}

/* Part of an array or a record, which stays alive as long as the part. `index` is where the whole is on the stack. */
static int push_part(lua_State *L, int index, const layout *structure, char *base, int metatable) {
    typed *part = lua_newuserdata(L, sizeof *part);
    *part = (typed){layouts_of(L), structure, base, 1, metatable == ARRAY_METATABLE};
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, 1);
    lua_setuservalue(L, -2);
    return 1;
}

/* ---- Using them ---- */

/* The field that the value at `index` names, or a Lua error. */
static const field *field_named(lua_State *L, const typed *self, int index) {
    const field *row = lua_type(L, index) == LUA_TSTRING
                           ? layout_field(self->structure, lua_tostring(L, index)) : NULL;
    if (row == NULL) {
        push_description(L, index);
        luaL_error(L, "%s has no field called %s", self->structure->name, lua_tostring(L, -1));
    }
    return row;
}

static int get_field(lua_State *L, int index, const field *row, char *base) {
    if (row->kind == KIND_STRUCT) {
        return push_part(L, index, row->inner, base + row->offset, RECORD_METATABLE);
    }
    push_field(L, row, base);
    return 1;
}

/* The value is on top of the stack. */
static void set_field(lua_State *L, const typed *self, const field *row, char *base, uint32_t element) {
    const place where = {self->structure->name, element};
    if (read_field(L, lua_gettop(L), self->structure, row, base, &where) != VCS_OK) {
        lua_error(L);
    }
}

static char *element_of(lua_State *L, const typed *self, int index) {
    uint32_t place;
    if (!to_place(L, index, &place) || place >= self->count) {
        push_description(L, index);
        luaL_error(L, "a place from 1 to %d expected, got %s", (int)self->count, lua_tostring(L, -1));
    }
    return self->base + (size_t)place * self->structure->size;
}

static uint32_t element_number(const typed *self, const char *element) {
    return (uint32_t)((size_t)(element - self->base) / self->structure->size) + 1;
}

/* a:get(place, name) */
static int array_get(lua_State *L) {
    const typed *self = self_of(L);
    char *element = element_of(L, self, 2);
    return get_field(L, 1, field_named(L, self, 3), element);
}

/* a:set(place, name, value) */
static int array_set(lua_State *L) {
    const typed *self = self_of(L);
    lua_settop(L, 4);
    char *element = element_of(L, self, 2);
    set_field(L, self, field_named(L, self, 3), element, element_number(self, element));
    return 0;
}

/* a[place]: a record, or nil beyond the end, as in a table; a.get and a.set */
static int array_index(lua_State *L) {
    const typed *self = self_of(L);
    uint32_t place;
    if (to_place(L, 2, &place)) {
        if (place >= self->count) {
            return 0;
        }
        return push_part(L, 1, self->structure, self->base + (size_t)place * self->structure->size, RECORD_METATABLE);
    }
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(4));
    return 1;
}

/* a[place] = { ... } */
static int array_newindex(lua_State *L) {
    const typed *self = self_of(L);
    const layout *structure = self->structure;
    char *element = element_of(L, self, 2);
    call c = call_begin(L, structure->name, 3);
    const void *bytes = call_record(&c, 3, structure->name, structure);
    if (c.refused) {
        return lua_error(L);
    }
    memmove(element, bytes, structure->size);
    return 0;
}

static int array_length(lua_State *L) {
    push_u64(L, self_of(L)->count);
    return 1;
}

static int record_index(lua_State *L) {
    const typed *self = self_of(L);
    return get_field(L, 1, field_named(L, self, 2), self->base);
}

static int record_newindex(lua_State *L) {
    const typed *self = self_of(L);
    lua_settop(L, 3);
    set_field(L, self, field_named(L, self, 2), self->base, 0);
    return 0;
}

static int typed_to_text(lua_State *L) {
    const typed *self = self_of(L);
    if (self->is_array) {
        lua_pushfstring(L, "vcsched.array of %d %s", (int)self->count, self->structure->name);
    } else {
        lua_pushfstring(L, "vcsched.record %s", self->structure->name);
    }
    return 1;
}

/* bytes(array or record): the memory as a string, which array() takes */
static int copy_bytes(lua_State *L) {
    const typed *self = self_of(L);
    lua_pushlstring(L, self->base, (size_t)self->count * self->structure->size);
    return 1;
}

/* totable(array or record): a list of tables, or a table */
static int copy_tables(lua_State *L) {
    const typed *self = self_of(L);
    if (!self->is_array) {
        push_struct(L, self->structure, self->base);
        return 1;
    }
    lua_createtable(L, (int)self->count, 0);
    for (uint32_t i = 0; i < self->count; i++) {
        push_struct(L, self->structure, self->base + (size_t)i * self->structure->size);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* ---- The module's part ---- */

static const luaL_Reg module_functions[] = {
    {"array", make_array}, {"record", make_record}, {"bytes", copy_bytes}, {"totable", copy_tables}, {NULL, NULL},
};
static const luaL_Reg array_methods[] = {
    {"get", array_get}, {"set", array_set}, {NULL, NULL},
};
static const luaL_Reg array_events[] = {
    {"__index", array_index}, {"__newindex", array_newindex}, {"__len", array_length}, {"__tostring", typed_to_text},
    {NULL, NULL},
};
static const luaL_Reg record_events[] = {
    {"__index", record_index}, {"__newindex", record_newindex}, {"__tostring", typed_to_text}, {NULL, NULL},
};

/* Sets functions of the table at `target`; each knows the layouts, both metatables and the methods. */
static void set_functions(lua_State *L, int target, const luaL_Reg *functions, int first_upvalue) {
    for (; functions->name != NULL; functions++) {
        for (int i = 0; i < 4; i++) {
            lua_pushvalue(L, first_upvalue + i);
        }
        lua_pushcclosure(L, functions->func, 4);
        lua_setfield(L, target, functions->name);
    }
}

void array_open(lua_State *L, layouts *all, int upvalue) {
    const int module = lua_gettop(L);
    const int first = module + 1;
    lua_pushvalue(L, upvalue);
    lua_newtable(L); /* of arrays */
    all->array_metatable = lua_topointer(L, -1);
    lua_newtable(L); /* of records */
    all->record_metatable = lua_topointer(L, -1);
    lua_newtable(L); /* methods */
    set_functions(L, first + 3, array_methods, first);
    set_functions(L, first + 1, array_events, first);
    set_functions(L, first + 2, record_events, first);
    set_functions(L, module, module_functions, first);
    /* Scripts do not get at what tells one userdata from another. */
    for (int i = 1; i <= 2; i++) {
        lua_pushliteral(L, "vcsched");
        lua_setfield(L, first + i, "__metatable");
    }
    lua_settop(L, first + 2);
    lua_remove(L, first);
}

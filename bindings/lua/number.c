/* SPDX-License-Identifier: MIT */
#include "number.h"

#include <vcsched/abi.h>

/* Up to here each whole number is a double of its own. */
#define EXACT_DOUBLES 9007199254740992.0

static void push_digits(lua_State *L, uint64_t value) {
    char digits[20];
    int place = (int)sizeof digits;
    do {
        digits[--place] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    lua_pushlstring(L, &digits[place], sizeof digits - (size_t)place);
}

void push_u64(lua_State *L, uint64_t value) {
#if LUA_HAS_INTEGERS
    if (value <= INT64_MAX) {
        lua_pushinteger(L, (lua_Integer)value);
        return;
    }
#else
    if (value <= (uint64_t)EXACT_DOUBLES) {
        lua_pushnumber(L, (lua_Number)value);
        return;
    }
#endif
    push_digits(L, value);
}

void push_i64(lua_State *L, int64_t value) {
#if LUA_HAS_INTEGERS
    lua_pushinteger(L, (lua_Integer)value);
#else
    lua_pushnumber(L, (lua_Number)value);
#endif
}

void push_place(lua_State *L, uint32_t index) {
    if (index == VCS_NONE) {
        lua_pushnil(L);
    } else {
        push_u64(L, (uint64_t)index + 1);
    }
}

int to_f64(lua_State *L, int index, double *value) {
    if (lua_type(L, index) != LUA_TNUMBER) {
        return 0;
    }
    *value = lua_tonumber(L, index);
    return 1;
}

/* A whole number in a range whose ends are doubles. Comparisons with NaN fail. */
static int to_whole(lua_State *L, int index, double least, double greatest, double *value) {
    double number;
    if (!to_f64(L, index, &number) || !(number >= least && number <= greatest) ||
        number != (double)(int64_t)number) {
        return 0;
    }
    *value = number;
    return 1;
}

/* Digits of a number that is no number of every Lua, exactly as push_u64() writes it. */
static int digits_to_u64(const char *text, uint64_t *value) {
    uint64_t number = 0;
    if (*text < '1' || *text > '9') {
        return 0;
    }
    for (; *text != '\0'; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || number > (UINT64_MAX - digit) / 10) {
            return 0;
        }
        number = number * 10 + digit;
    }
    *value = number;
    return number > (uint64_t)EXACT_DOUBLES;
}

int to_u64(lua_State *L, int index, uint64_t *value) {
    if (lua_type(L, index) == LUA_TSTRING) {
        return digits_to_u64(lua_tostring(L, index), value);
    }
#if LUA_HAS_INTEGERS
    if (lua_isinteger(L, index)) {
        *value = (uint64_t)lua_tointeger(L, index);
        return lua_tointeger(L, index) >= 0;
    }
#endif
    double number;
    if (!to_whole(L, index, 0, EXACT_DOUBLES, &number)) {
        return 0;
    }
    *value = (uint64_t)number;
    return 1;
}

int to_i64(lua_State *L, int index, int64_t *value) {
#if LUA_HAS_INTEGERS
    if (lua_isinteger(L, index)) {
        *value = lua_tointeger(L, index);
        return 1;
    }
#endif
    double number;
    if (!to_whole(L, index, -EXACT_DOUBLES, EXACT_DOUBLES, &number)) {
        return 0;
    }
    *value = (int64_t)number;
    return 1;
}

int to_u32(lua_State *L, int index, uint32_t *value) {
    double number;
    if (!to_whole(L, index, 0, UINT32_MAX, &number)) {
        return 0;
    }
    *value = (uint32_t)number;
    return 1;
}

int to_i32(lua_State *L, int index, int32_t *value) {
    double number;
    if (!to_whole(L, index, INT32_MIN, INT32_MAX, &number)) {
        return 0;
    }
    *value = (int32_t)number;
    return 1;
}

int to_place(lua_State *L, int index, uint32_t *value) {
    double number;
    if (!to_whole(L, index, 1, UINT32_MAX, &number)) {
        return 0;
    }
    *value = (uint32_t)number - 1;
    return 1;
}

int to_yes_or_no(lua_State *L, int index, uint32_t *value) {
    if (lua_type(L, index) == LUA_TBOOLEAN) {
        *value = lua_toboolean(L, index) != 0;
        return 1;
    }
    double number;
    if (!to_whole(L, index, 0, 1, &number)) {
        return 0;
    }
    *value = (uint32_t)number;
    return 1;
}

void push_description(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TNONE:
        lua_pushliteral(L, "nil");
        break;
    case LUA_TNUMBER:
        lua_pushvalue(L, index);
        lua_pushstring(L, lua_tostring(L, -1));
        lua_remove(L, -2);
        break;
    case LUA_TSTRING:
        lua_pushfstring(L, "the string '%s'", lua_tostring(L, index));
        break;
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
        break;
    default:
        lua_pushfstring(L, "a %s", luaL_typename(L, index));
    }
}

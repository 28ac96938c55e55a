/* SPDX-License-Identifier: MIT */
#include "functions.h"

#include "call.h"

#include "functions.inc"

const luaL_Reg *module_functions(void) {
    static const luaL_Reg all[] = {FUNCTIONS{NULL, NULL}};
    return all;
}

const luaL_Reg *state_methods(void) {
    static const luaL_Reg all[] = {STATE_METHODS{NULL, NULL}};
    return all;
}

const luaL_Reg *index_methods(void) {
    static const luaL_Reg all[] = {INDEX_METHODS{NULL, NULL}};
    return all;
}

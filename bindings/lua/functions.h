/*
 * The functions of the library, each as a function for Lua. Their bodies are made from the headers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_FUNCTIONS_H
#define VCSCHED_LUA_FUNCTIONS_H

#include "compat.h"

/* Functions of the module, methods of a prepared state, and of an index of jobs. Each ends with a name that is NULL. */
const luaL_Reg *module_functions(void);
const luaL_Reg *state_methods(void);
const luaL_Reg *index_methods(void);

#endif

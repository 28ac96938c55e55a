/*
 * emulate(): a host and its servers in virtual time, with functions of Lua's as the policy if one likes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_EMULATE_H
#define VCSCHED_LUA_EMULATE_H

#include "compat.h"

/*
 * Adds emulate(scenario, options) to the module. The stack holds, from `upvalues` on, the layouts and the metatables of
 * arrays, records and states.
 */
void emulate_open(lua_State *L, int module, int upvalues);

#endif

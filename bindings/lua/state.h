/*
 * prepare(): a host's records, checked and sorted once, as an object that is asked many times.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_STATE_H
#define VCSCHED_LUA_STATE_H

#include "call.h"

/* prepare{ now =, host =, resources =, projects =, pairs =, apps =, tasks =, candidates =, parameters = } */
int state_prepare(lua_State *L);

#endif

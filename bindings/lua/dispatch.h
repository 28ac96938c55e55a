/*
 * dispatch(): the index of a server's clients and jobs, as an object that says which job a client gets next.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_DISPATCH_H
#define VCSCHED_LUA_DISPATCH_H

#include "call.h"

/* dispatch{ clients =, jobs =, rules =, max_clients =, max_jobs = } */
int dispatch_build(lua_State *L);

#endif

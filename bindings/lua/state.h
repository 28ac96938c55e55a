/*
 * prepare(): a host's records, checked and sorted once, as an object that is asked many times.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_STATE_H
#define VCSCHED_LUA_STATE_H

#include "call.h"

/* Where the records of a snapshot are on the stack, from `first` on: host, resources, projects, project_resources,
 * apps, app_resources, hours, tasks. */
#define RECORDS_OF_SNAPSHOT                                                                                            \
    "host", "resources", "projects", "project_resources", "apps", "app_resources", "hours", "tasks"
enum { STATE_RECORDS = 8 };
vcs_snapshot state_take_view(call *c, int first, storage *host);

/* A prepared state, with the metatable at `metatable`; its memory is behind it, `size` bytes. */
prepared *state_push(lua_State *L, const vcs_snapshot *snapshot, size_t size, int metatable);

/* Makes it that of a state which somebody else has prepared from these records. */
void state_show(prepared *self, const vcs_snapshot *snapshot, vcs_state *state);

/* prepare{ now =, host =, resources =, projects =, project_resources =, apps =, app_resources =, hours =, tasks =,
 * candidates =, parameters = } */
int state_prepare(lua_State *L);

#endif

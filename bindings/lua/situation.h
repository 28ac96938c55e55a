/*
 * What a function of a policy looks at: an object with the present, the records, the parameters and the prepared state.
 *
 * There is one for each emulation. Its fields are made when they are asked for, and are copies, except the state,
 * which is the emulator's own and answers only as long as the call lasts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_SITUATION_H
#define VCSCHED_LUA_SITUATION_H

#include "call.h"

#include <stdbool.h>

typedef struct situation {
    const vcs_situation *seen; /* NULL between calls */
    prepared *state;           /* what was handed out in this call; NULL if it was not asked for */
    bool looked_at;            /* whether its table has something of this call: else the next can do with it */
} situation;

/*
 * Pushes the metatable of situations. The stack holds, from `upvalues` on, those of its functions: the layouts, and the
 * metatables of arrays, records and states.
 */
void situation_open(lua_State *L, int upvalues);

/* Pushes a situation with the metatable at `metatable`, as yet without anything to see. */
situation *situation_push(lua_State *L, int metatable);

/* Begins and ends a call that looks at it; `index` is where it is on the stack. The end cannot fail. */
void situation_begin(lua_State *L, int index, const vcs_situation *seen);
void situation_end(situation *self);

#endif

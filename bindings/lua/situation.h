/*
 * What a function of a policy looks at: an object with the present, the records, the parameters and the prepared state.
 *
 * There is one for each emulation. Its fields are brought up to date when they are asked for. They are copies in memory
 * that the next call uses again, except the state, which is the emulator's own and answers only as long as the call
 * lasts.
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
    uint32_t decision; /* VCS_TYPE_* of the decisions that the call has to make; VCS_TYPE_NONE = it makes none */
    uint32_t decision_count;
    uint32_t fresh; /* a bit for each field that has been brought up to date in this call */
} situation;

/*
 * Pushes the metatable of situations. The stack holds, from `upvalues` on, those of its functions: the layouts, and the
 * metatables of arrays, records and states.
 */
void situation_open(lua_State *L, int upvalues);

/* Pushes a situation with the metatable at `metatable`, as yet without anything to see. */
situation *situation_push(lua_State *L, int metatable);

/* Begins and ends a call that looks at it, and that has so many decisions of a type to make. Neither can fail. */
void situation_begin(situation *self, const vcs_situation *seen, uint32_t decision, uint32_t decision_count);
void situation_end(situation *self);

#endif

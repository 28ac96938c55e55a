/*
 * The functions of a caller's policy, as the emulator calls them.
 *
 * An error in such a function must not jump over the frames of the library. So each is called in protected mode, what
 * it raised stays on the stack, and the library is made to stop; afterwards the error is raised again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_LUA_POLICY_H
#define VCSCHED_LUA_POLICY_H

#include "call.h"
#include "situation.h"

typedef struct errand errand;

typedef struct policy {
    vcs_hooks hooks; /* for vcs_emulate() */
    lua_State *L;
    int first;              /* where its functions are on the stack */
    int handler;            /* where the function is that adds the traceback */
    situation *situation;
    const errand *errand;   /* the input of the function being called, and where its answer goes */
    int raised, refused;    /* how the emulation ended: a function raised an error, or its answer was refused so */
} policy;

/* The functions, in their order on the stack. */
#define FUNCTIONS_OF_POLICY "schedule", "fetch", "send", "estimate"
enum { ON_SCHEDULE, ON_FETCH, ON_SEND, ON_ESTIMATE, ON_OBSERVE, POLICY_FUNCTIONS };

/*
 * Pushes a policy and what it needs. Its functions, or nil, are at `position` and above; the metatable of situations is
 * at `metatable`. It is alive as long as the stack is not cut. NULL, and the call is refused, if one is no function.
 */
policy *policy_push(call *c, int position, int metatable);

/* Tells what ended the emulation, if it was one of the functions: raises its error, or hands out the refusal. */
int policy_failed(const policy *self, call *c);

#endif

/*
 * Any value of a type, for the analyser: what a function is proved about holds for all of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_ANY_H
#define VCS_PROOF_ANY_H

#include "__fc_builtin.h"

#include <float.h>
#include <stdint.h>

/* A record with any bytes. */
#define ANY(type, name)                                                                                                \
    type name;                                                                                                         \
    Frama_C_make_unknown((char *)&name, sizeof name)

/* An array of records with any bytes. */
#define ANY_ARRAY(type, name, count)                                                                                   \
    type name[count];                                                                                                  \
    Frama_C_make_unknown((char *)name, sizeof name)

/* Any number at all, NaN left out: see the script. */
#define ANY_FINITE() Frama_C_double_interval(-DBL_MAX, DBL_MAX)
#define ANY_TIME() Frama_C_double_interval(-1e15, 1e15)
#define ANY_U32() Frama_C_unsigned_int_interval(0, UINT32_MAX)
#define ANY_U64() Frama_C_unsigned_long_interval(0, UINT64_MAX)

/* Where an answer goes that is not looked at. */
extern int code;

/* A call that may succeed. The script wants to see that some path leads to that, or nothing would be proved. */
#define MAY_PASS(call)                                                                                                 \
    do {                                                                                                               \
        code = (call);                                                                                                 \
        Frama_C_show_each_code(code);                                                                                  \
    } while (0)

/* Whether this path is taken: it may be, or may not. */
#define EITHER() Frama_C_interval(0, 1)

/* An error that nobody wants to read: writing its sentence takes the analyser longer than all the rest. */
#define NOBODY ((vcs_error *)0)

/*
 * An index: any that is right, or one of two that are wrong. Behind it comes the annotation "split", so that each is
 * looked at on a path of its own.
 */
static inline uint32_t any_index(uint32_t count) {
    return EITHER() ? UINT32_MAX : Frama_C_unsigned_int_interval(0, count);
}

#endif

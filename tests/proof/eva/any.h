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

/* Whether this path is taken: it may be, or may not. */
#define EITHER() Frama_C_interval(0, 1)

#endif

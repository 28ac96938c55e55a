/*
 * Any record whose fields are in the ranges that *_fields.h state, for the analyser: what a header asks of its caller.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_RIGHT_H
#define VCS_PROOF_RIGHT_H

#include "any.h"
#include "vcemu/interface/emulator_reflection.h"
#include "vcsched/interface/describe/all_fields.h"

#include <string.h>

/* The analyser's own intervals end at the greatest finite number. */
static inline double any_between(double least, double greatest) {
    const double first = least < -DBL_MAX ? -DBL_MAX : least, last = greatest > DBL_MAX ? DBL_MAX : greatest;
    double number = Frama_C_double_interval(first, last);
    /*@ slevel 0; */ /* one path goes on with all of them */
    if (least < -DBL_MAX && EITHER()) {
        number = least;
    }
    if (greatest > DBL_MAX && EITHER()) {
        number = greatest;
    }
    /*@ slevel merge; */
    return number;
}

static inline void any_numbers(void *first, size_t size, double least, double greatest) {
    /*@ loop unroll 16; */
    for (size_t i = 0; i < size / sizeof(double); i++) {
        ((double *)first)[i] = any_between(least, greatest);
    }
}

static inline uint32_t any_word(double least, double greatest) {
    return Frama_C_unsigned_int_interval((uint32_t)least, (uint32_t)greatest);
}

#define RIGHT_f64(place, ...) any_numbers(&(place), sizeof(place), __VA_ARGS__)
#define RIGHT_u64(place, ...) place = ANY_U64()
#define RIGHT_u32(place, ...) place = any_word(__VA_ARGS__)
#define RIGHT_i32(place, ...) place = Frama_C_int_interval(INT32_MIN, INT32_MAX)
#define RIGHT_flags(place, least, greatest) place = ANY_U32() & (uint32_t)(greatest)
#define RIGHT_choice(place, ...) place = any_word(__VA_ARGS__)
#define RIGHT_index(place, ...) place = ANY_U32()
#define RIGHT_size(place, ...) /* set below */
#define RIGHT_zero(place, ...) /* set below */
#define RIGHT_text(place, ...) Frama_C_make_unknown((char *)(place), sizeof(place))
#define RIGHT_other(place, ...) /* for the harness to set */

#define RIGHT_FIELD(structure, kind, offset, field, unit, ...) RIGHT_##kind(record->field, __VA_ARGS__);

/* any_right_task(&task), and so for each struct; arrays in it have no elements. */
#define RIGHT_STRUCT(structure, ...)                                                                                   \
    static inline void any_right_##structure(vcs_##structure *record) {                                                \
        memset(record, 0, sizeof *record);                                                                             \
        VCS_FIELDS_##structure(RIGHT_FIELD)                                                                            \
    }
VCS_STRUCTS(RIGHT_STRUCT)
VCEMU_STRUCTS(RIGHT_STRUCT)

/* A record, and an array of a few. */
#define RIGHT(structure, name)                                                                                         \
    vcs_##structure name;                                                                                              \
    any_right_##structure(&name)

#define RIGHT_ARRAY(structure, name, count)                                                                            \
    vcs_##structure name[count];                                                                                       \
    for (uint32_t name##_at = 0; name##_at < (count); name##_at++) {                                                   \
        any_right_##structure(&name[name##_at]);                                                                       \
    }

/* The same for a struct that states its size. */
#define RIGHT_SIZED(structure, name)                                                                                   \
    RIGHT(structure, name);                                                                                            \
    name.struct_size = sizeof name

#endif

/*
 * Checks of the arguments of a kernel: bare numbers, single structs, arrays of records.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CLIENT_ARGUMENT_H
#define VCS_CLIENT_ARGUMENT_H

#include "core/field_pass.h"

#include <vcsched/abi.h>

/* A finite number in least ... greatest. VCS_OK or the error. */
int vcs_check_number(double value, double least, double greatest);

/* A moment, such as the present. VCS_OK or the error. */
int vcs_check_time(double time);

/* A random draw, 0 <= u < 1. VCS_OK or the error. */
int vcs_check_draw(double u);

/* The first of two checks that failed, if any. */
int vcs_first_error(int first, int second);

/*
 * Takes over a struct that begins with struct_size, of any age, all fields checked. `known` is of the library's size;
 * it may be half filled if the struct is refused.
 */
int vcs_take_input(void *known, const void *callers, uint32_t type, vcs_error *error);

/*
 * The same for those that are taken over most often: vcs_take_progress(&known, progress, error). Nearly always such a
 * struct has the library's size and is right.
 */
#define VCS_TAKE_INPUT(structure, type)                                                                                \
    static inline int vcs_take_##structure(vcs_##structure *known, const vcs_##structure *callers, vcs_error *error) { \
        if (callers != NULL && callers->struct_size == sizeof *callers && vcs_##structure##_passes(callers)) {         \
            *known = *callers;                                                                                         \
            return VCS_OK;                                                                                             \
        }                                                                                                              \
        return vcs_take_input(known, callers, type, error);                                                            \
    }
VCS_TAKE_INPUT(progress, VCS_TYPE_PROGRESS)
VCS_TAKE_INPUT(fetch_question, VCS_TYPE_FETCH_QUESTION)
VCS_TAKE_INPUT(dispatch_rules, VCS_TYPE_DISPATCH_RULES)

/* Checks an array of records, and every field of every one. VCS_OK or the error. O(count). */
int vcs_check_records(const vcs_array *array, uint32_t type, vcs_error *error);

#endif

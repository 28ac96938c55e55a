/*
 * Structs that begin with struct_size, of any age. Programs that only pass records link without copy_input.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_COPY_INPUT_H
#define VCS_CHECK_COPY_INPUT_H

#include "vcsched/interface/check/check.h"

/* Checks a caller's struct that begins with struct_size: not NULL, and of a known version. VCS_OK or the error. */
int vcs_check_struct(const void *callers, const vcs_layout *layout, vcs_error *error);

/*
 * Copies a struct that begins with struct_size, of any age, all fields checked. `known` is of the library's size;
 * it may be half filled if the struct is refused.
 */
int vcs_copy_input(void *known, const void *callers, const vcs_layout *layout, vcs_error *error);

/*
 * The same, inline, for structs that are copied often: vcs_copy_fetch_question(&known, question, error). Nearly always
 * such a struct has the library's size and is right. Without the inline checks here and in argument.h, emulating
 * base.ini and job_mix_of_20.ini takes 8 % and 4 % more instructions.
 */
#define VCS_COPY_INPUT(structure)                                                                                      \
    static inline int vcs_copy_##structure(vcs_##structure *known, const vcs_##structure *callers, vcs_error *error) { \
        if (callers != NULL && callers->struct_size == sizeof *callers && vcs_##structure##_passes(callers)) {         \
            *known = *callers;                                                                                         \
            return VCS_OK;                                                                                             \
        }                                                                                                              \
        return vcs_copy_input(known, callers, &vcs_##structure##_layout, error);                                       \
    }

/*
 * The same for structs that are only read: vcs_read_progress(&progress, &copy, error). Nearly always the caller's own
 * struct can be read; if it has another size, `progress` points to the completed `copy` afterwards.
 */
#define VCS_READ_INPUT(structure)                                                                                      \
    static inline int vcs_read_##structure(const vcs_##structure **input, vcs_##structure *copy, vcs_error *error) {   \
        const vcs_##structure *callers = *input;                                                                       \
        if (callers != NULL && callers->struct_size == sizeof *callers && vcs_##structure##_passes(callers)) {         \
            return VCS_OK;                                                                                             \
        }                                                                                                              \
        *input = copy;                                                                                                 \
        return vcs_copy_input(copy, callers, &vcs_##structure##_layout, error);                                        \
    }

#endif

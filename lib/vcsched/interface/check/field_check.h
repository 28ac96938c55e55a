/*
 * The size rules of structs, and the check of one field against its row. Both libraries have a copy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_FIELD_CHECK_H
#define VCS_CHECK_FIELD_CHECK_H

#include "vcsched/core/compiler.h"
#include "vcsched/interface/check/layout.h"

#include <stdint.h>
#include <string.h>
#include <vcsched/abi.h>
#include <vcsched/host.h>

/* No struct of any version is larger; a size above is garbage. */
#define VCS_LARGEST_STRUCT 4096u

/*
 * The size rule for a caller's struct, or element of an array: 0, above the cap or no multiple of 8 is
 * VCS_ERR_ABI_SIZE, below the first size VCS_ERR_ABI_OLDER.
 */
static inline int vcs_check_size(uint32_t first_size, uint32_t size) {
    if (size == 0 || size > VCS_LARGEST_STRUCT || size % 8 != 0) {
        return VCS_ERR_ABI_SIZE;
    }
    return size < first_size ? VCS_ERR_ABI_OLDER : VCS_OK;
}

/* Records have to lie as compilers lay them: aligned to 8 bytes, but on 32-bit x86 to 4. */
static inline int vcs_is_aligned(const void *records) {
    return (uintptr_t)records % _Alignof(vcs_error) == 0;
}

/* vcs_copy_struct() and vcs_hand_out() where the caller's struct is older or newer than the library's. */
VCS_COLD int vcs_copy_other_version(void *known, uint32_t known_size, const void *callers, uint32_t callers_size);
VCS_COLD void vcs_hand_out_other_version(void *callers, uint32_t callers_size, const void *known, uint32_t known_size);

/*
 * Copies an input struct of the caller's age: the known part goes to `known` (the rest of it zeroed), and
 * bytes beyond it must be 0, or VCS_ERR_ABI_NEWER.
 */
static inline int vcs_copy_struct(void *known, uint32_t known_size, const void *callers, uint32_t callers_size) {
    if (callers_size != known_size) {
        return vcs_copy_other_version(known, known_size, callers, callers_size);
    }
    memcpy(known, callers, known_size);
    return VCS_OK;
}

/* Element `index` of a checked array, in its place: only the fields of the first version can be read. */
static inline const void *vcs_element(const vcs_array *array, uint32_t index) {
    return (const unsigned char *)array->base + (size_t)index * array->element_size;
}

/* The same with all fields of this version: a shorter element of the caller is completed in `copy`. */
static inline const void *vcs_whole_element(const vcs_array *array, uint32_t index, void *copy, uint32_t known_size) {
    const void *element = vcs_element(array, index);
    if (array->element_size >= known_size) {
        return element;
    }
    vcs_copy_other_version(copy, known_size, element, array->element_size);
    return copy;
}

/* The memory of element `index` of an array that is written. */
static inline void *vcs_element_out(const vcs_array *array, uint32_t index) {
    return (unsigned char *)array->out + (size_t)index * array->element_size;
}

/* Hands out an output struct or element: copies as many bytes as the caller's has and zeroes the rest. */
static inline void vcs_hand_out(void *callers, uint32_t callers_size, const void *known, uint32_t known_size) {
    if (callers_size == known_size) {
        memcpy(callers, known, known_size);
    } else {
        vcs_hand_out_other_version(callers, callers_size, known, known_size);
    }
}

/* The same for element `index` of an array. */
static inline void vcs_hand_out_element(const vcs_array *array, uint32_t index, const void *known,
                                        uint32_t known_size) {
    vcs_hand_out(vcs_element_out(array, index), array->element_size, known, known_size);
}

/* Checks the field of a record that a row describes; `why` completes the sentence "task 17: remaining ...". */
VCS_COLD int vcs_check_row(const vcs_field_row *row, const void *record, const char **why);

#endif

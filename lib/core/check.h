/*
 * Checks: the size rules of structs and records, and the ranges of their fields, in one place for all functions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_CHECK_H
#define VCS_CORE_CHECK_H

#include "core/field_pass.h"

#include <stdint.h>
#include <string.h>
#include <vcsched/abi.h>
#include <vcsched/parameters.h>
#include <vcsched/record.h>

/* No struct of any version is larger; a size above is garbage. */
#define VCS_LARGEST_STRUCT 4096u

/* The place of a field as vcs_fail() wants it. */
#define VCS_WHOLE_RECORD UINT32_MAX
#define VCS_FIELD(type, field) ((uint32_t)offsetof(type, field))

/*
 * Refuses: returns `code`, and tells `error` (unless it is NULL) which field at `offset` of which element of which
 * struct is at fault. `why` completes the sentence "task 17: remaining ...".
 */
int vcs_fail(vcs_error *error, int code, uint32_t type, uint64_t index, uint32_t offset, const char *why);

/*
 * The size rule for any struct or element: 0, above the cap or no multiple of 8 is VCS_ERR_ABI_SIZE, below the first
 * version VCS_ERR_ABI_OLDER.
 */
static inline int vcs_check_size(uint32_t size, uint32_t first_version) {
    if (size == 0 || size > VCS_LARGEST_STRUCT || size % 8 != 0) {
        return VCS_ERR_ABI_SIZE;
    }
    return size < first_version ? VCS_ERR_ABI_OLDER : VCS_OK;
}

/* Whether a caller's vcs_error can be written to; NULL can. VCS_OK or VCS_ERR_ABI_*. */
static inline int vcs_check_error(const vcs_error *error) {
    return error == NULL ? VCS_OK : vcs_check_size(error->struct_size, sizeof *error);
}

/* The next two for a caller whose struct is older or newer than the library's. */
int vcs_take_other_version(void *known, uint32_t known_size, const void *callers, uint32_t callers_size);
void vcs_hand_out_other_version(void *callers, uint32_t callers_size, const void *known, uint32_t known_size);

/*
 * Takes over an input struct of the caller's age: the known part is copied to `known` (the rest of it zeroed), and
 * bytes beyond it must be 0, or VCS_ERR_ABI_NEWER.
 */
static inline int vcs_take_struct(void *known, uint32_t known_size, const void *callers, uint32_t callers_size) {
    if (callers_size != known_size) {
        return vcs_take_other_version(known, known_size, callers, callers_size);
    }
    memcpy(known, callers, known_size);
    return VCS_OK;
}

/* Hands out an output struct or element: copies what the caller has room for and zeroes the rest. */
static inline void vcs_hand_out(void *callers, uint32_t callers_size, const void *known, uint32_t known_size) {
    if (callers_size == known_size) {
        memcpy(callers, known, known_size);
    } else {
        vcs_hand_out_other_version(callers, callers_size, known, known_size);
    }
}

/* The size of an array that a caller gives to be filled, and its number of elements. VCS_OK or the error. */
int vcs_check_output(const void *out, uint32_t element_size, uint32_t first_version, uint32_t count, uint32_t needed);

/* An array of input records: pointer, alignment and element size. */
int vcs_check_array(const vcs_array *array, uint32_t first_version, uint32_t type, vcs_error *error);

/* Takes over element `index` of an array that vcs_check_array() has passed, tail bytes checked. */
int vcs_take_record(void *known, uint32_t known_size, const vcs_array *array, uint32_t index, uint32_t type,
                    vcs_error *error);

/* Tells which field of a struct or record is wrong, by the table of fields. VCS_OK if none is. */
int vcs_refuse_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error);

/* Checks every field of one struct or record. */
static inline int vcs_check_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error) {
    return vcs_passes(type, record) ? VCS_OK : vcs_refuse_fields(type, record, index, error);
}

/* Tells what is wrong with an element that does not pass: its bytes beyond the known ones, or a field. */
int vcs_refuse_record(const vcs_array *array, uint32_t index, uint32_t type, vcs_error *error);

/* Takes over a caller's parameters of any age, wholly checked; `known` is written only if they are right. */
int vcs_parameters_take(vcs_parameters *known, const vcs_parameters *callers, vcs_error *error);

#endif

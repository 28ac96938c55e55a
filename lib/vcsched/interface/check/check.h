/*
 * Checks of a caller's structs by their layouts, and refusals that name the wrong field.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_CHECK_H
#define VCS_CHECK_CHECK_H

#include "vcsched/core/compiler.h"
#include "vcsched/interface/check/field_check.h"
#include "vcsched/interface/check/layout.h"
#include "vcsched/interface/check/abi_fields.h"

#include <stdint.h>
#include <string.h>
#include <vcsched/abi.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>

/* The place of a field as vcs_fail() wants it. */
#define VCS_WHOLE_RECORD UINT32_MAX
#define VCS_FIELD(type, field) ((uint32_t)offsetof(type, field))

/*
 * Refuses: returns `code`, and writes the struct, the index of the element and the field at `offset` to `error` (unless
 * it is NULL). `why` completes the sentence "task 17: remaining ...".
 */
VCS_COLD int vcs_fail(vcs_error *error, int code, const vcs_layout *layout, uint64_t index, uint32_t offset,
                      const char *why);

/* The same where something other than a struct is wrong; the sentence begins with its name, `what`. */
VCS_COLD int vcs_fail_at(vcs_error *error, int code, uint64_t index, const char *what, const char *why);

/* The same where `why` is the whole sentence. */
static inline int vcs_refuse(vcs_error *error, int code, const char *why) {
    return vcs_fail(error, code, NULL, 0, VCS_WHOLE_RECORD, why);
}

/* Writes texts one after the other to memory that is 0, as far as they fit with a 0 at the end. */
VCS_COLD void vcs_join_texts(char *to, size_t size, const char *const *texts, size_t count);

typedef struct vcs_number_text {
    char characters[24];
} vcs_number_text;

/* Writes a space and a number. Returns where they begin. */
VCS_COLD const char *vcs_number_after_space(vcs_number_text *text, uint64_t number);

/* Fills a caller's struct of this size, of any age, with what a new one holds. VCS_OK or the error. */
static inline int vcs_hand_out_new(void *callers, uint32_t size, uint32_t first_size, const void *filled,
                                   uint32_t known_size) {
    const int code = callers == NULL ? VCS_ERR_NULL : vcs_check_size(first_size, size);
    if (code == VCS_OK) {
        vcs_hand_out(callers, size, filled, known_size);
    }
    return code;
}

/* Whether a caller's vcs_error can be written to; NULL can. VCS_OK or VCS_ERR_ABI_*. */
static inline int vcs_check_error(const vcs_error *error) {
    return error == NULL ? VCS_OK : vcs_check_size(VCS_FIRST_error, error->struct_size);
}

/* An array that a caller gives to be filled with `needed` elements. VCS_OK or the error. */
int vcs_check_output(const vcs_array *out, uint32_t first_size, uint32_t needed);

/* An array of input records, or of doubles if `layout` is NULL: pointer, alignment and element size. */
int vcs_check_array(const vcs_array *array, const vcs_layout *layout, vcs_error *error);

/* Copies element `index` of an array that vcs_check_array() has passed, all of it checked. */
VCS_COLD int vcs_copy_record(void *known, const vcs_array *array, uint32_t index, const vcs_layout *layout,
                             vcs_error *error);

/* Name of the field that begins at `offset`; "" if none does. O(fields). */
VCS_COLD const char *vcs_field_name(const vcs_layout *layout, uint32_t offset);

/* Names the first wrong field of a struct or record, row by row. VCS_OK if none is wrong. */
VCS_COLD int vcs_refuse_fields(const vcs_layout *layout, const void *record, uint64_t index, vcs_error *error);

/* Checks every field of one struct or record. */
static inline int vcs_check_fields(const vcs_layout *layout, const void *record, uint64_t index, vcs_error *error) {
    return layout->is_right(record) ? VCS_OK : vcs_refuse_fields(layout, record, index, error);
}

/*
 * Counts the records before the first wrong one. A record is right if its fields are in range and the bytes behind the
 * last field of this version are 0. O(count * fields).
 */
uint32_t vcs_count_passing(const vcs_layout *layout, const vcs_array *records);

/* The same where the struct is known: vcs_check_pace_fields(pace, index, error). */
#define VCS_CHECK_FIELDS(structure)                                                                                    \
    static inline int vcs_check_##structure##_fields(const vcs_##structure *record, uint64_t index,                    \
                                                     vcs_error *error) {                                               \
        return vcs_##structure##_passes(record) ? VCS_OK                                                               \
                                                : vcs_refuse_fields(&vcs_##structure##_layout, record, index, error);  \
    }

/* Names the field of a wrong element, or says that bytes behind the last field of this version are set. */
VCS_COLD int vcs_refuse_record(const vcs_array *array, uint32_t index, const vcs_layout *layout, vcs_error *error);

/*
 * Checks a caller's parameters of any age. If they are not of the library's size, `parameters` points to
 * the completed `copy` afterwards.
 */
int vcs_parameters_read(const vcs_parameters **parameters, vcs_parameters *copy, vcs_error *error);

/* Copies a caller's parameters of any age, wholly checked; `known` is written only if they are right. */
int vcs_parameters_copy(vcs_parameters *known, const vcs_parameters *callers, vcs_error *error);

#endif

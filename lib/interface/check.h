/*
 * Checks of all that a caller hands in, by the table of fields.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_INTERFACE_CHECK_H
#define VCS_INTERFACE_CHECK_H

#include "interface/field_check.h"
#include "interface/field_pass.h"

#include <stdint.h>
#include <string.h>
#include <vcsched/abi.h>
#include <vcsched/parameters.h>
#include <vcsched/record.h>

/* The place of a field as vcs_fail() wants it. */
#define VCS_WHOLE_RECORD UINT32_MAX
#define VCS_FIELD(type, field) ((uint32_t)offsetof(type, field))

/*
 * Refuses: returns `code`, and writes to `error` (unless it is NULL) which field at `offset` of which element of which
 * struct is at fault. `why` completes the sentence "task 17: remaining ...".
 */
int vcs_fail(vcs_error *error, int code, uint32_t type, uint64_t index, uint32_t offset, const char *why);

/* The same where no struct is at fault but something else that has a name; the sentence begins with it. */
int vcs_fail_at(vcs_error *error, int code, uint64_t index, const char *what, const char *why);

/* Whether a caller's vcs_error can be written to; NULL can. VCS_OK or VCS_ERR_ABI_*. */
static inline int vcs_check_error(const vcs_error *error) {
    return error == NULL ? VCS_OK : vcs_check_size(error->struct_size, sizeof *error);
}

/* The size of an array that a caller gives to be filled, and its number of elements. VCS_OK or the error. */
int vcs_check_output(const void *out, uint32_t element_size, uint32_t first_version, uint32_t count, uint32_t needed);

/* An array of input records: pointer, alignment and element size. */
int vcs_check_array(const vcs_array *array, uint32_t first_version, uint32_t type, vcs_error *error);

/* Element `index` of an array that has been checked, read in its place; of its fields, those of the first version. */
static inline const void *vcs_element(const vcs_array *array, uint32_t index) {
    return (const unsigned char *)array->base + (size_t)index * array->element_size;
}

/* Takes over element `index` of an array that vcs_check_array() has passed, tail bytes checked. */
int vcs_take_record(void *known, uint32_t known_size, const vcs_array *array, uint32_t index, uint32_t type,
                    vcs_error *error);

/* Tells which field of a struct or record is wrong, by the table of fields. VCS_OK if none is. */
int vcs_refuse_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error);

/* Checks every field of one struct or record. */
static inline int vcs_check_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error) {
    return vcs_passes(type, record) ? VCS_OK : vcs_refuse_fields(type, record, index, error);
}

/* The same where the struct is known: vcs_check_debt_fields(debt, index, error), and so for each struct of fields.h. */
#define VCS_CHECK_FIELDS(structure, type, bytes)                                                                       \
    static inline int vcs_check_##structure##_fields(const vcs_##structure *record, uint64_t index,                    \
                                                     vcs_error *error) {                                               \
        return vcs_##structure##_passes(record) ? VCS_OK : vcs_refuse_fields(type, record, index, error);              \
    }
VCS_STRUCTS(VCS_CHECK_FIELDS)

/* Tells what is wrong with an element that does not pass: its bytes beyond the known ones, or a field. */
int vcs_refuse_record(const vcs_array *array, uint32_t index, uint32_t type, vcs_error *error);

/*
 * Checks a caller's parameters of any age. If they are not of the library's size, `parameters` points to
 * the completed `copy` afterwards.
 */
int vcs_parameters_read(const vcs_parameters **parameters, vcs_parameters *copy, vcs_error *error);

/* Takes over a caller's parameters of any age, wholly checked; `known` is written only if they are right. */
int vcs_parameters_take(vcs_parameters *known, const vcs_parameters *callers, vcs_error *error);

#endif

/*
 * Makes the layouts of fields/: included by the source files of layouts/.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_LAYOUT_ROWS_H
#define VCS_CHECK_LAYOUT_ROWS_H

#include "vcsched/interface/check/field_check.h"
#include "vcsched/interface/check/layout.h"

#include <stddef.h>

#define VCS_SIZE_OF(structure, field) sizeof(((vcs_##structure *)0)->field)

/* ---- The table must describe the layout that the compiler made, on every platform ---- */

#define VCS_ADD_SIZE(structure, kind, place, field, unit, ...) VCS_SIZE_OF(structure, field) +
#define VCS_ASSERT_FIELD(structure, kind, place, field, unit, ...)                                                     \
    _Static_assert(offsetof(vcs_##structure, field) == (place), "offset of " #structure "." #field);                   \
    _Static_assert(VCS_FITS_##kind(VCS_SIZE_OF(structure, field)), "size of " #structure "." #field);
#define VCS_FITS_f64(size) ((size) % 8 == 0)
#define VCS_FITS_u64(size) ((size) == 8)
#define VCS_FITS_u32(size) ((size) == 4)
#define VCS_FITS_i32(size) ((size) == 4)
#define VCS_FITS_flags(size) ((size) == 4)
#define VCS_FITS_choice(size) ((size) == 4)
#define VCS_FITS_index(size) ((size) == 4)
#define VCS_FITS_size(size) ((size) == 4)
#define VCS_FITS_zero(size) ((size) % 4 == 0)
#define VCS_FITS_text(size) ((size) % 8 == 0)
#define VCS_FITS_other(size) ((size) == sizeof(vcs_array))

/* ---- Rows ---- */

enum {
    VCS_KIND_OF_f64 = VCS_KIND_F64,
    VCS_KIND_OF_u64 = VCS_KIND_U64,
    VCS_KIND_OF_u32 = VCS_KIND_U32,
    VCS_KIND_OF_i32 = VCS_KIND_I32,
    VCS_KIND_OF_flags = VCS_KIND_FLAGS,
    VCS_KIND_OF_choice = VCS_KIND_CHOICE,
    VCS_KIND_OF_index = VCS_KIND_INDEX,
    VCS_KIND_OF_size = VCS_KIND_SIZE,
    VCS_KIND_OF_zero = VCS_KIND_ZERO,
    VCS_KIND_OF_text = VCS_KIND_TEXT,
    VCS_KIND_OF_other = VCS_KIND_OTHER
};

#define VCS_FIELD_ROW(structure, kind, place, field, unit, ...)                                                        \
    {__VA_ARGS__, place, (uint16_t)VCS_SIZE_OF(structure, field), VCS_KIND_OF_##kind},
#define VCS_FIELD_NAME(structure, kind, place, field, unit, ...) #field "\0"

#define VCS_LAYOUT(structure, number, bytes, first, numbered)                                                          \
    _Static_assert(sizeof(vcs_##structure) == (bytes), "size of " #structure);                                         \
    _Static_assert((bytes) % 8 == 0 && (bytes)*4 <= VCS_LARGEST_STRUCT, "size rule of " #structure);                   \
    _Static_assert((first) % 8 == 0 && (first) <= (bytes), "first size of " #structure);                               \
    _Static_assert(VCS_FIELDS_##structure(VCS_ADD_SIZE) + 0 == (bytes), "padding in " #structure);                     \
    VCS_FIELDS_##structure(VCS_ASSERT_FIELD)                                                                           \
    static const vcs_field_row structure##_rows[] = {VCS_FIELDS_##structure(VCS_FIELD_ROW)};                           \
    static const char structure##_field_names[] = VCS_FIELDS_##structure(VCS_FIELD_NAME);                              \
    static int structure##_is_right(const void *record) {                                                              \
        return vcs_##structure##_passes(record);                                                                       \
    }                                                                                                                  \
    VCS_LAYOUT_LIKE(structure, structure, number, bytes, first, numbered)

/* A layout under another name and number. */
#define VCS_LAYOUT_LIKE(structure, like, number, bytes, first, numbered)                                               \
    const vcs_layout vcs_##structure##_layout = {                                                                      \
        number, bytes, first, numbered, sizeof like##_rows / sizeof *like##_rows,                                      \
        like##_rows, like##_field_names, #structure, like##_is_right,                                                  \
    };

#endif

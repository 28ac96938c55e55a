/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/field_table.h"

#include "vcsched/interface/emulator_fields.h"

#include <stddef.h>

#define SIZE_OF(structure, field) sizeof(((vcs_##structure *)0)->field)

/* The layout that the table states must be the one the compiler made, on every platform. */
#define ASSERT_STRUCT(structure, type, bytes, first)                                                                   \
    _Static_assert(sizeof(vcs_##structure) == (bytes), "size of " #structure);                                         \
    _Static_assert((bytes) % 8 == 0 && (bytes)*4 <= VCS_LARGEST_STRUCT, "size rule of " #structure);                   \
    _Static_assert((first) % 8 == 0 && (first) <= (bytes), "first size of " #structure);                               \
    _Static_assert(VCS_FIELDS_##structure(ADD_SIZE) + 0 == (bytes), "padding in " #structure);
#define ADD_SIZE(structure, kind, place, field, unit, ...) SIZE_OF(structure, field) +
#define ASSERT_FIELDS(structure, ...) VCS_FIELDS_##structure(ASSERT_FIELD)
#define ASSERT_FIELD(structure, kind, place, field, unit, ...)                                                         \
    _Static_assert(offsetof(vcs_##structure, field) == (place), "offset of " #structure "." #field);                   \
    _Static_assert(FITS_##kind(SIZE_OF(structure, field)), "size of " #structure "." #field);
#define FITS_f64(size) ((size) % 8 == 0)
#define FITS_u64(size) ((size) == 8)
#define FITS_u32(size) ((size) == 4)
#define FITS_i32(size) ((size) == 4)
#define FITS_flags(size) ((size) == 4)
#define FITS_choice(size) ((size) == 4)
#define FITS_index(size) ((size) == 4)
#define FITS_size(size) ((size) == 4)
#define FITS_zero(size) ((size) % 4 == 0)
#define FITS_text(size) ((size) % 8 == 0)
#define FITS_other(size) ((size) == sizeof(vcs_array))

VCS_ALL_STRUCTS(ASSERT_STRUCT)
VCS_ALL_STRUCTS(ASSERT_FIELDS)

enum {
    KIND_f64 = VCS_KIND_F64,
    KIND_u64 = VCS_KIND_U64,
    KIND_u32 = VCS_KIND_U32,
    KIND_i32 = VCS_KIND_I32,
    KIND_flags = VCS_KIND_FLAGS,
    KIND_choice = VCS_KIND_CHOICE,
    KIND_index = VCS_KIND_INDEX,
    KIND_size = VCS_KIND_SIZE,
    KIND_zero = VCS_KIND_ZERO,
    KIND_text = VCS_KIND_TEXT,
    KIND_other = VCS_KIND_OTHER
};

#define TYPE_NUMBER(structure, type, ...) NUMBER_##structure = type,
enum { VCS_ALL_STRUCTS(TYPE_NUMBER) };

#define ROWS(structure, ...) VCS_FIELDS_##structure(ROW)
#define ROW(structure, kind, place, field, unit, ...)                                                                  \
    {NUMBER_##structure, KIND_##kind, place, (uint32_t)SIZE_OF(structure, field), __VA_ARGS__, #field, unit},
static const vcs_field_row field_rows[] = {VCS_ALL_STRUCTS(ROWS)};

/* Where the rows of each struct begin: counted by the compiler. */
#define COUNT_ONE(structure, kind, place, field, unit, ...) 1 +
#define ROW_NUMBERS(structure, ...)                                                                                    \
    FIRST_##structure, LAST_##structure = FIRST_##structure + (VCS_FIELDS_##structure(COUNT_ONE) 0) - 1,
enum { VCS_ALL_STRUCTS(ROW_NUMBERS) };

/* A candidate is a task that is not on the host: the same struct, but of another array. */
#define ALL_TYPES(S) VCS_ALL_STRUCTS(S) S(candidate, VCS_TYPE_CANDIDATE, sizeof(vcs_task), 0)
enum { FIRST_candidate = FIRST_task, LAST_candidate = LAST_task };

#define STRUCT_ROW(structure, type, bytes, first)                                                                      \
    {bytes, LAST_##structure - FIRST_##structure + 1, FIRST_##structure, #structure},
static const vcs_struct_row struct_rows[] = {ALL_TYPES(STRUCT_ROW)};

#define STRUCT_NUMBER(structure, ...) STRUCT_##structure,
enum { ALL_TYPES(STRUCT_NUMBER) };

const vcs_struct_row *vcs_struct_row_of(uint32_t type) {
#define STRUCT_CASE(structure, type, ...)                                                                              \
    case type:                                                                                                         \
        return &struct_rows[STRUCT_##structure];
    switch (type) {
        ALL_TYPES(STRUCT_CASE)
    default:
        return NULL;
    }
}

const vcs_field_row *vcs_field_rows(uint32_t type, uint32_t *count) {
    const vcs_struct_row *row = vcs_struct_row_of(type);
    *count = row == NULL ? 0 : row->fields;
    return row == NULL ? NULL : &field_rows[row->first];
}

const vcs_field_row *vcs_field_row_at(uint32_t type, uint32_t offset) {
    uint32_t count;
    const vcs_field_row *rows = vcs_field_rows(type, &count);
    uint32_t first = 0;
    while (first < count) {
        const uint32_t middle = first + (count - first) / 2;
        if (rows[middle].offset == offset) {
            return &rows[middle];
        }
        if (rows[middle].offset < offset) {
            first = middle + 1;
        } else {
            count = middle;
        }
    }
    return NULL;
}

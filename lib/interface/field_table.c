/* SPDX-License-Identifier: MIT */
#include "interface/field_table.h"

#include "interface/check.h"
#include "interface/fields.h"

#include <string.h>

#define SIZE_OF(structure, field) sizeof(((vcs_##structure *)0)->field)

/* The layout that the table states must be the one the compiler made, on every platform. */
#define ASSERT_STRUCT(structure, type, bytes)                                                                          \
    _Static_assert(sizeof(vcs_##structure) == (bytes), "size of " #structure);                                         \
    _Static_assert((bytes) % 8 == 0 && (bytes) * 4 <= VCS_LARGEST_STRUCT, "size rule of " #structure);                 \
    _Static_assert(VCS_FIELDS_##structure(ADD_SIZE) + 0 == (bytes), "padding in " #structure);
#define ADD_SIZE(structure, kind, place, field, unit, ...) SIZE_OF(structure, field) +
#define ASSERT_FIELDS(structure, type, bytes) VCS_FIELDS_##structure(ASSERT_FIELD)
#define ASSERT_FIELD(structure, kind, place, field, unit, ...)                                             \
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

VCS_STRUCTS(ASSERT_STRUCT)
VCS_STRUCTS(ASSERT_FIELDS)

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

#define TYPE_NUMBER(structure, type, bytes) NUMBER_##structure = type,
enum { VCS_STRUCTS(TYPE_NUMBER) };

#define ROWS(structure, type, bytes) VCS_FIELDS_##structure(ROW)
#define ROW(structure, kind, place, field, unit, ...)                                                                  \
    {NUMBER_##structure, KIND_##kind, place, (uint32_t)SIZE_OF(structure, field), __VA_ARGS__, #field, unit},
static const vcs_field_row field_rows[] = {VCS_STRUCTS(ROWS)};

/* Where the rows of each struct begin: counted by the compiler. */
#define COUNT_ONE(structure, kind, place, field, unit, ...) 1 +
#define ROW_NUMBERS(structure, type, bytes)                                                                            \
    FIRST_##structure, LAST_##structure = FIRST_##structure + (VCS_FIELDS_##structure(COUNT_ONE) 0) - 1,
enum { VCS_STRUCTS(ROW_NUMBERS) };

typedef struct struct_row {
    uint32_t first, fields;
    char name[32];
} struct_row;
#define STRUCT_ROW(structure, type, bytes)                                                                             \
    {FIRST_##structure, LAST_##structure - FIRST_##structure + 1, #structure},
static const struct_row struct_rows[] = {VCS_STRUCTS(STRUCT_ROW)};

#define STRUCT_NUMBER(structure, type, bytes) STRUCT_##structure,
enum { VCS_STRUCTS(STRUCT_NUMBER) };

static const struct_row *struct_of(uint32_t type) {
#define STRUCT_CASE(structure, type, bytes)                                                                            \
    case type:                                                                                                         \
        return &struct_rows[STRUCT_##structure];
    switch (type) {
        VCS_STRUCTS(STRUCT_CASE)
    case VCS_TYPE_CANDIDATE: /* a task that is not on the host: the same struct, but of another array */
        return &struct_rows[STRUCT_task];
    default:
        return NULL;
    }
}

const vcs_field_row *vcs_field_rows(uint32_t type, uint32_t *count) {
    const struct_row *row = struct_of(type);
    *count = row == NULL ? 0 : row->fields;
    return row == NULL ? NULL : &field_rows[row->first];
}

const vcs_field_row *vcs_field_row_at(uint32_t type, uint32_t offset) {
    uint32_t count;
    const vcs_field_row *rows = vcs_field_rows(type, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].offset == offset) {
            return &rows[i];
        }
    }
    return NULL;
}

uint32_t vcs_struct_size(uint32_t type) {
#define STRUCT_SIZE(structure, type, bytes)                                                                            \
    case type:                                                                                                         \
        return bytes;
    switch (type) {
        VCS_STRUCTS(STRUCT_SIZE)
    case VCS_TYPE_CANDIDATE:
        return sizeof(vcs_task);
    default:
        return 0;
    }
}

const char *vcs_struct_name(uint32_t type) {
    const struct_row *row = struct_of(type);
    if (type == VCS_TYPE_CANDIDATE) {
        return "candidate";
    }
    return row == NULL ? "" : row->name;
}

uint32_t vcs_field_count(uint32_t type) {
    const struct_row *row = struct_of(type);
    return row == NULL ? 0 : row->fields;
}

/* The kinds as a binding wants them: what is stored, not what it means. */
static const char kind_names[][8] = {
    [VCS_KIND_F64] = "f64",    [VCS_KIND_U64] = "u64",   [VCS_KIND_U32] = "u32",   [VCS_KIND_I32] = "i32",
    [VCS_KIND_FLAGS] = "u32",  [VCS_KIND_CHOICE] = "u32", [VCS_KIND_INDEX] = "u32", [VCS_KIND_SIZE] = "u32",
    [VCS_KIND_ZERO] = "bytes", [VCS_KIND_TEXT] = "bytes", [VCS_KIND_OTHER] = "bytes",
};

int vcs_field_at(uint32_t type, uint32_t index, vcs_field_info *info) {
    if (info == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_size(info->struct_size, sizeof *info);
    uint32_t count;
    const vcs_field_row *rows = vcs_field_rows(type, &count);
    if (code != VCS_OK || index >= count) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    const vcs_field_row *row = &rows[index];
    vcs_field_info told;
    memset(&told, 0, sizeof told);
    told.struct_size = info->struct_size;
    told.type = type;
    told.offset = row->offset;
    told.size = row->size;
    memcpy(told.kind, kind_names[row->kind], sizeof told.kind);
    memcpy(told.name, row->name, sizeof row->name);
    memcpy(told.unit, row->unit, sizeof told.unit);
    told.minimum = row->least;
    told.maximum = row->greatest;
    vcs_hand_out(info, info->struct_size, &told, sizeof told);
    return VCS_OK;
}

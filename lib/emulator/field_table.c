/* SPDX-License-Identifier: MIT */
#include "emulator/field_table.h"

#include "emulator/fields.h"

#include <stdio.h>
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
#define FITS_f64(size) ((size) == 8)
#define FITS_u64(size) ((size) == 8)
#define FITS_u32(size) ((size) == 4)
#define FITS_flags(size) ((size) == 4)
#define FITS_choice(size) ((size) == 4)
#define FITS_size(size) ((size) == 4)
#define FITS_zero(size) ((size) % 4 == 0)

VCS_EMULATOR_STRUCTS(ASSERT_STRUCT)
VCS_EMULATOR_STRUCTS(ASSERT_FIELDS)

enum {
    KIND_f64 = VCS_KIND_F64,
    KIND_u64 = VCS_KIND_U64,
    KIND_u32 = VCS_KIND_U32,
    KIND_flags = VCS_KIND_FLAGS,
    KIND_choice = VCS_KIND_CHOICE,
    KIND_size = VCS_KIND_SIZE,
    KIND_zero = VCS_KIND_ZERO
};

/* The kinds as a binding wants them: what is stored, not what it means. */
static const char kind_names[][8] = {
    [KIND_f64] = "f64",    [KIND_u64] = "u64",  [KIND_u32] = "u32",    [KIND_flags] = "u32",
    [KIND_choice] = "u32", [KIND_size] = "u32", [KIND_zero] = "bytes",
};

#define TYPE_NUMBER(structure, type, bytes) NUMBER_##structure = type,
enum { VCS_EMULATOR_STRUCTS(TYPE_NUMBER) };

#define ROWS(structure, type, bytes) VCS_FIELDS_##structure(ROW)
#define ROW(structure, kind, place, field, unit, ...) \
    {NUMBER_##structure, KIND_##kind, place, (uint32_t)SIZE_OF(structure, field), __VA_ARGS__, #field, unit},
static const vcs_field_row field_rows[] = {VCS_EMULATOR_STRUCTS(ROWS)};

/* How many rows each struct has: counted by the compiler. */
typedef struct struct_row {
    uint32_t type, size, fields;
    char name[20];
} struct_row;
#define COUNT_ONE(structure, kind, place, field, unit, ...) 1 +
#define STRUCT_ROW(structure, type, bytes) {type, bytes, VCS_FIELDS_##structure(COUNT_ONE) 0, #structure},
static const struct_row struct_rows[] = {VCS_EMULATOR_STRUCTS(STRUCT_ROW)};

#define STRUCT_COUNT (sizeof struct_rows / sizeof *struct_rows)

static const struct_row *struct_of(uint32_t type) {
    for (uint32_t i = 0; i < STRUCT_COUNT; i++) {
        if (struct_rows[i].type == type) {
            return &struct_rows[i];
        }
    }
    return NULL;
}

static const vcs_field_row *rows_of(uint32_t type) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < STRUCT_COUNT && struct_rows[i].type != type; i++) {
        first += struct_rows[i].fields;
    }
    return &field_rows[first];
}

uint32_t vcs_emulator_struct_size(uint32_t type) {
    const struct_row *row = struct_of(type);
    return row == NULL ? 0 : row->size;
}

const char *vcs_emulator_struct_name(uint32_t type) {
    const struct_row *row = struct_of(type);
    return row == NULL ? "" : row->name;
}

uint32_t vcs_emulator_field_count(uint32_t type) {
    const struct_row *row = struct_of(type);
    return row == NULL ? 0 : row->fields;
}

int vcs_emulator_field_at(uint32_t type, uint32_t index, vcs_field_info *info) {
    if (info == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_size(info->struct_size, sizeof *info);
    if (code != VCS_OK || index >= vcs_emulator_field_count(type)) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    const vcs_field_row *row = &rows_of(type)[index];
    vcs_field_info told;
    memset(&told, 0, sizeof told);
    told.struct_size = info->struct_size;
    told.type = type;
    told.offset = row->offset;
    told.size = row->size;
    memcpy(told.kind, kind_names[row->kind], sizeof told.kind);
    memcpy(told.name, row->name, sizeof row->name);
    memcpy(told.unit, row->unit, sizeof row->unit);
    told.minimum = row->least;
    told.maximum = row->greatest;
    vcs_hand_out(info, info->struct_size, &told, sizeof told);
    return VCS_OK;
}

/* ---- Checks ---- */

int vcs_emulator_fail(vcs_error *error, int code, uint32_t type, uint64_t index, const char *field, const char *why) {
    if (error == NULL) {
        return code;
    }
    vcs_error told;
    memset(&told, 0, sizeof told);
    told.struct_size = error->struct_size;
    told.code = code;
    told.type = type;
    told.index = index;
    for (uint32_t i = 0; i < vcs_emulator_field_count(type); i++) {
        const vcs_field_row *row = &rows_of(type)[i];
        if (strcmp(row->name, field) == 0) {
            told.offset = row->offset;
        }
    }
    snprintf(told.field, sizeof told.field, "%s", field);
    const char *structure = vcs_emulator_struct_name(type);
    if (type == VCS_TYPE_JOB_MODEL || type == VCS_TYPE_SERVER_MODEL) {
        snprintf(told.message, sizeof told.message, "%s %llu: %s%s%s", structure, (unsigned long long)index, field,
                 field[0] == '\0' ? "" : " ", why);
    } else {
        snprintf(told.message, sizeof told.message, "%s%s%s%s%s", structure, structure[0] == '\0' ? "" : ": ", field,
                 field[0] == '\0' ? "" : " ", why);
    }
    vcs_hand_out(error, error->struct_size, &told, sizeof told);
    return code;
}

int vcs_emulator_check_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error) {
    for (uint32_t i = 0; i < vcs_emulator_field_count(type); i++) {
        const vcs_field_row *row = &rows_of(type)[i];
        const char *why = "";
        int code = vcs_check_row(row, record, &why);
        if (code != VCS_OK) {
            return vcs_emulator_fail(error, code, type, index, row->name, why);
        }
    }
    return VCS_OK;
}

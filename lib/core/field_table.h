/*
 * The table of fields as data: one row per field of every struct, in order of type and offset.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_FIELD_TABLE_H
#define VCS_CORE_FIELD_TABLE_H

#include <stdint.h>

/* The kinds of fields.h. */
enum {
    VCS_KIND_F64,
    VCS_KIND_U64,
    VCS_KIND_U32,
    VCS_KIND_I32,
    VCS_KIND_FLAGS,
    VCS_KIND_CHOICE,
    VCS_KIND_INDEX,
    VCS_KIND_SIZE,
    VCS_KIND_ZERO,
    VCS_KIND_TEXT,
    VCS_KIND_OTHER
};

typedef struct vcs_field_row {
    uint32_t type;   /* VCS_TYPE_* */
    uint32_t kind;   /* VCS_KIND_* */
    uint32_t offset; /* bytes */
    uint32_t size;   /* bytes */
    double least, greatest;
    char name[32];
    char unit[24];
} vcs_field_row;

/* The rows of one struct, in order of offset; `count` is 0 for an unknown type. O(1). */
const vcs_field_row *vcs_field_rows(uint32_t type, uint32_t *count);

/* The row of the field that begins at `offset`; NULL if none does. O(fields). */
const vcs_field_row *vcs_field_row_at(uint32_t type, uint32_t offset);

#endif

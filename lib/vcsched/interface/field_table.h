/*
 * The table of fields as data: a row for each struct, and one for each field of it in order of offset.
 *
 * libvcemu has its own copy, so that each library checks the structs that it was compiled with.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_INTERFACE_FIELD_TABLE_H
#define VCS_INTERFACE_FIELD_TABLE_H

#include "vcsched/interface/field_check.h"

#include <stdint.h>

typedef struct vcs_struct_row {
    uint32_t size;          /* bytes */
    uint32_t fields, first; /* how many rows of fields it has, and where they begin */
    char name[32];          /* without its prefix */
} vcs_struct_row;

/* NULL for an unknown type. O(1). */
const vcs_struct_row *vcs_struct_row_of(uint32_t type);

/* Bytes of a struct; 0 for an unknown type. O(1). */
static inline uint32_t vcs_known_size(uint32_t type) {
    const vcs_struct_row *row = vcs_struct_row_of(type);
    return row == NULL ? 0 : row->size;
}

/* The rows of one struct, in order of offset; `count` is 0 for an unknown type. O(1). */
const vcs_field_row *vcs_field_rows(uint32_t type, uint32_t *count);

/* The row of the field that begins at `offset`; NULL if none does. O(log(fields)). */
const vcs_field_row *vcs_field_row_at(uint32_t type, uint32_t offset);

#endif

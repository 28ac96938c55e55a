/*
 * The table of fields as data: one row per field of every struct, in order of type and offset.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_INTERFACE_FIELD_TABLE_H
#define VCS_INTERFACE_FIELD_TABLE_H

#include "interface/field_check.h"

#include <stdint.h>

/* The rows of one struct, in order of offset; `count` is 0 for an unknown type. O(1). */
const vcs_field_row *vcs_field_rows(uint32_t type, uint32_t *count);

/* The row of the field that begins at `offset`; NULL if none does. O(fields). */
const vcs_field_row *vcs_field_row_at(uint32_t type, uint32_t offset);

#endif

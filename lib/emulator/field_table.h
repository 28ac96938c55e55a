/*
 * The checks of libvcemu's own structs: those of interface/check.h, with fields by name.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_FIELD_TABLE_H
#define VCS_EMULATOR_FIELD_TABLE_H

#include "interface/check.h"
#include "interface/field_table.h"

#include <vcsched/emulator.h>

/* Refuses: returns `code` and tells `error`, unless it is NULL; `field` may be empty, `type` VCS_TYPE_NONE. */
static inline int vcs_emulator_fail(vcs_error *error, int code, uint32_t type, uint64_t index, const char *field,
                                    const char *why) {
    uint32_t count;
    const vcs_field_row *rows = vcs_field_rows(type, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, field) == 0) {
            return vcs_fail(error, code, type, index, rows[i].offset, why);
        }
    }
    return type == VCS_TYPE_NONE ? vcs_fail_at(error, code, index, field, why)
                                 : vcs_fail(error, code, type, index, VCS_WHOLE_RECORD, why);
}

/* Checks every field of one record against the table. */
static inline int vcs_emulator_check_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error) {
    return vcs_check_fields(type, record, index, error);
}

#define vcs_emulator_struct_size vcs_known_size

#endif

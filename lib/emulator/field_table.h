/*
 * The checks of libvcemu's own structs, from its table of fields, by the size rules of libvcsched.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_FIELD_TABLE_H
#define VCS_EMULATOR_FIELD_TABLE_H

#include "interface/field_check.h"

#include <vcsched/emulator.h>

/* Refuses: returns `code` and tells `error`, unless it is NULL; `field` may be empty, `type` VCS_TYPE_NONE. */
int vcs_emulator_fail(vcs_error *error, int code, uint32_t type, uint64_t index, const char *field, const char *why);

/* Checks every field of one record against the table. */
int vcs_emulator_check_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error);

#endif

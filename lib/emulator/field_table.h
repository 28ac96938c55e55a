/*
 * The checks of libvcemu's own structs, from its table of fields, by the size rules of libvcsched.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_FIELD_TABLE_H
#define VCS_EMULATOR_FIELD_TABLE_H

#include <vcsched/emulator.h>

/* No struct of any version is larger; a size above is garbage. */
#define VCS_LARGEST_STRUCT 4096u

/* The size rule for any struct or element: VCS_OK, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. */
int vcs_emulator_check_size(uint32_t size, size_t first_version);

/* Takes over a struct of the caller's age; bytes beyond the known part must be 0, or VCS_ERR_ABI_NEWER. */
int vcs_emulator_take(void *known, size_t known_size, const void *callers, size_t callers_size);

/* Hands out a struct: copies what the caller has room for and zeroes the rest. */
void vcs_emulator_hand_out(void *callers, size_t callers_size, const void *known, size_t known_size);

/* Refuses: returns `code` and tells `error`, unless it is NULL; `field` may be empty, `type` VCS_TYPE_NONE. */
int vcs_emulator_fail(vcs_error *error, int code, uint32_t type, uint64_t index, const char *field, const char *why);

/* Checks every field of one record against the table. */
int vcs_emulator_check_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error);

#endif

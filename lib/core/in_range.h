/*
 * The checks of lib/core/fields.h as straight code: whether all fields of a record are in range.
 *
 *     const vcs_client *client = ...;
 *     bool all = 1 VCS_FIELDS_client(VCS_IN_RANGE);
 *
 * The record must have the name that it has in the table. It costs a tenth of what vcs_check_fields() does, which is
 * called only for a record that is not right, to find out which field it is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_IN_RANGE_H
#define VCS_CORE_IN_RANGE_H

#include "core/fields.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VCS_IN_RANGE(structure, kind, place, field, unit, ...) &&VCS_IN_RANGE_##kind(structure->field, __VA_ARGS__)
#define VCS_IN_RANGE_f64(value, least, greatest) ((value) >= (least) && (value) <= (greatest))
#define VCS_IN_RANGE_u32(value, least, greatest) VCS_IN_RANGE_f64((double)(value), least, greatest)
#define VCS_IN_RANGE_choice(value, least, greatest) VCS_IN_RANGE_u32(value, least, greatest)
#define VCS_IN_RANGE_flags(value, least, greatest) (((value) & ~(uint32_t)(greatest)) == 0)
#define VCS_IN_RANGE_zero(value, least, greatest) vcs_is_all_zero(&(value), sizeof(value))

/* Any value will do, or it is checked where its meaning is known. */
#define VCS_IN_RANGE_u64(value, least, greatest) 1
#define VCS_IN_RANGE_index(value, least, greatest) 1
#define VCS_IN_RANGE_size(value, least, greatest) 1

/* `size` is a multiple of 4. */
static inline bool vcs_is_all_zero(const void *bytes, size_t size) {
    uint32_t all = 0;
    for (size_t at = 0; at < size; at += sizeof all) {
        uint32_t word;
        memcpy(&word, (const unsigned char *)bytes + at, sizeof word);
        all |= word;
    }
    return all == 0;
}

#endif

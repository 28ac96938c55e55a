/*
 * The ranges of fields as straight code: whether records are right, not what is wrong with them.
 *
 * Every decision begins with looking at every field of every record, and nearly always all are right.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_FIELD_PASS_H
#define VCS_CORE_FIELD_PASS_H

#include <stdint.h>

/*
 * How many of `count` records of `size` bytes each are right before the first that is not: fields in range, and 0 in
 * the bytes beyond those that this version knows. Records that are shorter than this version's are not for it. 0 for
 * an unknown type. O(count * fields).
 */
uint32_t vcs_count_passing(uint32_t type, const void *records, uint32_t size, uint32_t count);

#endif

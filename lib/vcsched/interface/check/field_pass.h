/*
 * The ranges of fields as straight code, which finds whether a record is right and not what is wrong with it.
 *
 * Every decision begins by checking every field of every record, and nearly always all are right. Each struct of
 * fields/ has its own function, such as vcs_task_passes(task).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_FIELD_PASS_H
#define VCS_CHECK_FIELD_PASS_H

#include "vcsched/core/compiler.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- The kinds of layout.h ---- */

/* Whether `size` bytes, a multiple of 4, are all 0. Two words at a time: the compiler needs no loop for so few. */
static inline int vcs_is_zero(const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    const size_t words = size / sizeof(uint64_t), pairs = words / 2;
    uint64_t any = 0, word[2];
    uint32_t rest;
    for (size_t i = 0; i < pairs; i++) {
        memcpy(word, at + i * sizeof word, sizeof word);
        any |= word[0] | word[1];
    }
    if (words % 2 != 0) {
        memcpy(word, at + pairs * sizeof word, sizeof *word);
        any |= word[0];
    }
    if (size % sizeof *word != 0) {
        memcpy(&rest, at + words * sizeof *word, sizeof rest);
        any |= rest;
    }
    return any == 0;
}

/*
 * NaN is between no bounds. From 0 to infinity, numbers are ordered like their bits, and the bits of negative numbers
 * and NaN come after; so one comparison does for both bounds. Only -0, which equals 0, needs a test of its own. Bounds
 * that differ only in sign bound the number without its sign, the highest bit.
 */
VCS_INLINE int vcs_is_between(double value, double least, double greatest) {
    uint64_t bits, low, high;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&low, &least, sizeof low);
    memcpy(&high, &greatest, sizeof high);
    if (least == -greatest) {
        return bits << 1 <= high << 1;
    }
    if (least < 0.0) {
        return (value >= least) & (value <= greatest);
    }
    return bits - low <= high - low || (least == 0.0 && value == 0.0);
}

VCS_INLINE int vcs_are_between(const void *values, size_t size, double least, double greatest) {
    double value;
    for (size_t at = 0; at < size; at += sizeof value) {
        memcpy(&value, (const unsigned char *)values + at, sizeof value);
        if (!vcs_is_between(value, least, greatest)) {
            return 0;
        }
    }
    return 1;
}

/* Whole numbers are compared as such: their bounds are whole, too. */
static inline int vcs_is_within(int64_t value, double least, double greatest) {
    return value >= (int64_t)least && value <= (int64_t)greatest;
}

#define VCS_PASS_f64(value, least, greatest) vcs_are_between(&(value), sizeof(value), least, greatest)
#define VCS_PASS_u64(value, least, greatest) 1
#define VCS_PASS_u32(value, least, greatest)                                                                           \
    ((greatest) - (least) == UINT32_MAX ? 1 : vcs_is_within(value, least, greatest))
#define VCS_PASS_i32(value, least, greatest) 1
#define VCS_PASS_flags(value, least, greatest) (((value) & ~(uint32_t)(greatest)) == 0)
#define VCS_PASS_choice(value, least, greatest) vcs_is_within(value, least, greatest)
#define VCS_PASS_index(value, least, greatest) 1
#define VCS_PASS_size(value, least, greatest) 1
#define VCS_PASS_zero(value, least, greatest) vcs_is_zero(&(value), sizeof(value))
#define VCS_PASS_text(value, least, greatest) 1
#define VCS_PASS_other(value, least, greatest) 1

/* ---- Records ---- */

#define VCS_PASS(structure, kind, place, field, unit, ...)                                                             \
    if (!VCS_PASS_##kind(record->field, __VA_ARGS__)) {                                                                \
        return 0;                                                                                                      \
    }

#define VCS_PASSES(structure)                                                                                          \
    static inline int vcs_##structure##_passes(const vcs_##structure *record) {                                        \
        VCS_FIELDS_##structure(VCS_PASS) return 1;                                                                     \
    }

#endif

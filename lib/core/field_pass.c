/* SPDX-License-Identifier: MIT */
#include "core/field_pass.h"

#include "core/fields.h"

#include <string.h>

/* Whether `size` bytes, a multiple of 4, are all 0. */
static inline int is_zero(const void *bytes, size_t size) {
    const unsigned char *at = bytes, *end = at + size;
    uint64_t words = 0, word;
    uint32_t rest = 0;
    for (; (size_t)(end - at) >= sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        words |= word;
    }
    if (at < end) {
        memcpy(&rest, at, sizeof rest);
    }
    return (words | rest) == 0;
}

static inline int are_between(const void *values, size_t size, double least, double greatest) {
    double value;
    for (size_t at = 0; at < size; at += sizeof value) {
        memcpy(&value, (const unsigned char *)values + at, sizeof value);
        if (!(value >= least && value <= greatest)) {
            return 0; /* what is not a number, too */
        }
    }
    return 1;
}

/* Whole numbers are compared as such: their bounds are whole, too. */
static inline int is_within(int64_t value, double least, double greatest) {
    return value >= (int64_t)least && value <= (int64_t)greatest;
}

/* Of bytes of which nothing is known: those beyond the record that this version knows. */
static int is_zero_tail(const unsigned char *at, const unsigned char *end) {
    while (at < end && *at == 0) {
        at++;
    }
    return at >= end;
}

#define PASS_f64(value, least, greatest) are_between(&(value), sizeof(value), least, greatest)
#define PASS_u64(value, least, greatest) 1
#define PASS_u32(value, least, greatest) is_within(value, least, greatest)
#define PASS_i32(value, least, greatest) 1
#define PASS_flags(value, least, greatest) (((value) & ~(uint32_t)(greatest)) == 0)
#define PASS_choice(value, least, greatest) is_within(value, least, greatest)
#define PASS_index(value, least, greatest) 1
#define PASS_size(value, least, greatest) 1
#define PASS_zero(value, least, greatest) is_zero(&(value), sizeof(value))
#define PASS_text(value, least, greatest) 1
#define PASS_other(value, least, greatest) 1

#define PASS(structure, kind, place, field, unit, ...) &&PASS_##kind(record->field, __VA_ARGS__)

#define COUNT_PASSING(structure, type, bytes)                                                                          \
    static uint32_t count_##structure(const unsigned char *at, uint32_t size, uint32_t count) {                        \
        uint32_t passed = 0;                                                                                           \
        for (; passed < count; passed++, at += size) {                                                                 \
            const vcs_##structure *record = (const void *)at;                                                          \
            if (!(is_zero_tail(at + (bytes), at + size) VCS_FIELDS_##structure(PASS))) {                               \
                break;                                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
        return passed;                                                                                                 \
    }
VCS_STRUCTS(COUNT_PASSING)

uint32_t vcs_count_passing(uint32_t type, const void *records, uint32_t size, uint32_t count) {
#define CHOOSE(structure, type, bytes)                                                                                 \
    case type:                                                                                                         \
        return count_##structure(records, size, count);
    switch (type) {
        VCS_STRUCTS(CHOOSE)
    case VCS_TYPE_CANDIDATE:
        return count_task(records, size, count);
    default:
        return 0;
    }
}

/*
 * Changes of records, so that the fingerprint meets what no table of examples has: numbers at the edges of what a field
 * may be, odd combinations, and what is refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "assurance/hygiene/fingerprint.h"

#include <string.h>
#include <vcemu/emulator.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* splitmix64: each number of a sequence looks random. */
static uint64_t scramble(uint64_t number) {
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
    return number ^ (number >> 31);
}

static double within(double number, const vcs_field_info *info) {
    return number < info->minimum ? info->minimum : number > info->maximum ? info->maximum : number;
}

/* Numbers that are likely for a unit. */
static double likely(const vcs_field_info *info, uint64_t draw) {
    static const double seconds[] = {0, 60, 1000, 3600, 20000, 86400, 300000}, sizes[] = {1e9, 2e10, 1e11, 5e12, 1e13},
                        bytes[] = {0, 1e6, 1e8, 1e9, 4e9},
                        plain[] = {0, 0.01, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 10, 100};
    if (strcmp(info->unit, "s") == 0) {
        return seconds[draw % COUNT_OF(seconds)];
    }
    if (strncmp(info->unit, "FLOP", 4) == 0) {
        return sizes[draw % COUNT_OF(sizes)];
    }
    return strncmp(info->unit, "bytes", 5) == 0 ? bytes[draw % COUNT_OF(bytes)] : plain[draw % COUNT_OF(plain)];
}

static double change_number(double old, const vcs_field_info *info, uint64_t draw) {
    const uint64_t way = draw % 32, rest = draw / 32;
    if (way == 0) {
        return rest % 2 == 0 ? info->maximum * 2 : info->minimum - 1;
    }
    if (way < 6) {
        return within(old * (way < 4 ? 0.5 : 2), info);
    }
    return within(likely(info, rest), info);
}

static uint64_t change_integer(uint64_t old, const vcs_field_info *info, uint64_t draw) {
    const uint64_t way = draw % 32, rest = draw / 32;
    if (way == 0) {
        return UINT32_MAX - rest % 2;
    }
    if (way < 4) {
        return old + 1;
    }
    if (way < 8) {
        return old > 0 ? old - 1 : 0;
    }
    if (way < 16) {
        return old ^ (UINT64_C(1) << rest % 6);
    }
    const uint64_t most = info->maximum < 7 ? (uint64_t)info->maximum + 1 : 8;
    return rest % most;
}

void change_records(uint32_t type, void *records, size_t size, uint32_t count, int number) {
    const uint64_t first = scramble((uint64_t)number), second = scramble(first), third = scramble(second);
    vcs_field_info info = {.struct_size = sizeof info};
    if (count == 0) {
        return;
    }
    require(vcs_emulator_field_at(type, (uint32_t)(first % vcs_emulator_field_count(type)), &info) == VCS_OK,
            "a field cannot be read");
    unsigned char *field = (unsigned char *)records + second % count * size + info.offset;
    if (strcmp(info.kind, "f64") == 0) {
        double value;
        memcpy(&value, field, sizeof value);
        value = change_number(value, &info, third);
        memcpy(field, &value, sizeof value);
    } else if (info.kind[1] == '6') {
        uint64_t value;
        memcpy(&value, field, sizeof value);
        value = change_integer(value, &info, third);
        memcpy(field, &value, sizeof value);
    } else if (info.kind[1] == '3' && strcmp(info.name, "struct_size") != 0) {
        uint32_t value;
        memcpy(&value, field, sizeof value);
        value = (uint32_t)change_integer(value, &info, third);
        memcpy(field, &value, sizeof value);
    } else if (strcmp(info.kind, "bytes") == 0) {
        field[third % info.size] = third % 8 == 0;
    }
}

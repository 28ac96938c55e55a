/*
 * The application: replace it by your own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "application.h"

/* Finds x with G ^ x % P == value, for many values. A portion is a few of them. */
#define P ((UINT64_C(1) << 31) - 1)
#define G 7

const char *const asked_words[] = {"log", "power"};

uint32_t portions = 100, portion_size = 5;

values portion_of(uint32_t number) {
    uint64_t at[MOST_VALUES];
    const uint32_t count = portion_size + number % portion_size;
    for (uint32_t i = 0; i < count; i++) {
        at[i] = 1 + (UINT64_C(1000) * number + i + 1) * 1103515245 % (P - 1);
    }
    return copy_of((values){at, count});
}

/* The time on a machine that finds one logarithm in a unit of time. The inverse problem is far easier. */
double complexity_of(uint32_t asked, values v) {
    return v.count * (asked == COMPUTE ? 1.0 : 0.001);
}

bool is_right(values v, values answer) {
    for (uint32_t i = 0; i < v.count; i++) {
        uint64_t power = 1, square = G;
        for (uint64_t x = answer.at[i]; x > 0; x >>= 1) {
            power = x & 1 ? power * square % P : power;
            square = square * square % P;
        }
        if (power != v.at[i]) {
            return false;
        }
    }
    return true;
}

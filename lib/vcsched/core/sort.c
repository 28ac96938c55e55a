/* SPDX-License-Identifier: MIT */
#include "vcsched/core/sort.h"

#include <string.h>

#define DIGIT_BITS 8
#define DIGIT_VALUES (1u << DIGIT_BITS)
#define DIGITS (64 / DIGIT_BITS)

/* Up to this many items, shifting them into place is faster than counting digits. */
#define FEW 64u

/* Sorts by insertion; the first `sorted` items, at least one, are in order. */
static void sort_few(vcs_sort_item *items, uint32_t sorted, uint32_t count) {
    for (uint32_t i = sorted; i < count; i++) {
        const vcs_sort_item item = items[i];
        uint32_t place = i;
        for (; place > 0 && items[place - 1].key > item.key; place--) {
            items[place] = items[place - 1];
        }
        items[place] = item;
    }
}

static uint32_t digit_of(uint64_t key, unsigned digit) {
    return (uint32_t)(key >> (digit * DIGIT_BITS)) & (DIGIT_VALUES - 1);
}

/* The bits in which some keys differ. */
static uint64_t differing_bits(const vcs_sort_item *items, uint32_t count) {
    uint64_t bits = 0;
    for (uint32_t i = 1; i < count; i++) {
        bits |= items[i].key ^ items[0].key;
    }
    return bits;
}

static void count_digit(const vcs_sort_item *items, uint32_t count, unsigned digit, uint32_t counts[DIGIT_VALUES]) {
    memset(counts, 0, sizeof *counts * DIGIT_VALUES);
    for (uint32_t i = 0; i < count; i++) {
        counts[digit_of(items[i].key, digit)]++;
    }
}

static void distribute(const vcs_sort_item *from, vcs_sort_item *to, uint32_t count, unsigned digit,
                       uint32_t counts[DIGIT_VALUES]) {
    uint32_t start = 0;
    for (uint32_t value = 0; value < DIGIT_VALUES; value++) {
        uint32_t here = counts[value];
        counts[value] = start;
        start += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[counts[digit_of(from[i].key, digit)]++] = from[i];
    }
}

/* Sorts in at most 8 passes, one for each digit in which some keys differ. */
static void sort_by_digits(vcs_sort_item *items, vcs_sort_item *spare, uint32_t count) {
    const uint64_t bits = differing_bits(items, count);
    uint32_t counts[DIGIT_VALUES];
    vcs_sort_item *from = items, *to = spare;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        if (digit_of(bits, digit) == 0) {
            continue; /* all alike in this digit */
        }
        count_digit(from, count, digit, counts);
        distribute(from, to, count, digit, counts);
        vcs_sort_item *other = from;
        from = to;
        to = other;
    }
    if (from != items) {
        memcpy(items, from, sizeof *items * count);
    }
}

/* How many of the first items are in order. */
static uint32_t count_sorted(const vcs_sort_item *items, uint32_t count) {
    uint32_t sorted = 1;
    while (sorted < count && items[sorted - 1].key <= items[sorted].key) {
        sorted++;
    }
    return sorted;
}

void vcs_sort(vcs_sort_item *items, vcs_sort_item *spare, uint32_t count) {
    const uint32_t sorted = count_sorted(items, count);
    if (sorted >= count) {
        return; /* the usual case: records arrive in order */
    }
    if (count <= FEW) {
        sort_few(items, sorted, count);
    } else {
        sort_by_digits(items, spare, count);
    }
}

/*
 * What the tests of the kernels share: a stream of random numbers and tests that draw from it, comparison of doubles,
 * and spoiling of records.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef KERNEL_H
#define KERNEL_H

/* cmocka wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vcsched/abi.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The greatest draw that is still below 1. */
#define ALMOST_ONE (1.0 - 0x1p-53)

/* ---- Random numbers: splitmix64, the same on every machine ---- */

typedef struct random_stream {
    uint64_t state;
} random_stream;

static inline uint64_t random_bits(random_stream *stream) {
    uint64_t z = stream->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 <= u < 1 */
static inline double random_draw(random_stream *stream) {
    return (double)(random_bits(stream) >> 11) * 0x1p-53;
}

static inline double random_between(random_stream *stream, double least, double greatest) {
    return least + random_draw(stream) * (greatest - least);
}

/* Any order of magnitude between the two is as likely as another. */
static inline double random_magnitude(random_stream *stream, double least, double greatest) {
    return exp(random_between(stream, log(least), log(greatest)));
}

/* 0 ... count - 1 */
static inline uint32_t random_below(random_stream *stream, uint32_t count) {
    return (uint32_t)(random_bits(stream) >> 32) % count;
}

/* A test `name` that gives `check` a function: the expression, of a random stream `r` and of a number `i`. */
#define RULE_TEST(type, check, name, expression)                                                                       \
    static type rule_##name(random_stream *r, uint32_t i) {                                                            \
        (void)r;                                                                                                       \
        (void)i;                                                                                                       \
        return expression;                                                                                             \
    }                                                                                                                  \
    static void name(void **unused) {                                                                                  \
        (void)unused;                                                                                                  \
        check(rule_##name);                                                                                            \
    }

/* ---- Comparison of doubles ---- */

static inline void close_or_fail(double actual, long double expected, double relative, const char *what,
                                 const char *file, int line) {
    if (fabsl(actual - expected) <= relative * fabsl(expected)) {
        return; /* never so for NaN */
    }
    print_error("%s is %.17g, expected %.17Lg within %g of it\n", what, actual, expected, relative);
    _fail(file, line);
}

/* Equal within a relative error. */
#define assert_close(actual, expected, relative) close_or_fail(actual, expected, relative, #actual, __FILE__, __LINE__)

/* Equal to the last bit, but that -0 equals 0. */
#define assert_number(actual, expected) assert_close(actual, expected, 0.0)

/* ---- Bad input: one field of a good record is spoiled ---- */

typedef struct bad_field {
    size_t offset;
    int is_word;   /* a uint32_t, else a double */
    double number; /* what a double becomes */
    uint32_t word; /* what a uint32_t becomes */
    int code;      /* what the function must return */
} bad_field;

#define BAD_NUMBER(type, field, value, code)                                                                           \
    { offsetof(type, field), 0, value, 0, code }
#define BAD_WORD(type, field, value, code)                                                                             \
    { offsetof(type, field), 1, 0.0, value, code }

/* What no double field takes, except those where +infinity has a meaning. */
#define NOT_FINITE(type, field)                                                                                        \
    BAD_NUMBER(type, field, (double)NAN, VCS_ERR_NOT_FINITE),                                                          \
        BAD_NUMBER(type, field, (double)INFINITY, VCS_ERR_NOT_FINITE),                                                 \
        BAD_NUMBER(type, field, -(double)INFINITY, VCS_ERR_NOT_FINITE)

static inline void spoil(void *record, const bad_field *bad) {
    if (bad->is_word) {
        memcpy((unsigned char *)record + bad->offset, &bad->word, sizeof bad->word);
    } else {
        memcpy((unsigned char *)record + bad->offset, &bad->number, sizeof bad->number);
    }
}

#endif

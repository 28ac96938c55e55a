/*
 * A point has escaped when |z|^2 > 64. Before that both parts of z are within +-8, so that each square and the square
 * of their sum stay below 2^63 / 2^55 = 256; the step that leads out ends below 70.
 *
 * SPDX-License-Identifier: MIT
 */
#include "mandelbrot.h"

#include "tile.h"

#define ONE ((int64_t)1 << GRID_FRACTION_BITS)
#define BOUND 8                      /* |z| */
#define LOG2_OF_6 ((uint32_t)169408) /* log2(log2(BOUND^2)), in 1/65536 */

/* x * x, rounded down; |x| < 16. */
#if defined(__SIZEOF_INT128__) && !defined(GRID_PORTABLE)
__extension__ typedef unsigned __int128 wide;

static int64_t square(int64_t x) {
    uint64_t size = (uint64_t)(x < 0 ? -x : x);
    return (int64_t)((wide)size * size >> GRID_FRACTION_BITS);
}
#else
static int64_t square(int64_t x) {
    uint64_t size = (uint64_t)(x < 0 ? -x : x);
    uint64_t high = size >> 32, low = size & 0xffffffffu;
    /* size^2 = high^2 * 2^64 + 2 * high * low * 2^32 + low^2 */
    uint64_t cross = high * low;
    uint64_t bottom = low * low;
    uint64_t sum = bottom + (cross << 33);
    uint64_t top = high * high + (cross >> 31) + (sum < bottom);
    return (int64_t)(top << (64 - GRID_FRACTION_BITS) | sum >> GRID_FRACTION_BITS);
}
#endif

uint32_t mandelbrot_log2(uint64_t number) {
    uint32_t whole = 0;
    while (number >> whole > 1) {
        whole++;
    }
    /* Between 1 and 2, as a multiple of 2^-31. Squared, it tells the next binary digit of its logarithm. */
    uint64_t mantissa = whole > 31 ? number >> (whole - 31) : number << (31 - whole);
    uint32_t result = whole;
    for (int digit = 0; digit < 16; digit++) {
        mantissa = mantissa * mantissa >> 31;
        result <<= 1;
        if (mantissa >> 32 != 0) {
            mantissa >>= 1;
            result |= 1;
        }
    }
    return result;
}

/* The part of an iteration that was not needed: log2(log2 |z|^2 / log2 BOUND^2), in 1/65536. */
static uint32_t surplus(int64_t x, int64_t y) {
    uint64_t a = (uint64_t)(x < 0 ? -x : x) >> 32, b = (uint64_t)(y < 0 ? -y : y) >> 32;
    uint32_t size = mandelbrot_log2(a * a + b * b) - ((2 * (GRID_FRACTION_BITS - 32)) << 16);
    return mandelbrot_log2(size) - (16u << 16) - LOG2_OF_6;
}

uint64_t mandelbrot_count(int64_t re, int64_t im, int64_t iterations) {
    int64_t x = re, y = im;
    for (int64_t n = 1; n <= iterations; n++) {
        int64_t xx = 0, yy = 0;
        int is_out = x > BOUND * ONE || x < -BOUND * ONE || y > BOUND * ONE || y < -BOUND * ONE;
        if (!is_out) {
            xx = square(x);
            yy = square(y);
            is_out = xx + yy > BOUND * BOUND * ONE;
        }
        if (is_out) {
            uint64_t count = ((uint64_t)n + 1) << 16;
            return count - surplus(x, y);
        }
        y = square(x + y) - xx - yy + im;
        x = xx - yy + re;
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "vcsched/core/number.h"

#include <string.h>

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^k for -1022 <= k <= 1023. */
static double power_of_two(int k) {
    return double_of((uint64_t)(k + 1023) << 52);
}

/* (2^r - 1) / r on |r| <= 1/2: the minimax polynomial of degree 10, off by 1.3e-17. */
static double exp2_slope(double r) {
    double r2 = r * r;
    double r4 = r2 * r2;
    double low =
        (0x1.62e42fefa39efp-1 + r * 0x1.ebfbdff82c598p-3) + r2 * (0x1.c6b08d704a0cbp-5 + r * 0x1.3b2ab6fba1dcfp-7);
    double middle =
        (0x1.5d87fe78a2cb1p-10 + r * 0x1.4309130972ab4p-13) + r2 * (0x1.ffcbfc74460bfp-17 + r * 0x1.62bfd46ef13e9p-20);
    double high = (0x1.b524dcae950b6p-24 + r * 0x1.e6065056e8f53p-28) + r2 * 0x1.ea045749d10d2p-32;
    return low + r4 * (middle + r4 * high);
}

/* Adding and subtracting this number rounds to the nearest integer. */
#define ROUNDER 0x1.8p52

/* x = whole + r with |r| <= 1/2, for |x| < 2^31; `rise` is 2^r - 1. */
typedef struct parts {
    int whole;
    double rise;
} parts;

static inline parts split_exponent(double x) {
    const double whole = x + ROUNDER - ROUNDER;
    const double r = x - whole;
    const parts found = {(int)whole, r * exp2_slope(r)};
    return found;
}

double vcs_exp2(double x) {
    if (!(x > -1100.0)) {
        return x <= -1100.0 ? 0.0 : x; /* NaN passes */
    }
    if (x > 1100.0) {
        return VCS_INFINITY;
    }
    const parts of = split_exponent(x);
    const int k = of.whole;
    const double fraction = 1.0 + of.rise;
    if (k >= -1022 && k <= 1023) {
        return fraction * power_of_two(k);
    }
    /* Two factors, so that the only rounding is into a subnormal, or to infinity. */
    return k < 0 ? fraction * power_of_two(k + 100) * 0x1p-100 : fraction * power_of_two(k - 100) * 0x1p100;
}

vcs_power vcs_exp2_both(double x) {
    vcs_power power;
    if (x > -60.0 && x < 60.0) { /* neither 2^x nor 1 is lost in their difference */
        const parts of = split_exponent(x);
        const double scale = power_of_two(of.whole);
        power.value = (1.0 + of.rise) * scale;
        power.less_one = (scale - 1.0) + scale * of.rise;
    } else {
        power.value = vcs_exp2(x);
        power.less_one = power.value - 1.0;
    }
    return power;
}

double vcs_exp2m1(double x) {
    return vcs_exp2_both(x).less_one;
}

/* 2 * (atanh(s) / s - 1) / s^2 for z = s^2 <= 0.0295: the minimax polynomial of degree 7, off by 2e-18. */
static double atanh_tail(double z) {
    double z2 = z * z;
    double low =
        (0x1.5555555555555p-1 + z * 0x1.9999999999a3ap-2) + z2 * (0x1.249249247681bp-2 + z * 0x1.c71c7201d3e8dp-3);
    double high =
        (0x1.745cf8d4bb511p-3 + z * 0x1.3b1c3ee7c4b80p-3) + z2 * (0x1.0fbda3d603043p-3 + z * 0x1.0c0d0387b0949p-3);
    return low + z2 * z2 * high;
}

/* x = 2^exponent * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), for positive finite x. */
static double split(double x, int *exponent) {
    int scale = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        scale = -54;
    }
    uint64_t bits = bits_of(x);
    uint64_t above_half_root = bits - bits_of(0x1.6a09e667f3bcdp-1);
    int k = (int)((int64_t)above_half_root >> 52);
    *exponent = k + scale;
    return double_of(bits - ((uint64_t)(int64_t)k << 52)) - 1.0;
}

double vcs_log2(double x) {
    if (!(x > 0.0)) {
        return x == 0.0 ? -VCS_INFINITY : VCS_INFINITY - VCS_INFINITY;
    }
    if (x == VCS_INFINITY) {
        return x;
    }
    int exponent;
    double f = split(x, &exponent);
    double s = f / (2.0 + f);
    double z = s * s;
    double half_square = 0.5 * f * f;
    /* ln(1 + f) = f - f^2/2 + s * (f^2/2 + z * tail); the large part has few bits, so its product is exact. */
    double large = double_of(bits_of(f - half_square) & UINT64_C(0xffffffff00000000));
    double small = (f - large) - half_square + s * (half_square + z * atanh_tail(z));
    const double log2_e_high = 0x1.71547p+0;
    const double log2_e_low = 0x1.94ae0bf85ddf4p-22;
    double tail = (small + large) * log2_e_low + small * log2_e_high;
    double head = large * log2_e_high;
    double whole = (double)exponent;
    double sum = whole + head;
    return sum + (((whole - sum) + head) + tail);
}

/* The truncated root of a whole number in 2^60 ... 2^62: Newton's steps approach it from above. */
static uint64_t first_half_of_root(uint64_t number) {
    uint64_t root = UINT64_C(1) << 31, next = (root + number / root) / 2;
    while (next < root) {
        root = next;
        next = (root + number / root) / 2;
    }
    return root;
}

/* The root of a whole number in 2^52 ... 2^54, times 2^27, truncated. */
static uint64_t root_of(uint64_t number) {
    const uint64_t first = first_half_of_root(number << 8), left = (number << 8) - first * first;
    const uint64_t second = (left << 22) / first, root = (first << 23) + second;
    /* number * 2^54 = root^2 + left_over - second^2, and more than (root - 1)^2 */
    const uint64_t left_over = ((left << 22) - first * second) << 24;
    return second * second > left_over ? root - 1 : root;
}

double vcs_sqrt(double x) {
    if (!(x > 0.0) || x == VCS_INFINITY) {
        return x < 0.0 ? VCS_INFINITY - VCS_INFINITY : x;
    }
    int scale = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        scale = -27;
    }
    /* x = number * 2^(2 * half), with number in 2^52 ... 2^54 */
    const int exponent = (int)(bits_of(x) >> 52) - 1023;
    const int odd = exponent & 1;
    const int half = (exponent - odd) / 2 - 26;
    const uint64_t number = ((bits_of(x) & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52) << odd;
    /* The root has 54 bits; the last one rounds. There is no tie: a root with so few bits would be exact. */
    return (double)((root_of(number) + 1) >> 1) * power_of_two(half - 26 + scale);
}

void vcs_wide_add(vcs_wide *sum, uint64_t a, uint64_t b) {
    uint64_t a_high = a >> 32, a_low = (uint32_t)a;
    uint64_t b_high = b >> 32, b_low = (uint32_t)b;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t carry = (uint32_t)middle + a_low * b_high;
    uint64_t product_high = a_high * b_high + (middle >> 32) + (carry >> 32);
    uint64_t product_low = carry << 32 | (uint32_t)low;
    sum->low += product_low;
    sum->high += product_high + (sum->low < product_low);
}

double vcs_wide_value(vcs_wide sum) {
    if (sum.high == 0) {
        return (double)sum.low;
    }
    /* Keeps the 64 leading bits; the bits below only matter for rounding. */
    int shift = 0;
    while (sum.high >> shift >> 1 != 0) {
        shift++;
    }
    shift++;
    uint64_t kept, lost;
    if (shift == 64) {
        kept = sum.high;
        lost = sum.low;
    } else {
        kept = sum.high << (64 - shift) | sum.low >> shift;
        lost = sum.low << (64 - shift);
    }
    return (double)(kept | (lost != 0)) * power_of_two(shift);
}

double vcs_wide_instance_seconds(vcs_wide sum) {
    return vcs_wide_value(sum) / (double)VCS_ONE / 1e6;
}

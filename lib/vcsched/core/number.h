/*
 * Arithmetic with equal results on every machine.
 *
 * exp2 and log2 use only additions, multiplications and divisions, which IEEE 754 rounds the same way everywhere; a C
 * library's exp2 and log2 differ from one processor to the next. The square root spares linking the C library's.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_NUMBER_H
#define VCS_CORE_NUMBER_H

#include <stdint.h>
#include <string.h>

/*
 * Compiler options that would change decisions, or let an index made from a sum exceed its array, are refused where a
 * macro shows them and switched off where a pragma can. vcs_self_test() finds the rest.
 */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    defined(__NO_SIGNED_ZEROS__) || defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "libvcsched must not be compiled with -ffast-math or a part of it: decisions would differ between machines"
#endif
/* 0, 1 and 16 leave doubles alone; 2 is the x87, a negative value unknown. */
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 2 || __FLT_EVAL_METHOD__ < 0)
#error "libvcsched needs arithmetic in plain doubles; on i686 compile with -msse2 -mfpmath=sse"
#endif

#if defined(__clang__)
#pragma clang fp contract(off) reassociate(off)
#if __clang_major__ >= 18
#pragma clang fp reciprocal(off)
#endif
#elif defined(__GNUC__) && defined(__FP_FAST_FMA)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

/* The infinity of doubles, without math.h. */
#if defined(__GNUC__)
#define VCS_INFINITY ((double)__builtin_inff())
#else
#define VCS_INFINITY (1e300 * 1e300)
#endif

#define VCS_LN2 0x1.62e42fefa39efp-1
#define VCS_LOG2_E 0x1.71547652b82fep+0

#define VCS_SECONDS_PER_DAY 86400.0

/* 2^x within 2 ulp; 0 and infinity beyond the range of doubles; NaN stays NaN. */
double vcs_exp2(double x);

/* 2^x - 1 within 6 ulp, without cancellation near x = 0. The error is greatest just above x = 1/2. */
double vcs_exp2m1(double x);

/* vcs_exp2() and vcs_exp2m1() of the same number, for little more than one call. */
typedef struct vcs_power {
    double value;    /* 2^x */
    double less_one; /* 2^x - 1 */
} vcs_power;
vcs_power vcs_exp2_both(double x);

/* log2(x) within 2 ulp; -infinity for 0, NaN below. */
double vcs_log2(double x);

/* The square root, correctly rounded; -0 for -0, NaN below 0. */
double vcs_sqrt(double x);

/* The lesser or greater of two numbers; the second on ties. */
static inline double vcs_min(double a, double b) {
    return a < b ? a : b;
}

static inline double vcs_max(double a, double b) {
    return a > b ? a : b;
}

static inline int64_t vcs_min_i64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t vcs_max_i64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static inline uint64_t vcs_min_u64(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static inline uint64_t vcs_max_u64(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Index of the lowest set bit; `bits` is not 0. */
static inline uint32_t vcs_lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t place = 0;
    for (; (bits & 1) == 0; bits >>= 1) {
        place++;
    }
    return place;
#endif
}

/* Whether x is neither NaN nor an infinity. */
static inline int vcs_is_finite(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* An integer of the same order as the double, for sorting; -0 and +0 become the same. */
static inline uint64_t vcs_order_key(double x) {
    const double sum = x + 0.0;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits ^ ((0 - (bits >> 63)) | UINT64_C(1) << 63); /* below 0 all bits, else the sign */
}

/* The longest simulated time, in microseconds: about 36,500 years. Conversions saturate here. */
#define VCS_FOREVER (INT64_C(1) << 60)

/* floor(x + 1/2); must fit into int64_t. */
static inline int64_t vcs_round_half_up(double x) {
    double shifted = x + 0.5;
    int64_t whole = (int64_t)shifted;
    return (double)whole > shifted ? whole - 1 : whole;
}

/* Seconds as whole microseconds, rounded half up and saturated at +-VCS_FOREVER. */
static inline int64_t vcs_micros(double seconds) {
    const double micros = seconds * 1e6;
    if (micros >= 0.0) { /* nearly always; the cast rounds down then */
        return micros < (double)VCS_FOREVER ? (int64_t)(micros + 0.5) : VCS_FOREVER;
    }
    return micros > -(double)VCS_FOREVER ? vcs_round_half_up(micros) : -VCS_FOREVER;
}

/* Microseconds as seconds. */
static inline double vcs_seconds(int64_t micros) {
    return (double)micros / 1e6;
}

/* Units of one instance: uses of a resource are counted in 2^-20 instance. */
#define VCS_ONE (INT64_C(1) << 20)

/* Fewer free units count as none: a rounding error must not look like free capacity. */
#define VCS_LEAST_FREE INT64_C(2)

/* A number of instances >= 0 as units, rounded half up. */
static inline int64_t vcs_units(double instances) {
    return (int64_t)(instances * (double)VCS_ONE + 0.5);
}

/* Units as instances. */
static inline double vcs_instances(int64_t units) {
    return (double)units * (1.0 / (double)VCS_ONE); /* a power of two: exact */
}

/* An exact sum of products, since unit-microseconds exceed 64 bits. */
typedef struct vcs_wide {
    uint64_t high, low;
} vcs_wide;

/* sum += a * b */
void vcs_wide_add(vcs_wide *sum, uint64_t a, uint64_t b);

/* The nearest double. */
double vcs_wide_value(vcs_wide sum);

/* A sum of unit-microseconds as instance-seconds. */
double vcs_wide_instance_seconds(vcs_wide sum);

#endif

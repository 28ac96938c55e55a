/*
 * Numbers: exp2 and log2 against the C library in long double, rounding to the units of the simulations, and exact sums
 * of products.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "vcsched/core/number.h"

#include <float.h>

enum { RANDOM_CASES = 100000 };

/* ---- exp2 and log2 ---- */

/* How far a double is from the true value, in units of the last place of the true value. */
static double error_in_ulps(double found, long double truth) {
    int exponent;
    frexpl(truth, &exponent);
    int ulp_exponent = exponent - DBL_MANT_DIG > -1074 ? exponent - DBL_MANT_DIG : -1074;
    return (double)fabsl(ldexpl((long double)found - truth, -ulp_exponent));
}

typedef struct function {
    double (*found)(double x);
    long double (*truth)(long double x);
    double ulps; /* what core/number.h promises */
} function;

static void check_function(const function *f, double x) {
    double found = f->found(x);
    long double truth = f->truth(x);
    if (!(error_in_ulps(found, truth) <= f->ulps)) {
        print_error("at %a: %a, not %La\n", x, found, truth);
        fail();
    }
}

static long double true_exp2m1(long double x) {
    return fabsl(x) < 60 ? expm1l(x * 0.693147180559945309417232121458176568L) : exp2l(x) - 1;
}

static const function exp2_function = {vcs_exp2, exp2l, 2};
static const function exp2m1_function = {vcs_exp2m1, true_exp2m1, 6};
static const function log2_function = {vcs_log2, log2l, 2};

static void exp2_of_random_numbers(void **unused) {
    (void)unused;
    random_stream r = {1};
    for (int i = 0; i < RANDOM_CASES; i++) {
        check_function(&exp2_function, random_between(&r, -0.5, 0.5));
        check_function(&exp2_function, random_between(&r, -30, 0)); /* what averages ask for */
        check_function(&exp2_function, random_between(&r, -1022, 1023.999));
        check_function(&exp2_function, random_between(&r, -1074, -1022)); /* subnormal */
        check_function(&exp2_function, random_magnitude(&r, 1e-300, 1));
        check_function(&exp2_function, -random_magnitude(&r, 1e-300, 1));
    }
}

/* Where one piece of the calculation ends and the next begins. */
static void exp2_at_seams(void **unused) {
    (void)unused;
    for (int halves = -2148; halves < 2048; halves++) {
        double seam = 0.5 * halves;
        check_function(&exp2_function, seam);
        check_function(&exp2_function, nextafter(seam, -2000));
        check_function(&exp2_function, nextafter(seam, 2000));
    }
}

static void exp2_of_integers_is_exact(void **unused) {
    (void)unused;
    for (int i = -1074; i <= 1023; i++) {
        assert_true(vcs_exp2(i) == ldexp(1, i));
    }
}

static void exp2_beyond_the_range(void **unused) {
    (void)unused;
    static const double too_great[] = {1024, 1024.5, 1099.9, 1100.1, 1e10, DBL_MAX, INFINITY};
    static const double too_small[] = {-1075.1, -1099.9, -1100, -1e10, -DBL_MAX, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(too_great); i++) {
        assert_true(vcs_exp2(too_great[i]) == INFINITY);
        assert_true(vcs_exp2m1(too_great[i]) == INFINITY);
    }
    for (size_t i = 0; i < COUNT_OF(too_small); i++) {
        assert_true(vcs_exp2(too_small[i]) == 0);
        assert_true(vcs_exp2m1(too_small[i]) == -1);
    }
    assert_true(isnan(vcs_exp2(NAN)));
    assert_true(isnan(vcs_exp2m1(NAN)));
    assert_true(vcs_exp2(0) == 1 && vcs_exp2(-0.0) == 1);
    assert_true(vcs_exp2(DBL_TRUE_MIN) == 1 && vcs_exp2(-DBL_MIN) == 1);
}

/* The C library's is correctly rounded too. */
static void sqrt_as_the_c_library_rounds_it(void **unused) {
    (void)unused;
    random_stream r = {7};
    for (int i = 0; i < RANDOM_CASES; i++) {
        const double x = random_magnitude(&r, 1e-320, 1e308);
        assert_true(vcs_sqrt(x) == sqrt(x));
        const double whole = floor(random_between(&r, 0, 9e7));
        assert_true(vcs_sqrt(whole * whole) == whole);
    }
    static const double seams[] = {0, 1, 2, 3, 4, 0.25, 0.5, DBL_MIN, DBL_TRUE_MIN, DBL_MAX, INFINITY, 0x1p-1023};
    for (size_t i = 0; i < COUNT_OF(seams); i++) {
        assert_true(vcs_sqrt(seams[i]) == sqrt(seams[i]));
        assert_true(vcs_sqrt(nextafter(seams[i], INFINITY)) == sqrt(nextafter(seams[i], INFINITY)));
    }
    assert_true(signbit(vcs_sqrt(-0.0)) != 0);
    assert_true(isnan(vcs_sqrt(-1)) && isnan(vcs_sqrt(-INFINITY)) && isnan(vcs_sqrt(NAN)));
}

static void exp2m1_of_random_numbers(void **unused) {
    (void)unused;
    random_stream r = {2};
    for (int i = 0; i < RANDOM_CASES; i++) {
        check_function(&exp2m1_function, random_between(&r, -0.5, 0.5));
        check_function(&exp2m1_function, random_between(&r, 0.5, 0.53)); /* where it is off most */
        check_function(&exp2m1_function, random_between(&r, -70, 70));
        check_function(&exp2m1_function, random_between(&r, -1100, 1023.999));
        check_function(&exp2m1_function, random_magnitude(&r, 1e-300, 1));
        check_function(&exp2m1_function, -random_magnitude(&r, 1e-300, 1));
    }
}

static void check_both(double x) {
    const vcs_power both = vcs_exp2_both(x);
    const double value = vcs_exp2(x), less_one = vcs_exp2m1(x);
    assert_memory_equal(&both.value, &value, sizeof value);
    assert_memory_equal(&both.less_one, &less_one, sizeof less_one);
}

static void both_as_each_alone(void **unused) {
    (void)unused;
    static const double edges[] = {0.0, -0.0, 60, -60, 1100, -1100, DBL_MAX, -DBL_MAX, INFINITY, -INFINITY};
    random_stream r = {8};
    for (int i = 0; i < RANDOM_CASES; i++) {
        check_both(random_between(&r, -70, 70));
        check_both(random_between(&r, -1200, 1200));
    }
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        check_both(edges[i]);
        check_both(nextafter(edges[i], 0));
    }
    const vcs_power none = vcs_exp2_both(NAN);
    assert_true(isnan(none.value) && isnan(none.less_one));
}

static void exp2m1_at_seams(void **unused) {
    (void)unused;
    for (int halves = -130; halves <= 130; halves++) {
        double seam = 0.5 * halves;
        check_function(&exp2m1_function, seam);
        check_function(&exp2m1_function, nextafter(seam, -2000));
        check_function(&exp2m1_function, nextafter(seam, 2000));
    }
    assert_true(vcs_exp2m1(0) == 0);
    assert_true(vcs_exp2m1(1) == 1);
    assert_true(vcs_exp2m1(-1) == -0.5);
}

static void log2_of_random_numbers(void **unused) {
    (void)unused;
    random_stream r = {3};
    for (int i = 0; i < RANDOM_CASES; i++) {
        check_function(&log2_function, random_between(&r, 0.5, 2));
        check_function(&log2_function, random_magnitude(&r, DBL_MIN, DBL_MAX));
        check_function(&log2_function, random_magnitude(&r, DBL_TRUE_MIN, DBL_MIN));
        check_function(&log2_function, 1 + random_magnitude(&r, 1e-16, 1));
        check_function(&log2_function, 1 - random_magnitude(&r, 1e-16, 0.5));
    }
}

static void log2_at_edges(void **unused) {
    (void)unused;
    for (int i = -1074; i <= 1023; i++) {
        assert_true(vcs_log2(ldexp(1, i)) == i);
    }
    for (int i = -1022; i <= 1022; i++) {
        double power = ldexp(1, i);
        check_function(&log2_function, power * (1 + DBL_EPSILON));
        check_function(&log2_function, power * sqrt(0.5));
        check_function(&log2_function, nextafter(power * sqrt(0.5), 0));
    }
    check_function(&log2_function, 1 - DBL_EPSILON / 2);
    check_function(&log2_function, DBL_MAX);
    check_function(&log2_function, nextafter(DBL_MIN, 0));
    assert_true(vcs_log2(0) == -INFINITY && vcs_log2(-0.0) == -INFINITY);
    assert_true(vcs_log2(INFINITY) == INFINITY);
    assert_true(isnan(vcs_log2(-1)) && isnan(vcs_log2(-INFINITY)) && isnan(vcs_log2(NAN)));
}

/* ---- Order ---- */

static const double ascending[] = {
    -INFINITY, -DBL_MAX, -1e10, -1.5, -1, -DBL_MIN, -DBL_TRUE_MIN, 0, DBL_TRUE_MIN, DBL_MIN, 1, 1.5, 1e10, DBL_MAX,
    INFINITY,
};

static void order_keys(void **unused) {
    (void)unused;
    for (size_t i = 1; i < COUNT_OF(ascending); i++) {
        assert_true(vcs_order_key(ascending[i - 1]) < vcs_order_key(ascending[i]));
    }
    assert_true(vcs_order_key(-0.0) == vcs_order_key(0.0));
    random_stream r = {4};
    for (int i = 0; i < RANDOM_CASES; i++) {
        double a = random_between(&r, -10, 10), b = random_magnitude(&r, 1e-300, 1e300);
        assert_int_equal(vcs_order_key(a) < vcs_order_key(b), a < b);
        assert_int_equal(vcs_order_key(a) < vcs_order_key(-b), a < -b);
    }
}

static void finite_numbers(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(ascending); i++) {
        assert_int_equal(vcs_is_finite(ascending[i]), i != 0 && i != COUNT_OF(ascending) - 1);
    }
    assert_int_equal(vcs_is_finite(NAN), 0);
    assert_int_equal(vcs_is_finite(-NAN), 0);
    assert_true(isinf(VCS_INFINITY) && VCS_INFINITY > 0);
}

/* ---- Microseconds and units ---- */

/* floor(x * 10^6 + 1/2) */
static void seconds_to_micros(void **unused) {
    (void)unused;
    static const struct {
        double seconds;
        int64_t micros;
    } cases[] = {
        {0, 0},
        {1, 1000000},
        {-1, -1000000},
        {0.4e-6, 0},
        {0.5e-6, 1}, /* a half goes up, */
        {-0.5e-6, 0}, /* which for negative numbers is towards 0 */
        {1.5e-6, 2},
        {-1.5e-6, -1},
        {-1.6e-6, -2},
        {36000.000001, INT64_C(36000000001)},
        {1e12, INT64_C(1000000000000000000)},
        {1.2e12, VCS_FOREVER}, /* 2^60 us are 1.1529e12 s */
        {-1.2e12, -VCS_FOREVER},
        {DBL_MAX, VCS_FOREVER},
        {INFINITY, VCS_FOREVER},
        {-INFINITY, -VCS_FOREVER},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(vcs_micros(cases[i].seconds) == cases[i].micros);
    }
    random_stream r = {5};
    for (int i = 0; i < RANDOM_CASES; i++) {
        double seconds = random_magnitude(&r, 1e-7, 1e12);
        assert_true(vcs_micros(seconds) == (int64_t)floor(seconds * 1e6 + 0.5));
        assert_true(vcs_micros(-seconds) == (int64_t)floor(-seconds * 1e6 + 0.5));
    }
}

static void micros_to_seconds(void **unused) {
    (void)unused;
    assert_true(vcs_seconds(0) == 0);
    assert_true(vcs_seconds(-1500000) == -1.5);
    random_stream r = {6};
    for (int i = 0; i < RANDOM_CASES; i++) {
        int64_t micros = (int64_t)(random_bits(&r) >> 14); /* up to 2^50, 35 years */
        assert_true(vcs_micros(vcs_seconds(micros)) == micros);
        assert_true(vcs_micros(vcs_seconds(-micros)) == -micros);
    }
}

/* floor(x * 2^20 + 1/2): 2^20 = 1048576 */
static void instances_to_units(void **unused) {
    (void)unused;
    assert_true(vcs_units(0) == 0);
    assert_true(vcs_units(1) == VCS_ONE);
    assert_true(vcs_units(65536) == 65536 * VCS_ONE);
    assert_true(vcs_units(0.5) == 524288);
    assert_true(vcs_units(0.1) == 104858);       /* 104857.6 */
    assert_true(vcs_units(1.0 / 3) == 349525);   /* 349525.33 */
    assert_true(vcs_units(0x1p-21) == 1);        /* a half goes up */
    assert_true(vcs_units(0x1.8p-20) == 2);
    assert_true(vcs_units(0x1.fp-22) == 0);
    assert_true(vcs_units(1 - 0x1p-22) == VCS_ONE);
    for (int64_t units = 0; units < 3 * VCS_ONE; units += 101) {
        assert_true(vcs_units(vcs_instances(units)) == units);
    }
    assert_true(vcs_instances(VCS_ONE / 4) == 0.25);
}

/* ---- Exact sums ---- */

/* The same as vcs_wide, in eight digits of 16 bits, least first, as one adds and multiplies on paper. */
typedef struct paper {
    uint32_t digit[8];
} paper;

static void add_digit(paper *sum, unsigned place, uint32_t digit) {
    for (; place < 8 && digit != 0; place++) {
        digit += sum->digit[place];
        sum->digit[place] = digit & 0xffff;
        digit >>= 16;
    }
}

static void add_product(paper *sum, uint64_t a, uint64_t b) {
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++) {
            uint32_t product = (uint32_t)(a >> 16 * i & 0xffff) * (uint32_t)(b >> 16 * j & 0xffff);
            add_digit(sum, i + j, product & 0xffff);
            add_digit(sum, i + j + 1, product >> 16);
        }
    }
}

static uint64_t four_digits(const paper *sum, unsigned place) {
    const uint32_t *d = &sum->digit[place];
    return (uint64_t)d[3] << 48 | (uint64_t)d[2] << 32 | (uint64_t)d[1] << 16 | d[0];
}

/* Numbers of all lengths, and such that make every carry happen. */
static uint64_t random_factor(random_stream *r) {
    uint64_t number = random_bits(r) >> random_below(r, 64);
    return random_below(r, 8) == 0 ? ~UINT64_C(0) >> random_below(r, 64) : number;
}

static void sums_of_products(void **unused) {
    (void)unused;
    random_stream r = {7};
    for (int i = 0; i < RANDOM_CASES / 10; i++) {
        vcs_wide sum = {0, 0};
        paper expected = {{0}};
        for (int k = 0; k < 10; k++) {
            uint64_t a = random_factor(&r), b = random_factor(&r);
            vcs_wide_add(&sum, a, b);
            add_product(&expected, a, b);
            assert_true(sum.low == four_digits(&expected, 0));
            assert_true(sum.high == four_digits(&expected, 4));
        }
    }
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide_integer;

static void sums_of_products_as_the_compiler_has_them(void **unused) {
    (void)unused;
    random_stream r = {8};
    vcs_wide sum = {0, 0};
    wide_integer expected = 0;
    for (int i = 0; i < RANDOM_CASES; i++) {
        uint64_t a = random_factor(&r), b = random_factor(&r);
        vcs_wide_add(&sum, a, b);
        expected += (wide_integer)a * b; /* both start again when they are full */
        assert_true(sum.low == (uint64_t)expected);
        assert_true(sum.high == (uint64_t)(expected >> 64));
    }
}

static void wide_numbers_as_the_compiler_rounds_them(void **unused) {
    (void)unused;
    random_stream r = {9};
    for (int i = 0; i < RANDOM_CASES; i++) {
        vcs_wide number = {random_factor(&r) >> random_below(&r, 64), random_factor(&r)};
        wide_integer same = (wide_integer)number.high << 64 | number.low;
        assert_true(vcs_wide_value(number) == (double)same);
    }
}
#endif

/* To the nearest double; from half way to the even one, unless anything is beyond the half. */
static void wide_numbers_as_doubles(void **unused) {
    (void)unused;
    static const struct {
        vcs_wide number;
        double value;
    } cases[] = {
        {{0, 0}, 0},
        {{0, 1}, 1},
        {{0, UINT64_MAX}, 0x1p64},
        {{1, 0}, 0x1p64},
        {{1, 1}, 0x1p64},
        {{1, 0x800}, 0x1p64},                   /* 2^64 + half of a last place: the even one is below */
        {{1, 0x801}, 0x1.0000000000001p64},     /* and a little more */
        {{1, 0x1800}, 0x1.0000000000002p64},    /* half way again: the even one is above */
        {{0x100000000, 0}, 0x1p96},
        {{0x8000000000000000, 0}, 0x1p127},
        {{0x8000000000000400, 0}, 0x1p127},     /* half way */
        {{0x8000000000000400, 1}, 0x1.0000000000001p127}, /* the 1 at the other end decides */
        {{UINT64_MAX, UINT64_MAX}, 0x1p128},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(vcs_wide_value(cases[i].number) == cases[i].value);
    }
}

/* 3 instances for 2.5 s, and half of one for 10 s: 12.5. */
static void instance_seconds(void **unused) {
    (void)unused;
    vcs_wide sum = {0, 0};
    vcs_wide_add(&sum, 3 * (uint64_t)VCS_ONE, 2500000);
    vcs_wide_add(&sum, (uint64_t)VCS_ONE / 2, 10000000);
    assert_true(vcs_wide_instance_seconds(sum) == 12.5);
    /* 65536 GPUs for the longest time: beyond 64 bits */
    vcs_wide most = {0, 0};
    vcs_wide_add(&most, 65536 * (uint64_t)VCS_ONE, (uint64_t)VCS_FOREVER);
    assert_close(vcs_wide_instance_seconds(most), 65536 * (0x1p60L / 1e6L), 4e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp2_of_random_numbers),
        cmocka_unit_test(exp2_at_seams),
        cmocka_unit_test(exp2_of_integers_is_exact),
        cmocka_unit_test(exp2_beyond_the_range),
        cmocka_unit_test(exp2m1_of_random_numbers),
        cmocka_unit_test(exp2m1_at_seams),
        cmocka_unit_test(both_as_each_alone),
        cmocka_unit_test(log2_of_random_numbers),
        cmocka_unit_test(log2_at_edges),
        cmocka_unit_test(order_keys),
        cmocka_unit_test(finite_numbers),
        cmocka_unit_test(seconds_to_micros),
        cmocka_unit_test(micros_to_seconds),
        cmocka_unit_test(instances_to_units),
        cmocka_unit_test(sums_of_products),
#ifdef __SIZEOF_INT128__
        cmocka_unit_test(sums_of_products_as_the_compiler_has_them),
        cmocka_unit_test(wide_numbers_as_the_compiler_rounds_them),
#endif
        cmocka_unit_test(wide_numbers_as_doubles),
        cmocka_unit_test(sqrt_as_the_c_library_rounds_it),
        cmocka_unit_test(instance_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

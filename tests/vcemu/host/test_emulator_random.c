/*
 * Random draws are the same everywhere and for ever: a scenario with its seed is a complete description.
 *
 * The expected numbers were computed by a program in another language, from integers of any length and with the
 * logarithms of its mathematical library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/random.h"

#include "support/kernel.h"

#define STREAMS 5

static const struct {
    uint64_t seed, index;
    uint32_t purpose;
    uint64_t bits[3]; /* of uniform draws: multiples of 2^-53 */
    double exponential[3], normal[6];
} known[STREAMS] = {
    {0,
     0,
     0,
     {0x17577fbde00e0d, 0x0939dddaabf7d9, 0x0b3cba266a80d8},
     {1.3072282378792357, 0.3401181896228966, 0.43257372173097275},
     {-1.4189521628015134, -0.5901854566365565, -1.1804079687966031, 0.15960186530667264, -0.05193226590426664,
      1.3349049908335127}},
    {1,
     0,
     0,
     {0x12d5d01d7cc7a9, 0x0f0baf48950b27, 0x078877adfa9355},
     {0.888189821005051, 0.6352110733459193, 0.26841374496978465},
     {0.04015446773653705, -0.09357183480520917, -1.5318913093050213, 0.0022773427993877443, -0.25020876580639156,
      0.6114394731640859}},
    {0,
     0,
     1,
     {0x0c17e55d1e8757, 0x12c2b13c29324e, 0x090f6dfabd5dd3},
     {0.474681732680198, 0.8825323931990654, 0.33286564396993834},
     {-0.5881056808489461, 0.18116966025247833, 3.466632569408749, -0.17367023796803346, 1.356460326289883,
      1.015447648025065}},
    {0,
     1,
     0,
     {0x106412b110ac6c, 0x0497c5e9454fa3, 0x01799e0116ac2e},
     {0.7178824795244947, 0.15493247205685254, 0.047192084396057855},
     {0.06524637900736267, -0.5491536326041043, -1.0229642208202927, -2.4683155366176224, 0.4023026529267807,
      2.4278599466595243}},
    {UINT64_MAX,
     UINT64_MAX,
     8,
     {0x0d6cd95766babc, 0x15f9db02d5a24e, 0x13a0513eadfe8c},
     {0.5439296146311656, 1.1607534950378329, 0.9501577769722358},
     {-0.4673450106204928, 1.9800548069313508, 0.11273788195969936, -0.09261686785369923, 0.6737092251954496,
      -1.3687736928863545}},
};

static vcs_emu_stream opened(uint32_t i) {
    return vcs_emu_stream_open(known[i].seed, known[i].purpose, known[i].index);
}

static void uniform_draws_are_known(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < STREAMS; i++) {
        vcs_emu_stream stream = opened(i);
        for (uint32_t k = 0; k < 3; k++) {
            assert_true(vcs_emu_draw_uniform(&stream) == (double)known[i].bits[k] * 0x1p-53);
        }
    }
}

static void exponential_draws_are_known(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < STREAMS; i++) {
        vcs_emu_stream stream = opened(i);
        for (uint32_t k = 0; k < 3; k++) {
            const double wanted = 50 * known[i].exponential[k];
            assert_true(fabs(vcs_emu_draw_exponential(&stream, 50) - wanted) <= 1e-14 * wanted);
        }
    }
}

/* Some of these take several points until one is in the disc; the next draw knows nothing of that. */
static void normal_draws_are_known(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < STREAMS; i++) {
        vcs_emu_stream stream = opened(i);
        for (uint32_t k = 0; k < 6; k++) {
            assert_true(fabs(vcs_emu_draw_normal(&stream, 100, 2) - (100 + 2 * known[i].normal[k])) < 1e-12);
        }
        assert_int_equal(stream.draws, 6);
    }
}

/* By inversion of the distribution, with the functions of libm. */
static void weibull_draws_are_those_of_the_uniform_ones(void **unused) {
    (void)unused;
    const double shapes[] = {0.1, 0.4, 1.0, 3.7, 10.0};
    for (uint32_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (uint32_t i = 0; i < STREAMS; i++) {
            vcs_emu_stream stream = opened(i), uniform = opened(i);
            for (uint32_t k = 0; k < 20; k++) {
                const double u = vcs_emu_draw_uniform(&uniform);
                const double wanted = 50 / tgamma(1 + 1 / shapes[s]) * pow(-log1p(-u), 1 / shapes[s]);
                assert_true(fabs(vcs_emu_draw_weibull(&stream, 50, shapes[s]) - wanted) <= 1e-11 * wanted);
            }
            assert_int_equal(stream.draws, 20);
        }
    }
}

/* One of the shape 1 is exponential. */
static void a_weibull_draw_of_shape_1_is_exponential(void **unused) {
    (void)unused;
    vcs_emu_stream stream = opened(1), exponential = opened(1);
    for (uint32_t k = 0; k < 100; k++) {
        const double wanted = vcs_emu_draw_exponential(&exponential, 7);
        assert_true(fabs(vcs_emu_draw_weibull(&stream, 7, 1) - wanted) <= 1e-11 * wanted);
    }
}

static void log_normal_draws_have_the_mean(void **unused) {
    (void)unused;
    vcs_emu_stream stream = opened(2), normal = opened(2);
    double sum = 0;
    for (uint32_t k = 0; k < 100000; k++) {
        const double drawn = vcs_emu_draw_log_normal(&stream, 10, 0.5);
        assert_true(fabs(drawn - 10 * exp(vcs_emu_draw_normal(&normal, 0, 0.5) - 0.125)) < 1e-12 * drawn);
        sum += drawn;
    }
    assert_true(fabs(sum / 100000 - 10) < 3 * 10 * sqrt(expm1(0.25)) / sqrt(100000));
    assert_true(vcs_emu_draw_log_normal(&stream, 10, 0) == 10);
}

/*
 * By the definition of the distribution: with the spread c = deviation / mean, the logarithm is normal with variance
 * ln(1 + c^2). Of many draws the mean is right within four standard errors, and so are mean and variance of the
 * logarithms, whose errors do not depend on the few greatest draws.
 */
static void spread_draws_have_mean_and_deviation(void **unused) {
    (void)unused;
    enum { DRAWS = 200000 };
    const double spreads[] = {0.1, 0.5, 1, 2};
    for (uint32_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
        const double mean = 10, variance = log1p(spreads[i] * spreads[i]);
        vcs_emu_stream stream = opened(i), normal = opened(i);
        double sum = 0, logs = 0, squares = 0;
        for (uint32_t k = 0; k < DRAWS; k++) {
            const double drawn = vcs_emu_draw_spread(&stream, mean, spreads[i] * mean);
            const double z = vcs_emu_draw_normal(&normal, 0, 1), from = log(drawn / mean) + variance / 2;
            assert_true(fabs(drawn - mean * exp(sqrt(variance) * z - variance / 2)) < 1e-11 * drawn);
            sum += drawn;
            logs += from;
            squares += from * from;
        }
        assert_true(fabs(sum / DRAWS - mean) < 4 * spreads[i] * mean / sqrt(DRAWS));
        assert_true(fabs(logs / DRAWS) < 4 * sqrt(variance / DRAWS));
        assert_true(fabs(squares / DRAWS - variance) < 4 * variance * sqrt(2.0 / DRAWS));
    }
}

/* Without a deviation, or a mean, each draw is the mean; a deviation without bounds counts as a million means. */
static void spread_draws_at_their_limits(void **unused) {
    (void)unused;
    vcs_emu_stream stream = opened(1), other = opened(1);
    assert_true(vcs_emu_draw_spread(&stream, 7, 0) == 7);
    assert_true(vcs_emu_draw_spread(&stream, 0, 5) == 0);
    assert_int_equal(stream.draws, 2);
    other.draws = 2;
    for (uint32_t k = 0; k < 1000; k++) {
        const double drawn = vcs_emu_draw_spread(&stream, 1e-300, 1e30);
        assert_true(drawn == vcs_emu_draw_spread(&other, 1e-300, 1e-294) && drawn > 0 && drawn < 1e-200);
    }
}

/* Without a deviation no number is needed, but the draw counts. */
static void a_draw_without_deviation_is_the_mean(void **unused) {
    (void)unused;
    vcs_emu_stream stream = opened(0);
    assert_true(vcs_emu_draw_normal(&stream, 7, 0) == 7);
    assert_true(vcs_emu_draw_uniform(&stream) == (double)known[0].bits[1] * 0x1p-53);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_draws_are_known),
        cmocka_unit_test(exponential_draws_are_known),
        cmocka_unit_test(normal_draws_are_known),
        cmocka_unit_test(weibull_draws_are_those_of_the_uniform_ones),
        cmocka_unit_test(a_weibull_draw_of_shape_1_is_exponential),
        cmocka_unit_test(log_normal_draws_have_the_mean),
        cmocka_unit_test(spread_draws_have_mean_and_deviation),
        cmocka_unit_test(spread_draws_at_their_limits),
        cmocka_unit_test(a_draw_without_deviation_is_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Rule 15.1; the plain reference is tests/oracle/oracle_chance.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/race.h"

#include "vcsched/core/erfcx.h"
#include "vcsched/core/number.h"

/* e^-x is 0 from here on: no product with it may become a denormal number, which a thread may flush to 0. */
#define NOTHING_LEFT 600.0

static double power_of_e(double minus_x) {
    return minus_x < -NOTHING_LEFT ? 0.0 : vcs_exp2(minus_x * VCS_LOG2_E);
}

/* ---- Small means: the sum over the count of the smaller mean ---- */

/* Below this product of the means the smaller one is below 15, so that 80 terms of its distribution are all of it. */
#define FEW 225.0
#define NEGLIGIBLE 1e-20

/* P[N >= M] = sum over i of P[N = i] * P[M <= i], for n <= m. */
static double sum_over_n(double n, double m) {
    double is_i = power_of_e(-n), m_is_i = power_of_e(-m), m_is_at_most_i = 0.0, chance = 0.0;
    for (double i = 1.0; is_i > NEGLIGIBLE; i += 1.0) {
        m_is_at_most_i += m_is_i;
        chance += is_i * m_is_at_most_i;
        is_i *= n / i;
        m_is_i *= m / i;
    }
    return chance;
}

/* P[N < M] = sum over i of P[M = i] * P[N < i], for n >= m. */
static double sum_over_m(double n, double m) {
    double is_i = power_of_e(-m), n_is_i = power_of_e(-n), n_is_below_i = 0.0, chance = 0.0;
    for (double i = 1.0; is_i > NEGLIGIBLE; i += 1.0) {
        chance += is_i * n_is_below_i;
        n_is_below_i += n_is_i;
        is_i *= m / i;
        n_is_i *= n / i;
    }
    return chance;
}

/* ---- Great means: a normal distribution and its corrections ---- */

/*
 * Temme's expansion of the Marcum Q function Q_1(sqrt(2 * n), sqrt(2 * m)), which P[N >= M] is. With
 * z = 2 * sqrt(n * m), x = |sqrt(m) - sqrt(n)| and q = sqrt(m / n), the tail on the other side of the greater mean is
 *
 *     sqrt(q) * e^(-x^2) * (erfcx(x) / 2 +- sqrt(z * q / (8 * pi)) * sum over k of (a_k - b_k / q) * g_k / z^k)
 *
 * + for m >= n. a_k and b_k are the coefficients in the expansions of the Bessel functions I_0 and I_1 for great z, and
 * g_k is the integral of e^(-x^2 * (s - 1)) * s^(-k - 1/2) over s from 1 on: (k - 1/2) * g_k = 1 - x^2 * g_(k - 1).
 */
#define TERMS 13

static const double of_i0[TERMS] = {
    0x1.0000000000000p+0, 0x1.0000000000000p-3, 0x1.2000000000000p-4,  0x1.2c00000000000p-4, 0x1.cb60000000000p-4,
    0x1.d11e000000000p-3, 0x1.251ee80000000p-1, 0x1.ba4c598000000p+0,  0x1.84bd1aa980000p+2, 0x1.8616a64f6c000p+4,
    0x1.b8118d37ff700p+6, 0x1.13aafea4e5774p+9, 0x1.7bc2e57729724p+11,
};
static const double of_i1[TERMS] = {
    0x1.0000000000000p+0,  -0x1.8000000000000p-2, -0x1.e000000000000p-4,  -0x1.a400000000000p-4, -0x1.2750000000000p-3,
    -0x1.1c3d000000000p-2, -0x1.5a6a580000000p-1, -0x1.fe58188000000p+0,  -0x1.b8920d2680000p+2, -0x1.b3fb3258c4000p+4,
    -0x1.e6643dc4a1100p+6, -0x1.2dec0ab499cbcp+9, -0x1.9cc8b6a2ea449p+11,
};

#define ROOT_OF_PI 0x1.c5bf891b4ef6bp+0
#define ROOT_OF_EIGHT_PI 0x1.40d931ff62706p+2

/* The tail; `m_is_greater` says whether P[N >= M] is the tail, else it is the rest. */
static double tail_of(double n, double m, int m_is_greater) {
    const double root_n = vcs_sqrt(n), root_m = vcs_sqrt(m);
    const double x = (m_is_greater ? m - n : n - m) / (root_n + root_m);
    const double square = x * x, z = 2.0 * root_n * root_m, q = root_m / root_n;
    if (square > NOTHING_LEFT) {
        return 0.0;
    }
    const double normal = vcs_erfcx(x);
    double square_times_g = ROOT_OF_PI * normal * x, power = 1.0, sum = 0.0;
    for (int k = 1; k < TERMS; k++) {
        const double g = (1.0 - square_times_g) / (k - 0.5);
        power /= z;
        sum += (of_i0[k] - of_i1[k] / q) * power * g;
        square_times_g = square * g;
    }
    const double correction = vcs_sqrt(z * q) / ROOT_OF_EIGHT_PI * sum;
    return power_of_e(-square) * vcs_sqrt(q) * (0.5 * normal + (m_is_greater ? correction : -correction));
}

double vcs_chance_of_at_least(double n, double m) {
    const int m_is_greater = m >= n;
    if (n * m < FEW) {
        return m_is_greater ? vcs_min(sum_over_n(n, m), 1.0) : 1.0 - sum_over_m(n, m);
    }
    const double tail = tail_of(n, m, m_is_greater);
    return m_is_greater ? tail : 1.0 - tail;
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/host/random.h"

#include "vcsched/core/number.h"

/* A permutation of 64-bit numbers: every bit of the input changes half of the bits of the output. */
static inline uint64_t scramble(uint64_t x) {
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

#define HALF_LN_2PI 0.91893853320467274178 /* ln(2 pi) / 2 */
#define GOLDEN_RATIO UINT64_C(0x9e3779b97f4a7c15)

vcs_emu_stream vcs_emu_stream_open(uint64_t seed, uint32_t purpose, uint64_t index) {
    uint64_t key = scramble(seed + GOLDEN_RATIO);
    key = scramble(key + (purpose + 1) * GOLDEN_RATIO);
    key = scramble(key + (index + 1) * GOLDEN_RATIO);
    return (vcs_emu_stream){key, 0};
}

/* Number `part` of draw `draw`: 53 random bits as a fraction. */
static inline double fraction(uint64_t key, uint64_t draw, uint64_t part) {
    uint64_t bits = scramble(scramble(key + draw * GOLDEN_RATIO) + part * GOLDEN_RATIO);
    return (double)(bits >> 11) * 0x1p-53;
}

double vcs_emu_draw_uniform(vcs_emu_stream *stream) {
    return fraction(stream->key, stream->draws++, 0);
}

double vcs_emu_draw_exponential(vcs_emu_stream *stream, double mean) {
    return -vcs_log2(1.0 - vcs_emu_draw_uniform(stream)) * VCS_LN2 * mean;
}

/* The gamma function for 1 <= x <= 11, by Stirling's series at x + 8, where four terms give 13 digits. */
static double gamma_of(double x) {
    double product = 1.0;
    for (int i = 0; i < 8; i++) {
        product *= x;
        x += 1.0;
    }
    const double r = 1.0 / (x * x);
    const double series = (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r / 1680.0))) / x;
    const double ln = (x - 0.5) * VCS_LN2 * vcs_log2(x) - x + HALF_LN_2PI + series;
    return vcs_exp2(ln / VCS_LN2) / product;
}

double vcs_emu_draw_weibull(vcs_emu_stream *stream, double mean, double shape) {
    const double u = vcs_max(vcs_emu_draw_uniform(stream), 0x1p-53); /* the logarithm of 0 is infinite */
    const double scale = mean / gamma_of(1.0 + 1.0 / shape);
    return scale * vcs_exp2(vcs_log2(-vcs_log2(1.0 - u) * VCS_LN2) / shape);
}

double vcs_emu_draw_log_normal(vcs_emu_stream *stream, double mean, double sd) {
    return mean * vcs_exp2((vcs_emu_draw_normal(stream, 0.0, sd) - sd * sd / 2.0) / VCS_LN2);
}

#define GREATEST_SPREAD 1e6 /* standard deviation / mean */

double vcs_emu_draw_spread(vcs_emu_stream *stream, double mean, double sd) {
    const double spread = mean > 0.0 ? vcs_min(sd / mean, GREATEST_SPREAD) : 0.0;
    return vcs_emu_draw_log_normal(stream, mean, vcs_sqrt(vcs_log2(1.0 + spread * spread) * VCS_LN2));
}

/* The polar method: a point of the unit disc, whose direction and distance from the centre are independent. */
double vcs_emu_draw_normal(vcs_emu_stream *stream, double mean, double sd) {
    const uint64_t draw = stream->draws++;
    if (sd == 0.0) {
        return mean;
    }
    double x, distance;
    uint64_t part = 0;
    do {
        x = 2.0 * fraction(stream->key, draw, part) - 1.0;
        double y = 2.0 * fraction(stream->key, draw, part + 1) - 1.0;
        distance = x * x + y * y;
        part += 2;
    } while (distance >= 1.0);
    distance = vcs_max(distance, 0x1p-110); /* less than any distance but 0, which has no finite logarithm */
    return mean + sd * x * vcs_sqrt(-2.0 * VCS_LN2 * vcs_log2(distance) / distance);
}

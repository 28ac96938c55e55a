/* SPDX-License-Identifier: MIT */
#include "draws.h"

#include <math.h>

double draw_uniform(struct draws *draws) {
    uint64_t z = draws->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

double draw_log_uniform(struct draws *draws, double from, double to) {
    return from * exp(draw_uniform(draws) * log(to / from));
}

double draw_one_of(struct draws *draws, const double *values, int count) {
    return values[(int)(draw_uniform(draws) * count)];
}

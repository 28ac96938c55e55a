/* SPDX-License-Identifier: MIT */
#include "vcsched/verify/scaled.h"

#include "vcsched/core/number.h"

#define UP 0x1p64
#define DOWN 0x1p-64

vcs_scaled vcs_scaled_of(double x) {
    vcs_scaled scaled = {x, 0};
    for (; scaled.m >= UP; scaled.e++) {
        scaled.m *= DOWN;
    }
    for (; scaled.m > 0.0 && scaled.m < 1.0; scaled.e--) {
        scaled.m *= UP;
    }
    return scaled;
}

vcs_scaled vcs_scaled_times(vcs_scaled a, vcs_scaled b) {
    vcs_scaled product = vcs_scaled_of(a.m * b.m);
    product.e += product.m > 0.0 ? a.e + b.e : 0;
    return product;
}

/* m * 2^(-64 * steps), which is 0 if it is below all doubles. */
static double lowered(double m, int64_t steps) {
    for (; steps > 0 && m > 0.0; steps--) {
        m *= DOWN;
    }
    return m;
}

vcs_scaled vcs_scaled_plus(vcs_scaled a, vcs_scaled b) {
    const bool is_less = vcs_scaled_is_less(a, b);
    const vcs_scaled more = is_less ? b : a, less = is_less ? a : b;
    vcs_scaled sum = vcs_scaled_of(more.m + (less.m > 0.0 ? lowered(less.m, more.e - less.e) : 0.0));
    sum.e += sum.m > 0.0 ? more.e : 0;
    return sum;
}

double vcs_scaled_ratio(vcs_scaled a, vcs_scaled b) {
    return a.m > 0.0 ? lowered(a.m / b.m, b.e - a.e) : 0.0;
}

bool vcs_scaled_is_less(vcs_scaled a, vcs_scaled b) {
    if (a.m == 0.0 || b.m == 0.0 || a.e == b.e) {
        return a.m < b.m;
    }
    return a.e < b.e;
}

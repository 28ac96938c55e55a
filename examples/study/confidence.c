/* SPDX-License-Identifier: MIT */
#include "confidence.h"

#include <math.h>

/* Student's t for 95 %, two-sided: how many standard errors the mean of a few values may be off. */
static double student(uint32_t degrees) {
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                   2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    const double many = degrees;
    return degrees <= sizeof table / sizeof *table ? table[degrees - 1] : 1.96 + 2.372 / many + 2.823 / (many * many);
}

/* First the mean, then the distances from it, so that nothing cancels out. */
struct confidence confidence_of(value_function value, const void *context, size_t runs) {
    struct confidence c = {.runs = 0};
    double sum = 0, squares = 0;
    for (size_t run = 0; run < runs; run++) {
        const double x = value(context, run);
        c.runs += isnan(x) ? 0 : 1;
        sum += isnan(x) ? 0 : x;
    }
    if (c.runs == 0) {
        return c;
    }
    c.mean = sum / c.runs;
    for (size_t run = 0; run < runs; run++) {
        const double above = value(context, run) - c.mean;
        squares += isnan(above) ? 0 : above * above;
    }
    if (c.runs > 1) {
        c.deviation = sqrt(squares / (c.runs - 1));
        c.margin = student(c.runs - 1) * c.deviation / sqrt(c.runs);
    }
    return c;
}

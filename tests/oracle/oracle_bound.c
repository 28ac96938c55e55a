/*
 * Rule 15.9 in the plainest form.
 *
 * In each step of h the job runs for h; then its host goes off with probability 1 - e^(-h / on). The spell of being off
 * takes k to k + 1 steps of the time that is left with probability e^(-k h / off) - e^(-(k + 1) h / off), and the mean
 * of both ends stands for what lies between.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle_bound.h"

#include <math.h>
#include <stdlib.h>

double oracle_greatest_size(const oracle_sizes *sizes, double bound) {
    double most = sizes->sd > 0 ? sizes->mean + 5 * sizes->sd : 16 * sizes->mean;
    for (uint32_t i = 0; i < sizes->count; i++) {
        most = i == 0 || sizes->points[i] <= bound ? sizes->points[i] : most;
    }
    return most < bound ? most : bound;
}

/* The chance that a size is above x. */
static double above(const oracle_sizes *sizes, double x) {
    double chance = 0;
    for (uint32_t i = 0; i < sizes->count; i++) {
        chance += sizes->points[i] > x ? sizes->chances[i] : 0;
    }
    return sizes->count > 0 ? chance
           : sizes->sd > 0  ? erfc((x - sizes->mean) / sizes->sd / sqrt(2)) / 2
                            : exp(-x / sizes->mean);
}

/* Whether a job of a size above x and at most y is possible. */
static bool has_hope(const oracle_sizes *sizes, double x, double y) {
    for (uint32_t i = 0; i < sizes->count; i++) {
        if (sizes->points[i] > x && sizes->points[i] <= y) {
            return true;
        }
    }
    return sizes->count == 0 && y > x;
}

typedef struct sums {
    double good, used;
} sums;

/* A new job, if a second costs `price`. */
static sums new_job(const oracle_sizes *sizes, double bound, double on, double off, double price, bool optimal,
                    uint32_t steps) {
    const double h = oracle_greatest_size(sizes, bound) / steps, goes_off = 1 - exp(-h / on);
    const uint32_t reach = (uint32_t)(bound / h + 0.5);
    const double slack = 1e-6 * h; /* a multiple of a step may be rounded */
    sums *now = calloc(reach + 1, sizeof *now), *then = calloc(reach + 1, sizeof *then);
    double *taken = calloc(reach + 1, sizeof *taken);
    for (uint32_t k = 0; k <= reach; k++) {
        taken[k] = exp(-(k * h) / off) - exp(-((k + 1) * h) / off);
    }
    for (uint32_t j = steps; j-- > 0;) {
        const double x = j * h, before = above(sizes, x + slack), after = above(sizes, x + h + slack);
        const double size = sizes->count > 0 ? x + h : x + h / 2; /* of what ends in the step */
        for (uint32_t y = 0; y <= reach; y++) {
            sums next = {(1 - goes_off) * then[y].good, (1 - goes_off) * then[y].used};
            for (uint32_t k = 0; k < y; k++) {
                const sums *high = &then[y - k], *low = &then[y - k - 1];
                next.good += goes_off * taken[k] * (high->good + low->good) / 2;
                next.used += goes_off * taken[k] * (high->used + low->used) / 2;
            }
            next.good += y > j ? (before - after) * size : 0;
            next.used += h * (sizes->count > 0 ? before : (before + after) / 2);
            const bool is_new = j == 0 && y == reach;
            const bool gives_up =
                (optimal && !is_new && next.good - price * next.used < 0) || !has_hope(sizes, x + slack, y * h + slack);
            now[y] = gives_up ? (sums){0, 0} : next;
        }
        sums *spare = now;
        now = then;
        then = spare;
    }
    const sums answer = then[reach];
    free(now);
    free(then);
    free(taken);
    return answer;
}

static double loss_in_steps(const oracle_sizes *sizes, double bound, double on, double off, bool optimal,
                            uint32_t steps) {
    sums best = new_job(sizes, bound, on, off, 0, false, steps);
    bool better = optimal;
    while (better) {
        const sums next = new_job(sizes, bound, on, off, best.good / best.used, true, steps);
        better = next.good / next.used > best.good / best.used + 1e-9;
        best = better ? next : best;
    }
    return 1 - best.good / best.used;
}

double oracle_blind_loss(const oracle_sizes *sizes, double bound, double on, double off, bool optimal, uint32_t steps) {
    return 2 * loss_in_steps(sizes, bound, on, off, optimal, 2 * steps) -
           loss_in_steps(sizes, bound, on, off, optimal, steps);
}

/*
 * How long the jobs of one kind take on their processor.
 *
 * Rule 15.9; worked by hand in tests/vcemu/bound/test_bound_sizes.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/bound/sizes.h"
#include "vcsched/core/number.h"

#include <stdlib.h>

/* How many standard deviations, and how many means of an exponential size, the least and the most are away. */
#define DEVIATIONS 6.0
#define MEANS 30.0

#define INVERSE_SQRT_2PI 0.39894228040143267794

/* ---- The normal and the exponential distribution ---- */

static double density_at(double z) {
    return INVERSE_SQRT_2PI * vcs_exp2(-0.5 * z * z * VCS_LOG2_E);
}

/* The chance of a value below z, |z| <= 40: a series of terms of one sign, so that nothing is lost but far outside. */
static double chance_below(double z) {
    double term = z, sum = z;
    if (z < -2.0 * DEVIATIONS || z > 2.0 * DEVIATIONS) {
        return z < 0.0 ? 0.0 : 1.0;
    }
    for (double n = 3.0; term * term > 1e-36 * sum * sum; n += 2.0) {
        term *= z * z / n;
        sum += term;
    }
    return 0.5 + density_at(z) * sum;
}

/* How many standard deviations the logarithm of x is above its mean; x may be 0. */
static double log_deviation(const vcs_emu_sizes *sizes, double x) {
    return vcs_log2(x / sizes->mean) * VCS_LN2 / sizes->log_sd + sizes->log_sd / 2.0;
}

/* The size whose logarithm is so many standard deviations above its mean. */
static double size_at(const vcs_emu_sizes *sizes, double deviation) {
    return sizes->mean * vcs_exp2(sizes->log_sd * (deviation - sizes->log_sd / 2.0) * VCS_LOG2_E);
}

double vcs_emu_sizes_above(const vcs_emu_sizes *sizes, double x) {
    if (sizes->log_sd > 0.0) {
        return chance_below(-log_deviation(sizes, x));
    }
    return sizes->sd > 0.0 ? chance_below((sizes->mean - x) / sizes->sd) : vcs_exp2(-x / sizes->mean * VCS_LOG2_E);
}

double vcs_emu_sizes_work(const vcs_emu_sizes *sizes, double x) {
    if (sizes->log_sd > 0.0) {
        return sizes->mean * chance_below(log_deviation(sizes, x) - sizes->log_sd);
    }
    if (sizes->sd > 0.0) {
        const double from = -sizes->mean / sizes->sd, to = (x - sizes->mean) / sizes->sd;
        return sizes->mean * (chance_below(to) - chance_below(from)) - sizes->sd * (density_at(to) - density_at(from));
    }
    const double means = x / sizes->mean;
    return sizes->mean - (sizes->mean + x) * vcs_exp2(-means * VCS_LOG2_E);
}

bool vcs_emu_sizes_fit(const vcs_emu_sizes *sizes, double bound) {
    const bool fits = sizes->point_count > 0 ? sizes->least <= bound : sizes->least < bound;
    return sizes->most > 0.0 && fits;
}

/* ---- Nodes ---- */

static double density_of(const vcs_emu_sizes *sizes, double size) {
    if (sizes->log_sd > 0.0) {
        return density_at(log_deviation(sizes, size)) / (sizes->log_sd * size);
    }
    return sizes->sd > 0.0 ? density_at((size - sizes->mean) / sizes->sd) / sizes->sd
                           : vcs_exp2(-size / sizes->mean * VCS_LOG2_E) / sizes->mean;
}

/* Where part `index` of five ends lies: between each two, the density is smooth enough for eight nodes. */
static double end_of_part(const vcs_emu_sizes *sizes, uint32_t index) {
    static const double of_normal[] = {-DEVIATIONS, -2.5, 0.0, 2.5, DEVIATIONS};
    static const double of_log_normal[] = {-DEVIATIONS, -1.75, 0.25, 2.25, DEVIATIONS};
    static const double of_exponential[] = {0.0, 1.5, 5.0, 12.0, MEANS};
    if (sizes->log_sd > 0.0) { /* the work in long jobs is further up */
        return size_at(sizes, of_log_normal[index] + (index > 0 ? sizes->log_sd : 0.0));
    }
    return sizes->sd > 0.0 ? sizes->mean + sizes->sd * of_normal[index] : sizes->mean * of_exponential[index];
}

/* Adds eight nodes of a Gauss-Legendre rule for the density from `from` to `to`. */
static void add_nodes(const vcs_emu_sizes *sizes, double from, double to, vcs_emu_size_nodes *nodes) {
    static const double places[8] = {-0.96028985649753623, -0.79666647741362674, -0.52553240991632899,
                                     -0.18343464249564980, 0.18343464249564980,  0.52553240991632899,
                                     0.79666647741362674,  0.96028985649753623};
    static const double weights[8] = {0.10122853629037626, 0.22238103445337447, 0.31370664587788729,
                                      0.36268378337836198, 0.36268378337836198, 0.31370664587788729,
                                      0.22238103445337447, 0.10122853629037626};
    const double half = (to - from) / 2.0;
    for (uint32_t i = 0; i < 8; i++) {
        const double size = from + half * (1.0 + places[i]);
        nodes->sizes[nodes->count] = size;
        nodes->chances[nodes->count++] = half * weights[i] * density_of(sizes, size);
    }
}

void vcs_emu_sizes_divide(const vcs_emu_sizes *sizes, double bound, vcs_emu_size_nodes *nodes) {
    nodes->count = 0;
    for (uint32_t i = 0; i < sizes->point_count && sizes->points[i] <= bound; i++) {
        nodes->sizes[nodes->count] = sizes->points[i];
        nodes->chances[nodes->count++] = sizes->chances[i];
    }
    for (uint32_t i = 0; sizes->point_count == 0 && i < 4; i++) {
        double ends[2];
        for (uint32_t k = 0; k < 2; k++) {
            ends[k] = vcs_min(vcs_max(end_of_part(sizes, i + k), 0.0), bound);
        }
        if (ends[0] < ends[1]) {
            add_nodes(sizes, ends[0], ends[1], nodes);
        }
    }
}

/* ---- A model ---- */

static void add_point(vcs_emu_sizes *sizes, double size, double chance) {
    if (size > 0.0) {
        sizes->points[sizes->point_count] = size;
        sizes->chances[sizes->point_count++] = chance;
    }
}

static int compare(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Equal parts of the list in order of size, each of which counts as its mean. */
static void read_list(vcs_emu_sizes *sizes, double *list, uint32_t count, double speed) {
    const uint32_t parts = count < VCS_EMU_MOST_POINTS ? count : VCS_EMU_MOST_POINTS;
    uint32_t next = 0;
    qsort(list, count, sizeof *list, compare);
    for (uint32_t part = 0; part < parts; part++) {
        const uint32_t from = next, to = (uint32_t)((uint64_t)(part + 1) * count / parts);
        double sum = 0.0;
        while (next < to) {
            sum += list[next++];
        }
        const double size = sum / (to - from) / speed, chance = (double)(to - from) / count;
        if (sizes->point_count > 0 && sizes->points[sizes->point_count - 1] == size) {
            sizes->chances[sizes->point_count - 1] += chance;
        } else {
            add_point(sizes, size, chance);
        }
    }
}

void vcs_emu_sizes_read(vcs_emu_sizes *sizes, const vcs_job_model *model, double *list, double speed) {
    *sizes = (vcs_emu_sizes){.mean = model->mean_flops / speed};
    switch (model->distribution) {
    case VCS_SIZES_LIST:
        read_list(sizes, list, model->size_count, speed);
        break;
    case VCS_SIZES_EXPONENTIAL:
        sizes->most = sizes->mean * MEANS;
        break;
    case VCS_SIZES_NORMAL:
        sizes->sd = model->sd_flops / speed;
        sizes->least = vcs_max(sizes->mean - sizes->sd * DEVIATIONS, 0.0);
        sizes->most = sizes->mean + sizes->sd * DEVIATIONS;
        break;
    case VCS_SIZES_LOG_NORMAL:
        sizes->sd = model->sd_flops / speed;
        if (sizes->sd > 0.0 && sizes->mean > 0.0) {
            const double spread = sizes->sd / sizes->mean;
            sizes->log_sd = vcs_sqrt(vcs_log2(1.0 + spread * spread) * VCS_LN2);
            sizes->least = size_at(sizes, -DEVIATIONS);
            sizes->most = size_at(sizes, DEVIATIONS + sizes->log_sd);
        }
        break;
    default:
        break;
    }
    if (sizes->most == sizes->least) { /* no density: a list, a constant, or a distribution without a spread */
        if (model->distribution != VCS_SIZES_LIST) {
            add_point(sizes, sizes->mean, 1.0);
        }
        if (sizes->point_count > 0) {
            sizes->least = sizes->points[0];
            sizes->most = sizes->points[sizes->point_count - 1];
        }
    }
}

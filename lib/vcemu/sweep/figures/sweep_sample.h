/*
 * The values of one figure in the runs of a point: their mean, its standard error, and their distribution.
 *
 * Each value counts as often as there are hosts like the one that it is of. Runs come host by host.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_FIGURES_SWEEP_SAMPLE_H
#define VCS_EMU_SWEEP_FIGURES_SWEEP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value, and how often it counts. */
struct sweep_value {
    double value, weight;
};

/* Mean and squares of values that come one by one. */
struct sweep_mean {
    uint64_t count;
    double weight; /* sum of the weights */
    double mean;
    double squares; /* weighted sum of the squares of the distances from the mean */
};

/* All zero: no value yet. Adds one. */
void vcs_swp_mean_add(struct sweep_mean *mean, double value, double weight);

/* The standard error of the mean, if each value counts once; 0 of fewer than two values, which have none. */
double vcs_swp_mean_error(const struct sweep_mean *mean);

/* All zero: no value yet. */
struct sweep_sample {
    struct sweep_mean all;
    double least, greatest;

    /* For the standard error over different hosts: that of each comes from its own runs. */
    struct sweep_mean of_host; /* the present one; each run counts once */
    double host_weight;
    double variance; /* of the weighted sum, of the hosts before */
    bool has_lonely; /* of one of those there was a single value, of which nobody knows how much it varies */

    struct sweep_value *values; /* only if they are kept; sorted once quantiles were asked for */
    size_t capacity;
    bool is_sorted;
};

/* Adds a value. Keeps it if `keep`; returns false if there is no memory for that. */
bool vcs_swp_sample_add(struct sweep_sample *sample, double value, double weight, bool keep);

/* The next value is of another host. To be called after the last one, too. */
void vcs_swp_sample_next_host(struct sweep_sample *sample);

/* These return false if there are too few values for it. `hosts`: the values are of different ones. */
bool vcs_swp_sample_error(const struct sweep_sample *sample, bool hosts, double *error);
bool vcs_swp_sample_deviation(const struct sweep_sample *sample, bool hosts, double *deviation);

/* The least value such that it and those below it are at least this fraction of all. The values must have been kept. */
bool vcs_swp_sample_quantile(struct sweep_sample *sample, double fraction, double *value);

/* How much of all is from `from` to `to`, without `to` unless `closed`. The values must have been kept. */
double vcs_swp_sample_share(const struct sweep_sample *sample, double from, double to, bool closed);

/* Starts over; keeps the memory. */
void vcs_swp_sample_clear(struct sweep_sample *sample);

void vcs_swp_sample_free(struct sweep_sample *sample);

#endif

/*
 * Values of one figure in the runs of a point: mean, standard error, and distribution.
 *
 * Each value counts as often as there are hosts like its own. Runs come host by host.
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

/* Mean and squares of values as they come. */
struct sweep_mean {
    uint64_t count;
    double weight; /* sum of the weights */
    double mean;
    double squares; /* weighted sum of the squares of the distances from the mean */
};

/* All zero: no value yet. Adds one. */
void vcs_swp_mean_add(struct sweep_mean *mean, double value, double weight);

/* Standard error of the mean of values that count once; 0 for fewer than two values. */
double vcs_swp_mean_error(const struct sweep_mean *mean);

/* All zero: no value yet. */
struct sweep_sample {
    struct sweep_mean all;
    double least, greatest;

    /* For the standard error over hosts: each host varies by its own runs. */
    struct sweep_mean of_host; /* the present host; each run counts once */
    double host_weight;
    double variance; /* of the weighted sum over earlier hosts */
    bool has_lonely; /* an earlier host had a single value, so its variance is unknown */

    struct sweep_value *values; /* if values are kept; sorted after the first quantile */
    size_t capacity;
    bool is_sorted;
};

/* Adds a value, and keeps it if `keep`. Returns false without memory for that. */
bool vcs_swp_sample_add(struct sweep_sample *sample, double value, double weight, bool keep);

/* Ends the values of a host; also due after the last one. */
void vcs_swp_sample_next_host(struct sweep_sample *sample);

/* Return false for too few values. `hosts`: the values are of different hosts. */
bool vcs_swp_sample_error(const struct sweep_sample *sample, bool hosts, double *error);
bool vcs_swp_sample_deviation(const struct sweep_sample *sample, bool hosts, double *deviation);

/* The least value with at least this fraction of all at or below it. The values must have been kept. */
bool vcs_swp_sample_quantile(struct sweep_sample *sample, double fraction, double *value);

/* The share of values from `from` to `to`, which is left out unless `closed`. The values must have been kept. */
double vcs_swp_sample_share(const struct sweep_sample *sample, double from, double to, bool closed);

/* Starts over; keeps the memory. */
void vcs_swp_sample_clear(struct sweep_sample *sample);

void vcs_swp_sample_free(struct sweep_sample *sample);

#endif

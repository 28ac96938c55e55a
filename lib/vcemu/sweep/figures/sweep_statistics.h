/*
 * The columns of each figure: --statistics and --histogram.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_FIGURES_SWEEP_STATISTICS_H
#define VCS_EMU_SWEEP_FIGURES_SWEEP_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/sweep/figures/sweep_figures.h"
#include "vcemu/sweep/figures/sweep_sample.h"

enum sweep_statistic_kind {
    SWEEP_MEAN,
    SWEEP_ERROR,
    SWEEP_DEVIATION,
    SWEEP_LEAST,
    SWEEP_GREATEST,
    SWEEP_QUANTILE,
    SWEEP_SHARE /* of the values from `from` to `to` */
};

/* The statistics that have a name; the others are qPERCENT. */
#define SWEEP_NAMED_STATISTICS 6u
struct sweep_statistic_name {
    const char *name;
    enum sweep_statistic_kind kind;
    const char *ending; /* of the names of columns */
};
extern const struct sweep_statistic_name vcs_swp_statistic_names[SWEEP_NAMED_STATISTICS];

struct sweep_statistic {
    enum sweep_statistic_kind kind;
    char ending[48]; /* behind the name of the figure in the heading */
    double fraction; /* of a quantile */
    double from, to; /* of a share */
    bool closed;     /* a share with `to` */
};

/* The most statistics, and the most classes of a histogram. */
#define SWEEP_MOST_STATISTICS 32
#define SWEEP_MOST_CLASSES 1000

struct sweep_histogram {
    char *figure;
    struct sweep_statistic *classes; /* below, those between, above */
    size_t class_count;
};

struct sweep_statistics {
    struct sweep_statistic list[SWEEP_MOST_STATISTICS];
    size_t count;
    struct sweep_histogram *histograms;
    size_t histogram_count;
    bool need_values; /* quantiles or shares need all values */
};

/*
 * Reads "mean,sd,q95" (NULL = "mean,se") and histograms "FIGURE=FROM:TO:STEP". Returns false and describes the fault.
 * Either way, vcs_swp_statistics_free() is due.
 */
bool vcs_swp_statistics_read(struct sweep_statistics *statistics, const char *list, const char *const *histograms,
                             size_t histogram_count, struct fault *fault);

/* Is each histogram one of these figures? */
bool vcs_swp_statistics_check(const struct sweep_statistics *statistics, const struct sweep_figures *figures,
                              struct fault *fault);

void vcs_swp_statistics_free(struct sweep_statistics *statistics);

/* The histogram of this figure; NULL if there is none. */
const struct sweep_histogram *vcs_swp_statistics_histogram(const struct sweep_statistics *statistics,
                                                           const char *figure);

/* The value of a statistic; returns false if it is undefined. `hosts`: the values are of different hosts. */
bool vcs_swp_statistic_of(const struct sweep_statistic *statistic, struct sweep_sample *sample, bool hosts,
                          double *value);

#endif

/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/figures/sweep_sample.h"

#include <math.h>
#include <stdlib.h>

#include "vcemu/scenario/text/bytes.h"

/* Welford's method: sums of squares would lose the digits of small differences. */
void vcs_swp_mean_add(struct sweep_mean *mean, double value, double weight) {
    const double before = value - mean->mean;
    mean->count++;
    mean->weight += weight;
    mean->mean += before * weight / mean->weight;
    mean->squares += weight * before * (value - mean->mean);
}

double vcs_swp_mean_error(const struct sweep_mean *mean) {
    const double count = (double)mean->count;
    return mean->count < 2 ? 0 : sqrt(mean->squares / (count - 1) / count);
}

static bool keep_value(struct sweep_sample *sample, double value, double weight) {
    const size_t count = (size_t)sample->all.count;
    struct sweep_value *values = vcs_scn_bytes_grow(sample->values, &sample->capacity, count, sizeof *values);
    if (values == NULL) {
        return false;
    }
    sample->values = values;
    sample->values[count] = (struct sweep_value){value, weight};
    return true;
}

bool vcs_swp_sample_add(struct sweep_sample *sample, double value, double weight, bool keep) {
    if (keep && !keep_value(sample, value, weight)) {
        return false;
    }
    const bool first = sample->all.count == 0;
    sample->least = first || value < sample->least ? value : sample->least;
    sample->greatest = first || value > sample->greatest ? value : sample->greatest;
    sample->host_weight = weight;
    vcs_swp_mean_add(&sample->all, value, weight);
    vcs_swp_mean_add(&sample->of_host, value, 1);
    return true;
}

void vcs_swp_sample_next_host(struct sweep_sample *sample) {
    const double count = (double)sample->of_host.count;
    const double weight = sample->host_weight;
    sample->has_lonely = sample->has_lonely || sample->of_host.count == 1;
    if (sample->of_host.count > 1) {
        sample->variance += weight * weight * count * (sample->of_host.squares / (count - 1));
    }
    sample->of_host = (struct sweep_mean){.count = 0};
}

bool vcs_swp_sample_error(const struct sweep_sample *sample, bool hosts, double *error) {
    if (hosts) {
        *error = sqrt(sample->variance) / sample->all.weight;
        return sample->all.count > 0 && !sample->has_lonely;
    }
    *error = vcs_swp_mean_error(&sample->all);
    return sample->all.count > 1;
}

bool vcs_swp_sample_deviation(const struct sweep_sample *sample, bool hosts, double *deviation) {
    const struct sweep_mean *all = &sample->all;
    *deviation = sqrt(all->squares / (hosts ? all->weight : (double)all->count - 1));
    return all->count > (hosts ? 0 : 1);
}

static int compare(const void *first, const void *second) {
    const struct sweep_value *a = first, *b = second;
    const int order = (a->value > b->value) - (a->value < b->value);
    return order != 0 ? order : (a->weight > b->weight) - (a->weight < b->weight); /* so that sums are the same */
}

bool vcs_swp_sample_quantile(struct sweep_sample *sample, double fraction, double *value) {
    const size_t count = (size_t)sample->all.count;
    double below = 0;
    if (count == 0) {
        return false;
    }
    if (!sample->is_sorted) {
        qsort(sample->values, count, sizeof *sample->values, compare);
        sample->is_sorted = true;
    }
    size_t i = 0;
    while (i + 1 < count && below + sample->values[i].weight < fraction * sample->all.weight) {
        below += sample->values[i++].weight;
    }
    *value = sample->values[i].value;
    return true;
}

double vcs_swp_sample_share(const struct sweep_sample *sample, double from, double to, bool closed) {
    double weight = 0;
    for (size_t i = 0; i < (size_t)sample->all.count; i++) {
        const double value = sample->values[i].value;
        weight += value >= from && (value < to || (closed && value == to)) ? sample->values[i].weight : 0;
    }
    return weight / sample->all.weight;
}

void vcs_swp_sample_clear(struct sweep_sample *sample) {
    *sample = (struct sweep_sample){.values = sample->values, .capacity = sample->capacity};
}

void vcs_swp_sample_free(struct sweep_sample *sample) {
    free(sample->values);
    *sample = (struct sweep_sample){.values = NULL};
}

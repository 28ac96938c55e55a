/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/figures/sweep_statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/parse_number.h"

/* ---- a list of statistics ---- */

const struct sweep_statistic_name vcs_swp_statistic_names[SWEEP_NAMED_STATISTICS] = {
    {"mean", SWEEP_MEAN, ""},     {"se", SWEEP_ERROR, "_se"},      {"sd", SWEEP_DEVIATION, "_sd"},
    {"min", SWEEP_LEAST, "_min"}, {"max", SWEEP_GREATEST, "_max"}, {"median", SWEEP_QUANTILE, "_median"},
};

/* A name of the table, or q and a number of per cent. */
static bool read_statistic(struct sweep_statistic *statistic, const char *name) {
    double percent;
    *statistic = (struct sweep_statistic){.fraction = 0.5};
    for (size_t i = 0; i < SWEEP_NAMED_STATISTICS; i++) {
        if (strcmp(vcs_swp_statistic_names[i].name, name) == 0) {
            statistic->kind = vcs_swp_statistic_names[i].kind;
            snprintf(statistic->ending, sizeof statistic->ending, "%s", vcs_swp_statistic_names[i].ending);
            return true;
        }
    }
    if (name[0] != 'q' || strlen(name) > 16 || vcs_scn_number_read(name + 1, &percent) != NUMBER_OK || percent < 0 ||
        percent > 100) {
        return false;
    }
    statistic->kind = SWEEP_QUANTILE;
    statistic->fraction = percent / 100;
    snprintf(statistic->ending, sizeof statistic->ending, "_%s", name);
    return true;
}

static bool refuse_list(const char *list, struct fault *fault) {
    return vcs_scn_fault_set(
        fault,
        "--statistics %s: choose from mean, se, sd, min, max, median and qPERCENT, such as q95, each at "
        "most once and not more than %d",
        vcs_scn_fault_quote(list).text, SWEEP_MOST_STATISTICS);
}

static bool is_new(const struct sweep_statistics *statistics, const struct sweep_statistic *statistic) {
    for (size_t i = 0; i < statistics->count; i++) {
        if (strcmp(statistics->list[i].ending, statistic->ending) == 0) {
            return false;
        }
    }
    return true;
}

static bool read_list(struct sweep_statistics *statistics, const char *list, struct fault *fault) {
    for (const char *place = list;; place++) {
        char name[32];
        struct sweep_statistic statistic;
        const size_t length = strcspn(place, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), place);
        if (!read_statistic(&statistic, name) || !is_new(statistics, &statistic) ||
            statistics->count == SWEEP_MOST_STATISTICS) {
            return refuse_list(list, fault);
        }
        statistics->list[statistics->count++] = statistic;
        statistics->need_values = statistics->need_values || statistic.kind == SWEEP_QUANTILE;
        place += length;
        if (*place == '\0') {
            return true;
        }
    }
}

/* ---- histograms ---- */

static bool refuse_histogram(const char *text, const char *what, struct fault *fault) {
    return vcs_scn_fault_set(fault, "--histogram %s: %s", vcs_scn_fault_quote(text).text, what);
}

/* Reads FROM:TO:STEP, and counts the steps. */
static bool read_classes(const char *text, double *from, double *to, double *step, size_t *count) {
    double number[3];
    for (size_t i = 0; i < 3; i++) {
        char part[64] = "";
        const size_t length = strcspn(text, ":");
        if (length >= sizeof part || (text[length] == ':') != (i < 2)) {
            return false;
        }
        memcpy(part, text, length);
        if (vcs_scn_number_read(part, &number[i]) != NUMBER_OK) {
            return false;
        }
        text += length + 1;
    }
    const double steps = ceil((number[1] - number[0]) / number[2] * (1 - 1e-12));
    *from = number[0];
    *to = number[1];
    *step = number[2];
    *count = steps >= 1 && steps <= SWEEP_MOST_CLASSES ? (size_t)steps : 0;
    return *count > 0 && number[2] > 0;
}

/* The lower bound of class `i`, equal to the number in its name. */
static double border(double from, double step, size_t i) {
    char text[NUMBER_TEXT_SIZE];
    double value = from + (double)i * step;
    snprintf(text, sizeof text, "%.12g", value);
    vcs_scn_number_read(text, &value);
    return value;
}

static bool make_classes(struct sweep_histogram *histogram, double from, double to, double step, size_t count) {
    histogram->classes = calloc(count + 2, sizeof *histogram->classes);
    if (histogram->classes == NULL) {
        return false;
    }
    histogram->class_count = count + 2;
    struct sweep_statistic *class = histogram->classes;
    *class ++ = (struct sweep_statistic){.kind = SWEEP_SHARE, .ending = "_below", .from = -INFINITY, .to = from};
    for (size_t i = 0; i < count; i++, class ++) {
        *class = (struct sweep_statistic){.kind = SWEEP_SHARE,
                                          .from = border(from, step, i),
                                          .to = i + 1 == count ? to : border(from, step, i + 1),
                                          .closed = i + 1 == count};
        snprintf(class->ending, sizeof class->ending, "_from_%.12g", class->from);
    }
    *class = (struct sweep_statistic){
        .kind = SWEEP_SHARE, .ending = "_above", .from = nextafter(to, INFINITY), .to = INFINITY, .closed = true};
    return true;
}

static bool read_histogram(struct sweep_statistics *statistics, const char *text, struct fault *fault) {
    const char *equals = strrchr(text, '=');
    struct sweep_histogram *histogram = &statistics->histograms[statistics->histogram_count];
    double from, to, step;
    size_t count;
    if (equals == NULL || equals == text || !read_classes(equals + 1, &from, &to, &step, &count)) {
        return refuse_histogram(text, "expected FIGURE=FROM:TO:STEP, in numbers, with at most 1000 steps", fault);
    }
    const size_t length = (size_t)(equals - text);
    histogram->figure = malloc(length + 1);
    statistics->histogram_count++;
    if (histogram->figure == NULL || !make_classes(histogram, from, to, step, count)) {
        return refuse_histogram(text, "there is not enough memory", fault);
    }
    memcpy(histogram->figure, text, length);
    histogram->figure[length] = '\0';
    if (vcs_swp_statistics_histogram(statistics, histogram->figure) != histogram) {
        return refuse_histogram(text, "there is another histogram of this figure", fault);
    }
    statistics->need_values = true;
    return true;
}

/* ---- all of them ---- */

bool vcs_swp_statistics_read(struct sweep_statistics *statistics, const char *list, const char *const *histograms,
                             size_t histogram_count, struct fault *fault) {
    *statistics = (struct sweep_statistics){
        .histograms = calloc(histogram_count == 0 ? 1 : histogram_count, sizeof *statistics->histograms)};
    if (statistics->histograms == NULL) {
        return vcs_scn_fault_set(fault, "--histogram: there is not enough memory");
    }
    for (size_t i = 0; i < histogram_count; i++) {
        if (!read_histogram(statistics, histograms[i], fault)) {
            return false;
        }
    }
    return read_list(statistics, list == NULL ? "mean,se" : list, fault);
}

bool vcs_swp_statistics_check(const struct sweep_statistics *statistics, const struct sweep_figures *figures,
                              struct fault *fault) {
    for (size_t i = 0; i < statistics->histogram_count; i++) {
        const char *figure = statistics->histograms[i].figure;
        if (vcs_swp_figures_find(figures, figure, strlen(figure)) == figures->count) {
            return refuse_histogram(figure, "it is not among the figures of this sweep", fault);
        }
    }
    return true;
}

void vcs_swp_statistics_free(struct sweep_statistics *statistics) {
    for (size_t i = 0; i < statistics->histogram_count; i++) {
        free(statistics->histograms[i].figure);
        free(statistics->histograms[i].classes);
    }
    free(statistics->histograms);
    *statistics = (struct sweep_statistics){.histograms = NULL};
}

const struct sweep_histogram *vcs_swp_statistics_histogram(const struct sweep_statistics *statistics,
                                                           const char *figure) {
    for (size_t i = 0; i < statistics->histogram_count; i++) {
        if (strcmp(statistics->histograms[i].figure, figure) == 0) {
            return &statistics->histograms[i];
        }
    }
    return NULL;
}

bool vcs_swp_statistic_of(const struct sweep_statistic *statistic, struct sweep_sample *sample, bool hosts,
                          double *value) {
    const bool any = sample->all.count > 0;
    switch (statistic->kind) {
    case SWEEP_MEAN:
        *value = sample->all.mean;
        return any;
    case SWEEP_ERROR:
        return vcs_swp_sample_error(sample, hosts, value);
    case SWEEP_DEVIATION:
        return vcs_swp_sample_deviation(sample, hosts, value);
    case SWEEP_LEAST:
        *value = sample->least;
        return any;
    case SWEEP_GREATEST:
        *value = sample->greatest;
        return any;
    case SWEEP_QUANTILE:
        return vcs_swp_sample_quantile(sample, statistic->fraction, value);
    case SWEEP_SHARE:
        *value = any ? vcs_swp_sample_share(sample, statistic->from, statistic->to, statistic->closed) : 0;
        return any;
    }
    return false;
}

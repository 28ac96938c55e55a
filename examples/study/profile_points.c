/* The profiles compared, and single choices of `current`. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "axes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A point under a profile as it is, with the study's buffer of 0.1 + 0.25 days. The other profiles are
   compared with `current`. */
static struct point point_of(const char *figure, axis_function axis, double x, double x2, uint32_t profile) {
    struct point point = {.figure = figure, .baseline_figure = figure, .axis = axis, .x = x, .x2 = x2};
    vcs_parameters_init(&point.parameters, sizeof point.parameters, profile);
    axis_buffer(&point, 8.4);
    snprintf(point.policy, sizeof point.policy, "%s", vcs_profile_name(profile));
    snprintf(point.baseline, sizeof point.baseline, "%s", profile == VCS_PROFILE_CURRENT ? "" : "current");
    return point;
}

static void add_axis(struct points *points, const char *figure, axis_function axis, const double *x, size_t count,
                     double x2) {
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        for (size_t i = 0; i < count; i++) {
            struct point point = point_of(figure, axis, x[i], x2, profile);
            points_add(points, &point);
        }
    }
}

static void add_buffers(struct points *points) {
    static const double hours[] = {1, 2, 4, 6, 8.4, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 44, 48};
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        for (size_t i = 0; i < COUNT(hours); i++) {
            struct point point = point_of("buffer", axis_slack, hours[i], 5, profile);
            axis_buffer(&point, hours[i]);
            points_add(points, &point);
        }
    }
}

/* Two points of the profile `current` that differ in one choice; the first choice is the baseline. */
static void name_choice(struct point *point, int is_first, const char *first, const char *second) {
    snprintf(point->policy, sizeof point->policy, "%s", is_first ? first : second);
    snprintf(point->baseline, sizeof point->baseline, "%s", is_first ? "" : first);
}

/* Fetching below the minimum buffer and up to the whole one, against whenever the whole one is not full. */
static void add_hysteresis(struct points *points) {
    static const double projects[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20};
    for (uint32_t work_fetch = VCS_WORK_FETCH_CURRENT; work_fetch <= VCS_WORK_FETCH_ORIGINAL; work_fetch++) {
        for (size_t i = 0; i < COUNT(projects); i++) {
            struct point point = point_of("calls", axis_projects, projects[i], 0, VCS_PROFILE_CURRENT);
            point.parameters.work_fetch = work_fetch;
            name_choice(&point, work_fetch == VCS_WORK_FETCH_CURRENT, "current", "original");
            points_add(points, &point);
        }
    }
}

/* Recent work counted over all processors, compared with each kind separately. */
static void add_accounting(struct points *points) {
    static const double speeds[] = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 12, 16};
    for (uint32_t accounting = VCS_ACCOUNTING_GLOBAL; accounting <= VCS_ACCOUNTING_LOCAL; accounting++) {
        for (size_t i = 0; i < COUNT(speeds); i++) {
            struct point point = point_of("accounting", axis_gpu, speeds[i], 0, VCS_PROFILE_CURRENT);
            point.parameters.accounting = accounting;
            name_choice(&point, accounting == VCS_ACCOUNTING_GLOBAL, "global", "local");
            points_add(points, &point);
        }
    }
}

void points_add_profiles(struct points *points) {
    static const double slacks[] = {1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.5, 4, 4.5, 5, 6, 8, 10, 20, 40, 60};
    static const double mixes[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20};
    static const double factors[] = {1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10};
    add_axis(points, "slack", axis_slack, slacks, COUNT(slacks), 0);
    add_axis(points, "mix", axis_job_mix, mixes, COUNT(mixes), 5);
    add_axis(points, "error", axis_error, factors, COUNT(factors), 10);
    add_buffers(points);
    add_hysteresis(points);
    add_accounting(points);
}

/* The six figures of the study. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "axes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Named after the study's choices: CPU scheduling, work fetch, work send, completion times. */
static void name_policy(char name[24], const vcs_parameters *p) {
    snprintf(name, 24, "CS%u_WF%u_WS%u_JC%u", p->scheduling + 1, p->work_fetch + 1, p->work_send + 1, p->use_dcf + 1);
}

/* How often the study's client looks whether the host is on, s: the "delta" of its table 1 (rule 13.14). */
#define DELTA 60.0

/* A point under the study's policy: earliest deadline first, WF2, WS2, and the correction factor. */
static struct point point_of(const char *figure, axis_function axis, double x, double x2) {
    struct point point = {
        .figure = figure, .baseline_figure = figure, .axis = axis, .x = x, .x2 = x2, .available_step = DELTA};
    vcs_parameters_init(&point.parameters, sizeof point.parameters, VCS_PROFILE_STUDY2007);
    point.parameters.deadline_origin = VCS_ORIGIN_START;
    return point;
}

static void add(struct points *points, struct point *point) {
    name_policy(point->policy, &point->parameters);
    points_add(points, point);
}

/* Adds a point with this choice of a parameter. The first choice is the baseline of the others. */
static void add_choice(struct points *points, struct point *point, uint32_t *choice, uint32_t first, uint32_t value) {
    *choice = first;
    name_policy(point->baseline, &point->parameters);
    if (value == first) {
        point->baseline[0] = '\0';
    }
    *choice = value;
    add(points, point);
}

static void add_scheduling(struct points *points) {
    for (uint32_t scheduling = VCS_SCHEDULING_ROUND_ROBIN; scheduling <= VCS_SCHEDULING_DEADLINE; scheduling++) {
        for (int mix = 1; mix <= MOST_PROJECTS; mix++) {
            struct point point = point_of("1", axis_job_mix, mix, 5);
            add_choice(points, &point, &point.parameters.scheduling, VCS_SCHEDULING_ROUND_ROBIN, scheduling);
        }
    }
}

static void add_slacks(struct points *points) {
    static const double slacks[] = {1,    1.25, 1.5,  1.75, 2, 2.25, 2.5, 2.75, 3,  3.25, 3.5, 3.75, 4,
                                    4.25, 4.5,  4.75, 5,    6, 8,    10,  15,   20, 30,   40,  50,   60};
    for (size_t i = 0; i < COUNT(slacks); i++) {
        struct point point = point_of("2", axis_slack, slacks[i], 0);
        add(points, &point);
    }
}

static void add_buffers(struct points *points) {
    static const double hours[] = {1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.4};
    for (int slack = 1; slack <= 5; slack++) {
        for (size_t i = 0; i < COUNT(hours); i++) {
            struct point point = point_of("3", axis_slack, hours[i], slack);
            axis_buffer(&point, hours[i]);
            add(points, &point);
        }
    }
}

static void add_fetching(struct points *points) {
    for (uint32_t work_fetch = VCS_WORK_FETCH_WF1; work_fetch <= VCS_WORK_FETCH_WF2; work_fetch++) {
        for (int mix = 1; mix <= MOST_PROJECTS; mix++) {
            struct point point = point_of("4", axis_job_mix, mix, 5);
            add_choice(points, &point, &point.parameters.work_fetch, VCS_WORK_FETCH_WF1, work_fetch);
        }
    }
}

static void add_deviations(struct points *points, const char *figure, uint32_t origin, uint32_t work_send) {
    static const double deviations[] = {1, 2, 5, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000};
    for (size_t i = 0; i < COUNT(deviations); i++) {
        struct point point = point_of(figure, axis_deviation, deviations[i], 0);
        point.baseline_figure = "5"; /* WS1 looks at no finish times */
        point.parameters.deadline_origin = origin;
        point.parameters.min_buffer = 2 * DAY;
        point.parameters.additional_buffer = 0;
        add_choice(points, &point, &point.parameters.work_send, VCS_WORK_SEND_WS1, work_send);
    }
}

static void add_sending(struct points *points) {
    add_deviations(points, "5", VCS_ORIGIN_START, VCS_WORK_SEND_WS1);
    add_deviations(points, "5", VCS_ORIGIN_START, VCS_WORK_SEND_WS2);
    add_deviations(points, "5now", VCS_ORIGIN_NOW, VCS_WORK_SEND_WS2);
}

static void add_errors(struct points *points) {
    static const double factors[] = {1, 1.25, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10};
    for (double slack = 8; slack <= 10; slack += 2) {
        for (uint32_t use_dcf = 0; use_dcf <= 1; use_dcf++) {
            for (size_t i = 0; i < COUNT(factors) && factors[i] <= slack; i++) {
                struct point point = point_of("6", axis_error, factors[i], slack);
                add_choice(points, &point, &point.parameters.use_dcf, 0, use_dcf);
            }
        }
    }
}

void points_add_study(struct points *points) {
    add_scheduling(points);
    add_slacks(points);
    add_buffers(points);
    add_fetching(points);
    add_sending(points);
    add_errors(points);
}

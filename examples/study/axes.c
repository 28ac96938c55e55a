/* SPDX-License-Identifier: MIT */
#include "axes.h"

#define SHARE 100.0

void axis_job_mix(struct study_case *c, const struct point *point) {
    for (int i = 1; i <= (int)point->x; i++) {
        case_add_app(c, case_add_project(c, i * SHARE), i * JOB_SECONDS, i * point->x2 * JOB_SECONDS);
    }
}

void axis_slack(struct study_case *c, const struct point *point) {
    double slack = point->x2 == 0 ? point->x : point->x2;
    case_add_app(c, case_add_project(c, SHARE), JOB_SECONDS, slack * JOB_SECONDS);
}

void axis_deviation(struct study_case *c, const struct point *point) {
    for (int size = 1; size <= 10; size += 9) {
        vcs_job_model *model = case_add_app(c, case_add_project(c, SHARE), size * JOB_SECONDS, 9 * DAY);
        model->sd_flops = point->x * model->mean_flops;
    }
    c->emulation.connection_interval = 2 * DAY;
}

void axis_error(struct study_case *c, const struct point *point) {
    vcs_job_model *model = case_add_app(c, case_add_project(c, SHARE), JOB_SECONDS, point->x2 * JOB_SECONDS);
    model->mean_flops = point->x * model->est_flops;
}

void axis_projects(struct study_case *c, const struct point *point) {
    for (int i = 1; i <= (int)point->x; i++) {
        case_add_app(c, case_add_project(c, SHARE), 1000, 2 * DAY);
    }
}

void axis_gpu(struct study_case *c, const struct point *point) {
    case_add_gpu(c, point->x * CPU_FLOPS);
    uint32_t both = case_add_project(c, SHARE);
    uint32_t cpus_alone = case_add_project(c, SHARE);
    case_add_app(c, both, JOB_SECONDS, 9 * DAY);
    vcs_job_model *model = case_add_app(c, both, point->x * JOB_SECONDS, 9 * DAY);
    model->cpus = 0;
    model->gpu = 1;
    model->gpus = 1;
    case_add_app(c, cpus_alone, JOB_SECONDS, 9 * DAY);
}

void axis_buffer(struct point *point, double hours) {
    point->parameters.min_buffer = hours * HOUR * 2 / 7;
    point->parameters.additional_buffer = hours * HOUR * 5 / 7;
}

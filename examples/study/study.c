/*
 * The six figures of the published study (Kondo, Anderson, McLeod, 2007), run again.
 *
 *     study [-j WORKERS] [-s SEEDS] [-f FIGURE] [--origin start|now]
 *
 * Writes one line of CSV for each point of each figure: means over the seeds, and the standard deviation of waste and
 * idleness. Nothing is written before all is done. doc/study.md shows what comes out.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vcsched/emulator.h>

#define HOUR 3600.0
#define DAY 86400.0
#define CPU_FLOPS 1e9
#define JOB_SECONDS 13000.0
#define MOST_PROJECTS 20
#define MOST_POINTS 512

/* ---- The points of the figures ---- */

struct point {
    int figure;
    double x, x2;
    uint32_t scheduling, work_fetch, work_send, use_dcf;
};

struct study {
    struct point points[MOST_POINTS];
    size_t count;
    int figure; /* 0 = all */
    uint32_t origin, seeds, workers;
};

/* The study's policy: deadlines first, WF2, WS2, with the correction factor. */
static struct point point_of(int figure, double x, double x2) {
    return (struct point){figure, x, x2, VCS_SCHEDULING_DEADLINE, VCS_WORK_FETCH_WF2, VCS_WORK_SEND_WS2, 1};
}

static void add(struct study *study, struct point point) {
    if ((study->figure == 0 || study->figure == point.figure) && study->count < MOST_POINTS) {
        study->points[study->count++] = point;
    }
}

static void add_job_mixes(struct study *study) {
    for (uint32_t scheduling = VCS_SCHEDULING_ROUND_ROBIN; scheduling <= VCS_SCHEDULING_DEADLINE; scheduling++) {
        for (int mix = 1; mix <= MOST_PROJECTS; mix++) {
            struct point point = point_of(1, mix, 5);
            point.scheduling = scheduling;
            add(study, point);
        }
    }
}

static void add_slacks(struct study *study) {
    static const double slacks[] = {1, 1.25, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50, 60};
    for (size_t i = 0; i < sizeof slacks / sizeof *slacks; i++) {
        add(study, point_of(2, slacks[i], 0));
    }
}

static void add_buffers(struct study *study) {
    static const double hours[] = {1, 2, 3, 4, 5, 6, 7, 8.4};
    for (int slack = 1; slack <= 5; slack++) {
        for (size_t i = 0; i < sizeof hours / sizeof *hours; i++) {
            add(study, point_of(3, hours[i], slack));
        }
    }
}

static void add_fetch_policies(struct study *study) {
    for (uint32_t work_fetch = VCS_WORK_FETCH_WF1; work_fetch <= VCS_WORK_FETCH_WF2; work_fetch++) {
        for (int mix = 1; mix <= MOST_PROJECTS; mix++) {
            struct point point = point_of(4, mix, 5);
            point.work_fetch = work_fetch;
            add(study, point);
        }
    }
}

static void add_send_policies(struct study *study) {
    static const double deviations[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    for (uint32_t work_send = VCS_WORK_SEND_WS1; work_send <= VCS_WORK_SEND_WS2; work_send++) {
        for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
            struct point point = point_of(5, deviations[i], 0);
            point.work_send = work_send;
            add(study, point);
        }
    }
}

static void add_errors(struct study *study) {
    static const double factors[] = {1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    for (double slack = 8; slack <= 10; slack += 2) {
        for (uint32_t use_dcf = 0; use_dcf <= 1; use_dcf++) {
            for (size_t i = 0; i < sizeof factors / sizeof *factors && factors[i] <= slack; i++) {
                struct point point = point_of(6, factors[i], slack);
                point.use_dcf = use_dcf;
                add(study, point);
            }
        }
    }
}

static void add_points(struct study *study) {
    add_job_mixes(study);
    add_slacks(study);
    add_buffers(study);
    add_fetch_policies(study);
    add_send_policies(study);
    add_errors(study);
}

/* ---- The scenario of a point ---- */

struct case_records {
    vcs_host host;
    vcs_resource cpu;
    vcs_project projects[MOST_PROJECTS];
    vcs_app apps[MOST_PROJECTS];
    vcs_job_model models[MOST_PROJECTS];
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_scenario scenario;
};

#define ARRAY(records, number) {{(records)}, sizeof *(records), (number)}

static void add_project(struct case_records *c, uint32_t *count, double share, double seconds, double bound) {
    uint32_t i = (*count)++;
    c->projects[i] = (vcs_project){.id = i, .share = share};
    c->apps[i] = (vcs_app){.id = i, .project = i};
    c->models[i] = (vcs_job_model){
        .latency_bound = bound,
        .est_flops = seconds * CPU_FLOPS,
        .mean_flops = seconds * CPU_FLOPS,
        .cpus = 1,
        .weight = 1,
    };
}

/* The base case: 2 CPUs, on for 80 % of the time in spells of 1000 s, a buffer of 0.1 + 0.25 days. */
static void fill_base(struct case_records *c, const struct point *point, uint32_t origin, uint64_t seed) {
    memset(c, 0, sizeof *c);
    c->cpu = (vcs_resource){.flops = CPU_FLOPS, .usable = 1, .instances = 2};
    vcs_emulation_init(&c->emulation, sizeof c->emulation, VCS_PROFILE_STUDY2007);
    c->emulation.seed = seed;
    c->emulation.available = 0.8;
    c->emulation.available_mean = 1000;
    vcs_parameters_init(&c->parameters, sizeof c->parameters, VCS_PROFILE_STUDY2007);
    c->parameters.scheduling = point->scheduling;
    c->parameters.work_fetch = point->work_fetch;
    c->parameters.work_send = point->work_send;
    c->parameters.use_dcf = point->use_dcf;
    c->parameters.deadline_origin = origin;
}

static void fill_case(struct case_records *c, const struct point *point, uint32_t origin, uint64_t seed) {
    uint32_t count = 0;
    fill_base(c, point, origin, seed);
    switch (point->figure) {
    case 1:
    case 4:
        for (int i = 1; i <= (int)point->x; i++) {
            add_project(c, &count, 100 * i, i * JOB_SECONDS, i * point->x2 * JOB_SECONDS);
        }
        break;
    case 2:
        add_project(c, &count, 100, JOB_SECONDS, point->x * JOB_SECONDS);
        break;
    case 3:
        add_project(c, &count, 100, JOB_SECONDS, point->x2 * JOB_SECONDS);
        c->parameters.min_buffer = point->x * HOUR * 2 / 7;
        c->parameters.additional_buffer = point->x * HOUR * 5 / 7;
        break;
    case 5:
        for (int size = 1; size <= 10; size += 9) {
            add_project(c, &count, 100, size * JOB_SECONDS, 9 * DAY);
            c->models[count - 1].sd_flops = point->x * c->models[count - 1].mean_flops;
        }
        c->emulation.connection_interval = 2 * DAY;
        c->parameters.min_buffer = 2 * DAY;
        c->parameters.additional_buffer = 0;
        break;
    default:
        add_project(c, &count, 100, JOB_SECONDS, point->x2 * JOB_SECONDS);
        c->models[0].mean_flops = point->x * c->models[0].est_flops;
        break;
    }
    c->scenario = (vcs_scenario){
        .struct_size = sizeof c->scenario,
        .view = {.struct_size = sizeof c->scenario.view,
                 .host = ARRAY(&c->host, 1),
                 .resources = ARRAY(&c->cpu, 1),
                 .projects = ARRAY(c->projects, count),
                 .apps = ARRAY(c->apps, count)},
        .emulation = ARRAY(&c->emulation, 1),
        .models = ARRAY(c->models, count),
    };
}

/* ---- Means over the seeds ---- */

struct sums {
    double waste, waste_squares, idleness, idleness_squares, share_violation, monotony;
    uint32_t runs; /* in which something was reported */
};

static int run_point(const struct study *study, const struct point *point, struct sums *sums) {
    struct case_records c;
    *sums = (struct sums){0};
    for (uint32_t seed = 1; seed <= study->seeds; seed++) {
        vcs_outcome outcome = {.struct_size = sizeof outcome};
        vcs_error error = {.struct_size = sizeof error};
        fill_case(&c, point, study->origin, seed);
        int code = vcs_emulate(&c.scenario, &c.parameters, NULL, &outcome, NULL, 0, 0, &error);
        if (code != VCS_OK) {
            fprintf(stderr, "study: figure %d at %g: %s\n", point->figure, point->x, error.message);
            return code;
        }
        if ((outcome.flags & VCS_UNDEFINED_WASTE) != 0) {
            continue;
        }
        sums->waste += outcome.waste;
        sums->waste_squares += outcome.waste * outcome.waste;
        sums->idleness += outcome.idleness;
        sums->idleness_squares += outcome.idleness * outcome.idleness;
        sums->share_violation += outcome.share_violation;
        sums->monotony += outcome.monotony;
        sums->runs++;
    }
    return VCS_OK;
}

static double deviation(double sum, double squares, double runs) {
    double variance = runs > 1 ? (squares - sum * sum / runs) / (runs - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

static void print_point(const struct point *point, const struct sums *sums) {
    double runs = sums->runs == 0 ? 1 : sums->runs;
    char x2[16] = "";
    if (point->x2 != 0) {
        snprintf(x2, sizeof x2, "%g", point->x2);
    }
    printf("%d,%g,%s,CS%u_WF%u_WS%u_JC%u,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%u\n", point->figure, point->x, x2,
           point->scheduling + 1, point->work_fetch + 1, point->work_send + 1, point->use_dcf + 1, sums->waste / runs,
           deviation(sums->waste, sums->waste_squares, runs), sums->idleness / runs,
           deviation(sums->idleness, sums->idleness_squares, runs), sums->share_violation / runs,
           sums->monotony / runs, sums->runs);
}

/* ---- Workers: processes that take every n-th point ---- */

static int work(const struct study *study, size_t first, int out) {
    for (size_t i = first; i < study->count; i += study->workers) {
        struct sums sums;
        if (run_point(study, &study->points[i], &sums) != VCS_OK ||
            write(out, &sums, sizeof sums) != (ssize_t)sizeof sums) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

static int read_fully(int from, void *to, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t more = read(from, (char *)to + got, size - got);
        if (more <= 0) {
            return 0;
        }
        got += (size_t)more;
    }
    return 1;
}

static int run_study(const struct study *study) {
    static struct sums results[MOST_POINTS];
    int ends[64];
    for (uint32_t worker = 0; worker < study->workers; worker++) {
        int pipe_ends[2];
        if (pipe(pipe_ends) != 0) {
            perror("study");
            return EXIT_FAILURE;
        }
        pid_t child = fork();
        if (child == 0) {
            close(pipe_ends[0]);
            _exit(work(study, worker, pipe_ends[1]));
        }
        if (child < 0) {
            perror("study");
            return EXIT_FAILURE;
        }
        close(pipe_ends[1]);
        ends[worker] = pipe_ends[0];
    }
    int status = EXIT_SUCCESS;
    for (size_t i = 0; i < study->count && status == EXIT_SUCCESS; i++) {
        if (!read_fully(ends[i % study->workers], &results[i], sizeof results[i])) {
            status = EXIT_FAILURE;
        }
    }
    for (uint32_t worker = 0; worker < study->workers; worker++) {
        close(ends[worker]);
        wait(NULL);
    }
    if (status == EXIT_SUCCESS) {
        puts("figure,x,x2,policy,waste,waste_sd,idleness,idleness_sd,share_violation,monotony,runs_defined");
        for (size_t i = 0; i < study->count; i++) {
            print_point(&study->points[i], &results[i]);
        }
    }
    return status;
}

/* ---- The command line ---- */

static int refuse(void) {
    fputs("usage: study [-j WORKERS 1..64] [-s SEEDS] [-f FIGURE 1..6] [--origin start|now]\n", stderr);
    return 2;
}

int main(int count, char *arguments[]) {
    static struct study study = {.origin = VCS_ORIGIN_START, .seeds = 20, .workers = 2};
    for (int i = 1; i < count; i += 2) {
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        long number = strtol(value, NULL, 10);
        if (strcmp(arguments[i], "--origin") == 0 && (strcmp(value, "start") == 0 || strcmp(value, "now") == 0)) {
            study.origin = value[0] == 's' ? VCS_ORIGIN_START : VCS_ORIGIN_NOW;
        } else if (strcmp(arguments[i], "-j") == 0 && number >= 1 && number <= 64) {
            study.workers = (uint32_t)number;
        } else if (strcmp(arguments[i], "-s") == 0 && number >= 1 && number <= 1000000) {
            study.seeds = (uint32_t)number;
        } else if (strcmp(arguments[i], "-f") == 0 && number >= 1 && number <= 6) {
            study.figure = (int)number;
        } else {
            return refuse();
        }
    }
    add_points(&study);
    return run_study(&study);
}

/*
 * The six figures of the published study (Kondo, Anderson, McLeod, 2007), run again, and the profiles compared.
 *
 *     study [-j WORKERS] [-s SEEDS] [-d FILE] [FIGURE...]
 *
 * Writes one line of CSV for each point of each figure: means and standard deviations over the seeds; and into FILE
 * the differences of each policy from its baseline. Nothing is written before all runs are done. doc/study.md shows the
 * results.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mean.h"
#include "text/progress.h"
#include "workers.h"

struct study {
    struct points points;
    struct merits *merits; /* per point and seed */
    size_t seeds;
    struct progress progress;
    size_t job_count;
};

/* ---- One run ---- */

static int run(void *context, size_t job, void *result) {
    const struct study *study = context;
    const struct point *point = &study->points.at[job / study->seeds];
    struct study_case c;
    vcs_error error;
    case_begin(&c, &point->parameters, 1 + job % study->seeds);
    c.emulation.available_step = point->available_step;
    point->axis(&c, point);
    int code = case_run(&c, result, &error);
    if (code != VCS_OK) {
        fprintf(stderr, "study: figure %s at %g: %s\n", point->figure, point->x, error.message);
    }
    return code;
}

static void accept_result(void *context, size_t job, const void *result) {
    struct study *study = context;
    study->merits[job] = merits_of(&study->points.at[job / study->seeds], result);
    progress_step(&study->progress, job + 1, study->job_count);
}

static int run_all(struct study *study, size_t worker_count) {
    study->job_count = study->points.count * study->seeds;
    const struct workers workers = {
        .count = worker_count,
        .job_count = study->job_count,
        .result_size = sizeof(vcs_outcome),
        .context = study,
        .work = run,
        .accept = accept_result,
    };
    progress_start(&study->progress, "emulating", PROGRESS_AT_ONCE);
    int code = workers_run(&workers);
    progress_end(&study->progress);
    return code;
}

static void print_all(const struct study *study) {
    mean_print_header(stdout);
    for (size_t i = 0; i < study->points.count; i++) {
        const struct mean mean = mean_of(&study->merits[i * study->seeds], study->seeds);
        mean_print(stdout, &study->points.at[i], &mean);
    }
}

/* Returns whether the files could be written. */
static int print_differences(const struct study *study, const char *path) {
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return 0;
    }
    differences_print_header(out);
    for (size_t i = 0; i < study->points.count; i++) {
        const size_t baseline = points_baseline(&study->points, &study->points.at[i]);
        if (baseline < study->points.count) {
            const struct mean mean = mean_of_differences(&study->merits[i * study->seeds],
                                                         &study->merits[baseline * study->seeds], study->seeds);
            differences_print(out, &study->points.at[i], &mean);
        }
    }
    const int complete = !ferror(out);
    return fclose(out) == 0 && complete;
}

/* ---- The command line ---- */

static const char usage[] =
    "usage: study [-j WORKERS] [-s SEEDS] [-d FILE] [FIGURE...]\n"
    "\n"
    "Runs the figures of the study of 2007, and comparisons of the profiles, and writes the figures of merit as CSV.\n"
    "\n"
    "  -j WORKERS   parallel processes; default: the number of processors\n"
    "  -s SEEDS     runs to average for each point; default: 20\n"
    "  -d FILE      also writes the differences between policies, seed by seed, as CSV\n"
    "  FIGURE       1 to 6, 5now; slack, mix, error, buffer, calls, accounting; all of them\n";

int main(int count, char *arguments[]) {
    static struct study study = {.seeds = 20};
    size_t workers = workers_online();
    const char *differences = NULL;
    int option;
    while ((option = getopt(count, arguments, "j:s:d:h")) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        }
        if (option == 'd') {
            differences = optarg;
        } else if (!(option == 'j' && workers_read_count(optarg, MOST_WORKERS, &workers)) &&
                   !(option == 's' && workers_read_count(optarg, 1000000, &study.seeds))) {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (optind < count) {
        study.points.wanted = (const char *const *)&arguments[optind];
        study.points.wanted_count = (size_t)(count - optind);
    }
    points_add_study(&study.points);
    points_add_profiles(&study.points);
    for (int i = optind; i < count; i++) {
        if (!points_has(&study.points, arguments[i])) {
            fprintf(stderr, "study: there is no figure '%s'\n", arguments[i]);
            return 2;
        }
    }
    study.merits = calloc(study.points.count * study.seeds, sizeof *study.merits);
    if (study.merits == NULL) {
        fputs("study: not enough memory\n", stderr);
        return EXIT_FAILURE;
    }
    if (run_all(&study, workers) != 0) {
        return EXIT_FAILURE;
    }
    if (differences != NULL && !print_differences(&study, differences)) {
        fprintf(stderr, "study: %s cannot be written\n", differences);
        return EXIT_FAILURE;
    }
    print_all(&study);
    free(study.merits);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

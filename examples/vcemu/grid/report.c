/* SPDX-License-Identifier: MIT */
#include "grid/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <vcsched/abi.h>

#include "grid/grid_output.h"
#include "grid/grid_seeds.h"
#include "grid/report_page.h"

#define DAY 86400.0

/* A chart has no room for more points. */
#define MOST_POINTS 200u

/* Bins of GRID_FRACTION_BINS that are drawn as one. */
#define BINS_IN_ONE 5u

/* ---- figures ---- */

/* A mean; a mean, its standard error and the number of runs, if there are several; null if it is undefined. */
static void write_mean(struct json *json, const char *key, const struct sweep_mean *mean) {
    if (mean->count == 0) {
        json_null(json, key);
    } else if (mean->count == 1) {
        json_number(json, key, mean->mean);
    } else {
        json_begin_array(json, key);
        json_number(json, NULL, mean->mean);
        json_number(json, NULL, vcs_swp_mean_error(mean));
        json_whole(json, NULL, mean->count);
        json_end_array(json);
    }
}

static void write_figures(struct json *json, const char *key, const struct grid_emulated *emulated,
                          enum grid_figure_of kind, uint32_t index) {
    json_begin_object(json, key);
    grid_json_figures(json, emulated, kind, index, write_mean);
    json_end_object(json);
}

/* ---- the course ---- */

/* Values drawn over time, from a sample and the sample before it (all zero before the first). */
static double throughput(const vcs_grid_sample *sample, const vcs_grid_sample *before) {
    const double seconds = sample->time - before->time;
    return seconds > 0 ? ((double)sample->done - (double)before->done) * DAY / seconds : 0;
}

static double in_progress(const vcs_grid_sample *sample, const vcs_grid_sample *before) {
    (void)before;
    return (double)sample->copies - (double)sample->over;
}

static double wrong_accepted(const vcs_grid_sample *sample, const vcs_grid_sample *before) {
    (void)before;
    return (double)sample->wrong_accepted;
}

static double window(const vcs_grid_sample *sample, const vcs_grid_sample *before) {
    (void)before;
    return sample->window;
}

static double duplicates(const vcs_grid_sample *sample, const vcs_grid_sample *before) {
    (void)before;
    return (double)sample->duplicates;
}

static const struct series {
    const char *name;
    double (*value)(const vcs_grid_sample *sample, const vcs_grid_sample *before);
} series[] = {
    {"throughput", throughput}, {"in_progress", in_progress}, {"wrong_accepted", wrong_accepted},
    {"window", window},         {"duplicates", duplicates},
};

/* One sample in this many is drawn. */
static uint32_t stride_of(const struct grid_emulated *emulated) {
    return (emulated->sample_count + MOST_POINTS - 1) / MOST_POINTS;
}

static struct sweep_mean mean_at(const struct grid_emulated *emulated, const struct series *of, uint32_t project,
                                 uint32_t index, uint32_t stride) {
    static const vcs_grid_sample nothing = {.time = 0};
    struct sweep_mean mean = {.count = 0};
    for (uint32_t run = 0; run < emulated->run_count; run++) {
        const vcs_grid_sample *sample = grid_sample_at(emulated, run, project, index);
        vcs_swp_mean_add(&mean, of->value(sample, index < stride ? &nothing : sample - stride), 1);
    }
    return mean;
}

static void write_series(struct json *json, const struct grid_emulated *emulated, const struct series *of,
                         uint32_t project, const char *key, bool errors) {
    const uint32_t stride = stride_of(emulated);
    json_begin_array(json, key);
    for (uint32_t i = stride; i <= emulated->sample_count && stride > 0; i += stride) {
        const struct sweep_mean mean = mean_at(emulated, of, project, i - 1, stride);
        json_number(json, NULL, errors ? vcs_swp_mean_error(&mean) : mean.mean);
    }
    json_end_array(json);
}

static void write_course(struct json *json, const struct grid_emulated *emulated, uint32_t project) {
    json_begin_object(json, "series");
    for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
        json_begin_object(json, series[i].name);
        write_series(json, emulated, &series[i], project, "mean", false);
        if (emulated->run_count > 1) {
            write_series(json, emulated, &series[i], project, "error", true);
        }
        json_end_object(json);
    }
    json_end_object(json);
}

static void write_times(struct json *json, const struct grid_emulated *emulated) {
    const uint32_t stride = stride_of(emulated);
    json_begin_array(json, "times");
    for (uint32_t i = stride; i <= emulated->sample_count && stride > 0; i += stride) {
        json_number(json, NULL, grid_sample_at(emulated, 0, 0, i - 1)->time);
    }
    json_end_array(json);
}

/* ---- distributions, of all seeds together ---- */

/* The bins of turnaround that are not empty: [number, units]. */
static void write_turnarounds(struct json *json, const struct grid_emulated *emulated, uint32_t project) {
    json_begin_array(json, "turnarounds");
    for (uint32_t bin = 0; bin < VCS_GRID_BINS; bin++) {
        uint64_t units = 0;
        for (uint32_t run = 0; run < emulated->run_count; run++) {
            units += emulated->runs[run].turnarounds[(size_t)project * VCS_GRID_BINS + bin];
        }
        if (units > 0) {
            json_begin_array(json, NULL);
            json_whole(json, NULL, bin);
            json_whole(json, NULL, units);
            json_end_array(json);
        }
    }
    json_end_array(json);
}

static void write_fractions(struct json *json, const struct grid_emulated *emulated, uint32_t population,
                            enum grid_fraction which, const char *key) {
    json_begin_array(json, key);
    for (uint32_t bin = 0; bin < GRID_FRACTION_BINS; bin += BINS_IN_ONE) {
        uint64_t hosts = 0;
        for (uint32_t run = 0; run < emulated->run_count; run++) {
            for (uint32_t i = bin; i < bin + BINS_IN_ONE; i++) {
                hosts += emulated->runs[run].populations[population].fractions[which].bins[i];
            }
        }
        json_whole(json, NULL, hosts);
    }
    json_end_array(json);
}

/* ---- the whole ---- */

/* The unit of credit; dispatch by reply grants none. */
static void write_credit_unit(struct json *json, const vcs_grid_project *project) {
    if (project->dispatch == VCS_GRID_BY_REPLY) {
        json_null(json, "creditUnit");
    } else {
        json_string(json, "creditUnit", project->credit_rule == VCS_CREDIT_FIXED ? "credits" : "FLOP");
    }
}

static void write_projects(struct json *json, const struct grid_emulated *emulated) {
    json_begin_array(json, "projects");
    for (uint32_t i = 0; i < emulated->grid->project_count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "name", vcs_scn_state_file_name(emulated->file, STATE_PROJECT, i));
        json_bool(json, "byReply", emulated->grid->projects[i].dispatch == VCS_GRID_BY_REPLY);
        write_credit_unit(json, &emulated->grid->projects[i]);
        write_figures(json, "figures", emulated, FIGURE_OF_PROJECT, i);
        write_course(json, emulated, i);
        write_turnarounds(json, emulated, i);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_populations(struct json *json, const struct grid_emulated *emulated) {
    json_begin_array(json, "populations");
    for (uint32_t i = 0; i < emulated->grid->population_count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "name", vcs_scn_state_file_name(emulated->file, GRID_POPULATION, i));
        write_figures(json, "figures", emulated, FIGURE_OF_POPULATION, i);
        json_begin_object(json, "fractions");
        write_fractions(json, emulated, i, GRID_IDLENESS, "idleness");
        write_fractions(json, emulated, i, GRID_WASTE, "waste");
        write_fractions(json, emulated, i, GRID_SHARE_VIOLATION, "share_violation");
        json_end_object(json);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_data(const struct grid_emulated *emulated, FILE *out) {
    struct json json = json_start_in_page(out);
    json_begin_object(&json, NULL);
    json_string(&json, "title", emulated->file->document.file);
    json_string(&json, "version", vcs_version());
    json_number(&json, "duration", emulated->grid->terms.duration);
    grid_json_seeds(&json, emulated);
    write_figures(&json, "grid", emulated, FIGURE_OF_GRID, 0);
    write_times(&json, emulated);
    write_projects(&json, emulated);
    write_populations(&json, emulated);
    report_assumptions(&json, emulated);
    json_end_object(&json);
}

bool report_write(const struct grid_emulated *emulated, const char *path, struct fault *fault) {
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        return vcs_scn_fault_set(fault, "%s: cannot be written: %s", vcs_scn_fault_quote(path).text, strerror(errno));
    }
    fputs(report_page_head, out);
    write_data(emulated, out);
    fputs(report_page_tail, out);
    const bool written = fflush(out) == 0 && ferror(out) == 0;
    const int problem = errno;
    return (fclose(out) == 0 && written) ||
           vcs_scn_fault_set(fault, "%s: cannot be written: %s", vcs_scn_fault_quote(path).text, strerror(problem));
}

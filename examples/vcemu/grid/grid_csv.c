/* The course of a grid as CSV. SPDX-License-Identifier: MIT */
#include "grid/grid_output.h"

#include <stddef.h>
#include <string.h>

#include "grid/grid_seeds.h"
#include "vcemu/scenario/text/parse_number.h"
#include "vcemu/sweep/figures/sweep_sample.h"
#include "text/csv.h"

static const struct column {
    const char *name;
    bool is_number; /* a double; else a uint64_t */
    size_t offset;
} columns[] = {
    {"units", false, offsetof(vcs_grid_sample, units)},
    {"done", false, offsetof(vcs_grid_sample, done)},
    {"failed", false, offsetof(vcs_grid_sample, failed)},
    {"wrong_accepted", false, offsetof(vcs_grid_sample, wrong_accepted)},
    {"copies", false, offsetof(vcs_grid_sample, copies)},
    {"over", false, offsetof(vcs_grid_sample, over)},
    {"unsent", false, offsetof(vcs_grid_sample, unsent)},
    {"duplicates", false, offsetof(vcs_grid_sample, duplicates)},
    {"window", true, offsetof(vcs_grid_sample, window)},
    {"credit", true, offsetof(vcs_grid_sample, credit)},
};

#define COLUMNS (sizeof columns / sizeof *columns)

static double value_of(const struct column *column, const vcs_grid_sample *sample) {
    const unsigned char *field = (const unsigned char *)sample + column->offset;
    double number;
    uint64_t count;
    if (column->is_number) {
        memcpy(&number, field, sizeof number);
        return number;
    }
    memcpy(&count, field, sizeof count);
    return (double)count;
}

static void write_number(FILE *out, double number) {
    char text[NUMBER_TEXT_SIZE];
    vcs_scn_number_write(number, text);
    fprintf(out, ",%s", text);
}

static void write_row(const struct grid_emulated *emulated, uint32_t index, uint32_t project, FILE *out) {
    char time[NUMBER_TEXT_SIZE];
    vcs_scn_number_write(grid_sample_at(emulated, 0, project, index)->time, time);
    fprintf(out, "%s,", time);
    csv_name(out, vcs_scn_state_file_name(emulated->file, STATE_PROJECT, project));
    for (size_t c = 0; c < COLUMNS; c++) {
        struct sweep_mean mean = {.count = 0};
        for (uint32_t run = 0; run < emulated->run_count; run++) {
            vcs_swp_mean_add(&mean, value_of(&columns[c], grid_sample_at(emulated, run, project, index)), 1);
        }
        write_number(out, mean.mean);
        if (emulated->run_count > 1) {
            write_number(out, vcs_swp_mean_error(&mean));
        }
    }
    fputc('\n', out);
}

void grid_print_csv(const struct grid_emulated *emulated, FILE *out) {
    fputs("time,project", out);
    for (size_t c = 0; c < COLUMNS; c++) {
        fprintf(out, ",%s", columns[c].name);
        if (emulated->run_count > 1) {
            fprintf(out, ",%s_se", columns[c].name);
        }
    }
    fputc('\n', out);
    for (uint32_t index = 0; index < emulated->sample_count; index++) {
        for (uint32_t project = 0; project < emulated->grid->project_count; project++) {
            write_row(emulated, index, project, out);
        }
    }
}

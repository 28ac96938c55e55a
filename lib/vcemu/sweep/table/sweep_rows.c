/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/table/sweep_rows.h"

#include <math.h>
#include <string.h>

#include <vcsched/abi.h>

#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"
#include "vcemu/scenario/text/utf8.h"
#include "vcemu/scenario/policy/policy_library.h"
#include "vcemu/scenario/policy/policy_name.h"
#include "vcemu/scenario/scenario.h"

/* ---- the mark of a table ---- */

/* With the NUL, so that "ab" "c" is not "a" "bc". */
static uint64_t hash_text(uint64_t hash, const char *text) {
    return vcs_scn_bytes_hash(hash, text, strlen(text) + 1);
}

static uint64_t hash_number(uint64_t hash, double number) {
    char text[NUMBER_TEXT_SIZE];
    vcs_scn_number_write(number, text);
    return hash_text(hash, text);
}

/* Lists of numbers may stand in other files that the scenario names. */
static uint64_t hash_list(uint64_t hash, const vcs_array *list) {
    const double *numbers = list->base;
    for (uint32_t i = 0; i < list->count; i++) {
        hash = hash_number(hash, numbers[i]);
    }
    return hash;
}

static uint64_t hash_population(uint64_t hash, const struct grid_population *population) {
    for (uint32_t i = 0; i < population->table.count; i++) {
        const vcs_host_row *row = &population->table.rows[i];
        hash = hash_number(hash_number(hash_number(hash, row->weight), row->cpus), row->flops);
        hash = hash_number(hash_number(hash, row->available), row->ram);
    }
    return hash_list(hash, &population->scenario.switches);
}

static uint64_t hash_lists(uint64_t hash, const struct state_file *file) {
    vcs_emulation emulation;
    const vcs_scenario scenario = vcs_scn_scenario_of(file, &emulation);
    hash = hash_list(hash_list(hash, &scenario.sizes), &scenario.switches);
    for (uint32_t i = 0; vcs_scn_grid_scenario_is(file) && i < vcs_scn_grid_scenario_of(file)->population_count; i++) {
        hash = hash_population(hash, &vcs_scn_grid_scenario_of(file)->populations[i]);
    }
    return hash;
}

static uint64_t hash_document(uint64_t hash, const struct ini_document *document) {
    for (size_t i = 0; i < document->section_count; i++) {
        const struct ini_section *section = &document->sections[i];
        hash = hash_text(hash, section->header);
        for (size_t j = 0; j < section->entry_count; j++) {
            const struct ini_entry *entry = &document->entries[section->first_entry + j];
            hash = hash_text(hash_text(hash, entry->key), entry->value);
        }
    }
    return hash;
}

/* The hosts of a row and their numbers, if they have no cells. */
static uint64_t hash_hosts(uint64_t hash, const struct sweep_plan *plan) {
    const struct sweep_grid *grid = &plan->grid;
    for (uint64_t host = 0; vcs_swp_plan_has_hosts(plan) && host < grid->host_count; host++) {
        hash = hash_number(hash, grid->weights[host]);
        for (size_t axis = grid->host_axis; axis < grid->axis_count; axis++) {
            char buffer[SWEEP_NUMBER_SIZE];
            hash = hash_text(hash_text(hash, grid->axes[axis].key), vcs_swp_grid_value(grid, host, axis, buffer));
        }
    }
    return hash;
}

/* A file may hold another policy under the same name. */
static uint64_t hash_policy(uint64_t hash, const char *path) {
    const uint64_t mark = vcs_scn_policy_library_mark(path);
    return mark == 0 ? hash : hash_number(hash, (double)mark);
}

static uint64_t hash_policies(uint64_t hash, const struct sweep_plan *plan, const struct policy_wish *wish) {
    hash = vcs_scn_policy_name_is(wish->policy) ? hash_text(hash, wish->policy) : hash_policy(hash, wish->policy);
    if (wish->own_policy != NULL && wish->own_policy_name != NULL) {
        hash = hash_text(hash, wish->own_policy_name);
    }
    if (wish->policy_argument != NULL) {
        hash = hash_text(hash, wish->policy_argument);
    }
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        const struct sweep_axis *axis = &plan->grid.axes[i];
        for (uint64_t value = 0; vcs_swp_axis_is_option(axis) && value < axis->count; value++) {
            char buffer[SWEEP_NUMBER_SIZE];
            if (strcmp(axis->path.entry, "policy") == 0) {
                hash = hash_policy(hash, vcs_swp_axis_value(axis, value, buffer));
            }
        }
    }
    return hash;
}

struct sweep_table vcs_swp_table_of(const struct sweep_plan *plan, const struct state_file *scenarios,
                                    const struct policy_wish *wish) {
    struct sweep_table table = {.plan = plan, .scenarios = scenarios};
    uint64_t hash = hash_text(BYTES_HASH, vcs_version());
    for (size_t i = 0; i < plan->sweep->file_count; i++) {
        hash = hash_document(hash, &scenarios[i].document);
        hash = hash_number(hash_lists(hash, &scenarios[i]), scenarios[i].emulation.duration);
    }
    if (wish->has_seed) {
        hash = hash_number(hash, wish->seed);
    }
    hash = hash_text(hash, wish->profile == NULL ? "" : wish->profile);
    for (size_t i = 0; i < wish->setting_count; i++) {
        hash = hash_text(hash, wish->settings[i]);
    }
    hash = hash_policies(hash_hosts(hash, plan), plan, wish);
    /* A letter first, since 12e34567 would be read as a number. */
    snprintf(table.mark, sizeof table.mark, "s%016llx", (unsigned long long)hash);
    return table;
}

uint64_t vcs_swp_table_seed(const struct sweep_table *table, uint64_t run) {
    const struct sweep_plan *plan = table->plan;
    const uint64_t point = run / plan->seeds;
    const struct state_file *scenario = &table->scenarios[vcs_swp_grid_file(&plan->grid, point)];
    return scenario->emulation.seed + point % plan->grid.host_count * plan->seeds + run % plan->seeds;
}

/* ---- cells ---- */

/* A cell of CSV and a comma, in quotes only if needed. `ending` needs none. */
static void write_csv(FILE *out, const char *text, const char *ending) {
    const char *quote = strpbrk(text, ",\"") == NULL ? "" : "\"";
    fputs(quote, out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text, out);
    }
    fprintf(out, "%s%s,", ending, quote);
}

/* Whether a text is a number as JSON writes it. */
static bool is_json_number(const char *text) {
    static const char digits[] = "0123456789";
    text += *text == '-';
    size_t count = strspn(text, digits);
    if (count == 0 || (text[0] == '0' && count > 1)) {
        return false;
    }
    text += count;
    if (*text == '.') {
        count = strspn(++text, digits);
        text += count;
        if (count == 0) {
            return false;
        }
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        count = strspn(text, digits);
        text += count;
        return count > 0 && *text == '\0';
    }
    return *text == '\0';
}

/* The name of a cell in a line of JSON, from its column. */
static void write_name(FILE *out, const struct sweep_table *table, const char *name, const char *ending) {
    if (table->plan->json) {
        fputc('"', out);
        vcs_scn_utf8_write_json(out, name, false);
        fprintf(out, "%s\":", ending);
    }
}

static void write_cell(FILE *out, const struct sweep_table *table, const char *name, const char *text) {
    if (!table->plan->json) {
        write_csv(out, text, "");
        return;
    }
    const char *quote = is_json_number(text) ? "" : "\"";
    write_name(out, table, name, "");
    fputs(quote, out);
    vcs_scn_utf8_write_json(out, text, false);
    fprintf(out, "%s,", quote);
}

/* An empty cell, or null, if undefined. */
static void write_number(FILE *out, const struct sweep_table *table, const char *name, const char *ending, bool known,
                         double value) {
    char text[NUMBER_TEXT_SIZE] = "";
    if (known && isfinite(value)) {
        vcs_scn_number_write(value, text);
    } else if (table->plan->json) {
        strcpy(text, "null");
    } else if (known) {
        snprintf(text, sizeof text, "%g", value);
    }
    write_name(out, table, name, ending);
    fprintf(out, "%s,", text);
}

/* ---- cells before the figures ---- */

/* The column behind the axes: the hosts of a row, or the count of its host. */
static const char *host_heading(const struct sweep_plan *plan) {
    if (vcs_swp_plan_has_hosts(plan)) {
        return "hosts";
    }
    return plan->grid.weights == NULL ? NULL : "count";
}

size_t vcs_swp_rows_beginning_cells(const struct sweep_table *table) {
    return table->plan->shown_axes + (host_heading(table->plan) != NULL) + 1;
}

const char *vcs_swp_rows_heading(const struct sweep_table *table, size_t cell) {
    const struct sweep_plan *plan = table->plan;
    const char *of_hosts = host_heading(plan);
    if (cell < plan->shown_axes) {
        return plan->grid.axes[cell].key;
    }
    if (cell == plan->shown_axes && of_hosts != NULL) {
        return of_hosts;
    }
    return plan->each_seed ? "seed" : "runs";
}

void vcs_swp_rows_beginning(FILE *out, const struct sweep_table *table, uint64_t row) {
    const struct sweep_plan *plan = table->plan;
    const struct sweep_grid *grid = &plan->grid;
    const uint64_t runs = vcs_swp_runs_per_row(plan);
    const uint64_t point = row * runs / plan->seeds;
    char text[NUMBER_TEXT_SIZE];
    if (plan->json) {
        fputc('{', out);
    }
    for (size_t i = 0; i < plan->shown_axes; i++) {
        char buffer[SWEEP_NUMBER_SIZE];
        write_cell(out, table, grid->axes[i].key, vcs_swp_grid_value(grid, point, i, buffer));
    }
    if (vcs_swp_plan_has_hosts(plan)) {
        write_number(out, table, "hosts", "", true, grid->weight);
    } else if (grid->weights != NULL) {
        write_cell(out, table, "count", grid->weight_texts[point % grid->host_count]);
    }
    snprintf(text, sizeof text, "%llu", (unsigned long long)(plan->each_seed ? vcs_swp_table_seed(table, row) : runs));
    write_cell(out, table, plan->each_seed ? "seed" : "runs", text);
}

/* ---- figures ---- */

/* The statistics of a figure one after the other; for the header `sample` is NULL. */
static void write_statistics(FILE *out, const struct sweep_table *table, const struct sweep_statistic *list,
                             size_t count, const char *figure, struct sweep_sample *sample) {
    for (size_t i = 0; i < count; i++) {
        double value = 0;
        if (sample == NULL) {
            write_csv(out, figure, list[i].ending);
        } else {
            const bool known = vcs_swp_statistic_of(&list[i], sample, vcs_swp_plan_has_hosts(table->plan), &value);
            write_number(out, table, figure, list[i].ending, known, value);
        }
    }
}

/* All columns of a figure. */
static void write_figure(FILE *out, const struct sweep_table *table, const struct sweep_figure *figure,
                         struct sweep_sample *sample) {
    const struct sweep_statistics *statistics = &table->plan->statistics;
    const struct sweep_histogram *histogram = vcs_swp_statistics_histogram(statistics, figure->name);
    write_statistics(out, table, statistics->list, statistics->count, figure->name, sample);
    if (histogram != NULL) {
        write_statistics(out, table, histogram->classes, histogram->class_count, figure->name, sample);
    }
    if (!figure->optional) {
        return;
    }
    if (sample == NULL) {
        write_csv(out, figure->name, "_runs");
    } else {
        write_number(out, table, figure->name, "_runs", true, (double)sample->all.count);
    }
}

void vcs_swp_rows_header(FILE *out, const struct sweep_table *table) {
    const struct sweep_plan *plan = table->plan;
    for (size_t i = 0; i < vcs_swp_rows_beginning_cells(table); i++) {
        write_csv(out, vcs_swp_rows_heading(table, i), "");
    }
    for (size_t i = 0; i < plan->figures.count; i++) {
        if (plan->each_seed) {
            write_csv(out, plan->figures.list[i].name, "");
        } else {
            write_figure(out, table, &plan->figures.list[i], NULL);
        }
    }
    fputs("scenario\n", out);
}

void vcs_swp_rows_samples(FILE *out, const struct sweep_table *table, struct sweep_sample *samples) {
    for (size_t i = 0; i < table->plan->figures.count; i++) {
        write_figure(out, table, &table->plan->figures.list[i], &samples[i]);
    }
}

void vcs_swp_rows_values(FILE *out, const struct sweep_table *table, const double *values) {
    for (size_t i = 0; i < table->plan->figures.count; i++) {
        write_number(out, table, table->plan->figures.list[i].name, "", !isnan(values[i]), values[i]);
    }
}

void vcs_swp_rows_end(FILE *out, const struct sweep_table *table) {
    if (table->plan->json) {
        fprintf(out, "\"scenario\":\"%s\"}\n", table->mark);
    } else {
        fprintf(out, "%s\n", table->mark);
    }
}

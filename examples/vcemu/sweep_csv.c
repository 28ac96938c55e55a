/* SPDX-License-Identifier: MIT */
#include "sweep_csv.h"

#include <string.h>

#include <vcsched/abi.h>

#include "number.h"
#include "scenario.h"

/* ---- where a row comes from ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
    do { /* the NUL, too, so that "ab" "c" is not "a" "bc" */
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    } while (*text++ != '\0');
    return hash;
}

static uint64_t hash_number(uint64_t hash, double number) {
    char text[NUMBER_TEXT_SIZE];
    number_write(number, text);
    return hash_text(hash, text);
}

/* Lists of numbers, which may stand in other files that the scenario names. */
static uint64_t hash_list(uint64_t hash, const vcs_array *list) {
    const double *numbers = list->base;
    for (uint32_t i = 0; i < list->count; i++) {
        hash = hash_number(hash, numbers[i]);
    }
    return hash;
}

static uint64_t hash_lists(uint64_t hash, const struct state_file *file) {
    vcs_emulation emulation;
    const vcs_scenario scenario = scenario_of(file, &emulation);
    return hash_list(hash_list(hash, &scenario.sizes), &scenario.switches);
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

struct sweep_table sweep_table_of(const struct sweep_plan *plan, const struct state_file *file,
                                  const struct policy_wish *wish) {
    struct sweep_table table = {.plan = plan, .first_seed = file->emulation.seed};
    uint64_t hash = hash_document(hash_text(0xcbf29ce484222325u, vcs_version()), &file->document);
    hash = hash_number(hash_lists(hash, file), file->emulation.duration);
    if (wish->has_seed) {
        hash = hash_number(hash, wish->seed);
    }
    hash = hash_text(hash, wish->profile == NULL ? "" : wish->profile);
    for (size_t i = 0; i < wish->setting_count; i++) {
        hash = hash_text(hash, wish->settings[i]);
    }
    /* A letter first, since 12e34567 would be read as a number. */
    snprintf(table.mark, sizeof table.mark, "s%016llx", (unsigned long long)hash);
    return table;
}

/* ---- cells ---- */

/* In quotes only if needed. */
static void write_cell(FILE *out, const char *text) {
    if (strpbrk(text, ",\"") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text, out);
    }
    fputc('"', out);
}

/* An empty cell if undefined. */
static void write_number(FILE *out, bool known, double value) {
    char text[NUMBER_TEXT_SIZE] = "";
    if (known) {
        number_write(value, text);
    }
    fprintf(out, "%s,", text);
}

/* ---- rows ---- */

void sweep_csv_header(FILE *out, const struct sweep_table *table) {
    const struct sweep_plan *plan = table->plan;
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        write_cell(out, plan->grid.axes[i].key);
        fputc(',', out);
    }
    fputs(plan->each_seed ? "seed," : "runs,", out);
    for (size_t i = 0; i < plan->figures.count; i++) {
        const struct sweep_figure *figure = &plan->figures.list[i];
        fprintf(out, "%s,", figure->name);
        if (!plan->each_seed) {
            fprintf(out, "%s_se,", figure->name);
        }
        if (!plan->each_seed && figure->undefined != 0) {
            fprintf(out, "%s_runs,", figure->name);
        }
    }
    fputs("scenario\n", out);
}

void sweep_csv_beginning(FILE *out, const struct sweep_table *table, uint64_t row) {
    const struct sweep_plan *plan = table->plan;
    const uint64_t point = plan->each_seed ? row / plan->seeds : row;
    const uint64_t count = plan->each_seed ? table->first_seed + row % plan->seeds : plan->seeds;
    for (size_t i = 0; i < plan->grid.axis_count; i++) {
        char buffer[SWEEP_NUMBER_SIZE];
        write_cell(out, sweep_grid_value(&plan->grid, point, i, buffer));
        fputc(',', out);
    }
    fprintf(out, "%llu,", (unsigned long long)count);
}

void sweep_csv_means(FILE *out, const struct sweep_table *table, const struct sweep_mean *means) {
    for (size_t i = 0; i < table->plan->figures.count; i++) {
        const struct sweep_mean *mean = &means[i];
        write_number(out, mean->count > 0, mean->mean);
        write_number(out, mean->count > 1, sweep_mean_error(mean));
        if (table->plan->figures.list[i].undefined != 0) {
            fprintf(out, "%llu,", (unsigned long long)mean->count);
        }
    }
}

void sweep_csv_run(FILE *out, const struct sweep_table *table, const vcs_outcome *outcome) {
    for (size_t i = 0; i < table->plan->figures.count; i++) {
        double value = 0;
        const bool known = sweep_figure_of(&table->plan->figures.list[i], outcome, &value);
        write_number(out, known, value);
    }
}

void sweep_csv_end(FILE *out, const struct sweep_table *table) {
    fprintf(out, "%s\n", table->mark);
}

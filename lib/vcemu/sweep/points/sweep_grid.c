/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/points/sweep_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/parse_number.h"

#define OPTION "--vary"

/* A grid while it is made. */
struct making {
    struct sweep_grid *grid;
    const struct state_grammar *grammar;
    struct fault *fault;
};

static bool no_memory(const struct making *making) {
    return vcs_scn_fault_set(making->fault, "there is not enough memory for the points of the sweep");
}

/* ---- axes ---- */

static bool check_apart(const struct making *making, const struct sweep_axis *axis) {
    for (const struct sweep_axis *other = making->grid->axes; other < axis; other++) {
        if (vcs_swp_axes_meet(other, axis)) {
            return vcs_scn_fault_set(making->fault, "%s %s: %s %s already sets the same key", axis->origin,
                                     vcs_scn_fault_quote(axis->key).text, other->origin,
                                     vcs_scn_fault_quote(other->key).text);
        }
    }
    return true;
}

/* A new axis at the end of the last dimension; NULL without memory. */
static struct sweep_axis *add_axis(const struct making *making) {
    struct sweep_grid *grid = making->grid;
    struct sweep_axis *grown = realloc(grid->axes, (grid->axis_count + 1) * sizeof *grown);
    if (grown == NULL) {
        no_memory(making);
        return NULL;
    }
    grid->axes = grown;
    grown[grid->axis_count] = (struct sweep_axis){.text = NULL};
    grid->dimensions[grid->dimension_count - 1].axis_count++;
    return &grown[grid->axis_count++];
}

static bool add_dimension(const struct making *making) {
    struct sweep_grid *grid = making->grid;
    struct sweep_dimension *grown = realloc(grid->dimensions, (grid->dimension_count + 1) * sizeof *grown);
    if (grown == NULL) {
        return no_memory(making);
    }
    grid->dimensions = grown;
    grown[grid->dimension_count++] = (struct sweep_dimension){.first_axis = grid->axis_count};
    return true;
}

/* Counts the points, once the first axis of a dimension is known. */
static bool count_dimension(const struct making *making, uint64_t count) {
    struct sweep_grid *grid = making->grid;
    if (count > SWEEP_MOST_POINTS / grid->point_count) {
        const struct sweep_axis *axis = &grid->axes[grid->axis_count - 1];
        return vcs_scn_fault_set(making->fault, "%s %s: the sweep has more than 1000000000 points", axis->origin,
                                 vcs_scn_fault_quote(axis->key).text);
    }
    grid->dimensions[grid->dimension_count - 1].count = count;
    grid->point_count *= count;
    return true;
}

static bool add_vary(const struct making *making, const char *text) {
    struct sweep_axis *axis = add_dimension(making) ? add_axis(making) : NULL;
    return axis != NULL && vcs_swp_axis_read(axis, OPTION, text, making->grammar, making->fault) &&
           check_apart(making, axis) && count_dimension(making, axis->count);
}

static bool add_with(const struct making *making, const char *text, bool alone) {
    struct sweep_grid *grid = making->grid;
    if (alone) {
        return vcs_scn_fault_set(making->fault, "--with %s: there is no --vary or --points before it",
                                 vcs_scn_fault_quote(text).text);
    }
    const uint64_t count = grid->dimensions[grid->dimension_count - 1].count;
    struct sweep_axis *axis = add_axis(making);
    if (axis == NULL || !vcs_swp_axis_read(axis, "--with", text, making->grammar, making->fault) ||
        !check_apart(making, axis)) {
        return false;
    }
    return axis->count == count ||
           vcs_scn_fault_set(making->fault, "--with %s: %llu values, but %llu in the option that it moves with",
                             vcs_scn_fault_quote(axis->key).text, (unsigned long long)axis->count,
                             (unsigned long long)count);
}

/* ---- tables ---- */

/* Reads how many hosts of each kind there are: one, without a column for it. */
static bool read_weights(const struct making *making, const struct sweep_points *table, size_t column) {
    struct sweep_grid *grid = making->grid;
    grid->weights = malloc(table->row_count * sizeof *grid->weights);
    grid->weight_texts = malloc(table->row_count * sizeof *grid->weight_texts);
    if (grid->weights == NULL || grid->weight_texts == NULL) {
        return no_memory(making);
    }
    for (size_t row = 0; row < table->row_count; row++) {
        const char *text = column == table->column_count ? "1" : table->cells[(row + 1) * table->column_count + column];
        double *weight = &grid->weights[row];
        if (vcs_scn_number_read(text, weight) != NUMBER_OK || *weight <= 0 || *weight > 1e30) {
            return vcs_scn_fault_set(making->fault, "%s count: \"%s\" is not a number above 0", table->file,
                                     vcs_scn_fault_quote(text).text);
        }
        grid->weight_texts[row] = text;
        grid->weight += *weight;
    }
    grid->host_count = table->row_count;
    return true;
}

static bool is_count(const struct sweep_points *table, size_t column) {
    return strcmp(table->cells[column], "count") == 0;
}

static bool add_columns(const struct making *making, const struct sweep_points *table, bool of_hosts) {
    for (size_t column = 0; column < table->column_count; column++) {
        if (of_hosts && is_count(table, column)) {
            continue;
        }
        struct sweep_axis *axis = add_axis(making);
        if (axis == NULL ||
            !vcs_swp_axis_read_column(axis, table->file, table->cells[column], of_hosts, making->grammar,
                                      making->fault) ||
            !check_apart(making, axis)) {
            return false;
        }
        vcs_swp_axis_fill(axis, table->cells + table->column_count + column, table->column_count, table->row_count);
    }
    return true;
}

static bool add_table(const struct making *making, const char *path, bool of_hosts) {
    struct sweep_grid *grid = making->grid;
    struct sweep_points *grown = realloc(grid->tables, (grid->table_count + 1) * sizeof *grown);
    if (grown == NULL || !add_dimension(making)) {
        grid->tables = grown == NULL ? grid->tables : grown;
        return no_memory(making);
    }
    grid->tables = grown;
    struct sweep_points *table = &grown[grid->table_count++];
    if (!vcs_swp_points_read(table, path, making->fault)) {
        return false;
    }
    size_t count_column = 0;
    while (count_column < table->column_count && !is_count(table, count_column)) {
        count_column++;
    }
    if (of_hosts && table->column_count == (count_column < table->column_count)) {
        return vcs_scn_fault_set(making->fault, "%s there is no column besides count", table->file);
    }
    if (of_hosts && !read_weights(making, table, count_column)) {
        return false;
    }
    return add_columns(making, table, of_hosts) && count_dimension(making, table->row_count);
}

/* ---- the whole ---- */

static bool add_files(const struct making *making, const char *const *files, size_t count) {
    struct sweep_axis *axis = add_dimension(making) ? add_axis(making) : NULL;
    if (axis == NULL) {
        return false;
    }
    *axis = (struct sweep_axis){.origin = "", .key = "file", .path = {.kind = SWEEP_KIND_FILE, .entry = "file"}};
    vcs_swp_axis_fill(axis, files, 1, count);
    return count_dimension(making, count);
}

static bool add_hosts(const struct making *making, const vcs_sweep_axis *axes, uint32_t count) {
    struct sweep_grid *grid = making->grid;
    const char *hosts = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (axes[i].kind == VCS_SWEEP_HOSTS && hosts != NULL) {
            return vcs_scn_fault_set(making->fault, "--hosts: there is more than one table of hosts: %s and %s",
                                     vcs_scn_fault_quote(hosts).text, vcs_scn_fault_quote(axes[i].text).text);
        }
        hosts = axes[i].kind == VCS_SWEEP_HOSTS ? axes[i].text : hosts;
    }
    grid->host_axis = grid->axis_count;
    return hosts == NULL || add_table(making, hosts, true);
}

static void set_strides(struct sweep_grid *grid) {
    uint64_t stride = 1;
    for (size_t i = grid->dimension_count; i-- > 0;) {
        grid->dimensions[i].stride = stride;
        stride *= grid->dimensions[i].count;
    }
}

bool vcs_swp_grid_read(struct sweep_grid *grid, const vcs_sweep *sweep, const struct state_grammar *grammar,
                       struct fault *fault) {
    const struct making making = {.grid = grid, .grammar = grammar, .fault = fault};
    *grid = (struct sweep_grid){.point_count = 1, .host_count = 1};
    if (sweep->file_count > 1 && !add_files(&making, sweep->files, sweep->file_count)) {
        return false;
    }
    const size_t before = grid->dimension_count;
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        const char *text = sweep->axes[i].text;
        const uint32_t kind = sweep->axes[i].kind;
        const bool alone = grid->dimension_count == before;
        if (kind > VCS_SWEEP_HOSTS || text == NULL) {
            return vcs_scn_fault_set(fault, "vcs_sweep_axis: kind or text is wrong");
        }
        if ((kind == VCS_SWEEP_VARY && !add_vary(&making, text)) ||
            (kind == VCS_SWEEP_WITH && !add_with(&making, text, alone)) ||
            (kind == VCS_SWEEP_POINTS && !add_table(&making, text, false))) {
            return false;
        }
    }
    if (!add_hosts(&making, sweep->axes, sweep->axis_count)) {
        return false;
    }
    set_strides(grid);
    return true;
}

void vcs_swp_grid_free(struct sweep_grid *grid) {
    for (size_t i = 0; i < grid->axis_count; i++) {
        vcs_swp_axis_free(&grid->axes[i]);
    }
    for (size_t i = 0; i < grid->table_count; i++) {
        vcs_swp_points_free(&grid->tables[i]);
    }
    free(grid->axes);
    free(grid->dimensions);
    free(grid->tables);
    free(grid->weights);
    free(grid->weight_texts);
    *grid = (struct sweep_grid){.axes = NULL};
}

const char *vcs_swp_grid_value(const struct sweep_grid *grid, uint64_t point, size_t axis,
                               char text[SWEEP_NUMBER_SIZE]) {
    const struct sweep_dimension *dimension = grid->dimensions;
    while (axis >= dimension->first_axis + dimension->axis_count) {
        dimension++;
    }
    return vcs_swp_axis_value(&grid->axes[axis], point / dimension->stride % dimension->count, text);
}

size_t vcs_swp_grid_file(const struct sweep_grid *grid, uint64_t point) {
    if (grid->axis_count == 0 || grid->axes[0].path.kind != SWEEP_KIND_FILE) {
        return 0;
    }
    return (size_t)(point / grid->dimensions[0].stride);
}

bool vcs_swp_grid_fault_at(const struct sweep_grid *grid, uint64_t point, struct fault *fault) {
    const struct fault what = *fault;
    char where[768] = "";
    for (size_t i = 0, used = 0; i < grid->axis_count && used < sizeof where; i++) {
        char buffer[SWEEP_NUMBER_SIZE];
        const char *value = vcs_swp_grid_value(grid, point, i, buffer);
        if (grid->axes[i].path.kind == SWEEP_KIND_FILE) {
            continue; /* the message names it */
        }
        used += (size_t)snprintf(where + used, sizeof where - used, "%s%s=%s", used == 0 ? "" : ", ",
                                 vcs_scn_fault_quote(grid->axes[i].key).text, vcs_scn_fault_quote(value).text);
    }
    const size_t option = strlen(OPTION ": ");
    if (where[0] != '\0' && strncmp(what.message, OPTION ": ", option) == 0) {
        return vcs_scn_fault_set(fault, OPTION " %s: %s", where, what.message + option);
    }
    return where[0] != '\0' && vcs_scn_fault_set(fault, "%s: %s", where, what.message);
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/grid/grid_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"

/* The longest line, and the most columns that a table may have. */
#define LINE_MAX_BYTES 4096
#define MOST_COLUMNS 32

#define GIGA 1e9

enum column {
    COLUMN_COUNT,
    COLUMN_CPUS,
    COLUMN_FLOPS,
    COLUMN_GFLOPS,
    COLUMN_HOST_FLOPS,
    COLUMN_HOST_GFLOPS,
    COLUMN_AVAILABLE,
    COLUMN_RAM,
    COLUMN_IGNORED,
    COLUMNS
};

static const char column_names[COLUMNS][12] = {"count",       "cpus",      "flops", "gflops", "host_flops",
                                               "host_gflops", "available", "ram",   "-"};

/* A table while it is read. */
struct reading {
    const struct grid_table_form *form;
    struct grid_table *table;
    enum column columns[MOST_COLUMNS];
    uint32_t column_count;
    char separator;
    struct place place;
    struct fault *fault;
};

static bool no_memory(const struct reading *reading) {
    return vcs_scn_fault_at(reading->fault, &reading->place, "there is not enough memory");
}

/* ---- cells ---- */

/* Tabs win over semicolons, and these over commas. */
static char separator_of(const char *line) {
    return strchr(line, '\t') != NULL ? '\t' : strchr(line, ';') != NULL ? ';' : ',';
}

/* Cuts the blanks and one pair of quotes around a cell away. */
static char *trim(char *cell) {
    cell += strspn(cell, " \r\n");
    size_t length = strlen(cell);
    while (length > 0 && strchr(" \r\n", cell[length - 1]) != NULL) {
        length--;
    }
    if (length > 1 && cell[0] == '"' && cell[length - 1] == '"') {
        cell++;
        length -= 2;
    }
    cell[length] = '\0';
    return cell;
}

/* Splits a line into cells in place. Returns their number, at most MOST_COLUMNS. */
static uint32_t split(char *line, char separator, char *cells[MOST_COLUMNS]) {
    uint32_t count = 0;
    for (char *next = line; next != NULL && count < MOST_COLUMNS; count++) {
        char *cell = next;
        next = strchr(cell, separator);
        if (next != NULL) {
            *next++ = '\0';
        }
        cells[count] = trim(cell);
    }
    return count;
}

/* ---- the names of the columns ---- */

static bool has_column(const struct reading *reading, enum column column) {
    for (uint32_t i = 0; i < reading->column_count; i++) {
        if (reading->columns[i] == column) {
            return true;
        }
    }
    return false;
}

static bool name_column(struct reading *reading, const char *name) {
    uint32_t column = 0;
    while (column < COLUMNS && strcmp(column_names[column], name) != 0) {
        column++;
    }
    if (column == COLUMNS) {
        return vcs_scn_fault_text(reading->fault, &reading->place, name,
                                  "is not the name of a column: " GRID_TABLE_COLUMNS
                                  "; columns = ... names those of a table without headings");
    }
    if (column != COLUMN_IGNORED && has_column(reading, (enum column)column)) {
        return vcs_scn_fault_text(reading->fault, &reading->place, name, "is the name of two columns");
    }
    reading->columns[reading->column_count++] = (enum column)column;
    return true;
}

static bool name_columns(struct reading *reading, char *line, char separator) {
    char *cells[MOST_COLUMNS];
    const uint32_t count = split(line, separator, cells);
    for (uint32_t i = 0; i < count; i++) {
        if (!name_column(reading, cells[i])) {
            return false;
        }
    }
    const int speeds = has_column(reading, COLUMN_FLOPS) + has_column(reading, COLUMN_GFLOPS) +
                       has_column(reading, COLUMN_HOST_FLOPS) + has_column(reading, COLUMN_HOST_GFLOPS);
    if (!has_column(reading, COLUMN_COUNT)) {
        return vcs_scn_fault_at(reading->fault, &reading->place, "no column is named count, which says how many hosts");
    }
    reading->table->has_cpus = has_column(reading, COLUMN_CPUS);
    reading->table->has_flops = speeds > 0;
    return speeds < 2 ||
           vcs_scn_fault_at(reading->fault, &reading->place, "more than one column says how fast the hosts are");
}

static bool name_columns_by_form(struct reading *reading, const struct place *named) {
    struct place place = *named;
    place.key = "columns";
    const struct place own = reading->place;
    char *names = malloc(strlen(reading->form->columns) + 1);
    if (names == NULL) {
        return no_memory(reading);
    }
    strcpy(names, reading->form->columns);
    reading->place = place;
    const bool done = name_columns(reading, names, ',');
    reading->place = own;
    free(names);
    return done;
}

/* ---- rows ---- */

static bool read_cell(const struct reading *reading, enum column column, const char *text, double values[COLUMNS]) {
    const enum number_problem problem =
        column == COLUMN_IGNORED ? NUMBER_OK : vcs_scn_number_read(text, &values[column]);
    if (column == COLUMN_IGNORED) {
        return true;
    }
    if (problem != NUMBER_OK) {
        return vcs_scn_fault_text(reading->fault, &reading->place, text, vcs_scn_number_problem_text(problem));
    }
    if (values[column] < 0) {
        return vcs_scn_fault_text(reading->fault, &reading->place, text, "is negative");
    }
    if (column == COLUMN_AVAILABLE && (values[column] > 1 || values[column] == 0)) {
        return vcs_scn_fault_text(reading->fault, &reading->place, text, "is not a fraction of time above 0");
    }
    return true;
}

/* The speed of one CPU, from whichever column has it. A row without CPUs has those of its population. */
static bool find_speed(const struct reading *reading, const double values[COLUMNS], double *flops) {
    const double of_host = values[COLUMN_HOST_FLOPS] + GIGA * values[COLUMN_HOST_GFLOPS];
    const double cpus = reading->table->has_cpus ? values[COLUMN_CPUS] : reading->form->cpus;
    *flops = values[COLUMN_FLOPS] + GIGA * values[COLUMN_GFLOPS];
    if (has_column(reading, COLUMN_HOST_FLOPS) || has_column(reading, COLUMN_HOST_GFLOPS)) {
        if (cpus < 1) {
            return vcs_scn_fault_at(reading->fault, &reading->place,
                                    "the speed is given for the whole host, but the number of CPUs is missing");
        }
        *flops = of_host / cpus;
    }
    if (reading->table->has_flops && *flops <= 0) {
        return vcs_scn_fault_at(reading->fault, &reading->place, "the speed of the CPUs is 0");
    }
    return true;
}

static bool add_row(const struct reading *reading, const vcs_host_row *row) {
    struct grid_table *table = reading->table;
    vcs_host_row *rows = vcs_scn_bytes_grow(table->rows, &table->capacity, table->count, sizeof *rows);
    if (rows == NULL || table->count == UINT32_MAX) {
        return no_memory(reading);
    }
    table->rows = rows;
    table->rows[table->count++] = *row;
    table->hosts += row->weight;
    return true;
}

static bool read_row(const struct reading *reading, char *line) {
    char *cells[MOST_COLUMNS];
    double values[COLUMNS] = {0};
    vcs_host_row row = {0};
    const uint32_t count = split(line, reading->separator, cells);
    if (count != reading->column_count) {
        return vcs_scn_fault_at(reading->fault, &reading->place, "there are %u values for %u column%s", (unsigned)count,
                                (unsigned)reading->column_count, reading->column_count == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!read_cell(reading, reading->columns[i], cells[i], values)) {
            return false;
        }
    }
    if (reading->table->has_cpus && values[COLUMN_CPUS] < 1) {
        return vcs_scn_fault_at(reading->fault, &reading->place, "a host has at least 1 CPU");
    }
    if (!find_speed(reading, values, &row.flops)) {
        return false;
    }
    row.weight = values[COLUMN_COUNT];
    row.cpus = values[COLUMN_CPUS];
    row.available = values[COLUMN_AVAILABLE];
    row.ram = values[COLUMN_RAM];
    reading->table->has_off |= row.available > 0 && row.available < 1;
    return add_row(reading, &row);
}

/* ---- the file ---- */

static bool is_comment(const char *line) {
    return line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#';
}

/* A line of the table: the names of its columns, or a row. */
static bool read_line(struct reading *reading, char *line) {
    if (reading->separator == '\0') {
        reading->separator = separator_of(line);
    }
    return reading->column_count == 0 ? name_columns(reading, line, reading->separator) : read_row(reading, line);
}

static bool read_lines(struct reading *reading, FILE *file) {
    char line[LINE_MAX_BYTES];
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(line);
        reading->place.line++;
        if (length == sizeof line - 1 && line[length - 1] != '\n') {
            return vcs_scn_fault_text(reading->fault, &reading->place, line, "is too long a line");
        }
        if (reading->place.line > reading->form->skipped_lines && !is_comment(line) && !read_line(reading, line)) {
            return false;
        }
    }
    if (ferror(file) != 0) {
        return vcs_scn_fault_at(reading->fault, &reading->place, "cannot be read: %s", strerror(errno));
    }
    return reading->table->hosts > 0 ||
           vcs_scn_fault_at(reading->fault, &reading->place, "there are no hosts in this table");
}

bool vcs_scn_grid_table_read(struct grid_table *table, const char *path, const struct grid_table_form *form,
                             const struct place *named, struct fault *fault) {
    struct reading reading = {.form = form, .table = table, .place = {.file = path}, .fault = fault};
    *table = (struct grid_table){.rows = NULL};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return vcs_scn_fault_at(fault, named, "\"%s\" cannot be read: %s", vcs_scn_fault_quote(path).text,
                                strerror(errno));
    }
    const bool done = (form->columns == NULL || name_columns_by_form(&reading, named)) && read_lines(&reading, file);
    fclose(file);
    return done;
}

void vcs_scn_grid_table_free(struct grid_table *table) {
    free(table->rows);
    *table = (struct grid_table){.rows = NULL};
}

/*
 * A table for people: columns that line up, made to fit the screen by shortening long names in the middle.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TABLE_H
#define VCEMU_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "text/screen.h"

#define TABLE_COLUMNS_MAX 12

struct table_column {
    const char *heading;
    bool right;   /* aligned to the right, as numbers are */
    size_t least; /* is made narrower than its texts, down to this; 0 = is not */
};

struct table_cell {
    size_t text; /* where it begins in table.texts */
    enum style style;
};

struct table {
    const struct table_column *columns;
    size_t column_count;
    struct table_cell *cells; /* row by row */
    size_t cell_count;
    size_t cell_capacity;
    char *texts;
    size_t text_length;
    size_t text_capacity;
    bool out_of_memory;
};

#if defined(__GNUC__)
#define TABLE_FORMAT __attribute__((format(printf, 3, 4)))
#else
#define TABLE_FORMAT
#endif

/* A table of at most TABLE_COLUMNS_MAX columns, which stay the caller's. In the end, table_free() is due. */
struct table table_start(const struct table_column *columns, size_t column_count);

/* Adds the next cell, row by row. */
void table_add(struct table *table, enum style style, const char *format, ...) TABLE_FORMAT;

/* How wide it is before anything is shortened, without the last column. */
size_t table_width_before_last(const struct table *table);

/* Whether nothing has to be shortened for it. */
bool table_fits(const struct table *table, const struct screen *screen);

/* Returns false if there was not enough memory for all of it. */
bool table_print(const struct table *table, const struct screen *screen);

void table_free(struct table *table);

#endif

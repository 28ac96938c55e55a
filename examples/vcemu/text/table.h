/*
 * A table for people: columns that line up, made to fit the screen by shortening long names in the middle.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TEXT_TABLE_H
#define VCEMU_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/screen.h"

#define TABLE_COLUMNS_MAX 12

struct table_column {
    const char *heading;
    bool right;   /* aligned to the right, as numbers are */
    size_t least; /* shortened to no less than this; 0 = never shortened */
};

struct table_cell {
    size_t text; /* where it begins in table.texts */
    enum style style;
};

struct table {
    const struct table_column *columns;
    size_t column_count;
    uint32_t names;           /* columns, as bits, of names that differ near their end */
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

/* Starts a table of at most TABLE_COLUMNS_MAX columns, which must outlive it. Call table_free() in the end. */
struct table table_start(const struct table_column *columns, size_t column_count);

/* Adds the next cell, row by row. */
void table_add(struct table *table, enum style style, const char *format, ...) TABLE_FORMAT;

/* The width before shortening, without the last column. */
size_t table_width_before_last(const struct table *table);

/* Whether the table fits without shortening. */
bool table_fits(const struct table *table, const struct screen *screen);

/* Returns false if memory was short. */
bool table_print(const struct table *table, const struct screen *screen);

void table_free(struct table *table);

#endif

/* SPDX-License-Identifier: MIT */
#include "text/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/utf8.h"

#define GAP 2
#define CELL_TEXT_SIZE 4200 /* a name as long as a line of the state file, and the text around it */

struct table table_start(const struct table_column *columns, size_t column_count) {
    return (struct table){.columns = columns, .column_count = column_count};
}

void table_free(struct table *table) {
    free(table->cells);
    free(table->texts);
    *table = (struct table){.columns = NULL};
}

static void *grow(void *base, size_t needed, size_t *capacity, size_t element_size) {
    if (needed <= *capacity) {
        return base;
    }
    size_t wanted = 2 * needed < 256 ? 256 : 2 * needed;
    void *grown = wanted > SIZE_MAX / element_size ? NULL : realloc(base, wanted * element_size);
    if (grown != NULL) {
        *capacity = wanted;
    }
    return grown;
}

static bool make_room(struct table *table, size_t text_length) {
    void *cells = grow(table->cells, table->cell_count + 1, &table->cell_capacity, sizeof *table->cells);
    if (cells != NULL) {
        table->cells = cells;
    }
    void *texts = grow(table->texts, table->text_length + text_length, &table->text_capacity, 1);
    if (texts != NULL) {
        table->texts = texts;
    }
    return cells != NULL && texts != NULL;
}

void table_add(struct table *table, enum style style, const char *format, ...) {
    char text[CELL_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text) + 1;
    if (table->out_of_memory || !make_room(table, length)) {
        table->out_of_memory = true;
        return;
    }
    memcpy(table->texts + table->text_length, text, length);
    table->cells[table->cell_count++] = (struct table_cell){table->text_length, style};
    table->text_length += length;
}

/* The widths that the texts need. The last row may be incomplete. */
static void measure(const struct table *table, size_t widths[]) {
    for (size_t i = 0; i < table->column_count; i++) {
        widths[i] = vcs_scn_utf8_columns(table->columns[i].heading);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t width = vcs_scn_utf8_columns(table->texts + table->cells[i].text);
        size_t column = i % table->column_count;
        if (width > widths[column]) {
            widths[column] = width;
        }
    }
}

size_t table_width_before_last(const struct table *table) {
    size_t widths[TABLE_COLUMNS_MAX];
    measure(table, widths);
    size_t total = 0;
    for (size_t i = 0; i + 1 < table->column_count; i++) {
        total += widths[i] + GAP;
    }
    return total;
}

static size_t sum_of_widths(const struct table *table, const size_t widths[]) {
    size_t total = GAP * (table->column_count - 1);
    for (size_t i = 0; i < table->column_count; i++) {
        total += widths[i];
    }
    return total;
}

bool table_fits(const struct table *table, const struct screen *screen) {
    size_t widths[TABLE_COLUMNS_MAX];
    measure(table, widths);
    return sum_of_widths(table, widths) <= screen->columns;
}

/* The column that is furthest above its least width; column_count if none is above it. */
static size_t widest(const struct table *table, const size_t widths[], size_t divisor) {
    size_t found = table->column_count;
    size_t most = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        size_t least = table->columns[i].least / divisor;
        if (least != 0 && widths[i] > least && widths[i] - least > most) {
            found = i;
            most = widths[i] - least;
        }
    }
    return found;
}

/* Narrows columns until the table fits: down to their least widths, then to a third of these. */
static void shrink(const struct table *table, size_t widths[], size_t width) {
    size_t total = sum_of_widths(table, widths);
    for (size_t divisor = 1; divisor <= 3; divisor += 2) {
        for (size_t column; total > width && (column = widest(table, widths, divisor)) < table->column_count;) {
            widths[column]--;
            total--;
        }
    }
}

/* Prints a cell. `*spaces` blanks are due before the next text, so that no line ends in blanks. */
static void print_cell(const struct table *table, const struct screen *screen, size_t column, size_t width,
                       const char *text, enum style style, size_t *spaces) {
    char shortened[CELL_TEXT_SIZE];
    (table->names >> column & 1 ? vcs_scn_utf8_shorten_name : vcs_scn_utf8_shorten)(
        text, width, screen_ellipsis(screen), shortened, sizeof shortened);
    size_t padding = width - vcs_scn_utf8_columns(shortened);
    bool right = table->columns[column].right;
    *spaces += right ? padding : 0;
    if (shortened[0] != '\0') {
        fprintf(screen->out, "%*s", (int)*spaces, "");
        *spaces = 0;
        screen_print(screen, style, shortened);
    }
    *spaces += GAP + (right ? 0 : padding);
    if (column + 1 == table->column_count) {
        fputc('\n', screen->out);
        *spaces = 0;
    }
}

bool table_print(const struct table *table, const struct screen *screen) {
    if (table->out_of_memory) {
        return false;
    }
    size_t widths[TABLE_COLUMNS_MAX];
    measure(table, widths);
    shrink(table, widths, screen->columns);
    size_t spaces = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        print_cell(table, screen, i, widths[i], table->columns[i].heading, STYLE_HEADING, &spaces);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t column = i % table->column_count;
        const struct table_cell *cell = &table->cells[i];
        print_cell(table, screen, column, widths[column], table->texts + cell->text, cell->style, &spaces);
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/points/sweep_points.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/bytes.h"

/* A table while it is read. */
struct reading {
    struct sweep_points *points;
    const char *path;
    size_t line;
    char separator;
    size_t capacity;   /* of points->cells */
    size_t cell_count; /* so far */
    struct fault *fault;
};

static bool refuse(const struct reading *reading, const char *what) {
    const struct place place = {.file = reading->path, .line = reading->line};
    return vcs_scn_fault_at(reading->fault, &place, "%s", what);
}

static bool no_memory(const struct reading *reading) {
    return vcs_scn_fault_memory(reading->fault, reading->path);
}

/* ---- the text ---- */

static bool read_text(const struct reading *reading) {
    size_t length;
    FILE *stream = fopen(reading->path, "rb");
    if (stream == NULL) {
        return vcs_scn_fault_set(reading->fault, "%s: cannot be opened: %s", reading->path, strerror(errno));
    }
    const bool read = vcs_scn_bytes_read(stream, reading->path, &reading->points->text, &length, NULL, reading->fault);
    fclose(stream);
    return read && (strlen(reading->points->text) == length ||
                    vcs_scn_fault_set(reading->fault, "%s: contains a NUL character", reading->path));
}

/* ---- cells ---- */

static bool add_cell(struct reading *reading, const char *cell) {
    struct sweep_points *points = reading->points;
    const char **cells = vcs_scn_bytes_grow(points->cells, &reading->capacity, reading->cell_count, sizeof *cells);
    if (cells == NULL) {
        return no_memory(reading);
    }
    points->cells = cells;
    points->cells[reading->cell_count++] = cell;
    return true;
}

static bool is_blank(const struct reading *reading, char character) {
    return character == ' ' || (character == '\t' && reading->separator != '\t');
}

/* Ends a cell behind its opening quote; two quotes stand for one. Returns the text behind it, or NULL. */
static char *end_quotes(char *text) {
    char *to = text;
    for (; *text != '\0'; text++) {
        if (*text == '"' && text[1] != '"') {
            *to = '\0';
            return text + 1;
        }
        text += *text == '"';
        *to++ = *text;
    }
    return NULL;
}

/* Reads the cell at *text, and moves *text behind the separator, or to NULL at the end of the line. */
static bool read_cell(struct reading *reading, char **text) {
    char *cell = *text;
    while (is_blank(reading, *cell)) {
        cell++;
    }
    char *end;
    if (*cell == '"') {
        end = end_quotes(++cell);
        if (end == NULL) {
            return refuse(reading, "a quote is not closed");
        }
        while (is_blank(reading, *end)) {
            end++;
        }
    } else {
        end = cell + strcspn(cell, (const char[]){reading->separator, '\0'});
    }
    const char ending = *end;
    if (ending != '\0' && ending != reading->separator) {
        return refuse(reading, "text follows a cell in quotes");
    }
    *text = ending == '\0' ? NULL : end + 1;
    *end = '\0';
    for (size_t length = strlen(cell); length > 0 && is_blank(reading, cell[length - 1]); length--) {
        cell[length - 1] = '\0';
    }
    for (const char *place = cell; *place != '\0'; place++) {
        if ((unsigned char)*place < 0x20 || *place == 0x7f) {
            return refuse(reading, "a cell contains a control character");
        }
    }
    return cell[0] == '\0' ? refuse(reading, "a cell is empty") : add_cell(reading, cell);
}

/* ---- lines ---- */

static bool read_line(struct reading *reading, char *line) {
    struct sweep_points *points = reading->points;
    const size_t before = reading->cell_count;
    if (before == 0) {
        reading->separator = strchr(line, '\t') == NULL ? ',' : '\t';
    }
    for (char *text = line; text != NULL;) {
        if (!read_cell(reading, &text)) {
            return false;
        }
    }
    const size_t count = reading->cell_count - before;
    if (before == 0) {
        points->column_count = count;
    } else if (count != points->column_count) {
        const struct place place = {.file = reading->path, .line = reading->line};
        return vcs_scn_fault_at(reading->fault, &place, "there are %zu cells, and %zu headings", count,
                                points->column_count);
    } else {
        points->row_count++;
    }
    return true;
}

static bool read_lines(struct reading *reading) {
    for (char *line = reading->points->text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        reading->line++;
        size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\r') {
            line[--length] = '\0';
        }
        if (strspn(line, " \t") != length && line[0] != '#' && !read_line(reading, line)) {
            return false;
        }
    }
    if (reading->points->row_count == 0) {
        return vcs_scn_fault_set(reading->fault,
                                 "%s: there is no row; the first line has the keys, and each other line values",
                                 reading->path);
    }
    return true;
}

bool vcs_swp_points_read(struct sweep_points *points, const char *path, struct fault *fault) {
    const size_t size = strlen(path) + 2;
    struct reading reading = {.points = points, .path = path, .fault = fault};
    *points = (struct sweep_points){.file = malloc(size)};
    if (points->file == NULL) {
        return no_memory(&reading);
    }
    snprintf(points->file, size, "%s:", path);
    return read_text(&reading) && read_lines(&reading);
}

void vcs_swp_points_free(struct sweep_points *points) {
    free(points->file);
    free(points->text);
    free(points->cells);
    *points = (struct sweep_points){.file = NULL};
}

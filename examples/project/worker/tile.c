/*
 * SPDX-License-Identifier: MIT
 */
#include "tile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points within +-4 and the first step to the outside fit into 64 bits; see mandelbrot.c. */
#define FARTHEST ((int64_t)4 << GRID_FRACTION_BITS)

static const struct {
    const char *name;
    size_t offset;
    int64_t least, most;
} fields[] = {
    {"left", offsetof(tile, left), -FARTHEST, FARTHEST},
    {"top", offsetof(tile, top), -FARTHEST, FARTHEST},
    {"step", offsetof(tile, step), 1, FARTHEST},
    {"width", offsetof(tile, width), 1, GRID_MOST_PIXELS},
    {"height", offsetof(tile, height), 1, GRID_MOST_PIXELS},
    {"samples", offsetof(tile, samples), 1, GRID_MOST_SAMPLES},
    {"iterations", offsetof(tile, iterations), 1, 1000000000},
    {"turns", offsetof(tile, turns), 1, 65536},
    {"phase", offsetof(tile, phase), 0, 65535},
    {"checkpoint", offsetof(tile, checkpoint), 0, 86400},
};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static int64_t *field_of(tile *t, size_t field) {
    return (int64_t *)(void *)((char *)t + fields[field].offset);
}

/* The last point of a row or column that begins at `first`, unless it is too far away. */
static int is_within(int64_t first, int64_t step, int64_t points, int direction) {
    int64_t room = direction > 0 ? FARTHEST - first : first + FARTHEST;
    return step <= room / points;
}

int tile_read(tile *result, const char *text, char *fault, size_t fault_size) {
    tile found = {0};
    int seen[FIELD_COUNT] = {0};
    int line = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char name[16], number[24], rest;
        char copy[64];
        line++;
        if (length >= sizeof copy) {
            snprintf(fault, fault_size, "line %d is too long", line);
            return 0;
        }
        memcpy(copy, text, length);
        copy[length] = '\0';
        text += length + (text[length] == '\n');
        if (sscanf(copy, "%15s %23s %c", name, number, &rest) != 2) {
            snprintf(fault, fault_size, "line %d is not a name and a number", line);
            return 0;
        }
        size_t field = 0;
        while (field < FIELD_COUNT && strcmp(fields[field].name, name) != 0) {
            field++;
        }
        if (field == FIELD_COUNT || seen[field]) {
            snprintf(fault, fault_size, "line %d: %s %s", line, name, field == FIELD_COUNT ? "is unknown" : "again");
            return 0;
        }
        char *end;
        errno = 0;
        long long value = strtoll(number, &end, 10);
        if (errno != 0 || *end != '\0' || value < fields[field].least || value > fields[field].most) {
            snprintf(fault, fault_size, "line %d: %s must be a number between %lld and %lld", line, name,
                     (long long)fields[field].least, (long long)fields[field].most);
            return 0;
        }
        *field_of(&found, field) = value;
        seen[field] = 1;
    }
    for (size_t field = 0; field < FIELD_COUNT; field++) {
        if (!seen[field]) {
            snprintf(fault, fault_size, "%s is missing", fields[field].name);
            return 0;
        }
    }
    if (!is_within(found.left, found.step, found.width * found.samples, 1) ||
        !is_within(found.top, found.step, found.height * found.samples, -1)) {
        snprintf(fault, fault_size, "the tile reaches beyond +-4");
        return 0;
    }
    *result = found;
    return 1;
}

size_t tile_bytes(const tile *t) {
    return (size_t)t->width * (size_t)t->height * 3;
}

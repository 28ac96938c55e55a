/*
 * A checkpoint: the tile, how many rows, a sum over all, and the rows. It is read on the machine that wrote it.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "checkpoint"

typedef struct head {
    tile of;
    int64_t rows;
    uint64_t sum;
} head;

int file_write(const char *name, const void *bytes, size_t count) {
    char new_name[64];
    snprintf(new_name, sizeof new_name, "%s.new", name);
    FILE *file = fopen(new_name, "wb");
    if (file == NULL) {
        return 0;
    }
    int is_whole = fwrite(bytes, 1, count, file) == count && fflush(file) == 0 && fsync(fileno(file)) == 0;
    is_whole &= fclose(file) == 0;
    return is_whole && rename(new_name, name) == 0;
}

static size_t row_bytes(const tile *t) {
    return (size_t)t->width * 3;
}

/* FNV-1a. It notices a file that two programs wrote at once, or a disk that lost a piece. */
static uint64_t sum_of(const head *h, const uint8_t *rows, size_t count) {
    head summed = *h;
    summed.sum = 0;
    uint64_t sum = 14695981039346656037u;
    const uint8_t *bytes = (const uint8_t *)&summed;
    for (size_t i = 0; i < sizeof summed; i++) {
        sum = (sum ^ bytes[i]) * 1099511628211u;
    }
    for (size_t i = 0; i < count; i++) {
        sum = (sum ^ rows[i]) * 1099511628211u;
    }
    return sum;
}

int checkpoint_write(const tile *t, const uint8_t *picture, int64_t rows) {
    size_t count = (size_t)rows * row_bytes(t);
    uint8_t *bytes = malloc(sizeof(head) + count);
    if (bytes == NULL) {
        return 0;
    }
    head h = {.of = *t, .rows = rows, .sum = 0};
    h.sum = sum_of(&h, picture, count);
    memcpy(bytes, &h, sizeof h);
    memcpy(bytes + sizeof h, picture, count);
    int is_written = file_write(NAME, bytes, sizeof h + count);
    free(bytes);
    return is_written;
}

int64_t checkpoint_read(const tile *t, uint8_t *picture) {
    FILE *file = fopen(NAME, "rb");
    if (file == NULL) {
        return 0;
    }
    head h;
    int64_t rows = 0;
    if (fread(&h, sizeof h, 1, file) == 1 && memcmp(&h.of, t, sizeof *t) == 0 && h.rows > 0 && h.rows <= t->height) {
        size_t count = (size_t)h.rows * row_bytes(t);
        if (fread(picture, 1, count, file) == count && fgetc(file) == EOF && sum_of(&h, picture, count) == h.sum) {
            rows = h.rows;
        }
    }
    fclose(file);
    return rows;
}

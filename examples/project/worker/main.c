/*
 * The program that volunteers run: renders one tile of a large picture.
 *
 * It knows nothing of the client that starts it, only files of its working folder. It reads `in` (see tile.h) and
 * writes `out`, the pixels of the tile row by row, red, green and blue. As it goes it keeps finished rows in
 * `checkpoint`, from which it goes on when it is started again, and what part is done in `fraction_done`. In the end it
 * writes `boinc_finish_called`, or the client would believe that it was interrupted. Every file is replaced as
 * a whole. A fault goes to the standard error, and the exit status is 1.
 *
 * Two builds for tests: -DSABOTEUR=N returns a picture that is wrong in one pixel, where N says; -DFAILING fails.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "checkpoint.h"
#include "colour.h"
#include "mandelbrot.h"
#include "tile.h"

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("worker: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

static tile read_tile(void) {
    char text[1024], fault[128];
    FILE *file = fopen("in", "rb");
    if (file == NULL) {
        fail("in: %s", strerror(errno));
    }
    size_t count = fread(text, 1, sizeof text - 1, file);
    int is_whole = feof(file);
    if (ferror(file)) {
        fail("in: %s", strerror(errno));
    }
    fclose(file);
    if (!is_whole || memchr(text, '\0', count) != NULL) {
        fail("in: this is not the text of a tile");
    }
    text[count] = '\0';
    tile t;
    if (!tile_read(&t, text, fault, sizeof fault)) {
        fail("in: %s", fault);
    }
    return t;
}

/* The mean of a pixel's points. Light adds up, and the numbers of a colour are about the roots of the light. */
static void render_pixel(const tile *t, int64_t column, int64_t row, uint8_t pixel[3]) {
    uint32_t light[3] = {0, 0, 0};
    for (int64_t j = 0; j < t->samples; j++) {
        for (int64_t i = 0; i < t->samples; i++) {
            int64_t re = t->left + (column * t->samples + i) * t->step;
            int64_t im = t->top - (row * t->samples + j) * t->step;
            uint8_t colour[3];
            colour_of(t, mandelbrot_count(re, im, t->iterations), colour);
            for (int k = 0; k < 3; k++) {
                light[k] += (uint32_t)colour[k] * colour[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        pixel[k] = (uint8_t)colour_root(light[k] / (uint32_t)(t->samples * t->samples));
    }
}

static void keep(const tile *t, const uint8_t *picture, int64_t rows) {
    char fraction[32];
    snprintf(fraction, sizeof fraction, "%.6f\n", (double)rows / (double)t->height);
    if (!checkpoint_write(t, picture, rows)) {
        fail("checkpoint: %s", strerror(errno));
    }
    if (!file_write("fraction_done", fraction, strlen(fraction))) {
        fail("fraction_done: %s", strerror(errno));
    }
}

/* Without its client the program ends: the next one starts it again. */
static void end_with_client(pid_t client) {
    if (getppid() != client) {
        fail("the client is gone");
    }
}

static void render(const tile *t, uint8_t *picture) {
    pid_t client = getppid();
    time_t kept = time(NULL);
    for (int64_t row = checkpoint_read(t, picture); row < t->height; row++) {
        for (int64_t column = 0; column < t->width; column++) {
            end_with_client(client);
            render_pixel(t, column, row, picture + (row * t->width + column) * 3);
        }
        time_t now = time(NULL);
        if (now - kept >= t->checkpoint || now < kept) {
            keep(t, picture, row + 1);
            kept = now;
        }
    }
}

#ifdef SABOTEUR
/* A single digit of a single colour, as a broken machine or a liar might have it. */
static void spoil(const tile *t, uint8_t *picture) {
    size_t place = ((size_t)(t->left ^ t->top) + (size_t)SABOTEUR * 2654435761u) % tile_bytes(t);
    picture[place] ^= 1;
}
#endif

int main(void) {
    tile t = read_tile();
#ifdef FAILING
    fail("this build always fails");
#endif
    uint8_t *picture = malloc(tile_bytes(&t));
    if (picture == NULL) {
        fail("not enough memory for a tile of %lld * %lld pixels", (long long)t.width, (long long)t.height);
    }
    render(&t, picture);
#ifdef SABOTEUR
    spoil(&t, picture);
#endif
    if (!file_write("out", picture, tile_bytes(&t))) {
        fail("out: %s", strerror(errno));
    }
    if (!file_write("fraction_done", "1\n", 2) || !file_write("boinc_finish_called", "0\n", 2)) {
        fail("the last files: %s", strerror(errno));
    }
    free(picture);
    return EXIT_SUCCESS;
}

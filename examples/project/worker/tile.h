/*
 * A tile to render, as described by the file `in`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_TILE_H
#define GRID_TILE_H

#include <stddef.h>
#include <stdint.h>

/* Lengths in the complex plane are whole multiples of 2^-55. */
#define GRID_FRACTION_BITS 55

#define GRID_MOST_PIXELS 4096 /* of a side */
#define GRID_MOST_SAMPLES 16  /* of a pixel's side */

/* A rectangle of pixels of the Mandelbrot set. Each pixel is the mean of samples * samples points. */
typedef struct tile {
    int64_t left;       /* the real part of the first point */
    int64_t top;        /* the imaginary part of the first point; it becomes less from row to row */
    int64_t step;       /* from one point to the next, > 0 */
    int64_t width;      /* pixels */
    int64_t height;     /* pixels */
    int64_t samples;    /* points across a pixel */
    int64_t iterations; /* a point that has not escaped by then belongs to the set */
    int64_t turns;      /* how often the colours go round while the count of iterations doubles, in 1/256 */
    int64_t phase;      /* with which colour they begin, in 1/65536 of a turn */
    int64_t checkpoint; /* seconds between two checkpoints; 0 = after each row */
} tile;

/*
 * Reads a tile from text: a line `NAME NUMBER` for each field, in any order. For anything else, writes the reason
 * into `fault` and returns 0.
 */
int tile_read(tile *result, const char *text, char *fault, size_t fault_size);

/* The bytes of its picture: three a pixel, red, green, blue. */
size_t tile_bytes(const tile *t);

#endif

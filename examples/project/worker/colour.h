/*
 * Colours of the counts of iterations.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_COLOUR_H
#define GRID_COLOUR_H

#include <stdint.h>

#include "tile.h"

/* The colour of a point with this count (see mandelbrot_count()): red, green, blue, 0 ... 255 each. */
void colour_of(const tile *t, uint64_t count, uint8_t colour[3]);

/* The integer nearest below the square root. */
uint32_t colour_root(uint32_t number);

#endif

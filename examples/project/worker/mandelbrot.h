/*
 * The Mandelbrot set in whole numbers, so that every machine and every compiler finds the same bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_MANDELBROT_H
#define GRID_MANDELBROT_H

#include <stdint.h>

/*
 * How many iterations z -> z * z + c take the point c to escape, in 1/65536, with the fraction that makes neighbouring
 * counts meet. 0 if it has not escaped after `iterations`. Real and imaginary part in 2^-55, within +-4.
 */
uint64_t mandelbrot_count(int64_t re, int64_t im, int64_t iterations);

/* log2 of a positive number, in 1/65536, rounded down. */
uint32_t mandelbrot_log2(uint64_t number);

#endif

/*
 * Draws for the library, which has no randomness of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_RANDOM_H
#define GRID_CLIENT_RANDOM_H

/* 0 <= u < 1. */
double draw(void);

/* 32 hexadecimal digits that no other host has. */
void draw_key(char digits[33]);

#endif

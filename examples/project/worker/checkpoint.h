/*
 * Files of the working folder: each is written whole or not at all.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CHECKPOINT_H
#define GRID_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "tile.h"

/* Replaces a file by these bytes, which reach the disk before its name does. 0 and errno if that fails. */
int file_write(const char *name, const void *bytes, size_t count);

/* Keeps the first `rows` rows of a tile's picture in the file `checkpoint`. 0 and errno if that fails. */
int checkpoint_write(const tile *t, const uint8_t *picture, int64_t rows);

/* Reads them back and returns how many there are: 0 without a checkpoint, with another tile's, or a spoilt one. */
int64_t checkpoint_read(const tile *t, uint8_t *picture);

#endif

/*
 * Text in memory that is put together as if it were written to a file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_TABLE_TEXT_H
#define VCS_EMU_SWEEP_TABLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text {
    FILE *out;   /* where to write */
    char *bytes; /* what has been written, once vcs_swp_text_finish() was called */
    size_t length;
};

/* Returns false if there is not enough memory. In both cases vcs_swp_text_close() is due; also if it is all zero. */
bool vcs_swp_text_open(struct text *text);

/* Starts over. */
void vcs_swp_text_clear(struct text *text);

/* Makes `bytes` and `length` those of what was written since. Returns false if there was not enough memory. */
bool vcs_swp_text_finish(struct text *text);

/* Writes it all to the descriptor of a file. Returns false, with errno, if that fails. */
bool vcs_swp_text_write(const struct text *text, int descriptor);

void vcs_swp_text_close(struct text *text);

#endif

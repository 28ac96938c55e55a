/*
 * Text in memory, written like a file.
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
    char *bytes; /* the text, after vcs_swp_text_finish() */
    size_t length;
};

/* Returns false without memory. Either way, vcs_swp_text_close() is due; it also accepts a zeroed struct. */
bool vcs_swp_text_open(struct text *text);

/* Starts over. */
void vcs_swp_text_clear(struct text *text);

/* Sets `bytes` and `length`. Returns false if there was not enough memory. */
bool vcs_swp_text_finish(struct text *text);

/* Writes the text to a file descriptor. Returns false, with errno, on failure. */
bool vcs_swp_text_write(const struct text *text, int descriptor);

void vcs_swp_text_close(struct text *text);

#endif

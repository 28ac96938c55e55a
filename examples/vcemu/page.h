/*
 * Text in memory that is put together as if it were written to a file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PAGE_H
#define VCEMU_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct page {
    FILE *out;   /* where to write */
    char *text;  /* what has been written, once page_finish() was called */
    size_t length;
};

/* Returns false if there is not enough memory. In both cases page_close() is due; also if it is all zero. */
bool page_open(struct page *page);

/* Begins anew. */
void page_clear(struct page *page);

/* Makes `text` and `length` those of what was written since. Returns false if there was not enough memory. */
bool page_finish(struct page *page);

void page_close(struct page *page);

#endif

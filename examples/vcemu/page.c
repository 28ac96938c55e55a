/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "page.h"

#include <stdlib.h>

bool page_open(struct page *page) {
    *page = (struct page){.text = NULL};
    page->out = open_memstream(&page->text, &page->length);
    return page->out != NULL;
}

void page_clear(struct page *page) {
    fseeko(page->out, 0, SEEK_SET);
}

bool page_finish(struct page *page) {
    return fflush(page->out) == 0 && ferror(page->out) == 0;
}

void page_close(struct page *page) {
    if (page->out != NULL) {
        fclose(page->out);
    }
    free(page->text);
    *page = (struct page){.text = NULL};
}

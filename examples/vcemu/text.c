/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "text.h"

#include <stdlib.h>

bool text_open(struct text *text) {
    *text = (struct text){.bytes = NULL};
    text->out = open_memstream(&text->bytes, &text->length);
    return text->out != NULL;
}

void text_clear(struct text *text) {
    fseeko(text->out, 0, SEEK_SET);
}

bool text_finish(struct text *text) {
    return fflush(text->out) == 0 && ferror(text->out) == 0;
}

void text_close(struct text *text) {
    if (text->out != NULL) {
        fclose(text->out);
    }
    free(text->bytes);
    *text = (struct text){.bytes = NULL};
}

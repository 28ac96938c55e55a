/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "vcemu/sweep/table/text.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

bool vcs_swp_text_open(struct text *text) {
    *text = (struct text){.bytes = NULL};
    text->out = open_memstream(&text->bytes, &text->length);
    return text->out != NULL;
}

void vcs_swp_text_clear(struct text *text) {
    fseeko(text->out, 0, SEEK_SET);
}

bool vcs_swp_text_finish(struct text *text) {
    return fflush(text->out) == 0 && ferror(text->out) == 0;
}

bool vcs_swp_text_write(const struct text *text, int descriptor) {
    const char *bytes = text->bytes;
    size_t length = text->length;
    while (length > 0) {
        const ssize_t written = write(descriptor, bytes, length);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes += written < 0 ? 0 : written;
        length -= written < 0 ? 0 : (size_t)written;
    }
    return true;
}

void vcs_swp_text_close(struct text *text) {
    if (text->out != NULL) {
        fclose(text->out);
    }
    free(text->bytes);
    *text = (struct text){.bytes = NULL};
}

/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "vcemu/scenario/text/bytes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FIRST_BLOCK 65536

void vcs_scn_watcher_step(const struct read_watcher *watcher, uint64_t done, uint64_t total) {
    if (watcher != NULL) {
        watcher->step(watcher->context, done, total);
    }
}

/* 0 of a pipe. */
static uint64_t size_of_stream(FILE *stream) {
    struct stat status;
    const bool known = fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 0;
    return known ? (uint64_t)status.st_size : 0;
}

bool vcs_scn_bytes_read(FILE *stream, const char *name, char **text, size_t *length, const struct read_watcher *watcher,
                        struct fault *fault) {
    const uint64_t total = size_of_stream(stream);
    size_t capacity = 0, got;
    *text = NULL;
    *length = 0;
    do {
        if (capacity - *length < 2) {
            const size_t wanted = capacity == 0 ? FIRST_BLOCK : 2 * capacity;
            char *grown = wanted > capacity ? realloc(*text, wanted) : NULL;
            if (grown == NULL) {
                return vcs_scn_fault_memory(fault, name);
            }
            *text = grown;
            capacity = wanted;
        }
        got = fread(*text + *length, 1, capacity - 1 - *length, stream);
        *length += got;
        (*text)[*length] = '\0';
        if (got > 0) {
            vcs_scn_watcher_step(watcher, *length, 2 * total);
        }
    } while (got > 0);
    return ferror(stream) == 0 || vcs_scn_fault_set(fault, "%s: cannot be read: %s", name, strerror(errno));
}

static bool is_blank(char character) {
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

void vcs_scn_bytes_trim(const char *text, size_t length, char *item, size_t size) {
    while (length > 0 && is_blank(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    length = length < size ? length : size - 1;
    memcpy(item, text, length);
    item[length] = '\0';
}

bool vcs_scn_bytes_item(const char **text, char *item, size_t size) {
    const size_t length = strcspn(*text, ",");
    const bool more = (*text)[length] == ',';
    vcs_scn_bytes_trim(*text, length, item, size);
    *text += length + more;
    return more;
}

bool vcs_scn_bytes_are_word(const char *text, const char *word, size_t length) {
    size_t same = 0;
    while (same < length && tolower((unsigned char)text[same]) == tolower((unsigned char)word[same])) {
        same++;
    }
    return same == length && text[length] == '\0';
}

char *vcs_scn_bytes_word(char **list) {
    char *const word = *list, *from = word, *to = word;
    for (; *from != '\0' && *from != ','; from++) {
        from += *from == '\\' && from[1] != '\0';
        *to++ = *from;
    }
    *list = *from == '\0' ? NULL : from + 1;
    *to = '\0';
    return word;
}

void *vcs_scn_bytes_grow(void *base, size_t *capacity, size_t count, size_t element_size) {
    const size_t wanted = *capacity == 0 ? 64 : 2 * *capacity;
    if (count < *capacity) {
        return base;
    }
    void *grown = wanted > SIZE_MAX / element_size ? NULL : realloc(base, wanted * element_size);
    *capacity = grown == NULL ? *capacity : wanted;
    return grown;
}

uint64_t vcs_scn_bytes_hash(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    }
    return hash;
}

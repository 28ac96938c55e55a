/*
 * memcmp() eight bytes at a time. That of wasi-libc goes byte by byte: it took a fifth of an emulation.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t word_at(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

__attribute__((no_builtin)) int memcmp(const void *first, const void *second, size_t size) {
    const unsigned char *a = first, *b = second;
    size_t at = 0;
    while (at + sizeof(uint64_t) <= size && word_at(a + at) == word_at(b + at)) {
        at += sizeof(uint64_t);
    }
    while (at < size && a[at] == b[at]) {
        at++;
    }
    return at == size ? 0 : a[at] - b[at];
}

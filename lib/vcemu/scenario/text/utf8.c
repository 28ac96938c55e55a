/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "vcemu/scenario/text/utf8.h"

#include <string.h>
#include <wchar.h>

size_t vcs_scn_utf8_decode(const char *text, uint32_t *code) {
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80) {
        *code = byte[0];
        return byte[0] != 0;
    }
    size_t length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
    if (byte[0] < 0xc2 || byte[0] > 0xf4) {
        return 0;
    }
    uint32_t value = byte[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (byte[i] & 0x3fu);
    }
    if ((length == 3 && value < 0x800) || (length == 4 && value < 0x10000) || value > 0x10ffff ||
        (value >= 0xd800 && value <= 0xdfff)) {
        return 0;
    }
    *code = value;
    return length;
}

/* Length in bytes and width in columns of the character at `text`, which is not at its end. */
static size_t measure(const char *text, size_t *columns) {
    uint32_t code;
    size_t length = vcs_scn_utf8_decode(text, &code);
    int width = length == 0 ? 1 : wcwidth((wchar_t)code);
    *columns = width < 0 ? 1 : (size_t)width;
    return length == 0 ? 1 : length;
}

size_t vcs_scn_utf8_columns(const char *text) {
    size_t total = 0;
    while (*text != '\0') {
        size_t columns;
        text += measure(text, &columns);
        total += columns;
    }
    return total;
}

/* How many bytes of `text` fill at most `columns` columns. */
static size_t bytes_of_columns(const char *text, size_t columns) {
    size_t bytes = 0;
    while (text[bytes] != '\0') {
        size_t width;
        size_t length = measure(text + bytes, &width);
        if (width > columns) {
            break;
        }
        columns -= width;
        bytes += length;
    }
    return bytes;
}

static size_t append(char *out, size_t size, size_t used, const char *text, size_t length) {
    if (length >= size - used) {
        length = 0;
    }
    memcpy(out + used, text, length);
    out[used + length] = '\0';
    return used + length;
}

/* Of what is kept, `ends` of `parts` parts are the end of the text. */
static void shorten(const char *text, size_t columns, const char *ellipsis, size_t ends, size_t parts, char *out,
                    size_t size) {
    size_t total = vcs_scn_utf8_columns(text);
    if (total <= columns && strlen(text) < size) {
        memcpy(out, text, strlen(text) + 1);
        return;
    }
    size_t gap = vcs_scn_utf8_columns(ellipsis);
    size_t kept = columns > gap ? columns - gap : 0;
    size_t last = kept * ends / parts;
    size_t head = bytes_of_columns(text, kept - last);
    const char *tail = text;
    for (size_t left = total; left > last;) {
        size_t width;
        tail += measure(tail, &width);
        left -= width;
    }
    size_t used = append(out, size, 0, text, head);
    used = append(out, size, used, ellipsis, strlen(ellipsis));
    append(out, size, used, tail, strlen(tail));
}

void vcs_scn_utf8_shorten(const char *text, size_t columns, const char *ellipsis, char *out, size_t size) {
    shorten(text, columns, ellipsis, 1, 2, out, size);
}

void vcs_scn_utf8_shorten_name(const char *text, size_t columns, const char *ellipsis, char *out, size_t size) {
    shorten(text, columns, ellipsis, 2, 3, out, size);
}

void vcs_scn_utf8_write_json(FILE *out, const char *text, bool in_page) {
    while (*text != '\0') {
        uint32_t code;
        const size_t length = vcs_scn_utf8_decode(text, &code);
        if (length == 0) {
            fputs("\\ufffd", out); /* a byte that is not UTF-8 */
        } else if (code < 0x20 || code == 0x7f || (in_page && code == '<')) {
            fprintf(out, "\\u%04x", (unsigned)code);
        } else {
            fputs(code == '"' || code == '\\' ? "\\" : "", out);
            fwrite(text, 1, length, out);
        }
        text += length == 0 ? 1 : length;
    }
}

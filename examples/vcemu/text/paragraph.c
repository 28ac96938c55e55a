/* SPDX-License-Identifier: MIT */
#include "text/paragraph.h"

#include <string.h>

#include "vcemu/scenario/text/utf8.h"

#define LINE_SIZE 4200 /* a name as long as a line of the state file, and the text around it */

/* How many bytes of `text`, which begins with a word, go on a line: as many words as fit, at least one. */
static size_t length_of_line(const char *text, size_t columns) {
    char line[LINE_SIZE];
    size_t length = strcspn(text, " ");
    while (text[length] != '\0') {
        size_t longer = length + 1 + strcspn(text + length + 1, " ");
        if (longer >= sizeof line) {
            break;
        }
        memcpy(line, text, longer);
        line[longer] = '\0';
        if (vcs_scn_utf8_columns(line) > columns) {
            break;
        }
        length = longer;
    }
    return length;
}

static void print_part(const struct screen *screen, enum style style, const char *text, size_t length) {
    char line[LINE_SIZE];
    length = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    screen_print(screen, style, line);
}

void paragraph_print(const struct screen *screen, enum style style, size_t indent, const char *text) {
    size_t columns = screen->columns > indent ? screen->columns - indent : 1;
    for (;;) {
        size_t length = length_of_line(text, columns);
        print_part(screen, style, text, length);
        fputc('\n', screen->out);
        text += length + strspn(text + length, " ");
        if (*text == '\0') {
            return;
        }
        fprintf(screen->out, "%*s", (int)indent, "");
    }
}

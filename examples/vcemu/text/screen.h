/*
 * The output for people: its width, and whether it shows colours and characters beyond ASCII.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TEXT_SCREEN_H
#define VCEMU_TEXT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct screen {
    FILE *out;
    size_t columns;
    bool unicode; /* block characters may be drawn */
    bool colour;
};

enum style { STYLE_PLAIN, STYLE_HEADING, STYLE_FAINT, STYLE_GOOD, STYLE_WARNING, STYLE_BAD, STYLES };

/*
 * Looks at the standard output: colours and block characters only if it is a terminal that shows them, no colours if
 * NO_COLOR is set. `force_unicode` draws block characters everywhere. Also tells libc that texts are UTF-8.
 */
struct screen screen_open(bool force_unicode);

/* Stands for the omitted middle of a shortened text. */
const char *screen_ellipsis(const struct screen *screen);

void screen_print(const struct screen *screen, enum style style, const char *text);

#endif

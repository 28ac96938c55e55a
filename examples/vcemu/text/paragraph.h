/*
 * Sentences for people, broken into lines that fit the screen.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TEXT_PARAGRAPH_H
#define VCEMU_TEXT_PARAGRAPH_H

#include "text/screen.h"

/*
 * Prints `text` and ends the line. Lines after the first begin with `indent` blanks; on the first, that many columns
 * are in use already. A word wider than the screen has a line of its own.
 */
void paragraph_print(const struct screen *screen, enum style style, size_t indent, const char *text);

#endif

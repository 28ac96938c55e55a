/*
 * Sentences for people, broken into lines that fit the screen.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PARAGRAPH_H
#define VCEMU_PARAGRAPH_H

#include "text/screen.h"

/*
 * Prints `text` and ends the line. All lines but the first begin after `indent` blanks; on the first, as many columns
 * are taken already. A word that is wider than the screen gets a line of its own.
 */
void paragraph_print(const struct screen *screen, enum style style, size_t indent, const char *text);

#endif

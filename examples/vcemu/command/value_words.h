/*
 * The words that can stand for the value of an option, for completion and for programs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_COMMAND_VALUE_WORDS_H
#define VCEMU_COMMAND_VALUE_WORDS_H

#include "command/options.h"

/* Hands over each word in turn; none if the values of this kind cannot be listed. One that ends in = goes on. */
void value_words(enum value_kind kind, void (*take)(void *context, const char *word), void *context);

#endif

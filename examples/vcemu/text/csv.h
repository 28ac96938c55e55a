/*
 * Names in tables of comma-separated values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TEXT_CSV_H
#define VCEMU_TEXT_CSV_H

#include <stdio.h>

/* Writes a name in quotes, for names may have commas. */
void csv_name(FILE *out, const char *name);

#endif

/*
 * Names in tables of comma-separated values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_TABLE_CSV_H
#define VCS_EMU_SWEEP_TABLE_CSV_H

#include <stdio.h>

/* Writes a name in quotes, for names may have commas. */
void vcs_swp_csv_name(FILE *out, const char *name);

#endif

/*
 * Numbers as text, in one form whatever the locale.
 *
 * The program never sets LC_NUMERIC, so strtod and printf use the point of the "C" locale throughout.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_PARSE_NUMBER_H
#define VCS_EMU_SCENARIO_TEXT_PARSE_NUMBER_H

#include <stdbool.h>

enum number_problem { NUMBER_OK, NUMBER_EMPTY, NUMBER_MALFORMED, NUMBER_NOT_FINITE, NUMBER_TOO_LARGE };

/* Reads all of `text` as one finite number, in any form that strtod reads. *value is written only with NUMBER_OK. */
enum number_problem vcs_scn_number_read(const char *text, double *value);

/* The problem, as the end of a sentence that begins with the text. */
const char *vcs_scn_number_problem_text(enum number_problem problem);

/* The shortest text of %g that reads back as the same number; `out` must hold NUMBER_TEXT_SIZE bytes. */
#define NUMBER_TEXT_SIZE 32
void vcs_scn_number_write(double value, char *out);

/* Is it a whole number? */
bool vcs_scn_number_is_whole(double value);

#endif

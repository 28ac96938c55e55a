/*
 * Yes or no as text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_SWITCH_H
#define VCS_EMU_SCENARIO_TEXT_SWITCH_H

#include <stdbool.h>

/* Reads yes, true, on or 1, or no, false, off or 0, in any case, as Python's configparser does. Returns false, and
   leaves *on alone, for any other text. */
bool vcs_scn_switch_read(const char *text, bool *on);

/* The problem of any other text, as the end of a sentence that begins with it. */
#define SWITCH_PROBLEM "is neither yes nor no"

#endif

/*
 * Changes to a document that has been read: copies of it in which keys have other values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_INI_EDIT_H
#define VCS_EMU_SCENARIO_TEXT_INI_EDIT_H

#include "vcemu/scenario/text/ini.h"

/* Makes a copy. Returns false if there is not enough memory; in both cases vcs_scn_ini_free() is due. */
bool vcs_scn_ini_copy(struct ini_document *copy, const struct ini_document *document);

/*
 * Gives a key of the section this value; adds it if it is not there. It then has no line in the file. Both texts
 * must last as long as the document, or until the key gets another value. Returns false if there is not enough memory.
 */
bool vcs_scn_ini_set(struct ini_document *document, struct ini_section *section, const char *key, const char *value);

#endif

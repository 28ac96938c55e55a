/*
 * Changes to a document: copies with other values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_INI_EDIT_H
#define VCS_EMU_SCENARIO_TEXT_INI_EDIT_H

#include "vcemu/scenario/text/ini.h"

/* Makes a copy. Returns false without memory. Either way, vcs_scn_ini_free() is due. */
bool vcs_scn_ini_copy(struct ini_document *copy, const struct ini_document *document);

/*
 * Sets a key of the section, or adds it; it then has no line in the file. Both texts must last as long as the document,
 * or until the key is set again. Returns false without memory.
 */
bool vcs_scn_ini_set(struct ini_document *document, struct ini_section *section, const char *key, const char *value);

#endif

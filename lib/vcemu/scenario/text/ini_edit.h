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

/* Copies the texts of an entry into the document, for as long as it lasts. Returns false without memory. */
bool vcs_scn_ini_keep(struct ini_document *document, struct ini_entry *entry);

/*
 * Puts the entry in place of the one of its key, or adds it. Its texts must last as long as the document, or until the
 * key is set again. Returns false without memory.
 */
bool vcs_scn_ini_set(struct ini_document *document, struct ini_section *section, const struct ini_entry *entry);

#endif

/*
 * A key of sections as options name it: KIND.KEY in all sections of the kind, or KIND.NAME.KEY in one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_PATH_H
#define VCS_EMU_SCENARIO_STATE_STATE_PATH_H

#include "vcemu/scenario/state/state_grammar.h"
#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/text/ini.h"

struct state_path {
    const struct state_grammar *grammar;
    uint32_t kind;       /* of the sections */
    const char *section; /* NAME; NULL = all sections of the kind */
    const char *entry;   /* KEY */
};

/* Splits `text`, which has a dot, in place. Returns whether path->grammar has such a key. */
bool vcs_scn_state_path_split(struct state_path *path, char *text);

/*
 * Reads the head of "KIND.KEY=VALUE" or "KIND.NAME.KEY=VALUE", puts a NUL in place of the =, and returns the value. The
 * parts of the path point into `parts`, which has room for `text`. Returns NULL if path->grammar has no such key; then
 * the NUL is in place of the first =.
 */
char *vcs_scn_state_path_read(struct state_path *path, char *text, char *parts);

/* Explains why there is no such key; `origin` is the option. Returns false. */
bool vcs_scn_state_path_refuse(const struct state_grammar *grammar, const char *origin, const char *text,
                               struct fault *fault);

/* Whether both name the same key of some section. */
bool vcs_scn_state_paths_meet(const struct state_path *one, const struct state_path *other);

/* Whether the document has a section that it names; if not, explains that. `text` is the path as it was given. */
bool vcs_scn_state_path_leads(const struct state_path *path, const struct ini_document *document, const char *origin,
                              const char *text, struct fault *fault);

/* Sets the entry, with the key of the path, in all sections that it names, as vcs_scn_ini_set() does. Returns false
   without memory. */
bool vcs_scn_state_path_set(const struct state_path *path, struct ini_document *document,
                            const struct ini_entry *entry);

#endif

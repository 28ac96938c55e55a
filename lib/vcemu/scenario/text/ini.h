/*
 * Reads INI files: sections and keys in the order of the file, each with its line.
 *
 * Python's configparser (interpolation off) reads the dialect alike; doc/state_format.md describes it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_INI_H
#define VCS_EMU_SCENARIO_TEXT_INI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/fault.h"

/* The longest line, in bytes without its end. */
#define INI_LINE_MAX 4096

struct ini_entry {
    const char *key;
    const char *value;
    const char *option; /* that set it: "--set KEY"; NULL = it is as in the file */
    size_t line;
};

/* A section, "[KIND]" or "[KIND NAME]". */
struct ini_section {
    const char *header; /* "KIND" or "KIND NAME" */
    size_t kind_length; /* bytes of KIND */
    size_t line;
    size_t first_entry; /* index into ini_document.entries */
    size_t entry_count;
    uint32_t kind; /* for the reader of the document: the kind, and the index within it */
    uint32_t record;
};

/* A place in the index of sections. */
struct ini_slot {
    uint64_t hash;
    size_t section; /* index into ini_document.sections; SIZE_MAX = empty */
};

struct ini_document {
    const char *file; /* as messages name it */
    char *text;       /* headers, keys and values point into it */
    size_t text_length;
    size_t line_count;
    struct ini_section *sections;
    size_t section_count;
    struct ini_entry *entries;
    size_t entry_count;
    struct ini_slot *index; /* hash table of sections by header */
    size_t index_size;      /* a power of 2 */
};

/*
 * Reads the file `path`, or the standard input for "-"; `watcher` may be NULL. Returns false and describes the fault.
 * Linear in the size of the file. Either way, vcs_scn_ini_free() is due.
 */
bool vcs_scn_ini_read(struct ini_document *document, const char *path, const struct read_watcher *watcher,
                      struct fault *fault);

/* Reads a copy of the text as if it stood in the file `name`. */
bool vcs_scn_ini_parse(struct ini_document *document, const char *name, const char *text, size_t size,
                       struct fault *fault);

void vcs_scn_ini_free(struct ini_document *document);

/* The NAME of a section; "" if it has none. */
const char *vcs_scn_ini_section_name(const struct ini_section *section);

/* Is it a section of this KIND? */
bool vcs_scn_ini_section_is(const struct ini_section *section, const char *kind);

/* The section [KIND NAME], or [KIND] if `name` is ""; NULL if there is none. */
struct ini_section *vcs_scn_ini_find(const struct ini_document *document, const char *kind, const char *name);

/* The entry of a section with this key; NULL if there is none. */
const struct ini_entry *vcs_scn_ini_entry(const struct ini_document *document, const struct ini_section *section,
                                          const char *key);

/* The place of a section, or of its entry `key`. The section stands in for a missing entry. */
struct place vcs_scn_ini_place(const struct ini_document *document, const struct ini_section *section, const char *key);

#endif

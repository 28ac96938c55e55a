/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/text/ini_edit.h"

#include <stdlib.h>
#include <string.h>

/* A copy of this many bytes; not NULL even for none. */
static void *copy_bytes(const void *bytes, size_t size) {
    void *copy = malloc(size == 0 ? 1 : size);
    if (copy != NULL && size != 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

/* The text of the copy for a text of the document. */
static const char *moved(const struct ini_document *copy, const struct ini_document *document, const char *text) {
    return copy->text + (text - document->text);
}

bool vcs_scn_ini_copy(struct ini_document *copy, const struct ini_document *document) {
    *copy = *document;
    copy->text = copy_bytes(document->text, document->text_length + 1);
    copy->sections = copy_bytes(document->sections, document->section_count * sizeof *document->sections);
    copy->entries = copy_bytes(document->entries, document->entry_count * sizeof *document->entries);
    copy->index = copy_bytes(document->index, document->index_size * sizeof *document->index);
    if (copy->text == NULL || copy->sections == NULL || copy->entries == NULL || copy->index == NULL) {
        return false;
    }
    for (size_t i = 0; i < copy->section_count; i++) {
        copy->sections[i].header = moved(copy, document, document->sections[i].header);
    }
    for (size_t i = 0; i < copy->entry_count; i++) {
        copy->entries[i].key = moved(copy, document, document->entries[i].key);
        copy->entries[i].value = moved(copy, document, document->entries[i].value);
    }
    return true;
}

/* The entries of a section are contiguous: to add one, they move to the end and their old places are abandoned. */
static struct ini_entry *add_entry(struct ini_document *document, struct ini_section *section, const char *key) {
    const size_t count = document->entry_count + section->entry_count + 1;
    struct ini_entry *grown = realloc(document->entries, count * sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    if (section->entry_count != 0) {
        memcpy(grown + document->entry_count, grown + section->first_entry, section->entry_count * sizeof *grown);
    }
    section->first_entry = document->entry_count;
    section->entry_count++;
    document->entries = grown;
    document->entry_count = count;
    grown[count - 1].key = key;
    return &grown[count - 1];
}

bool vcs_scn_ini_set(struct ini_document *document, struct ini_section *section, const char *key, const char *value) {
    const struct ini_entry *there = vcs_scn_ini_entry(document, section, key);
    struct ini_entry *entry =
        there == NULL ? add_entry(document, section, key) : &document->entries[there - document->entries];
    if (entry == NULL) {
        return false;
    }
    entry->value = value;
    entry->line = 0;
    return true;
}

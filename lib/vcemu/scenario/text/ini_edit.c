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

/* A text of the document after its block of texts has moved; a text elsewhere stays. */
static const char *moved(const char *text, const struct ini_document *from, const char *to) {
    const uintptr_t offset = (uintptr_t)text - (uintptr_t)from->text;
    return offset <= from->text_length ? to + offset : text;
}

/* Makes all texts of `document` that are in the block of `from` point to its copy `to`. */
static void move_texts(struct ini_document *document, const struct ini_document *from, const char *to) {
    for (size_t i = 0; i < document->section_count; i++) {
        document->sections[i].header = moved(document->sections[i].header, from, to);
    }
    for (size_t i = 0; i < document->entry_count; i++) {
        document->entries[i].key = moved(document->entries[i].key, from, to);
        document->entries[i].value = moved(document->entries[i].value, from, to);
        document->entries[i].option = moved(document->entries[i].option, from, to);
    }
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
    move_texts(copy, document, copy->text);
    return true;
}

bool vcs_scn_ini_keep(struct ini_document *document, struct ini_entry *entry) {
    const char **const texts[] = {&entry->key, &entry->value, &entry->option};
    size_t size = document->text_length + 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size += strlen(*texts[i]) + 1;
    }
    char *text = malloc(size);
    if (text == NULL) {
        return false;
    }
    memcpy(text, document->text, document->text_length + 1);
    move_texts(document, document, text);
    free(document->text);
    document->text = text;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *kept = text + document->text_length + 1;
        strcpy(kept, *texts[i]);
        document->text_length += strlen(kept) + 1;
        *texts[i] = kept;
    }
    return true;
}

/* The entries of a section are contiguous: to add one, they move to the end and their old places are abandoned. */
static bool add_entry(struct ini_document *document, struct ini_section *section, const struct ini_entry *entry) {
    const size_t count = document->entry_count + section->entry_count + 1;
    struct ini_entry *grown = realloc(document->entries, count * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    if (section->entry_count != 0) {
        memcpy(grown + document->entry_count, grown + section->first_entry, section->entry_count * sizeof *grown);
    }
    section->first_entry = document->entry_count;
    section->entry_count++;
    document->entries = grown;
    document->entry_count = count;
    grown[count - 1] = *entry;
    return true;
}

bool vcs_scn_ini_set(struct ini_document *document, struct ini_section *section, const struct ini_entry *entry) {
    const struct ini_entry *there = vcs_scn_ini_entry(document, section, entry->key);
    if (there == NULL) {
        return add_entry(document, section, entry);
    }
    document->entries[there - document->entries] = *entry;
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/text/ini.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/utf8.h"

#define LINES_BETWEEN_STEPS 4096

/* A document while it is read. */
struct ini_reader {
    struct ini_document *document;
    struct fault *fault;
    const struct read_watcher *watcher; /* NULL = nobody */
    size_t section_capacity;
    size_t entry_capacity;
    struct ini_section *section; /* of the current line; NULL before the first */
    size_t line;
};

static bool fault_here(const struct ini_reader *reader, const char *key, const char *text) {
    struct place place = {
        .file = reader->document->file,
        .line = reader->line,
        .section = reader->section == NULL ? NULL : reader->section->header,
        .key = key,
    };
    return vcs_scn_fault_at(reader->fault, &place, "%s", text);
}

static bool out_of_memory(const struct ini_reader *reader) {
    return vcs_scn_fault_memory(reader->fault, reader->document->file);
}

/* ---- the text ---- */

static bool read_text(struct ini_reader *reader, const char *path) {
    struct ini_document *document = reader->document;
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (stream == NULL) {
        return vcs_scn_fault_set(reader->fault, "%s: cannot be opened: %s", path, strerror(errno));
    }
    const bool read = vcs_scn_bytes_read(stream, document->file, &document->text, &document->text_length,
                                         reader->watcher, reader->fault);
    if (stream != stdin) {
        fclose(stream);
    }
    return read;
}

/* ---- the index of sections ---- */

/* Names often differ only in a few digits: the last steps spread that over all bits. */
static uint64_t hash_header(const char *kind, size_t kind_length, const char *name) {
    uint64_t hash = vcs_scn_bytes_hash(BYTES_HASH, kind, kind_length);
    hash = vcs_scn_bytes_hash(vcs_scn_bytes_hash(hash, " ", 1), name, strlen(name));
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The slot of the section [KIND NAME], or the empty slot where it would go. */
static struct ini_slot *slot_of(const struct ini_document *document, const char *kind, size_t kind_length,
                                const char *name) {
    uint64_t hash = hash_header(kind, kind_length, name);
    for (size_t i = (size_t)hash;; i++) {
        struct ini_slot *slot = &document->index[i & (document->index_size - 1)];
        if (slot->section == SIZE_MAX) {
            return slot;
        }
        const struct ini_section *section = &document->sections[slot->section];
        if (slot->hash == hash && section->kind_length == kind_length &&
            memcmp(section->header, kind, kind_length) == 0 && strcmp(vcs_scn_ini_section_name(section), name) == 0) {
            return slot;
        }
    }
}

/* Puts a slot of the smaller index into the larger one. */
static void move_slot(struct ini_slot *index, size_t size, struct ini_slot slot) {
    size_t i = (size_t)slot.hash & (size - 1);
    while (index[i].section != SIZE_MAX) {
        i = (i + 1) & (size - 1);
    }
    index[i] = slot;
}

/* Keeps at least half of the index empty. */
static bool grow_index(struct ini_document *document) {
    if (2 * document->section_count < document->index_size) {
        return true;
    }
    size_t wanted = document->index_size == 0 ? 128 : 2 * document->index_size;
    struct ini_slot *grown = wanted > SIZE_MAX / sizeof *grown ? NULL : malloc(wanted * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    memset(grown, 0xff, wanted * sizeof *grown);
    for (size_t i = 0; i < document->index_size; i++) {
        if (document->index[i].section != SIZE_MAX) {
            move_slot(grown, wanted, document->index[i]);
        }
    }
    free(document->index);
    document->index = grown;
    document->index_size = wanted;
    return true;
}

/* ---- lines ---- */

static bool is_blank(char character) {
    return character == ' ' || character == '\t';
}

/* Removes blanks from the end of a line. Returns its new length. */
static size_t trim_end(char *text, size_t length) {
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    return length;
}

/* Refuses text that is not UTF-8, and control characters that a terminal would act on. */
static bool check_characters(const struct ini_reader *reader, const char *line, size_t length) {
    for (size_t i = 0; i < length;) {
        uint32_t code = (unsigned char)line[i];
        size_t bytes = code < 0x80 ? 1 : vcs_scn_utf8_decode(line + i, &code);
        if (bytes == 0) {
            return fault_here(reader, NULL, "the line is not UTF-8 text");
        }
        if ((code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0)) {
            return fault_here(reader, NULL, "the line contains a control character; is this a text file?");
        }
        i += bytes;
    }
    return true;
}

static bool add_section(struct ini_reader *reader, char *line, size_t length) {
    struct ini_document *document = reader->document;
    reader->section = NULL;
    if (line[length - 1] != ']') {
        return fault_here(reader, NULL, "a section line begins with [ but does not end with ]");
    }
    line[length - 1] = '\0';
    char *header = line + 1;
    size_t kind_length = strcspn(header, " \t");
    struct ini_section section = {
        .header = header,
        .kind_length = kind_length,
        .line = reader->line,
        .first_entry = document->entry_count,
    };
    const char *name = vcs_scn_ini_section_name(&section);
    if (kind_length == 0) {
        return fault_here(reader, NULL, "a section is [KIND] or [KIND NAME], and here the kind is missing");
    }
    if (header[kind_length] != '\0' &&
        (header[kind_length] == '\t' || is_blank(name[0]) || name[0] == '\0' || is_blank(name[strlen(name) - 1]))) {
        return fault_here(reader, NULL, "[KIND NAME] takes one space before the name and no blank after it");
    }
    struct ini_section *sections =
        vcs_scn_bytes_grow(document->sections, &reader->section_capacity, document->section_count, sizeof section);
    document->sections = sections == NULL ? document->sections : sections;
    if (sections == NULL || !grow_index(document)) {
        return out_of_memory(reader);
    }
    struct ini_slot *slot = slot_of(document, header, kind_length, name);
    if (slot->section != SIZE_MAX) {
        struct place place = {.file = document->file, .line = reader->line, .section = header};
        return vcs_scn_fault_at(reader->fault, &place, "this section is already in line %zu",
                                document->sections[slot->section].line);
    }
    *slot = (struct ini_slot){hash_header(header, kind_length, name), document->section_count};
    reader->section = &document->sections[document->section_count++];
    *reader->section = section;
    return true;
}

static bool add_entry(struct ini_reader *reader, char *line) {
    struct ini_document *document = reader->document;
    char *separator = strpbrk(line, "=:");
    if (separator == NULL || *separator != '=') {
        return fault_here(reader, NULL, "a line is a [section], a key = value, or a comment that begins with # or ;");
    }
    trim_end(line, (size_t)(separator - line));
    if (line[0] == '\0') {
        return fault_here(reader, NULL, "the key before the = is missing");
    }
    if (reader->section == NULL) {
        return fault_here(reader, line, "this key comes before any [section]");
    }
    struct ini_entry *entries =
        vcs_scn_bytes_grow(document->entries, &reader->entry_capacity, document->entry_count, sizeof *entries);
    if (entries == NULL) {
        return out_of_memory(reader);
    }
    document->entries = entries;
    char *value = separator + 1;
    value += strspn(value, " \t");
    document->entries[document->entry_count++] = (struct ini_entry){line, value, NULL, reader->line};
    reader->section->entry_count++;
    return true;
}

/* Names the key of a line that is too long, if it seems to have one. */
static bool refuse_long_line(const struct ini_reader *reader, char *line) {
    char *separator = memchr(line, '=', INI_LINE_MAX);
    if (separator != NULL) {
        trim_end(line, (size_t)(separator - line));
    }
    struct place place = {
        .file = reader->document->file,
        .line = reader->line,
        .section = reader->section == NULL ? NULL : reader->section->header,
        .key = separator == NULL ? NULL : line,
    };
    return vcs_scn_fault_at(reader->fault, &place, "the line is longer than %d bytes", INI_LINE_MAX);
}

static bool read_line(struct ini_reader *reader, char *line, size_t length) {
    if (!check_characters(reader, line, length)) {
        return false;
    }
    if (length > INI_LINE_MAX) {
        return refuse_long_line(reader, line);
    }
    length = trim_end(line, length);
    char first = line[strspn(line, " \t")];
    if (first == '\0' || first == '#' || first == ';') {
        return true;
    }
    if (is_blank(line[0])) {
        return fault_here(reader, NULL, "the line begins with a blank; values cannot span lines");
    }
    return line[0] == '[' ? add_section(reader, line, length) : add_entry(reader, line);
}

static bool read_lines(struct ini_reader *reader) {
    struct ini_document *document = reader->document;
    char *end = document->text + document->text_length;
    if (document->text_length >= 3 && memcmp(document->text, "\xef\xbb\xbf", 3) == 0) {
        reader->line = 1;
        return fault_here(reader, NULL, "the file begins with a byte order mark; save it as UTF-8 without one");
    }
    for (char *line = document->text; line < end;) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        char *next = newline == NULL ? end : newline + 1;
        size_t length = (size_t)((newline == NULL ? end : newline) - line);
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        reader->line++;
        if (!read_line(reader, line, length)) {
            return false;
        }
        if (reader->line % LINES_BETWEEN_STEPS == 0) {
            vcs_scn_watcher_step(reader->watcher, document->text_length + (size_t)(next - document->text),
                                 2 * (uint64_t)document->text_length);
        }
        line = next;
    }
    document->line_count = reader->line;
    return true;
}

/* ---- the document ---- */

bool vcs_scn_ini_read(struct ini_document *document, const char *path, const struct read_watcher *watcher,
                      struct fault *fault) {
    *document = (struct ini_document){.file = strcmp(path, "-") == 0 ? "standard input" : path};
    struct ini_reader reader = {.document = document, .watcher = watcher, .fault = fault};
    return read_text(&reader, path) && read_lines(&reader);
}

bool vcs_scn_ini_parse(struct ini_document *document, const char *name, const char *text, size_t size,
                       struct fault *fault) {
    *document = (struct ini_document){.file = name, .text_length = size, .text = malloc(size + 1)};
    struct ini_reader reader = {.document = document, .fault = fault};
    if (document->text == NULL) {
        return out_of_memory(&reader);
    }
    memcpy(document->text, text, size);
    document->text[size] = '\0';
    return read_lines(&reader);
}

void vcs_scn_ini_free(struct ini_document *document) {
    free(document->text);
    free(document->sections);
    free(document->entries);
    free(document->index);
    *document = (struct ini_document){.file = NULL};
}

const char *vcs_scn_ini_section_name(const struct ini_section *section) {
    const char *end = section->header + section->kind_length;
    return *end == '\0' ? end : end + 1;
}

bool vcs_scn_ini_section_is(const struct ini_section *section, const char *kind) {
    return strlen(kind) == section->kind_length && memcmp(section->header, kind, section->kind_length) == 0;
}

struct ini_section *vcs_scn_ini_find(const struct ini_document *document, const char *kind, const char *name) {
    if (document->index_size == 0) {
        return NULL;
    }
    const struct ini_slot *slot = slot_of(document, kind, strlen(kind), name);
    return slot->section == SIZE_MAX ? NULL : &document->sections[slot->section];
}

const struct ini_entry *vcs_scn_ini_entry(const struct ini_document *document, const struct ini_section *section,
                                          const char *key) {
    for (size_t i = 0; i < section->entry_count; i++) {
        const struct ini_entry *entry = &document->entries[section->first_entry + i];
        if (strcmp(entry->key, key) == 0) {
            return entry;
        }
    }
    return NULL;
}

struct place vcs_scn_ini_place(const struct ini_document *document, const struct ini_section *section,
                               const char *key) {
    const struct ini_entry *entry = key == NULL ? NULL : vcs_scn_ini_entry(document, section, key);
    return (struct place){
        .file = document->file,
        .line = entry == NULL ? section->line : entry->line,
        .section = section->header,
        .key = key,
        .option = entry == NULL ? NULL : entry->option,
    };
}

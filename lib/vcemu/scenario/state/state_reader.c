/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/state/state_value.h"

bool vcs_scn_reader_refuse(const struct state_reader *reader, const char *key, const char *format, ...) {
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    struct place place = vcs_scn_ini_place(&reader->state->document, reader->section, key);
    return vcs_scn_fault_at(reader->fault, &place, "%s", what);
}

bool vcs_scn_reader_has(const struct state_reader *reader, const char *key) {
    return vcs_scn_ini_entry(&reader->state->document, reader->section, key) != NULL;
}

bool vcs_scn_reader_require(const struct state_reader *reader, const char *key) {
    return vcs_scn_reader_has(reader, key) || vcs_scn_reader_refuse(reader, key, "this key is missing");
}

bool vcs_scn_reader_needs(const struct state_reader *reader, const struct key_need *needs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (vcs_scn_reader_has(reader, needs[i].key) && !vcs_scn_reader_has(reader, needs[i].other)) {
            return vcs_scn_reader_refuse(reader, needs[i].key, "only makes sense together with %s", needs[i].other);
        }
    }
    return true;
}

bool vcs_scn_reader_keys(const struct state_reader *reader, void *draft) {
    const struct ini_document *document = &reader->state->document;
    const struct ini_section *section = reader->section;
    const struct state_section *grammar = reader->state->grammar->sections[section->kind];
    uint64_t seen = 0;
    for (size_t i = 0; i < section->entry_count; i++) {
        const struct ini_entry *entry = &document->entries[section->first_entry + i];
        struct place place = {document->file, entry->line, section->header, entry->key, entry->option};
        const struct state_key *key = vcs_scn_state_section_key(grammar, entry->key);
        if (key == NULL) {
            return vcs_scn_fault_at(reader->fault, &place, "a section of this kind has no such key");
        }
        uint64_t bit = UINT64_C(1) << (key - grammar->keys);
        if ((seen & bit) != 0) {
            return vcs_scn_fault_at(reader->fault, &place, "this key is already in line %zu",
                                    vcs_scn_ini_entry(document, section, entry->key)->line);
        }
        seen |= bit;
        if (!vcs_scn_state_value_read(key, entry->value, (unsigned char *)draft + key->offset, &place, reader->fault)) {
            return false;
        }
    }
    return true;
}

char *vcs_scn_reader_path(const struct state_reader *reader, const char *name) {
    const char *file = reader->state->document.file, *slash = strrchr(file, '/');
    const size_t directory = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - file) + 1;
    char *path = malloc(directory + strlen(name) + 1);
    if (path != NULL) {
        memcpy(path, file, directory);
        strcpy(path + directory, name);
    }
    return path;
}

bool vcs_scn_reader_list_file(const struct state_reader *reader, const char *key, const char *name,
                              const struct state_list_rule *rule, struct state_list *list) {
    const struct place named = vcs_scn_ini_place(&reader->state->document, reader->section, key);
    char *path = vcs_scn_reader_path(reader, name);
    const bool done = path == NULL ? vcs_scn_fault_at(reader->fault, &named, "there is not enough memory")
                                   : vcs_scn_state_list_read_file(list, path, rule, &named, reader->fault);
    free(path);
    return done;
}

bool vcs_scn_reader_find(const struct state_reader *reader, const char *key, uint32_t kind, const char *name,
                         uint32_t *record) {
    const char *kind_name = reader->state->grammar->sections[kind]->kind;
    const struct ini_section *found = vcs_scn_ini_find(&reader->state->document, kind_name, name);
    if (found == NULL) {
        return vcs_scn_reader_refuse(reader, key, "there is no section [%s %s]", kind_name,
                                     vcs_scn_fault_quote(name).text);
    }
    *record = found->record;
    return true;
}

bool vcs_scn_reader_find_gpu(const struct state_reader *reader, const char *key, const char *name, uint32_t *resource) {
    if (!vcs_scn_reader_find(reader, key, STATE_GPU, name, resource)) {
        return false;
    }
    ++*resource; /* number 0 is the CPU */
    return true;
}

/* Splits the name of the section after the longest name of a section of this kind. */
static bool split(const struct state_reader *reader, const char *kind, const char *what, uint32_t *record,
                  const char **rest) {
    const char *name = vcs_scn_ini_section_name(reader->section);
    char part[INI_LINE_MAX + 1];
    for (size_t length = strlen(name); length-- > 0;) {
        if (name[length] != '/') {
            continue;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        const struct ini_section *found = vcs_scn_ini_find(&reader->state->document, kind, part);
        if (found != NULL) {
            *record = found->record;
            *rest = name + length + 1;
            return true;
        }
    }
    return vcs_scn_reader_refuse(reader, NULL, "its name must begin with the name of %s and a /", what);
}

bool vcs_scn_reader_split_name(const struct state_reader *reader, uint32_t *project, const char **rest) {
    return split(reader, "project", "a project", project, rest);
}

bool vcs_scn_reader_split_app_name(const struct state_reader *reader, uint32_t *app, const char **rest) {
    return split(reader, "app", "an application", app, rest);
}

bool vcs_scn_reader_find_resource(const struct state_reader *reader, const char *name, uint32_t *resource) {
    *resource = 0;
    return strcmp(name, CPU_NAME) == 0 || vcs_scn_reader_find_gpu(reader, NULL, name, resource);
}

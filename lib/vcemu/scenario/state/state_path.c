/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_path.h"

#include <string.h>

#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/ini_edit.h"

/* ---- The text ---- */

bool vcs_scn_state_path_split(struct state_path *path, char *text) {
    const struct state_grammar *grammar = path->grammar;
    char *first = strchr(text, '.');
    char *last = strrchr(text, '.');
    path->kind = vcs_scn_state_grammar_find(grammar, text, (size_t)(first - text));
    if (path->kind == grammar->count) {
        return false;
    }
    const struct state_section *section = grammar->sections[path->kind];
    if (vcs_scn_state_section_key(section, last + 1) == NULL || (first != last && !section->named)) {
        return false;
    }
    *last = '\0';
    path->section = first == last ? NULL : first + 1;
    path->entry = last + 1;
    return true;
}

/* The name of a section may hold a = too: the key ends at the first = behind an existing key. */
char *vcs_scn_state_path_read(struct state_path *path, char *text, char *parts) {
    char *const first = strchr(text, '=');
    for (char *equals = first; equals != NULL; equals = strchr(equals + 1, '=')) {
        const size_t length = (size_t)(equals - text);
        memcpy(parts, text, length);
        parts[length] = '\0';
        if (vcs_scn_state_path_split(path, parts)) {
            *equals = '\0';
            return equals + 1;
        }
    }
    *first = '\0';
    return NULL;
}

bool vcs_scn_state_path_refuse(const struct state_grammar *grammar, const char *origin, const char *text,
                               struct fault *fault) {
    const struct quote quoted = vcs_scn_fault_quote(text);
    const char *dot = strchr(text, '.');
    const uint32_t kind = vcs_scn_state_grammar_find(grammar, text, (size_t)(dot - text));
    if (strcmp(text, "client.profile") == 0) {
        return vcs_scn_policy_refuse_profile_key(origin, text, fault);
    }
    if (kind == STATE_CLIENT) {
        return vcs_scn_fault_set(fault, "%s %s: parameters go by their name alone, without client.", origin,
                                 quoted.text);
    }
    if (kind == grammar->count) {
        return vcs_scn_fault_set(fault, "%s %s: there is no kind of section of the name before the dot", origin,
                                 quoted.text);
    }
    const struct state_section *section = grammar->sections[kind];
    if (strrchr(text, '.') != dot && !section->named) {
        return vcs_scn_fault_set(fault, "%s %s: the section [%s] has no name", origin, quoted.text, section->kind);
    }
    return vcs_scn_fault_set(fault, "%s %s: [%s] sections have no such key", origin, quoted.text, section->kind);
}

bool vcs_scn_state_paths_meet(const struct state_path *one, const struct state_path *other) {
    return one->kind == other->kind && strcmp(one->entry, other->entry) == 0 &&
           (one->section == NULL || other->section == NULL || strcmp(one->section, other->section) == 0);
}

/* ---- The sections ---- */

static bool names(const struct state_path *path, const struct ini_section *section) {
    const struct state_section *kind = path->grammar->sections[path->kind];
    return vcs_scn_state_section_is(kind, section->header, section->kind_length) &&
           (path->section == NULL || strcmp(vcs_scn_ini_section_name(section), path->section) == 0);
}

/* The name of the section that may have been meant: names are told apart by the case of their letters. NULL if there is
 * none. */
static const char *name_in_another_case(const struct state_path *path, const struct ini_document *document) {
    const struct state_section *kind = path->grammar->sections[path->kind];
    for (size_t i = 0; path->section != NULL && i < document->section_count; i++) {
        const struct ini_section *section = &document->sections[i];
        const char *name = vcs_scn_ini_section_name(section);
        if (vcs_scn_state_section_is(kind, section->header, section->kind_length) &&
            vcs_scn_bytes_are_word(name, path->section, strlen(path->section))) {
            return name;
        }
    }
    return NULL;
}

bool vcs_scn_state_path_leads(const struct state_path *path, const struct ini_document *document, const char *origin,
                              const char *text, struct fault *fault) {
    for (size_t i = 0; i < document->section_count; i++) {
        if (names(path, &document->sections[i])) {
            return true;
        }
    }
    const char *kind = path->grammar->sections[path->kind]->kind;
    const char *meant = name_in_another_case(path, document);
    if (meant != NULL) {
        return vcs_scn_fault_set(fault, "%s %s: %s has no section [%s %s], but [%s %s]", origin,
                                 vcs_scn_fault_quote(text).text, document->file, kind,
                                 vcs_scn_fault_quote(path->section).text, kind, vcs_scn_fault_quote(meant).text);
    }
    return vcs_scn_fault_set(fault, "%s %s: %s has no section [%s%s%s]", origin, vcs_scn_fault_quote(text).text,
                             document->file, kind, path->section == NULL ? "" : " ",
                             path->section == NULL ? "" : vcs_scn_fault_quote(path->section).text);
}

bool vcs_scn_state_path_set(const struct state_path *path, struct ini_document *document,
                            const struct ini_entry *entry) {
    for (size_t i = 0; i < document->section_count; i++) {
        struct ini_section *section = &document->sections[i];
        if (names(path, section) && !vcs_scn_ini_set(document, section, entry)) {
            return false;
        }
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_grammar.h"

#include <string.h>

static bool is_name(const char *there, const char *name, size_t length) {
    return there != NULL && strlen(there) == length && memcmp(there, name, length) == 0;
}

bool vcs_scn_state_section_is(const struct state_section *section, const char *name, size_t length) {
    return is_name(section->kind, name, length) || is_name(section->former, name, length);
}

uint32_t vcs_scn_state_grammar_find(const struct state_grammar *grammar, const char *name, size_t length) {
    uint32_t kind = 0;
    while (kind < grammar->count && !vcs_scn_state_section_is(grammar->sections[kind], name, length)) {
        kind++;
    }
    return kind;
}

const struct state_key *vcs_scn_state_section_key(const struct state_section *section, const char *name) {
    for (size_t i = 0; i < section->key_count; i++) {
        if (strcmp(section->keys[i].name, name) == 0) {
            return &section->keys[i];
        }
    }
    return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_grammar.h"

#include <string.h>

#include "vcemu/scenario/state/state_sections.h"

/* Its keys are the parameters of the library, which are read with the policy. */
static const struct state_section client_section = {.kind = "client"};

static const struct state_section *const sections[STATE_KINDS] = {
    [STATE_HOST] = &vcs_scn_state_host_section,
    [STATE_CLIENT] = &client_section,
    [STATE_EMULATION] = &vcs_scn_state_emulation_section,
    [STATE_GPU] = &vcs_scn_state_gpu_section,
    [STATE_PROJECT] = &vcs_scn_state_project_section,
    [STATE_PROJECT_RESOURCE] = &vcs_scn_state_project_resource_section,
    [STATE_APP] = &vcs_scn_state_app_section,
    [STATE_TASK] = &vcs_scn_state_task_section,
    [STATE_CANDIDATE] = &vcs_scn_state_candidate_section,
};

const struct state_grammar vcs_scn_state_grammar_plain = {.more_count = 0};

uint32_t vcs_scn_state_grammar_kinds(const struct state_grammar *grammar) {
    return STATE_KINDS + grammar->more_count;
}

const struct state_section *vcs_scn_state_grammar_section(const struct state_grammar *grammar, uint32_t kind) {
    return kind < STATE_KINDS ? sections[kind] : grammar->more[kind - STATE_KINDS];
}

static bool is_name(const char *there, const char *name, size_t length) {
    return there != NULL && strlen(there) == length && memcmp(there, name, length) == 0;
}

uint32_t vcs_scn_state_grammar_find(const struct state_grammar *grammar, const char *name, size_t length) {
    const uint32_t kinds = vcs_scn_state_grammar_kinds(grammar);
    for (uint32_t kind = 0; kind < kinds; kind++) {
        const struct state_section *section = vcs_scn_state_grammar_section(grammar, kind);
        if (is_name(section->kind, name, length) || is_name(section->former, name, length)) {
            return kind;
        }
    }
    return kinds;
}

const struct state_key *vcs_scn_state_section_key(const struct state_section *section, const char *name) {
    for (size_t i = 0; i < section->key_count; i++) {
        if (strcmp(section->keys[i].name, name) == 0) {
            return &section->keys[i];
        }
    }
    return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_interpret.h"

#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/state/state_jobs.h"
#include "vcemu/scenario/state/state_reader.h"
#include "vcemu/scenario/state/state_sections.h"
#include "vcemu/scenario/state/state_settings.h"

static const struct state_section *const sections[] = {STATE_SECTIONS};

const struct state_grammar vcs_scn_state_grammar_plain = {.sections = sections, .count = STATE_KINDS};

/* ---- which sections there are ---- */

static bool find_kind(const struct state_reader *reader, struct ini_section *section) {
    const struct state_grammar *grammar = reader->state->grammar;
    const uint32_t kind = vcs_scn_state_grammar_find(grammar, section->header, section->kind_length);
    if (kind == grammar->count) {
        return vcs_scn_reader_refuse(reader, NULL, "there is no section of this kind");
    }
    const bool named = grammar->sections[kind]->named;
    if (named != (vcs_scn_ini_section_name(section)[0] != '\0')) {
        return vcs_scn_reader_refuse(reader, NULL, "a section of this kind has %s name", named ? "a" : "no");
    }
    section->kind = kind;
    section->record = reader->state->counts[kind]++;
    return true;
}

/* Notes the first section with the former name of its kind. */
static void note_former_kind(const struct state_reader *reader) {
    const struct ini_document *document = &reader->state->document;
    for (size_t i = 0; i < document->section_count; i++) {
        const struct ini_section *section = &document->sections[i];
        const char *kind = reader->state->grammar->sections[section->kind]->kind;
        if (!vcs_scn_ini_section_is(section, kind)) {
            const struct place place = vcs_scn_ini_place(document, section, NULL);
            vcs_scn_fault_note(&reader->state->former, &place, "a section of this kind is now called [%s %s]", kind,
                               vcs_scn_fault_quote(vcs_scn_ini_section_name(section)).text);
            return;
        }
    }
}

static bool check_host_is_there(const struct state_reader *reader) {
    const struct ini_document *document = &reader->state->document;
    struct place place = {.file = document->file, .line = document->line_count == 0 ? 1 : document->line_count};
    if (document->section_count == 0) {
        return vcs_scn_fault_at(reader->fault, &place, "the file is empty; at least a [host] section is needed");
    }
    return reader->state->counts[STATE_HOST] != 0 || reader->state->grammar->host_optional ||
           vcs_scn_fault_at(reader->fault, &place, "the [host] section is missing");
}

static bool find_kinds(struct state_reader *reader) {
    struct ini_document *document = &reader->state->document;
    if (document->section_count >= UINT32_MAX) {
        return vcs_scn_fault_set(reader->fault, "%s: there are too many sections", document->file);
    }
    for (size_t i = 0; i < document->section_count; i++) {
        reader->section = &document->sections[i];
        if (!find_kind(reader, &document->sections[i])) {
            return false;
        }
    }
    note_former_kind(reader);
    return check_host_is_there(reader);
}

/* The arrays of records: one for each section of a kind, and the CPUs among the resources. */
static const struct {
    size_t offset, size;
    enum state_kind kind;
    uint32_t more;
} arrays[] = {
    {offsetof(struct state_file, resources), sizeof(vcs_resource), STATE_GPU, 1},
    {offsetof(struct state_file, projects), sizeof(vcs_project), STATE_PROJECT, 0},
    {offsetof(struct state_file, project_resources), sizeof(vcs_project_resource), STATE_PROJECT_RESOURCE, 0},
    {offsetof(struct state_file, apps), sizeof(vcs_app), STATE_APP, 0},
    {offsetof(struct state_file, models), sizeof(vcs_job_model), STATE_APP, 0},
    {offsetof(struct state_file, servers), sizeof(vcs_server_model), STATE_PROJECT, 0},
    {offsetof(struct state_file, tasks), sizeof(vcs_task), STATE_TASK, 0},
    {offsetof(struct state_file, wholes), sizeof(struct state_whole), STATE_TASK, 0},
    {offsetof(struct state_file, candidates), sizeof(vcs_task), STATE_CANDIDATE, 0},
};

#define ARRAYS (sizeof arrays / sizeof *arrays)

/* All zero; not NULL even for no record. */
static bool allocate(const struct state_reader *reader) {
    struct state_file *state = reader->state;
    bool all = true;
    for (uint32_t kind = 0; kind < state->grammar->count; kind++) {
        state->sections[kind] = calloc((size_t)state->counts[kind] + 1, sizeof *state->sections[kind]);
        all = all && state->sections[kind] != NULL;
    }
    for (size_t i = 0; i < ARRAYS; i++) {
        void *records = calloc((size_t)state->counts[arrays[i].kind] + arrays[i].more + 1, arrays[i].size);
        memcpy((unsigned char *)state + arrays[i].offset, &records, sizeof records);
        all = all && records != NULL;
    }
    /* one for each section, and one for each [app] */
    const size_t most = (size_t)state->counts[STATE_APP_RESOURCE] + state->counts[STATE_APP] + 1;
    state->app_resources = calloc(most, sizeof *state->app_resources);
    state->app_resource_count = state->counts[STATE_APP_RESOURCE];
    return (all && state->app_resources != NULL) || vcs_scn_fault_memory(reader->fault, state->document.file);
}

/* ---- all sections ---- */

/* Sections of commands come last: they may refer to any other. */
enum turn { TURN_FIRST, TURN_LATE, TURN_MORE, TURNS };

static enum turn turn_of(const struct state_grammar *grammar, uint32_t kind) {
    return kind >= STATE_KINDS ? TURN_MORE : grammar->sections[kind]->late ? TURN_LATE : TURN_FIRST;
}

static bool read_turn(struct state_reader *reader, enum turn turn) {
    struct state_file *state = reader->state;
    for (size_t i = 0; i < state->document.section_count; i++) {
        const struct ini_section *section = &state->document.sections[i];
        if (turn_of(state->grammar, section->kind) != turn) {
            continue;
        }
        const struct state_section *grammar = state->grammar->sections[section->kind];
        reader->section = section;
        state->sections[section->kind][section->record] = section;
        if (grammar->read != NULL && !grammar->read(reader)) {
            return false;
        }
    }
    return true;
}

static bool read_sections(struct state_reader *reader) {
    const struct state_grammar *grammar = reader->state->grammar;
    if (grammar->begin != NULL && !grammar->begin(reader)) {
        return false;
    }
    for (enum turn turn = TURN_FIRST; turn < TURNS; turn++) {
        if (!read_turn(reader, turn)) {
            return false;
        }
    }
    reader->section = NULL;
    return true;
}

/* Releases the records; the document stays. */
static void forget_records(struct state_file *state) {
    for (size_t kind = 0; kind < sizeof state->sections / sizeof *state->sections; kind++) {
        free(state->sections[kind]);
    }
    if (state->grammar != NULL && state->grammar->forget != NULL) {
        state->grammar->forget(state->more);
    }
    for (size_t i = 0; i < ARRAYS; i++) {
        void *records;
        memcpy(&records, (unsigned char *)state + arrays[i].offset, sizeof records);
        free(records);
    }
    free(state->app_resources);
    free(state->alike);
    vcs_scn_state_list_free(&state->sizes);
    vcs_scn_state_list_free(&state->switches);
    *state = (struct state_file){.document = state->document, .grammar = state->grammar};
}

bool vcs_scn_state_file_interpret(struct state_file *state, const struct policy_wish *wish, struct fault *fault) {
    struct state_reader reader = {.state = state, .fault = fault, .wish = wish};
    forget_records(state);
    vcs_emulation_init(&state->emulation, sizeof state->emulation, VCS_PROFILE_CURRENT);
    if (!find_kinds(&reader) || !allocate(&reader) ||
        !vcs_scn_policy_read(&state->parameters, wish, &state->document,
                             vcs_scn_ini_find(&state->document, "client", ""), &state->former, fault)) {
        return false;
    }
    state->emulated_parameters = state->parameters;
    if (!read_sections(&reader) || !vcs_scn_state_uses_complete(state, fault) ||
        !vcs_scn_state_jobs_complete(state, fault)) {
        return false;
    }
    if (wish->days > 0) {
        state->emulation.duration = wish->days * 86400;
    }
    if (wish->has_seed) {
        state->emulation.seed = wish->seed;
    }
    return state->grammar->end == NULL || state->grammar->end(&reader);
}

bool vcs_scn_state_file_read(struct state_file *state, const char *path, const struct state_grammar *grammar,
                             const struct policy_wish *wish, const struct read_watcher *watcher, struct fault *fault) {
    *state = (struct state_file){.grammar = grammar};
    return vcs_scn_ini_read(&state->document, path, watcher, fault) &&
           vcs_scn_state_settings_apply(&state->document, grammar, wish, fault) &&
           vcs_scn_state_file_interpret(state, wish, fault);
}

void vcs_scn_state_file_free(struct state_file *state) {
    forget_records(state);
    vcs_scn_ini_free(&state->document);
}

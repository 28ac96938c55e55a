/*
 * A command with two sections besides a state file's, [crowd NAME] and [desk PROJECT]: reads the named file, makes its
 * records twice, and prints what it found.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include "vcemu/scenario/state/state_interpret.h"
#include "vcemu/scenario/state/state_reader.h"
#include "vcemu/scenario/state/state_sections.h"

enum { CROWD = STATE_KINDS, DESK };

struct crowd {
    double flops;
    uint32_t count;
    const char *project;
    uint32_t project_index;
    double share; /* of that project */
};

struct desk {
    uint32_t project;
    uint32_t open;
};

struct records {
    struct crowd *crowds;
    struct desk *desks;
    uint32_t total;
};

static const struct state_key crowd_keys[] = {
    {"count", FORM_WHOLE, .offset = offsetof(struct crowd, count)},
    {"flops", FORM_NUMBER, .offset = offsetof(struct crowd, flops), .range = RANGE_NOT_NEGATIVE},
    {"project", FORM_NAME, .offset = offsetof(struct crowd, project)},
};

static bool read_crowd(const struct state_reader *reader) {
    struct records *records = reader->state->more;
    struct crowd draft = {.count = 1};
    if (!vcs_scn_reader_keys(reader, &draft) || !vcs_scn_reader_require(reader, "project") ||
        !vcs_scn_reader_find(reader, "project", STATE_PROJECT, draft.project, &draft.project_index)) {
        return false;
    }
    draft.share = reader->state->projects[draft.project_index].share;
    records->crowds[reader->section->record] = draft;
    return true;
}

static const struct state_key desk_keys[] = {
    {"open", FORM_SWITCH, .offset = offsetof(struct desk, open), .bit = 1},
};

static bool read_desk(const struct state_reader *reader) {
    struct records *records = reader->state->more;
    struct desk draft = {.open = 1};
    if (!vcs_scn_reader_find(reader, NULL, STATE_PROJECT, vcs_scn_ini_section_name(reader->section), &draft.project) ||
        !vcs_scn_reader_keys(reader, &draft)) {
        return false;
    }
    records->desks[reader->section->record] = draft;
    return true;
}

static const struct state_section crowd_section = {
    .kind = "crowd", .named = true, .keys = crowd_keys, .key_count = 3, .read = read_crowd};
static const struct state_section desk_section = {
    .kind = "desk", .named = true, .keys = desk_keys, .key_count = 1, .read = read_desk};
static const struct state_section *const sections[] = {
    STATE_SECTIONS, [CROWD] = &crowd_section, [DESK] = &desk_section};

static bool begin(const struct state_reader *reader) {
    const uint32_t *counts = reader->state->counts;
    struct records *records = calloc(1, sizeof *records);
    reader->state->more = records;
    if (records == NULL) {
        return false;
    }
    records->crowds = calloc(counts[CROWD] + 1, sizeof *records->crowds);
    records->desks = calloc(counts[DESK] + 1, sizeof *records->desks);
    return records->crowds != NULL && records->desks != NULL;
}

static bool end(const struct state_reader *reader) {
    struct records *records = reader->state->more;
    for (uint32_t i = 0; i < reader->state->counts[CROWD]; i++) {
        records->total += records->crowds[i].count;
    }
    return records->total > 0 || vcs_scn_fault_set(reader->fault, "%s: there is nobody", reader->state->document.file);
}

static void forget(void *more) {
    struct records *records = more;
    if (records != NULL) {
        free(records->crowds);
        free(records->desks);
        free(records);
    }
}

int main(int argument_count, char *arguments[]) {
    const struct state_grammar grammar = {
        .sections = sections, .count = DESK + 1, .host_optional = true, .begin = begin, .end = end, .forget = forget};
    const struct policy_wish nothing = {.profile = NULL};
    struct state_file file = {.grammar = NULL};
    struct fault fault = {"which file?"};
    bool read = argument_count == 2 && vcs_scn_state_file_read(&file, arguments[1], &grammar, &nothing, NULL, &fault);
    read = read && vcs_scn_state_file_interpret(&file, &nothing, &fault);
    if (read) {
        const struct records *records = file.more;
        printf("%u in all, %u tasks\n", records->total, file.counts[STATE_TASK]);
        for (uint32_t i = 0; i < file.counts[CROWD]; i++) {
            printf("crowd %s: %u of %g for %s, which has %g\n", vcs_scn_state_file_name(&file, CROWD, i),
                   records->crowds[i].count, records->crowds[i].flops,
                   vcs_scn_state_file_name(&file, STATE_PROJECT, records->crowds[i].project_index),
                   records->crowds[i].share);
        }
        for (uint32_t i = 0; i < file.counts[DESK]; i++) {
            printf("desk %u: %s\n", records->desks[i].project, records->desks[i].open ? "open" : "closed");
        }
    } else {
        printf("%s\n", fault.message);
    }
    vcs_scn_state_file_free(&file);
    return 0;
}

/* The assumptions behind a report: sentences true of every grid, and the scenario's values in use.
   SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include <vcsched/parameters.h>

#include "grid/report.h"
#include "vcemu/scenario/grid/grid_scenario.h"

static const char *const sentences[] = {
    "Each host decides by itself which jobs it runs and which project it asks for how much work; each server decides "
    "what it sends and believes. They call the functions that real clients and servers call.",
    "Hosts are independent of each other: each is on or off, fails and lies by its own random draws.",
    "A unit needs the same number of operations on every host, and a running job has the full speed of its "
    "processors.",
    "A server decides at once, whatever its load. A transfer takes as long as its bytes need at the host's rate; "
    "transfers do not slow each other down.",
    "Two honest results of a unit are alike unless one of them is wrong; no two honest wrong results are alike.",
    "Servers lose nothing, and answer always except when a [project] says that they do not.",
};

/* Writes word `number` of a list with blanks between and around. */
static void write_word(struct json *json, const char *words, uint32_t number) {
    char word[64];
    const char *begin = words + 1;
    for (; number > 0; number--) {
        begin = strchr(begin, ' ') + 1;
    }
    const size_t length = strcspn(begin, " ");
    memcpy(word, begin, length < sizeof word ? length : sizeof word - 1);
    word[length < sizeof word ? length : sizeof word - 1] = '\0';
    json_string(json, NULL, word);
}

/* Writes the draft's value for a key that the file does not give. */
static void write_value(struct json *json, const struct state_key *key, const void *draft) {
    const unsigned char *field = (const unsigned char *)draft + key->offset;
    char text[32];
    double number;
    uint32_t whole;
    const char *name;
    switch (key->form) {
    case FORM_NAME:
        memcpy(&name, field, sizeof name);
        json_string(json, NULL, name);
        break;
    case FORM_WHOLE:
    case FORM_SWITCH:
    case FORM_WORD:
        memcpy(&whole, field, sizeof whole);
        if (key->form == FORM_WORD) {
            write_word(json, key->words, whole);
        } else if (key->form == FORM_SWITCH) {
            json_string(json, NULL, (whole & key->bit) != 0 ? "yes" : "no");
        } else {
            snprintf(text, sizeof text, "%u", (unsigned)whole);
            json_string(json, NULL, text);
        }
        break;
    default:
        memcpy(&number, field, sizeof number);
        snprintf(text, sizeof text, "%.6g", number);
        json_string(json, NULL, text);
    }
}

/* Whether a key that the file does not give has no meaning here. */
typedef bool silencer(const struct state_key *key, const void *draft);

static bool has_no_name(const struct state_key *key, const void *draft) {
    const char *name = "";
    if (key->form == FORM_NAME) {
        memcpy(&name, (const unsigned char *)draft + key->offset, sizeof name);
    }
    return name == NULL;
}

/* Where hosts are trusted, a unit that needs a second copy needs two results that agree (rule 11.3). */
static const char *remark_on(const struct state_section *grammar, const struct state_key *key, const void *draft) {
    const struct grid_server_draft *server = draft;
    const bool is_quorum = grammar == &vcs_scn_grid_server_section && strcmp(key->name, "min_quorum") == 0;
    return is_quorum && server->project.verification == VCS_GRID_CHECK_ADAPTIVE && server->project.min_quorum < 2
               ? "; 2 where a copy is needed"
               : "";
}

static void write_section(struct json *json, const struct state_file *file, const struct ini_section *section,
                          const void *draft, silencer *is_silent) {
    const struct state_section *grammar = file->grammar->sections[section->kind];
    json_begin_object(json, NULL);
    json_string(json, "header", section->header);
    json_begin_array(json, "values");
    for (size_t i = 0; i < grammar->key_count; i++) {
        const struct state_key *key = &grammar->keys[i];
        const struct ini_entry *entry = vcs_scn_ini_entry(&file->document, section, key->name);
        if (has_no_name(key, draft) || (entry == NULL && is_silent(key, draft))) {
            continue;
        }
        json_begin_array(json, NULL);
        json_string(json, NULL, key->name);
        if (entry != NULL) {
            json_string(json, NULL, entry->value);
        } else {
            write_value(json, key, draft);
        }
        json_bool(json, NULL, entry != NULL);
        json_string(json, NULL, remark_on(grammar, key, draft));
        json_end_array(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Keys of the other way to give out work and of other checks. */
static bool is_silent_of_server(const struct state_key *key, const void *draft) {
    static const char *const of_replies[] = {"order", "wait_factor", "dead_factor"};
    static const char *const of_units[] = {"min_quorum",  "target_nresults", "max_error",   "max_total",
                                           "max_success", "quorum_rule",     "max_refusals"};
    const vcs_grid_project *project = &((const struct grid_server_draft *)draft)->project;
    if (strcmp(key->name, "recomputation") == 0) {
        return project->verification != VCS_GRID_CHECK_RECOMPUTATION;
    }
    if (strcmp(key->name, "error_bound") == 0 || strcmp(key->name, "tolerance") == 0) {
        return project->verification != VCS_GRID_CHECK_CREDIBILITY;
    }
    if (strcmp(key->name, "fixed_credit") == 0) {
        return project->credit_rule != VCS_CREDIT_FIXED;
    }
    return project->dispatch == VCS_GRID_BY_REPLY
               ? is_one_of(key->name, of_units, sizeof of_units / sizeof *of_units)
               : is_one_of(key->name, of_replies, sizeof of_replies / sizeof *of_replies);
}

/* Keys that the table replaces or another key makes void. */
static bool is_silent_of_population(const struct state_key *key, const void *draft) {
    static const char *const of_tables[] = {"skipped_lines"};
    static const char *const of_saboteurs[] = {"sabotage", "collude"};
    static const char *const of_spells[] = {"available_mean", "available_step", "spells", "spell_shape"};
    const struct grid_population_draft *population = draft;
    if (strcmp(key->name, "cpus") == 0 || strcmp(key->name, "flops") == 0) {
        return population->table != NULL;
    }
    if (strcmp(key->name, "spell_shape") == 0 && population->emulation.spells == VCS_SPELLS_EXPONENTIAL) {
        return true;
    }
    return (population->table == NULL && is_one_of(key->name, of_tables, 1)) ||
           (population->model.saboteurs <= 0 && is_one_of(key->name, of_saboteurs, 2)) ||
           (population->model.lifetime <= 0 && strcmp(key->name, "replaced") == 0) ||
           (population->emulation.available >= 1 &&
            is_one_of(key->name, of_spells, sizeof of_spells / sizeof *of_spells));
}

void report_assumptions(struct json *json, const struct grid_emulated *emulated) {
    const struct state_file *file = emulated->file;
    json_begin_array(json, "assumptions");
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        json_string(json, NULL, sentences[i]);
    }
    json_end_array(json);
    json_begin_array(json, "sections");
    for (uint32_t i = 0; i < emulated->grid->project_count; i++) {
        const struct grid_server_draft draft = vcs_scn_grid_server_in_use(emulated->grid, i);
        write_section(json, file, emulated->grid->servers[i], &draft, is_silent_of_server);
    }
    for (uint32_t i = 0; i < emulated->grid->population_count; i++) {
        const struct grid_population_draft draft = vcs_scn_grid_population_in_use(&emulated->grid->populations[i]);
        write_section(json, file, file->sections[GRID_POPULATION][i], &draft, is_silent_of_population);
    }
    json_end_array(json);
}

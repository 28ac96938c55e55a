/* Files for other programs, as include/vcemu/scenario.h declares them. SPDX-License-Identifier: MIT */
#include <vcemu/scenario.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/prepare.h"
#include "vcemu/scenario/scenario.h"
#include "vcemu/scenario/state/state_interpret.h"
#include "vcemu/scenario/state/state_sections.h"
#include "vcemu/scenario/state/state_settings.h"

struct vcs_file {
    struct state_file file;
    char *path; /* what file.document.file points to */
    uint32_t kind;
    vcs_parameters parameters;
    vcs_emulation emulation;
    vcs_scenario scenario; /* unless it is a grid */
    char **alike_names;    /* of the applications that were made from tasks; NULL without them */
    vcs_grid_terms terms;
    vcs_grid grid;
};

/* What to read, and how. */
struct source {
    const char *path;
    const char *text; /* NULL = read the file `path` */
    size_t text_size;
    uint32_t kind;
    const vcs_file_options *options;
};

/* ---- reading ---- */

static bool read_document(struct vcs_file *file, const struct source *source, struct fault *fault) {
    struct ini_document *document = &file->file.document;
    return source->text == NULL ? vcs_scn_ini_read(document, file->path, NULL, fault)
                                : vcs_scn_ini_parse(document, file->path, source->text, source->text_size, fault);
}

static bool check(const struct vcs_file *file, struct fault *fault) {
    switch (file->kind) {
    case VCS_FILE_STATE:
        return true;
    case VCS_FILE_SCENARIO:
        return vcs_scn_check(&file->file, fault);
    default:
        return vcs_scn_grid_scenario_check(&file->file, fault);
    }
}

static char *name_like_task(const struct state_file *file, uint32_t app) {
    const char *project = vcs_scn_state_file_name(file, STATE_PROJECT, file->apps[app].project);
    const char *task = vcs_scn_state_file_name(file, STATE_TASK, file->alike[app]);
    const size_t size = strlen(project) + strlen(task) + 2;
    char *name = malloc(size);
    if (name != NULL) {
        snprintf(name, size, "%s/%s", project, task);
    }
    return name;
}

static bool name_alike(struct vcs_file *file) {
    const uint32_t first = file->file.counts[STATE_APP], count = file->file.app_count - first;
    bool all = true;
    if (count > 0) {
        file->alike_names = calloc(count, sizeof *file->alike_names);
        all = file->alike_names != NULL;
    }
    for (uint32_t i = 0; i < count && all; i++) {
        file->alike_names[i] = name_like_task(&file->file, first + i);
        all = file->alike_names[i] != NULL;
    }
    return all;
}

/* The records, once the file has been read and checked. */
static bool complete(struct vcs_file *file) {
    const struct state_file *state = &file->file;
    file->parameters = file->kind == VCS_FILE_STATE ? state->parameters : state->emulated_parameters;
    if (file->kind == VCS_FILE_GRID) {
        const struct grid_scenario *grid = vcs_scn_grid_scenario_of(state);
        file->emulation = state->emulation;
        file->grid = vcs_scn_grid_scenario_grid(grid, grid->terms.seed, 0, &file->terms);
        return true;
    }
    file->scenario = vcs_scn_scenario_of(state, &file->emulation);
    if (file->kind == VCS_FILE_STATE) {
        file->scenario.snapshot = vcs_scn_state_file_snapshot(state);
    }
    return name_alike(file);
}

static bool read_file(struct vcs_file *file, const struct source *source, struct fault *fault) {
    struct policy_wish wish;
    if (source->kind > VCS_FILE_GRID) {
        return vcs_scn_fault_set(fault, "%s: there is no such kind of file", source->path);
    }
    file->kind = source->kind;
    file->file.grammar = source->kind == VCS_FILE_GRID ? &vcs_scn_grid_grammar : &vcs_scn_state_grammar_plain;
    file->path = malloc(strlen(source->path) + 1);
    if (file->path != NULL) {
        strcpy(file->path, source->path);
    }
    return (file->path != NULL || vcs_scn_fault_memory(fault, source->path)) &&
           vcs_scn_policy_read_wish(source->options, &wish, fault) && read_document(file, source, fault) &&
           vcs_scn_state_settings_apply(&file->file.document, file->file.grammar, &wish, fault) &&
           vcs_scn_state_file_interpret(&file->file, &wish, fault) && check(file, fault) &&
           (complete(file) || vcs_scn_fault_memory(fault, source->path));
}

static void tell(char *message, uint32_t size, const char *first, const char *second) {
    if (size > 0) {
        snprintf(message, size, "%s%s%s", first, first[0] != '\0' && second[0] != '\0' ? "; " : "", second);
    }
}

static vcs_file *make(const struct source *source, char *message, uint32_t message_size) {
    struct fault fault;
    if (source->path == NULL) {
        tell(message, message_size, "the name of the file is NULL", "");
        return NULL;
    }
    struct vcs_file *file = calloc(1, sizeof *file);
    const bool read = file == NULL ? vcs_scn_fault_memory(&fault, source->path) : read_file(file, source, &fault);
    if (!read) {
        tell(message, message_size, fault.message, "");
        vcs_file_free(file);
        return NULL;
    }
    const bool is_emulated = file->kind != VCS_FILE_STATE;
    tell(message, message_size, file->file.former.message, is_emulated ? file->file.note.message : "");
    return file;
}

vcs_file *vcs_file_read(const char *path, uint32_t kind, const vcs_file_options *options, char *message,
                        uint32_t message_size) {
    const struct source source = {.path = path, .kind = kind, .options = options};
    return make(&source, message, message_size);
}

vcs_file *vcs_file_parse(const char *text, size_t text_size, const char *name, uint32_t kind,
                         const vcs_file_options *options, char *message, uint32_t message_size) {
    if (text == NULL && text_size > 0) {
        tell(message, message_size, "the text is NULL", "");
        return NULL;
    }
    const struct source source = {name, text == NULL ? "" : text, text_size, kind, options};
    return make(&source, message, message_size);
}

void vcs_file_free(vcs_file *file) {
    if (file == NULL) {
        return;
    }
    for (uint32_t i = 0; file->alike_names != NULL && i < file->file.app_count - file->file.counts[STATE_APP]; i++) {
        free(file->alike_names[i]);
    }
    free(file->alike_names);
    vcs_scn_state_file_free(&file->file);
    free(file->path);
    free(file);
}

/* ---- the records ---- */

const vcs_scenario *vcs_file_scenario(const vcs_file *file) {
    return file->kind == VCS_FILE_GRID ? NULL : &file->scenario;
}

vcs_parameters *vcs_file_parameters(vcs_file *file) {
    return &file->parameters;
}

vcs_emulation *vcs_file_emulation(vcs_file *file) {
    return &file->emulation;
}

const vcs_grid *vcs_file_grid(const vcs_file *file) {
    return file->kind == VCS_FILE_GRID ? &file->grid : NULL;
}

vcs_grid_terms *vcs_file_grid_terms(vcs_file *file) {
    return file->kind == VCS_FILE_GRID ? &file->terms : NULL;
}

vcs_host_class *vcs_file_host_class(vcs_file *file, uint32_t population) {
    return population < file->grid.classes.count ? &vcs_scn_grid_scenario_of(&file->file)->classes[population] : NULL;
}

uint64_t vcs_file_most_hosts(const vcs_file *file) {
    return file->kind == VCS_FILE_GRID ? vcs_scn_grid_scenario_most_hosts(vcs_scn_grid_scenario_of(&file->file)) : 0;
}

/* ---- names ---- */

static const char *name_of(const struct state_file *file, uint32_t kind, uint32_t index) {
    return index < file->counts[kind] ? vcs_scn_state_file_name(file, kind, index) : "";
}

const char *vcs_file_name(const vcs_file *file, uint32_t type, uint32_t index) {
    const uint32_t apps = file->file.counts[STATE_APP];
    switch (type) {
    case VCS_TYPE_PROJECT:
        return name_of(&file->file, STATE_PROJECT, index);
    case VCS_TYPE_RESOURCE:
        return index == 0 ? CPU_NAME : name_of(&file->file, STATE_GPU, index - 1);
    case VCS_TYPE_APP:
        return index >= apps && file->alike_names != NULL && index < file->file.app_count
                   ? file->alike_names[index - apps]
                   : name_of(&file->file, STATE_APP, index);
    case VCS_TYPE_TASK:
        return name_of(&file->file, STATE_TASK, index);
    case VCS_TYPE_CANDIDATE:
        return name_of(&file->file, STATE_CANDIDATE, index);
    case VCS_TYPE_HOST_MODEL:
        return file->kind == VCS_FILE_GRID ? name_of(&file->file, GRID_POPULATION, index) : "";
    default:
        return "";
    }
}

/* Does a key of the section [KIND] set the parameter? */
static bool section_sets(const struct ini_document *document, const char *kind,
                         const char *(*parameter_of)(const char *key), const char *parameter) {
    const struct ini_section *section = vcs_scn_ini_find(document, kind, "");
    for (size_t i = 0; section != NULL && i < section->entry_count; i++) {
        const char *set = parameter_of(document->entries[section->first_entry + i].key);
        if (set != NULL && strcmp(set, parameter) == 0) {
            return true;
        }
    }
    return false;
}

uint32_t vcs_file_sets(const vcs_file *file, uint32_t population, const char *parameter) {
    const struct ini_document *document = &file->file.document;
    const bool is_buffer = strcmp(parameter, "min_buffer") == 0 || strcmp(parameter, "additional_buffer") == 0;
    const bool by_population =
        is_buffer && population < file->grid.classes.count &&
        vcs_scn_ini_entry(document, file->file.sections[GRID_POPULATION][population], parameter) != NULL;
    return by_population ||
           (strcmp(parameter, "profile") != 0 &&
            section_sets(document, "client", vcs_scn_policy_current_name, parameter)) ||
           (file->kind != VCS_FILE_STATE && /* whose parameters are those before [emulation] changes them */
            section_sets(document, "emulation", vcs_scn_state_emulation_parameter, parameter));
}

/* ---- errors ---- */

void vcs_file_explain(const vcs_file *file, const vcs_error *error, char *message, uint32_t message_size) {
    struct fault fault;
    switch (file->kind) {
    case VCS_FILE_STATE:
        vcs_scn_prepare_refuse(&file->file, error, &fault);
        break;
    case VCS_FILE_SCENARIO:
        vcs_scn_refuse(&file->file, error, &fault);
        break;
    default:
        vcs_scn_grid_scenario_refuse(&file->file, error, &fault);
    }
    tell(message, message_size, fault.message, "");
}

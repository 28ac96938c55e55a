/* SPDX-License-Identifier: MIT */
#include "state_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vcsched/estimate.h>

#include "state_value.h"

#define CPU_NAME "CPU"
#define DEFAULT_SHARE 100.0

/* What is needed only while a state file is read. */
struct state_reader {
    struct state_file *state;
    struct fault *fault;
};

static bool has(const struct state_reader *reader, const struct ini_section *section, const char *key) {
    return ini_entry(&reader->state->document, section, key) != NULL;
}

static struct place place_of(const struct state_reader *reader, const struct ini_section *section, const char *key) {
    return ini_place(&reader->state->document, section, key);
}

/* ---- which sections there are ---- */

static bool find_kind(const struct state_reader *reader, struct ini_section *section) {
    struct place place = place_of(reader, section, NULL);
    for (uint32_t kind = 0; kind < STATE_KINDS; kind++) {
        if (!ini_section_is(section, state_grammar[kind].kind)) {
            continue;
        }
        if (state_grammar[kind].named != (ini_section_name(section)[0] != '\0')) {
            return fault_at(reader->fault, &place, "a section of this kind has %s name",
                            state_grammar[kind].named ? "a" : "no");
        }
        section->kind = kind;
        section->record = reader->state->counts[kind]++;
        return true;
    }
    return fault_at(reader->fault, &place, "there is no section of this kind");
}

static bool check_host_is_there(const struct state_reader *reader) {
    const struct ini_document *document = &reader->state->document;
    struct place place = {.file = document->file, .line = document->line_count == 0 ? 1 : document->line_count};
    if (document->section_count == 0) {
        return fault_at(reader->fault, &place, "the file is empty; at least a [host] section is needed");
    }
    return reader->state->counts[STATE_HOST] != 0 || fault_at(reader->fault, &place, "the [host] section is missing");
}

static bool find_kinds(const struct state_reader *reader) {
    struct ini_document *document = &reader->state->document;
    if (document->section_count >= UINT32_MAX) {
        return fault_set(reader->fault, "%s: there are too many sections", document->file);
    }
    for (size_t i = 0; i < document->section_count; i++) {
        if (!find_kind(reader, &document->sections[i])) {
            return false;
        }
    }
    return check_host_is_there(reader);
}

/* Memory for `count` records, all zero; also for none of them it is not NULL. */
static void *make_records(uint32_t count, size_t size) {
    return calloc(count == 0 ? 1 : count, size);
}

static bool make_room(const struct state_reader *reader) {
    struct state_file *state = reader->state;
    bool all = true;
    for (uint32_t kind = 0; kind < STATE_KINDS; kind++) {
        state->sections[kind] = make_records(state->counts[kind], sizeof *state->sections[kind]);
        all = all && state->sections[kind] != NULL;
    }
    state->resources = make_records(state_file_resource_count(state), sizeof *state->resources);
    state->projects = make_records(state->counts[STATE_PROJECT], sizeof *state->projects);
    state->pairs = make_records(state->counts[STATE_PAIR], sizeof *state->pairs);
    state->apps = make_records(state->counts[STATE_APP], sizeof *state->apps);
    state->tasks = make_records(state->counts[STATE_TASK], sizeof *state->tasks);
    state->candidates = make_records(state->counts[STATE_CANDIDATE], sizeof *state->candidates);
    all = all && state->resources != NULL && state->projects != NULL && state->pairs != NULL && state->apps != NULL &&
          state->tasks != NULL && state->candidates != NULL;
    return all || fault_set(reader->fault, "%s: there is not enough memory for it", state->document.file);
}

/* ---- names ---- */

static bool refuse_name(const struct state_reader *reader, const struct ini_section *section, const char *key,
                        const char *kind, const char *name) {
    struct place place = place_of(reader, section, key);
    return fault_at(reader->fault, &place, "there is no section [%s %s]", kind, fault_quote(name).text);
}

/* Finds the section [KIND NAME] that `key` of a section refers to. */
static bool find_named(const struct state_reader *reader, const struct ini_section *section, const char *key,
                       enum state_kind kind, const char *name, uint32_t *record) {
    const struct ini_section *found = ini_find(&reader->state->document, state_grammar[kind].kind, name);
    if (found == NULL) {
        return refuse_name(reader, section, key, state_grammar[kind].kind, name);
    }
    *record = found->record;
    return true;
}

static bool find_gpu(const struct state_reader *reader, const struct ini_section *section, const char *key,
                     const char *name, uint32_t *resource) {
    uint32_t gpu = 0;
    if (!find_named(reader, section, key, STATE_GPU, name, &gpu)) {
        return false;
    }
    *resource = gpu + 1;
    return true;
}

/*
 * Splits the name of a section, "PROJECT/REST", after the longest part that is a project's name. Sets *rest to what
 * follows the slash.
 */
static bool split_name(const struct state_reader *reader, const struct ini_section *section, uint32_t *project,
                       const char **rest) {
    const char *name = ini_section_name(section);
    char part[INI_LINE_MAX + 1];
    for (size_t length = strlen(name); length-- > 0;) {
        if (name[length] != '/') {
            continue;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        const struct ini_section *found = ini_find(&reader->state->document, "project", part);
        if (found != NULL) {
            *project = found->record;
            *rest = name + length + 1;
            return true;
        }
    }
    struct place place = place_of(reader, section, NULL);
    return fault_at(reader->fault, &place, "its name must begin with that of a project and a /");
}

/* ---- one section ---- */

static const struct state_key *find_key(const struct state_section_grammar *grammar, const char *name) {
    for (size_t i = 0; i < grammar->key_count; i++) {
        if (strcmp(grammar->keys[i].name, name) == 0) {
            return &grammar->keys[i];
        }
    }
    return NULL;
}

/* Reads all keys of a section into its draft. */
static bool read_keys(const struct state_reader *reader, const struct ini_section *section, union state_draft *draft) {
    const struct ini_document *document = &reader->state->document;
    const struct state_section_grammar *grammar = &state_grammar[section->kind];
    uint64_t seen = 0;
    for (size_t i = 0; i < section->entry_count; i++) {
        const struct ini_entry *entry = &document->entries[section->first_entry + i];
        struct place place = {document->file, entry->line, section->header, entry->key};
        const struct state_key *key = find_key(grammar, entry->key);
        if (key == NULL) {
            return fault_at(reader->fault, &place, "a section of this kind has no such key");
        }
        uint64_t bit = UINT64_C(1) << (key - grammar->keys);
        if ((seen & bit) != 0) {
            return fault_at(reader->fault, &place, "the same key stands in line %zu already",
                            ini_entry(document, section, entry->key)->line);
        }
        seen |= bit;
        if (!state_value_read(key, entry->value, (unsigned char *)draft + key->offset, &place, reader->fault)) {
            return false;
        }
    }
    return true;
}

static bool require(const struct state_reader *reader, const struct ini_section *section, const char *key) {
    struct place place = place_of(reader, section, key);
    return has(reader, section, key) || fault_at(reader->fault, &place, "this key is missing");
}

static bool read_host(const struct state_reader *reader, const struct ini_section *section) {
    struct state_file *state = reader->state;
    union state_draft draft = {.host = {.cpu = {.usable = 1}}};
    if (!read_keys(reader, section, &draft) || !require(reader, section, "cpus") ||
        !require(reader, section, "flops")) {
        return false;
    }
    state->now = draft.host.now;
    state->host = draft.host.host;
    state->resources[0] = draft.host.cpu;
    return true;
}

static bool read_gpu(const struct state_reader *reader, const struct ini_section *section) {
    struct place place = place_of(reader, section, NULL);
    if (strcmp(ini_section_name(section), CPU_NAME) == 0) {
        return fault_at(reader->fault, &place, "the name CPU stands for the CPUs of the host");
    }
    union state_draft draft = {.gpu = {.id = section->record + 1, .usable = 1, .instances = 1}};
    if (!read_keys(reader, section, &draft) || !require(reader, section, "flops")) {
        return false;
    }
    reader->state->resources[section->record + 1] = draft.gpu;
    return true;
}

static bool read_project(const struct state_reader *reader, const struct ini_section *section) {
    union state_draft draft = {.project = {.id = section->record, .share = DEFAULT_SHARE}};
    if (!read_keys(reader, section, &draft)) {
        return false;
    }
    reader->state->projects[section->record] = draft.project;
    return true;
}

static bool read_pair(const struct state_reader *reader, const struct ini_section *section) {
    union state_draft draft = {.pair = {.id = section->record}};
    const char *resource;
    if (!read_keys(reader, section, &draft) || !split_name(reader, section, &draft.pair.project, &resource)) {
        return false;
    }
    if (strcmp(resource, CPU_NAME) != 0 && !find_gpu(reader, section, NULL, resource, &draft.pair.resource)) {
        return false;
    }
    reader->state->pairs[section->record] = draft.pair;
    return true;
}

static bool read_app(const struct state_reader *reader, const struct ini_section *section) {
    union state_draft draft = {.app = {.app = {.id = section->record}}};
    const char *name;
    uint32_t gpu;
    if (!read_keys(reader, section, &draft) || !split_name(reader, section, &draft.app.app.project, &name)) {
        return false;
    }
    if (draft.app.gpu != NULL && !find_gpu(reader, section, "gpu", draft.app.gpu, &gpu)) {
        return false;
    }
    reader->state->apps[section->record] = draft.app.app;
    return true;
}

static bool read_emulation(const struct state_reader *reader, const struct ini_section *section) {
    union state_draft draft = {.emulation = {.unused = 0}};
    return read_keys(reader, section, &draft);
}

/* ---- tasks ---- */

static bool find_app(const struct state_reader *reader, const struct ini_section *section,
                     struct state_task_draft *draft) {
    char name[2 * INI_LINE_MAX + 2];
    snprintf(name, sizeof name, "%s/%s", draft->project, draft->app);
    return find_named(reader, section, "app", STATE_APP, name, &draft->task.app);
}

static bool resolve_names(const struct state_reader *reader, const struct ini_section *section,
                          struct state_task_draft *draft) {
    return require(reader, section, "project") &&
           find_named(reader, section, "project", STATE_PROJECT, draft->project, &draft->task.project) &&
           (draft->app == NULL || find_app(reader, section, draft)) &&
           (draft->gpu == NULL || find_gpu(reader, section, "gpu", draft->gpu, &draft->task.gpu));
}

static bool fill_in_use(const struct state_reader *reader, const struct ini_section *section,
                        struct state_task_draft *draft) {
    bool has_gpus = has(reader, section, "gpus");
    if (has_gpus && draft->gpu == NULL) {
        struct place place = place_of(reader, section, "gpus");
        return fault_at(reader->fault, &place, "has a meaning only together with gpu");
    }
    if (draft->gpu != NULL && !has_gpus) {
        draft->task.gpus = 1;
    }
    if (draft->gpu == NULL && !has(reader, section, "cpus")) {
        draft->task.cpus = 1;
    }
    return true;
}

/* Adds what the library wants to know beside the keys of the task. The efficiency is that of the use of CPUs. */
static void complete_progress(const struct state_file *state, struct state_task_draft *draft) {
    const vcs_project *project = &state->projects[draft->task.project];
    vcs_progress *progress = &draft->progress;
    progress->struct_size = sizeof *progress;
    if (draft->task.gpu == 0) {
        progress->efficiency = project->efficiency;
    }
    if (state->parameters.use_dcf) {
        progress->dcf = project->dcf;
        if (draft->task.app != VCS_NONE && state->apps[draft->task.app].dcf != 0) {
            progress->dcf = state->apps[draft->task.app].dcf;
        }
    }
}

/* An estimate may also be refused for what stands in the section of the application or project. */
static bool refuse_estimate(const struct state_reader *reader, const struct ini_section *section,
                            const struct state_task_draft *draft, const vcs_error *error) {
    const struct state_file *state = reader->state;
    const struct ini_section *at_fault = section;
    if (!has(reader, section, error->field)) {
        at_fault = state->sections[STATE_PROJECT][draft->task.project];
        if (draft->task.app != VCS_NONE && has(reader, state->sections[STATE_APP][draft->task.app], error->field)) {
            at_fault = state->sections[STATE_APP][draft->task.app];
        }
    }
    struct place place = place_of(reader, at_fault, error->field);
    return fault_at(reader->fault, &place, "%s", fault_reason(error));
}

static bool estimate_remaining(const struct state_reader *reader, const struct ini_section *section,
                               struct state_task_draft *draft) {
    if (!require(reader, section, "flops")) {
        return false;
    }
    complete_progress(reader->state, draft);
    vcs_error error = {.struct_size = sizeof error};
    return vcs_estimate_remaining(&draft->progress, reader->state->parameters.estimate, &draft->task.remaining,
                                  &error) == VCS_OK ||
           refuse_estimate(reader, section, draft, &error);
}

static bool find_remaining(const struct state_reader *reader, const struct ini_section *section,
                           struct state_task_draft *draft) {
    static const char *const only_for_estimate[] = {"flops", "elapsed", "fraction_done"};
    bool known = has(reader, section, "remaining");
    bool estimated = has(reader, section, "est_flops");
    if (known == estimated) {
        struct place place = place_of(reader, section, "remaining");
        return fault_at(reader->fault, &place,
                        known ? "stands beside est_flops; only one of them may be given"
                              : "is missing, and so is est_flops, from which it could be estimated");
    }
    if (estimated) {
        return estimate_remaining(reader, section, draft);
    }
    for (size_t i = 0; i < sizeof only_for_estimate / sizeof *only_for_estimate; i++) {
        if (has(reader, section, only_for_estimate[i])) {
            struct place place = place_of(reader, section, only_for_estimate[i]);
            return fault_at(reader->fault, &place, "has a meaning only together with est_flops");
        }
    }
    return true;
}

/* Tasks and candidates are named together in answers, so no name may stand for one of each. */
static bool check_name_is_free(const struct state_reader *reader, const struct ini_section *section) {
    const struct ini_section *task = ini_find(&reader->state->document, "task", ini_section_name(section));
    struct place place = place_of(reader, section, NULL);
    return task == NULL || fault_at(reader->fault, &place, "a task in line %zu has the same name", task->line);
}

static bool read_task(const struct state_reader *reader, const struct ini_section *section, vcs_task *task) {
    union state_draft draft = {.task = {.task = {.app = VCS_NONE, .deadline = INFINITY}}};
    if (!read_keys(reader, section, &draft) || !resolve_names(reader, section, &draft.task) ||
        !fill_in_use(reader, section, &draft.task) || !find_remaining(reader, section, &draft.task)) {
        return false;
    }
    *task = draft.task.task;
    return true;
}

static bool read_queued(const struct state_reader *reader, const struct ini_section *section) {
    vcs_task *task = &reader->state->tasks[section->record];
    if (!read_task(reader, section, task)) {
        return false;
    }
    task->id = section->record;
    return true;
}

static bool read_candidate(const struct state_reader *reader, const struct ini_section *section) {
    vcs_task *candidate = &reader->state->candidates[section->record];
    if (!check_name_is_free(reader, section) || !read_task(reader, section, candidate)) {
        return false;
    }
    candidate->id = (uint64_t)reader->state->counts[STATE_TASK] + section->record;
    return true;
}

/* ---- all sections ---- */

static bool read_section(const struct state_reader *reader, const struct ini_section *section) {
    switch ((enum state_kind)section->kind) {
    case STATE_HOST:
        return read_host(reader, section);
    case STATE_EMULATION:
        return read_emulation(reader, section);
    case STATE_GPU:
        return read_gpu(reader, section);
    case STATE_PROJECT:
        return read_project(reader, section);
    case STATE_PAIR:
        return read_pair(reader, section);
    case STATE_APP:
        return read_app(reader, section);
    case STATE_TASK:
        return read_queued(reader, section);
    case STATE_CANDIDATE:
        return read_candidate(reader, section);
    case STATE_CLIENT: /* has been read with the policy */
    case STATE_KINDS:
        break;
    }
    return true;
}

static bool read_sections(const struct state_reader *reader, bool tasks) {
    struct state_file *state = reader->state;
    for (size_t i = 0; i < state->document.section_count; i++) {
        const struct ini_section *section = &state->document.sections[i];
        if ((section->kind >= STATE_TASK) == tasks) {
            state->sections[section->kind][section->record] = section;
            if (!read_section(reader, section)) {
                return false;
            }
        }
    }
    return true;
}

bool state_file_read(struct state_file *state, const char *path, const struct policy_wish *wish, struct fault *fault) {
    struct state_reader reader = {state, fault};
    *state = (struct state_file){.now = 0};
    return ini_read(&state->document, path, fault) && find_kinds(&reader) && make_room(&reader) &&
           policy_read(&state->parameters, wish, &state->document, ini_find(&state->document, "client", ""), fault) &&
           read_sections(&reader, false) && read_sections(&reader, true);
}

void state_file_free(struct state_file *state) {
    ini_free(&state->document);
    for (uint32_t kind = 0; kind < STATE_KINDS; kind++) {
        free(state->sections[kind]);
    }
    free(state->resources);
    free(state->projects);
    free(state->pairs);
    free(state->apps);
    free(state->tasks);
    free(state->candidates);
    *state = (struct state_file){.now = 0};
}

/* ---- what others ask ---- */

static vcs_array records(const void *base, size_t size, uint32_t count) {
    vcs_array array = {.base = base, .element_size = (uint32_t)size, .count = count};
    return array;
}

vcs_view state_file_view(const struct state_file *state) {
    vcs_view view = {.struct_size = sizeof view};
    view.host = records(&state->host, sizeof state->host, 1);
    view.resources = records(state->resources, sizeof *state->resources, state_file_resource_count(state));
    view.projects = records(state->projects, sizeof *state->projects, state->counts[STATE_PROJECT]);
    view.pairs = records(state->pairs, sizeof *state->pairs, state->counts[STATE_PAIR]);
    view.apps = records(state->apps, sizeof *state->apps, state->counts[STATE_APP]);
    view.tasks = records(state->tasks, sizeof *state->tasks, state->counts[STATE_TASK]);
    view.candidates = records(state->candidates, sizeof *state->candidates, state->counts[STATE_CANDIDATE]);
    return view;
}

uint32_t state_file_resource_count(const struct state_file *state) {
    return state->counts[STATE_GPU] + 1;
}

const char *state_file_resource_name(const struct state_file *state, uint32_t resource) {
    return resource == 0 ? CPU_NAME : state_file_name(state, STATE_GPU, resource - 1);
}

const char *state_file_name(const struct state_file *state, enum state_kind kind, uint32_t index) {
    return ini_section_name(state->sections[kind][index]);
}

/* The key whose value the library knows under this name; NULL if it comes from none. */
static const char *key_of_field(enum state_kind kind, const char *field) {
    const struct state_section_grammar *grammar = &state_grammar[kind];
    for (size_t i = 0; i < grammar->key_count; i++) {
        const struct state_key *key = &grammar->keys[i];
        if (strcmp(key->field == NULL ? key->name : key->field, field) == 0) {
            return key->name;
        }
    }
    return NULL;
}

bool state_file_refuse(const struct state_file *state, enum state_kind kind, const vcs_error *error,
                       struct fault *fault) {
    const struct ini_section *section = state->sections[kind][error->index];
    struct place place = ini_place(&state->document, section, key_of_field(kind, error->field));
    return fault_at(fault, &place, "%s", fault_reason(error));
}
